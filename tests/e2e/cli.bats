#!/usr/bin/env bats
# SPDX-License-Identifier: MIT The command line: help, lists, and refusals. Nothing here needs QEMU.

load helpers

commands="topdown stat report check list search describe lint spe plan validate core doctor help"

# refuses STATUS TEXT ARGUMENT...: exits with STATUS, nothing on standard output and TEXT on
# standard error.
refuses() {
	local status_wanted=$1 text=$2
	shift 2
	run "-$status_wanted" --separate-stderr "$PMUSCOPE" "$@"
	echo "stderr: $stderr"
	[ -z "$output" ]
	[[ "$stderr" == "pmuscope: "*"$text"* ]]
}

is_json() {
	python3 -m json.tool >/dev/null
}

@test "without arguments the usage goes to standard error" {
	run --separate-stderr "$PMUSCOPE"
	[ "$status" -eq 2 ]
	[ -z "$output" ]
	[[ "$stderr" == "usage: pmuscope COMMAND"* ]]
}

@test "each help fits a screen and has an example" {
	for command in "" $commands "spe dump" "spe export" "spe report" live; do
		run --separate-stderr "$PMUSCOPE" help $command
		[ "$status" -eq 0 ]
		[ -z "$stderr" ]
		[[ "$output" == "usage: pmuscope "* ]]
		[[ "$output" == *"example"* ]]
		[ "${#lines[@]}" -le 24 ]
		for line in "${lines[@]}"; do
			[ "${#line}" -le 80 ]
		done
	done
}

@test "help COMMAND is COMMAND --help" {
	for command in $commands; do
		"$PMUSCOPE" help "$command" >"$BATS_TEST_TMPDIR/help"
		"$PMUSCOPE" "$command" --help | cmp - "$BATS_TEST_TMPDIR/help"
		"$PMUSCOPE" "$command" -h | cmp - "$BATS_TEST_TMPDIR/help"
	done
	"$PMUSCOPE" help spe dump >"$BATS_TEST_TMPDIR/help"
	"$PMUSCOPE" spe dump --help | cmp - "$BATS_TEST_TMPDIR/help"
	"$PMUSCOPE" help core show >"$BATS_TEST_TMPDIR/help"
	"$PMUSCOPE" core show --help | cmp - "$BATS_TEST_TMPDIR/help"
	refuses 2 "there is no command core shows" help core shows
	"$PMUSCOPE" help >"$BATS_TEST_TMPDIR/help"
	"$PMUSCOPE" --help | cmp - "$BATS_TEST_TMPDIR/help"
}

