#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# pmuscope spe dump.

load helpers

reference() {
	python3 "$SOURCE/tests/e2e/spe_reference.py" "$@"
}

# bytes HEX...: writes them to $file.
bytes() {
	file=$BATS_TEST_TMPDIR/buffer
	printf '%s' "$*" | tr -d ' \n' | sed 's/../\\x&/g' | xargs -0 printf >"$file"
}

# jsonl: dump $file as JSON lines.
jsonl() {
	"$PMUSCOPE" spe dump --raw --format jsonl "$file" 2>/dev/null
}

# same_objects A B: the same JSON objects line by line, in whatever order of keys.
same_objects() {
	python3 - "$1" "$2" <<-'PYTHON'
		import json, sys
		a, b = ([json.loads(line) for line in open(name)] for name in sys.argv[1:])
		for x, y in zip(a, b):
		    if x != y:
		        sys.exit(f"{x}\n{y}")
		sys.exit(len(a) != len(b) and "lengths differ")
	PYTHON
}

@test "every packet by hand" {
	bytes b0 00 10 40 00 00 00 00 a0 \
		49 9d 42 22 65 01 00 00 00 9a ff 0f \
		b3 80 ff ee 00 00 00 00 d5 23 9f ff ff \
		43 0e 00 00 00 ff 71 2a 00 00 00 00 00 00 00 01 b1 11
	jsonl >"$BATS_TEST_TMPDIR/got"
	cat >"$BATS_TEST_TMPDIR/want" <<-'JSON'
		{"type":"address","offset":0,"len":9,"format":"short","index":0,"name":"instruction_va","ns":1,"el":1,"nse":0,"addr":"0x00000000401000","security_state":"non_secure"}
		{"type":"operation_type","offset":9,"len":2,"class":1,"subclass":"load_store_sve_or_sme","payload":157,"sg":1,"evl":1,"pred":1,"ldst":1,"evl_bits":64}
		{"type":"events","offset":11,"len":2,"sz":0,"value":"0x22","bits":[1,5],"names":["architecturally_retired","tlb_walk"]}
		{"type":"context","offset":13,"len":5,"index":1,"name":"contextidr_el2","context":"0x00000001"}
		{"type":"counter","offset":18,"len":3,"format":"short","index":2,"name":"translation_latency","count":4095,"sat12":true}
		{"type":"address","offset":21,"len":9,"format":"short","index":3,"name":"data_pa","ns":1,"ch":1,"nse":1,"pat":5,"addr":"0x00000000eeff80","pas":"realm"}
		{"type":"counter","offset":30,"len":4,"format":"extended","index":31,"name":"implementation_defined","count":65535,"sat16":true}
		{"type":"data_source","offset":34,"len":2,"sz":0,"source":14}
		{"type":"padding","offset":36,"len":3}
		{"type":"reserved_header","offset":39,"len":1,"byte":255}
		{"type":"timestamp","offset":40,"len":9,"ts":42}
		{"type":"end","offset":49,"len":1}
		{"type":"truncated","offset":50,"len":2,"need":9,"what":"address"}
	JSON
	diff "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/got"
}

@test "random streams are read as a second reader reads them" {
	for seed in 1 2 3 4; do
		file=$BATS_TEST_TMPDIR/stream
		reference make $seed 20000 "$file"
		reference decode "$file" >"$BATS_TEST_TMPDIR/want"
		jsonl >"$BATS_TEST_TMPDIR/got"
		[ "$(wc -l <"$BATS_TEST_TMPDIR/got")" -gt 10000 ]
		same_objects "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/got"
	done
}

@test "every operation, class by class" {
	file=$BATS_TEST_TMPDIR/stream
	python3 -c 'import sys
for c in range(4):
    sys.stdout.buffer.write(b"".join(bytes([0x48 + c, p]) for p in range(256)))' >"$file"
	reference decode "$file" >"$BATS_TEST_TMPDIR/want"
	jsonl >"$BATS_TEST_TMPDIR/got"
	same_objects "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/got"
}

