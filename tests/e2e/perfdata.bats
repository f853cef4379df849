#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Files that Linux perf records on this machine are read as perf reads them, and what is written from them
# perf reads as it reads the original. PERFDATA_COPY reads, lists and writes; see perfdata_copy.c.

load helpers

# record FILE OPTION...: a small recording with a clock as event, which needs no PMU.
record() {
	command -v perf >/dev/null || skip 'Linux perf is not installed'
	file=$1
	shift
	perf record -q "$@" -o "$file" -- sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done' ||
		skip 'perf cannot record here'
}

# record_pipe FILE OPTION...: the same, through a pipe.
record_pipe() {
	command -v perf >/dev/null || skip 'Linux perf is not installed'
	file=$1
	shift
	perf record -q "$@" -o - -- sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done' >"$file" ||
		skip 'perf cannot record here'
}

# same_samples FILE: perf and the reader give the same samples, in the file's order, not in time
# order.
same_samples() {
	perf script --ns -F tid,time,period,event,ip -G -i "$1" 2>/dev/null |
		sed 's/[.:]/ /g' | # 12 3.000000004: 250000 cpu-clock: 55aa
		awk '{ printf "%s %.0f %s %s %s\n", $1, $2 * 1000000000 + $3, $4, $5, $6 }' | sort >want
	"$PERFDATA_COPY" "$1" | grep -v ^mmap | cut -d' ' -f1,3- | sort >got
	[ -s got ] || skip 'perf took no samples here'
	cmp want got
}

# same_script FILE: copies in each form, which perf reads as it does the original.
same_script() {
	cat "$1" | perf script --ns -G -i "$2" >want 2>/dev/null
	for form in '' -z; do
		"$PERFDATA_COPY" $form "$1" copy.data
		perf script --ns -G -i copy.data 2>/dev/null | cmp want -
		"$PERFDATA_COPY" -p $form "$1" copy.data
		cat copy.data | perf script --ns -G -i - 2>/dev/null | cmp want -
		"$PERFDATA_COPY" copy.data | cmp - <("$PERFDATA_COPY" "$1")
	done
}

setup() {
	cd "$BATS_TEST_TMPDIR"
}

@test "samples" {
	record a.data -e cpu-clock -F 2000
	same_samples a.data
	same_script a.data a.data
}

@test "several events, with call chains" {
	record a.data -e cpu-clock,task-clock -g -F 2000
	same_samples a.data
	same_script a.data a.data
}

@test "events whose samples are laid out differently" {
	record a.data -e cpu-clock/call-graph=dwarf/,task-clock/call-graph=no/,page-faults -F 1000
	same_samples a.data
	same_script a.data a.data
}

@test "groups that are read together, addresses, weights" {
	record a.data -e '{cpu-clock,task-clock}:S' -d --weight --sample-cpu -F 2000
	same_script a.data a.data
}

@test "stacks and registers" {
	record a.data -e cpu-clock --call-graph dwarf,512 -F 500
	same_samples a.data
	same_script a.data a.data
}

@test "compressed" {
	record a.data -z -e cpu-clock,task-clock -F 2000
	same_samples a.data
	same_script a.data a.data
}

@test "a pipe" {
	record_pipe a.data -e task-clock -F 2000
	same_script a.data -
}

@test "a compressed pipe" {
	record_pipe a.data -z -e task-clock -F 2000
	same_script a.data -
}
