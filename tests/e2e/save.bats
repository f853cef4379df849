#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# --save of topdown and stat.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR"
}

@test "a session is shown as the run was, in every format" {
	for command in topdown stat; do
		for format in table json csv; do
			rm -f s.pms
			"$PMUSCOPE" $command --format $format --per-thread --save s.pms -o first -- \
				"$EXACT/threads" "two words" $'caf\xe9'
			"$PMUSCOPE" report s.pms --format $format -o second
			cmp first second
		done
	done
	[ "$(stat -c %a s.pms)" = 600 ]
	[ "$(sqlite3 s.pms "SELECT text FROM argument WHERE position = 1")" = "two words" ]
}

@test "so is what was asked for" {
	"$PMUSCOPE" stat -e CPU_CYCLES,INST_RETIRED --save a.pms -o a -- "$EXACT/fib"
	"$PMUSCOPE" report a.pms | cmp - a
	"$PMUSCOPE" topdown -l 1 --all --save b.pms -o b -- "$EXACT/fib"
	"$PMUSCOPE" report b.pms | cmp - b
	"$PMUSCOPE" report b.pms --per-thread -j >c
	holds c '[s["thread"] for s in r["scopes"]] == [1]'
}

@test "a program's end is kept" {
	run "$PMUSCOPE" topdown --save s.pms -j -o a -- "$GUESTS/life" abort
	[ "$status" -eq 134 ]
	"$PMUSCOPE" report s.pms -j | cmp - a
	[ "$(sqlite3 s.pms "SELECT exit_status, signal FROM session")" = "134|6" ]
}

@test "an existing file is refused before anything is run" {
	echo mine >s.pms
	run -2 --separate-stderr "$PMUSCOPE" topdown --save s.pms -- "$GUESTS/life" abort
	[[ "$stderr" == "pmuscope: s.pms: "* ]]
	[ "$(cat s.pms)" = mine ]
}

@test "whatever ends pmuscope, there is no part of a session" {
	mkdir d
	"$PMUSCOPE" topdown --save d/s.pms -- "$GUESTS/life" ticks 4000 2>/dev/null &
	sleep 0.5
	kill -KILL $!
	wait $! || true
	[ -z "$(ls -A d)" ]
}

# obeys PROGRAM...: every relation of the modelled core is kept, or unchecked with a reason.
obeys() {
	rm -f s.pms
	"$PMUSCOPE" topdown --save s.pms -o report "$@" >/dev/null 2>&1 || true
	"$PMUSCOPE" check s.pms -j -o check.json
	python3 - "$@" <<-'END'
		import json, sys
		rows = json.load(open("check.json"))["relations"]
		bad = [x for x in rows if x["status"] == "broken" or
		       (x["status"] == "unchecked" and not x["because"])]
		assert not bad, (sys.argv[1:], bad)
		# Only relations of unmodelled events, or of the system's configuration, are left
		# unchecked.
		assert all("is not modelled" in x["because"] or x["condition"] for x in rows if x["status"] == "unchecked")
		assert sum(x["status"] == "kept" for x in rows) > 70
	END
}

@test "the model obeys what the documents say" {
	for program in accesses atomics barriers branches calls crypto exclusives failing fib flops integer loads \
		loop ordered stores straight syscalls threads unaligned vector; do
		obeys -- "$EXACT/$program"
	done
	for program in bigcode chase mispredict; do
		obeys -- "$EXAMPLES/$program"
	done
	obeys -- "$GUESTS/life" threads 4
	obeys -- "$GUESTS/life" abort
	obeys -- "$GUESTS/life" patch 50
}

@test "a broken count is found" {
	"$PMUSCOPE" topdown --save s.pms -o report -- "$EXACT/fib"
	sqlite3 s.pms "UPDATE count SET count = count + 1
		WHERE event = (SELECT id FROM event WHERE name = 'MEM_ACCESS_RD')"
	run -1 "$PMUSCOPE" check s.pms
	[[ "$output" == *"broken     MEM_ACCESS = MEM_ACCESS_RD + MEM_ACCESS_WR"* ]]
}