@test "a pipe is read as a file is" {
	file=$BATS_TEST_TMPDIR/stream
	reference make 5 50000 "$file"
	jsonl >"$BATS_TEST_TMPDIR/want"
	{
		head -c 1001 "$file"
		sleep 0.1
		tail -c +1002 "$file"
	} | "$PMUSCOPE" spe dump --format jsonl - 2>/dev/null | cmp - "$BATS_TEST_TMPDIR/want"
	"$PMUSCOPE" spe dump --format jsonl -o "$BATS_TEST_TMPDIR/out" "$file" 2>/dev/null
	cmp "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/want"
}

@test "the table has offset, bytes and meaning" {
	bytes 9a 07 00 21 b0 88 77 66 55 44 33 22 11 00 00 23 9f
	run --separate-stderr "$PMUSCOPE" spe dump "$file"
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "00000000  9a 07 00                       counter format=short index=2 name=translation_latency count=7" ]
	[ "${lines[1]}" = "00000003  21 b0 88 77 66 55 44 33 22 11  address format=extended index=8 name=reserved payload=1234605616436508552" ]
	[ "${lines[2]}" = "0000000d  00 x 2                         padding" ]
	[ "${lines[3]}" = "0000000f  23 9f                          truncated need=4 what=counter" ]
	[[ "$stderr" == "17 bytes, 4 packets: address 1 (10 bytes), counter 1 (3 bytes), padding 1 (2 bytes), truncated 1 (2 bytes)"* ]]
	[[ "$stderr" == *"1 of a reserved index, class or subclass"* ]]
}

@test "records have what their packets had, and no more" {
	bytes b0 00 10 40 00 00 00 00 80 49 00 52 16 00 98 0c 00 b2 40 70 00 00 00 00 00 00 43 08 \
		71 05 00 00 00 00 00 00 00 00 00 4a 01 42 82 b1 04 10 40 00 00 00 00 80 01 98 01 00
	run --separate-stderr "$PMUSCOPE" spe dump --records --mcpu neoverse-n1 --format jsonl "$file"
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 2 ]
	[ "${lines[0]}" = '{"offset":0,"pc":"0x00000000401000","el":0,"security_state":"non_secure","vaddr":"0x00000000007040","tag":0,"op":"load","subclass":"general_purpose_load_store","ldst":0,"event":["architecturally_retired","level_1_data_cache_access","tlb_access"],"total_lat":12,"data_source":8,"data_source_name":"l2_cache","ts":5}' ]
	[ "${lines[1]}" = '{"offset":39,"br_tgt":"0x00000000401004","br_tgt_el":0,"op":"branch","subclass":"branch","cr":0,"gcs":0,"ind":0,"cond":1,"event":["architecturally_retired","mispredicted"]}' ]
	[[ "$stderr" == *"2 records, 1 unfinished left out"* ]]
}

@test "sources are named for a core that is given" {
	bytes 43 0b 43 07
	run "$PMUSCOPE" spe dump --format jsonl --mcpu neoverse-v3 "$file"
	[[ "${lines[0]}" == *'"source":11,"name":"system_cache"}' ]]
	[[ "${lines[1]}" == *'"source":7}' ]]
	run "$PMUSCOPE" spe dump --format jsonl "$file"
	[[ "${lines[0]}" == *'"source":11}' ]]
}

