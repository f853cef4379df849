#!/usr/bin/env bats
# SPDX-License-Identifier: MIT Intervals on a terminal: tmux can tell what its screen shows, and can
# be resized.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR"
	"$PMUSCOPE" stat --source perf -e page-faults -- true >/dev/null 2>out ||
		skip "perf_event_open is not to be had here: $(head -1 out)"
	command -v tmux >/dev/null || skip "there is no tmux"
	TERM=xterm terminal new-session -d -x 100 -y 24 "env -u COLUMNS -u LINES PS1='READY ' bash --norc -i"
	shows READY
}

teardown() {
	terminal kill-server 2>/dev/null || :
}

terminal() {
	tmux -S "$BATS_TEST_TMPDIR/socket" -f /dev/null "$@" 3>&-
}

screen() {
	terminal capture-pane -p
}

# shows PATTERN [N]: within some seconds a line of the screen, or N lines, match
shows() {
	for ((i = 0; i < 80; i++)); do
		n=$(screen | grep -c -E -- "$1") || :
		[ "$n" -eq 0 ] || [ "$n" -ne "${2:-$n}" ] || return 0
		sleep 0.1
	done
	echo "not ${2:-} on the screen: $1"
	screen
	return 1
}

keys() {
	terminal send-keys "$@"
}

head='^[0-9]+\.[0-9] s +page-'

start() {
	keys "$PMUSCOPE stat -I 100 -e page-faults,task-clock,context-switches,cpu-migrations -p $$" Enter
	shows "$head"
}

# The time that the head shows.
time_shown() {
	screen | sed -n 's/^\([0-9.]*\) s  .*/\1/p' | tail -n 1
}

# Intervals go on, below a single head.
goes_on() {
	local before
	before=$(time_shown)
	for ((k = 0; k < 50; k++)); do
		[ "$(time_shown)" = "$before" ] || break
		sleep 0.1
	done
	shows "$head" "${1:-1}"
	shows '^total' "${1:-1}"
}

@test "a terminal that is made narrower or wider has one picture" {
	start
	for width in 60 45 20 70 50 100; do
		terminal resize-window -x $width
		sleep 0.3
		goes_on
	done
	shows 'cpu-migrations' 1 # in the head, since there is room for it again
	for width in 90 80 70 60 50 40 30; do
		terminal resize-window -x $width
	done
	sleep 0.3
	goes_on
}

@test "what the shell wrote while we were stopped stays" {
	start
	keys C-z
	shows Stopped
	keys fg Enter
	goes_on 2
	shows 'READY fg' 1
	shows 'pmuscope stat -I 100' 3 # as it was typed, stopped and told to go on
}

@test "a signal from the keyboard leaves nothing in the last picture" {
	start
	goes_on
	keys C-c
	shows '^READY$' 1
	shows "$head" 1
	run -1 grep -F '^C' <<<"$(screen)"
}

@test "long runs say which one is on, on a terminal alone" {
	keys "$PMUSCOPE stat -r 4 -e page-faults -- sleep 0.6" Enter
	shows 'pmuscope: run [34] of 4$'
	shows 'page-faults'
	"$PMUSCOPE" stat --source perf -r 3 -e page-faults -- sleep 0.6 2>said
	run grep 'run . of' said
	[ "$status" -eq 1 ]
}
