#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Where reports go: streams that are closed, files that are replaced or written in place.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR"
	mkdir d
}

# without CLOSED WORD...: run pmuscope with these standard descriptors closed; $status is its status.
without() {
	local closed=$1
	shift
	status=0
	(
		case $closed in *0*) exec 0<&- ;; esac
		case $closed in *1*) exec 1>&- ;; *) exec 1>stdout ;; esac
		case $closed in *2*) exec 2>&- ;; *) exec 2>stderr ;; esac
		exec "$PMUSCOPE" "$@"
	) || status=$?
}

@test "closed standard streams take nothing from files" {
	"$SPE_MAKE" 1 200 a.raw
	for to in csv sqlite; do
		"$PMUSCOPE" spe export --raw a.raw --to $to -o want.$to 2>/dev/null
	done
	"$PMUSCOPE" spe report --raw a.raw -o want.report
	for closed in 0 1 2 01 02 12 012; do
		for to in csv sqlite; do
			rm -f d/out
			without $closed spe export --raw a.raw --to $to -o d/out
			[ "$status" -eq 0 ]
			cmp d/out want.$to
		done
		without $closed spe report --raw a.raw -o d/out
		[ "$status" -eq 0 ]
		cmp d/out want.report
		[ "$(ls -A d)" = out ]
	done
}

@test "a report to a closed stream is an error" {
	"$SPE_MAKE" 1 200 a.raw
	for closed in 1 01; do
		for command in "list cpus" "core show" doctor "spe export --raw a.raw --to csv" \
			"spe dump --raw a.raw" "spe report --raw a.raw"; do
			without $closed $command
			[ "$status" -eq 2 ]
			grep -q "cannot write" stderr
		done
	done
	without 0 report - --mcpu neoverse-v1
	[ "$status" -eq 2 ]
	grep -q "standard input: .*Bad file descriptor" stderr
	without 0 stat --source perf --control fd:0 -- true
	[ "$status" -eq 2 ]
	grep -q "descriptor 0 is not open" stderr
}

@test "a program that is measured finds closed streams closed" {
	"$PMUSCOPE" stat --source perf -e page-faults -- true 2>/dev/null || skip "no counters"
	for closed in 0 1 2 012; do
		without $closed stat --source perf -e page-faults -o d/out -- \
			sh -c 'for n in 0 1 2; do [ -e /proc/$$/fd/$n ] || m=$m$n; done; echo $m >d/closed; exit 5'
		[ "$status" -eq 5 ]
		[ "$(cat d/closed)" = $closed ]
		grep -q page-faults d/out
	done
}