# A perf.data around raw buffers, as tests/e2e/spe_file.c writes it.
@test "packets in a perf.data are those of its buffers" {
	for seed in 1 2 3; do
		reference make $seed 3000 "$BATS_TEST_TMPDIR/raw$seed"
	done
	for way in "" -p -z -k; do
		"$SPE_FILE" $way "$BATS_TEST_TMPDIR/perf.data" "$BATS_TEST_TMPDIR"/raw[123]
		for records in "" "--records --mcpu neoverse-v1"; do
			run -0 --separate-stderr "$PMUSCOPE" spe dump $records --format jsonl "$BATS_TEST_TMPDIR/perf.data"
			for cpu in 0 1 2; do
				# The file's buffers, without what says whose they are.
				grep "\"cpu\":$cpu" <<<"$output" | sed -E "s/(,)?\"cpu\":$cpu[^{]*\}/}/" \
					>"$BATS_TEST_TMPDIR/got"
				"$PMUSCOPE" spe dump $records --raw --format jsonl "$BATS_TEST_TMPDIR/raw$((cpu + 1))" \
					>"$BATS_TEST_TMPDIR/want" 2>/dev/null
				[ -s "$BATS_TEST_TMPDIR/want" ]
				cmp "$BATS_TEST_TMPDIR/want" "$BATS_TEST_TMPDIR/got"
			done
		done
	done
}

@test "a perf.data by way of a pipe, and of threads" {
	reference make 4 3000 "$BATS_TEST_TMPDIR/raw"
	"$SPE_FILE" -p "$BATS_TEST_TMPDIR/piped" "$BATS_TEST_TMPDIR/raw"
	"$PMUSCOPE" spe dump "$BATS_TEST_TMPDIR/piped" >"$BATS_TEST_TMPDIR/want" 2>/dev/null
	"$PMUSCOPE" spe dump - <"$BATS_TEST_TMPDIR/piped" 2>/dev/null | cmp - "$BATS_TEST_TMPDIR/want"
	cat "$BATS_TEST_TMPDIR/piped" | "$PMUSCOPE" spe dump - 2>/dev/null | cmp - "$BATS_TEST_TMPDIR/want"
	"$SPE_FILE" -t "$BATS_TEST_TMPDIR/threads" "$BATS_TEST_TMPDIR/raw"
	run -0 --separate-stderr "$PMUSCOPE" spe dump "$BATS_TEST_TMPDIR/threads"
	[[ "${lines[0]}" =~ \ tid=[0-9]+$ ]]
	# Read as a bare buffer, it is mostly bytes that begin no packet.
	run -0 --separate-stderr "$PMUSCOPE" spe dump --raw "$BATS_TEST_TMPDIR/threads"
	[[ "${lines[0]}" == "00000000  50 "*"reserved_header byte=80" ]]
}

@test "a pipe that cannot be kept is an error that says what to do" {
	reference make 4 3000 "$BATS_TEST_TMPDIR/raw"
	"$SPE_FILE" -p "$BATS_TEST_TMPDIR/piped" "$BATS_TEST_TMPDIR/raw"
	run -2 --separate-stderr env TMPDIR=/nonexistent bash -c "cat '$BATS_TEST_TMPDIR/piped' | '$PMUSCOPE' spe dump --records -"
	[[ "$stderr" == "pmuscope: /nonexistent: cannot keep what comes through the pipe: No such file or directory"* ]]
	[[ "$stderr" == *"let TMPDIR name a directory"* ]]
	mkdir "$BATS_TEST_TMPDIR/kept"
	cat "$BATS_TEST_TMPDIR/piped" | TMPDIR=$BATS_TEST_TMPDIR/kept "$PMUSCOPE" spe dump --records - >"$BATS_TEST_TMPDIR/got" 2>/dev/null
	"$PMUSCOPE" spe dump --records "$BATS_TEST_TMPDIR/piped" 2>/dev/null | cmp - "$BATS_TEST_TMPDIR/got"
	# Nothing is left behind.
	[ -z "$(ls -A "$BATS_TEST_TMPDIR/kept")" ]
}