@test "the version names the CPUs" {
	run --separate-stderr "$PMUSCOPE" --version
	[ "$status" -eq 0 ]
	[[ "${lines[0]}" =~ ^pmuscope\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
	[[ "${lines[1]}" == "cpus:"*" neoverse-v1"* ]]
}

@test "a command that is not there is answered with the nearest" {
	refuses 2 "there is no command topdwn; did you mean topdown?" topdwn
	refuses 2 "there is no command topdwn; did you mean topdown?" help topdwn
	refuses 2 "there is no command xyzzy" xyzzy
	[[ "$stderr" != *"did you mean"* ]]
	refuses 2 "unknown option --vers" --vers
	refuses 2 "there is no command compare: to compare two runs take pmuscope report -j of each file" compare a b
	refuses 2 "there is no command diff: to compare" help diff
	refuses 2 "there is no command record: pmuscope topdown --save FILE" record ./prog
	refuses 2 "annotate what? A session is missing" annotate
	refuses 2 "b.pms is too much: one file at a time; to compare two runs take pmuscope report -j of each" \
		report a.pms b.pms
}

@test "an option that is not there is answered with the nearest" {
	refuses 2 "unknown option --jsno; did you mean --json?" topdown --jsno -- prog
	refuses 2 "unknown option --mcp-u; did you mean --mcpu?" list events --mcp-u neoverse-v1
	refuses 2 "unknown option -Z" topdown -Z -- prog
	refuses 2 "topdown has no option -e" topdown -e INST_RETIRED -- prog
	refuses 2 "topdown has no option --event" topdown --event INST_RETIRED -- prog
	refuses 2 "list has no option -M" list events -M ipc
	refuses 2 "--json takes no value" topdown --json=1 -- prog
	refuses 2 "-l needs a value" topdown -l
	refuses 2 "--mcpu needs a value" topdown --mcpu
}

@test "every command refuses options in the same words" {
	for command in topdown "list events" plan validate "core show" "spe dump" "spe export" "spe report"; do
		refuses 2 "unknown option --jsno" $command --jsno
		refuses 2 "unknown option -Z" $command -Z
		refuses 2 "-o needs a value" $command --output
		refuses 2 "-o needs a value" $command -o
		run -0 "$PMUSCOPE" $command --help
		[[ "${lines[0]}" == "usage: pmuscope ${command%% events}"* ]]
	done
}

@test "what only a PMU can do is refused of the modelled core, not passed over" {
	for option in -a "-C 0" "-p 1" "-t 1" "-G x" -A --per-core "-I 100" "-r 3" "-D 10" \
		--all-cpus "--pid 1" --multirun --multiplex "--cpu 0-3" "--timeout 5" --all-user; do
		refuses 2 "need --source perf" topdown --source vcore $option -- prog
		refuses 2 "need --source perf" stat --source vcore $option -- prog
	done
	for option in "--node x" "--format html"; do
		refuses 2 "${option%% *}" topdown $option -- prog
		[[ "$stderr" == *"not in this version"* ]]
	done
}

@test "an option behind the program is said to go to it" {
	topdown() { run --separate-stderr "$PMUSCOPE" topdown --source vcore "$@"; }
	for word in -o --all --save=x -j --format; do
		topdown /bin/echo "$word" x
		[[ "$stderr" == *"note: $word stands behind the program and goes to it; options of topdown go before it"* ]]
	done
	topdown -- /bin/echo --all # said to be meant
	[[ "$stderr" != *"behind the program"* ]]
	topdown /bin/echo --its-own -Z -e word # no options of topdown
	[[ "$stderr" != *"behind the program"* ]]
	topdown /bin/echo -- --all # the program's own end of options
	[[ "$stderr" != *"behind the program"* ]]
}

@test "report says what to do with a program" {
	cp /bin/true "$BATS_TEST_TMPDIR/prog"
	refuses 2 "prog: is a program, and no file of counts" report "$BATS_TEST_TMPDIR/prog" --mcpu neoverse-v1
	[[ "$stderr" == *"  run it: pmuscope topdown -- $BATS_TEST_TMPDIR/prog"* ]]
	refuses 2 "prog: is a program, and no file of counts" check "$BATS_TEST_TMPDIR/prog"
}

@test "a processor's name stands for its core, and both are shown" {
	"$PMUSCOPE" describe Graviton3 | grep -Fxq 'neoverse-v1: Neoverse V1 (AWS Graviton3)'
	"$PMUSCOPE" describe neoverse-n1 | grep -Fxq '  in         altra, altramax, graviton2'
	for row in graviton2:N1 graviton3:V1 graviton4:V2 cobalt100:N2 grace:V2 axion:V2 altra:N1 yitian710:N2; do
		"$PMUSCOPE" describe "${row%:*}" -j | grep -q "\"product\": \"Neoverse ${row#*:} ("
	done
	"$PMUSCOPE" list cpus | grep -q '^neoverse-v1 .* graviton3, graviton3e$'
	refuses 2 'no CPU "gravitn3"' list events --mcpu gravitn3
	[[ "$stderr" == *"did you mean graviton3?"* ]]
	printf '1000,,instructions,1,100.00,,\n' >"$BATS_TEST_TMPDIR/counts.csv"
	"$PMUSCOPE" report "$BATS_TEST_TMPDIR/counts.csv" --mcpu graviton2 | head -n 1 |
		grep -q '^Neoverse N1 (AWS Graviton2), measured'
}

@test "help lists its topics" {
	for topic in live sample "spe report" "spe dump" "spe export" "core show"; do
		"$PMUSCOPE" help help | grep -q -- "$topic"
		run -0 "$PMUSCOPE" help $topic
	done
	"$PMUSCOPE" help | grep -q live
}

@test "--cpu with a core's name says that --mcpu is meant" {
	refuses 2 "for a core use --mcpu neoverse-v1" topdown --cpu neoverse-v1 -- prog
}

@test "--source perf is this machine's to refuse" {
	! compgen -G '/sys/bus/event_source/devices/armv*' || skip "this machine has an Arm PMU"
	refuses 3 "no PMU" topdown --source perf --mcpu neoverse-v1 -- prog
	[[ "$stderr" == *"--source vcore"* ]]
	refuses 2 "--source x: neither vcore nor perf" topdown --source x -- prog
}

@test "a machine of another architecture is no reason to name a CPU" {
	case $(uname -m) in aarch64* | arm* | riscv*) skip "this machine measures" ;; esac
	refuses 3 "metrics are measured on Arm and RISC-V machines, and this is one of $(uname -m)" topdown -p $$
	[[ "$stderr" == *"  what runs already can be counted by a PMU alone;"*"--source vcore"* && "$stderr" != *"--mcpu"* ]]
	refuses 3 "metrics are measured on Arm" topdown --source perf -- prog
	[[ "$stderr" == *"  pass --source vcore"* && "$stderr" != *"--mcpu"* ]]
}

@test "a program of this folder is named with the folder" {
	cd "$BATS_TEST_TMPDIR"
	printf '#!/bin/sh\n' >tool-of-here
	refuses 127 "tool-of-here: no such program" topdown --source vcore tool-of-here
	[[ "$stderr" != *"./tool-of-here"* ]] # nobody may run it
	chmod +x tool-of-here
	refuses 127 "tool-of-here: no such program" topdown --source vcore tool-of-here
	[[ "$stderr" == *"  the one in this folder is ./tool-of-here"* ]]
}

@test "values that make no sense" {
	refuses 2 "-l 0: not a level" topdown -l 0 -- prog
	refuses 2 "-l 1x: not a level" topdown -l 1x -- prog
	refuses 2 "--format yaml: not one of" topdown --format yaml -- prog
	refuses 2 "two formats at once" topdown -j -x ';' -- prog
	for option in -o -x -L --mcpu --spec --qemu --env; do
		refuses 2 "$option needs a value" topdown $option '' -- prog
	done
	for control in 3 fd: fd:1x fd:3,4x fd:3,4,5 fd:-1 fd:4294967296 fd:3,4294967296; do
		refuses 2 "--control $control: not fd:N or fd:N,M" stat --control $control -- prog
	done
	refuses 2 "--control fd:77: descriptor 77 is not open" stat --control fd:77 -- prog
	refuses 2 "--control fd:0,78: descriptor 78 is not open" stat --control fd:0,78 -- prog
	refuses 2 "not a separator" topdown -x ab -- prog
	refuses 2 "not a separator" topdown -x '"' -- prog
	refuses 2 "an empty name" stat -e A,,B -- prog
	refuses 2 "not NAME=VALUE" topdown --env NAME -- prog
}

@test "names that are not in the catalog" {
	refuses 2 "no event INST_RETIRD" stat --source vcore -e CPU_CYCLES,INST_RETIRD -- prog
	[[ "$stderr" == *"did you mean INST_RETIRED?"* ]]
	refuses 2 "page-faults is no event of the modelled core" stat --source vcore -e cycles,page-faults -- prog
	refuses 2 "cycles:k is no event of the modelled core" stat --source vcore -e cycles:k -- prog
	refuses 2 "rffff is no event of the modelled core" stat --source vcore -e rffff -- prog
	refuses 2 "ipcc" topdown --source vcore -M ipcc -- prog
	[[ "$stderr" == *"ipc"* ]]
	refuses 2 "neoverse-x9" topdown --source vcore --mcpu neoverse-x9 -- prog
	[[ "$stderr" == *"neoverse-v1"* ]]
}

@test "a program that cannot be started" {
	refuses 2 "no program to run" topdown
	refuses 2 "no program to run" topdown -j --
	refuses 127 "no such program" topdown --source vcore -- "$BATS_TEST_TMPDIR/none"
	refuses 127 "no such program" topdown --source vcore pmuscope-no-such-program
	echo "just text" >"$BATS_TEST_TMPDIR/text"
	chmod +x "$BATS_TEST_TMPDIR/text"
	refuses 126 "text" topdown --source vcore -- "$BATS_TEST_TMPDIR/text"
	refuses 126 "$BATS_TEST_TMPDIR" topdown --source vcore -- "$BATS_TEST_TMPDIR"
}

@test "what follows the program is the program's" {
	refuses 127 "no such program" topdown --source vcore "$BATS_TEST_TMPDIR/none" --no-such-option -a
}

@test "an output that cannot be written is found before the program runs" {
	refuses 2 "/nowhere/report: cannot write: No such file or directory" \
		topdown --source vcore -o /nowhere/report -- "$BATS_TEST_TMPDIR/none"
	refuses 2 "$BATS_TEST_TMPDIR: cannot write: Is a directory" \
		topdown --source vcore -o "$BATS_TEST_TMPDIR" -- "$BATS_TEST_TMPDIR/none"
	[ "$(id -u)" -ne 0 ] || return 0 # root writes where it likes
	touch "$BATS_TEST_TMPDIR/locked"
	chmod a-w "$BATS_TEST_TMPDIR/locked"
	refuses 2 "locked: cannot write: Permission denied" \
		topdown --source vcore -o "$BATS_TEST_TMPDIR/locked" -- "$BATS_TEST_TMPDIR/none"
}

@test "a program that cannot be started leaves the output as it was" {
	mkdir "$BATS_TEST_TMPDIR/out"
	echo old >"$BATS_TEST_TMPDIR/out/report"
	refuses 127 "no such program" topdown --source vcore -o "$BATS_TEST_TMPDIR/out/report" \
		-- "$BATS_TEST_TMPDIR/none"
	[ "$(cat "$BATS_TEST_TMPDIR/out/report")" = old ]
	[ "$(ls -A "$BATS_TEST_TMPDIR/out")" = report ]
}

@test "an output file is put in place whole" {
	cd "$BATS_TEST_TMPDIR"
	echo old >kept
	ln -s kept link
	chmod 640 kept
	"$PMUSCOPE" list metrics -j -o link
	is_json <kept
	[ -L link ]
	[ "$(stat -c %a kept)" = 640 ]
	(umask 027 && "$PMUSCOPE" list metrics -o new)
	[ "$(stat -c %a new)" = 640 ]
	[ "$(ls -A | wc -l)" -eq 3 ]
	mkdir folder
	ln -s later folder/early # what it names is not there yet
	"$PMUSCOPE" list metrics -j -o folder/early
	[ -L folder/early ]
	is_json <folder/later
}

@test "a full disk is an error" {
	[ -c /dev/full ] || skip "there is no /dev/full"
	run --separate-stderr "$PMUSCOPE" list events -o /dev/full
	[ "$status" -eq 2 ]
	[[ "$stderr" == *"No space left on device"* ]]
}

@test "lists in every format" {
	for list in cpus events metrics groups tree; do
		[ "$("$PMUSCOPE" list $list | wc -l)" -gt 1 ]
		"$PMUSCOPE" list $list -j | is_json
		"$PMUSCOPE" list -j $list | is_json
		"$PMUSCOPE" list --format csv $list | grep -v '^#' >"$BATS_TEST_TMPDIR/csv"
		python3 - "$BATS_TEST_TMPDIR/csv" <<-'END'
			import csv, sys
			rows = list(csv.reader(open(sys.argv[1], newline="")))
			assert len(rows) > 1 and len({len(r) for r in rows}) == 1, rows[0]
		END
	done
	"$PMUSCOPE" list events | grep -q '^INST_RETIRED  *0x0008 '
	"$PMUSCOPE" list cpus -x ';' | grep -q '^neoverse-v1;Neoverse V1;8;6;'
}

@test "lists that are not there" {
	refuses 2 "there is no list of evnts; did you mean events?" list evnts
	refuses 2 "a list of what?" list
	refuses 2 "no events of neoverse-v1 are in a group or have a name like evnts" list events evnts
	refuses 2 "doctor takes no arguments" doctor now
}

@test "a list in a pipe keeps to 80 columns, and to ASCII where nothing else can be shown" {
	for list in cpus events metrics groups tree; do
		[ -z "$("$PMUSCOPE" list $list | LC_ALL=C.UTF-8 grep -E '.{81}')" ]
		[ -z "$(LC_ALL=C "$PMUSCOPE" list $list | LC_ALL=C grep -P '[^ -~]')" ]
	done
	[ -z "$(COLUMNS=70 "$PMUSCOPE" list groups | grep -E '.{71}')" ]
}

@test "a catalog with a mistake is named with its place" {
	mkdir -p "$BATS_TEST_TMPDIR/cpus"
	cp -r "$SOURCE/cpus/neoverse-v1" "$BATS_TEST_TMPDIR/cpus/"
	telemetry=$BATS_TEST_TMPDIR/cpus/neoverse-v1/telemetry.json
	sed -i 's|"formula": "INST_RETIRED / CPU_CYCLES"|"formula": "INST_RETIRED / / CPU_CYCLES"|' "$telemetry"
	! cmp -s "$telemetry" "$SOURCE/cpus/neoverse-v1/telemetry.json"
	PMUSCOPE_DATA=$BATS_TEST_TMPDIR refuses 2 "telemetry.json:" list metrics
	[[ "$stderr" =~ telemetry.json:[0-9]+:[0-9]+: ]]
	echo '{' >"$telemetry"
	PMUSCOPE_DATA=$BATS_TEST_TMPDIR refuses 2 "telemetry.json:" topdown --source vcore -- prog
}

@test "doctor says what is there and what is missing" {
	run --separate-stderr "$PMUSCOPE" doctor -j
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
	is_json <<<"$output"
	run --separate-stderr "$PMUSCOPE" doctor --qemu "$BATS_TEST_TMPDIR/none"
	[ "$status" -eq 3 ]
	[[ "$output" == *"MISSING"* ]]
}