@test "a perf.data that is cut short is read to there, and said" {
	reference make 5 3000 "$BATS_TEST_TMPDIR/raw"
	"$SPE_FILE" "$BATS_TEST_TMPDIR/perf.data" "$BATS_TEST_TMPDIR/raw"
	size=$(stat -c %s "$BATS_TEST_TMPDIR/raw")
	head -c $((size * 3 / 4)) "$BATS_TEST_TMPDIR/perf.data" >"$BATS_TEST_TMPDIR/cut"
	"$PMUSCOPE" spe dump "$BATS_TEST_TMPDIR/perf.data" >"$BATS_TEST_TMPDIR/whole" 2>/dev/null
	run -0 --separate-stderr "$PMUSCOPE" spe dump "$BATS_TEST_TMPDIR/cut"
	[[ "$stderr" == *"the file is cut short at byte "* ]]
	[ "${#lines[@]}" -gt 1000 ]
	diff <(head -n 1000 "$BATS_TEST_TMPDIR/whole") <(head -n 1000 <<<"$output")
	# Before any buffer there is nothing to read.
	head -c 500 "$BATS_TEST_TMPDIR/perf.data" >"$BATS_TEST_TMPDIR/cut"
	run -2 --separate-stderr "$PMUSCOPE" spe dump --records "$BATS_TEST_TMPDIR/cut"
	[[ "$stderr" == *"it has no Arm SPE buffers"*"it is cut short at byte "* ]]
}

@test "an empty file has no packets" {
	file=$BATS_TEST_TMPDIR/empty
	: >"$file"
	run --separate-stderr "$PMUSCOPE" spe dump --raw "$file"
	[ "$status" -eq 0 ]
	[ -z "$output" ]
	[ "$stderr" = "0 bytes, 0 packets" ]
	# Who does not say that it is a bare buffer hears of it.
	for how in '' --records; do
		run --separate-stderr "$PMUSCOPE" spe dump $how "$file"
		[ "$status" -eq 2 ]
		[ -z "$output" ]
		[[ "$stderr" == *"pmuscope: $file: the file is empty" ]]
	done
}

refuses() {
	run "-2" --separate-stderr "$PMUSCOPE" spe "${@:2}"
	echo "stderr: $stderr"
	[ -z "$output" ]
	[[ "$stderr" == "pmuscope: $1"* ]]
}

@test "what is wrong is said" {
	bytes 01
	refuses "spe does what?"
	refuses "spe has no dmp; did you mean dump?" dmp
	refuses "dump what? A file is missing" dump
	refuses "one file at a time" dump "$file" "$file"
	refuses "unknown option --recordz; did you mean --records?" dump --recordz "$file"
	refuses "unknown option -Z" dump -Z "$file"
	refuses "--format xml: neither table nor jsonl" dump --format xml "$file"
	refuses "--format needs a value" dump "$file" --format
	refuses "--raw takes no value" dump --raw=1 "$file"
	refuses "--mcpu cortex-a57: its data sources are not known" dump --mcpu cortex-a57 "$file"
	refuses "$file.none: cannot open: No such file" dump "$file.none"
	refuses "$BATS_TEST_TMPDIR: cannot read: Is a directory" dump "$BATS_TEST_TMPDIR"
	run -2 "$PMUSCOPE" spe dump -o "$BATS_TEST_TMPDIR/no/where" "$file"
}

@test "a full disk is an error" {
	[ -w /dev/full ] || skip "no /dev/full"
	bytes 01
	run -2 sh -c '"$0" spe dump "$1" >/dev/full' "$PMUSCOPE" "$file"
	[[ "$output" == *"cannot write: No space left on device"* ]]
}

# cut_while COMMAND...: the command writes to a pipe whose reader waits until the file is shortened.
cut_while() {
	"$SPE_FILE" -w long.data long.raw
	mkfifo lines
	{ rc=0; "$PMUSCOPE" "$@" long.data >lines 2>said || rc=$?; echo "$rc" >status; } &
	exec 4<lines
	read -r _ <&4
	truncate -s 100000 long.data
	cat <&4 >/dev/null
	exec 4<&-
	wait
	rm lines
	[ "$(cat status)" -eq 2 ]
	grep -q "^pmuscope: .*long.data: was cut while it was read" said
}

@test "a file that is shortened while it is read is an error that names it" {
	cd "$BATS_TEST_TMPDIR"
	"$SPE_MAKE" 1 200000 long.raw
	cut_while spe dump --records
	cut_while spe export --to csv
}
