#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# pmuscope spe export.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR"
	"$SPE_MAKE" 1 2000 a.raw
	"$SPE_MAKE" 2 1000 b.raw
	"$SPE_FILE" perf.data a.raw b.raw
}

# export_to FORMAT FILE OPTION...
export_to() {
	"$PMUSCOPE" spe export "$2" --to "$1" "${@:3}" 2>/dev/null
}

# refuses STATUS TEXT WORD...: nothing on standard output, and TEXT on standard error.
refuses() {
	run "-$1" --separate-stderr "$PMUSCOPE" spe export "${@:3}"
	echo "stderr: $stderr"
	[ -z "$output" ]
	[[ "$stderr" == *"$2"* ]]
}

@test "all formats hold the same values" {
	export_to csv perf.data -o out.csv
	export_to csv perf.data --null '\N' >null.csv
	export_to jsonl perf.data >out.jsonl
	export_to sqlite perf.data -o out.db
	export_to rowbinary perf.data >out.rowbinary
	"$PMUSCOPE" spe export --ddl >out.ddl
	python3 "$SOURCE/tests/e2e/spe_export.py" out 3000
	sed 's/\\N//g' null.csv | cmp - out.csv
}

@test "random packets, damaged ones too, are the same in all formats" {
	for seed in 1 2; do
		python3 "$SOURCE/tests/e2e/spe_reference.py" make $seed 20000 random.raw
		records=$(export_to csv random.raw --raw --columns offset | tail -n +2 | wc -l)
		[ "$records" -gt 500 ]
		export_to csv random.raw --raw -o out.csv
		export_to jsonl random.raw --raw -o out.jsonl
		export_to sqlite random.raw --raw -o out.db
		export_to rowbinary random.raw --raw -o out.rowbinary
		"$PMUSCOPE" spe export --ddl >out.ddl
		python3 "$SOURCE/tests/e2e/spe_export.py" out "$records"
	done
}

@test "records are those of spe dump" {
	export_to jsonl perf.data >out.jsonl
	"$PMUSCOPE" spe dump --records --mcpu neoverse-v1 --format jsonl perf.data >dump.jsonl 2>/dev/null
	python3 "$SOURCE/tests/e2e/spe_export.py" --dump dump.jsonl out.jsonl
}

@test "no byte of a name is lost in JSON lines" {
	name=$'a\377\nb\e[1m"\\'
	SPE_COMM=$name "$SPE_FILE" n.data a.raw
	export_to jsonl n.data --columns thread_name,tid >n.jsonl
	"$PMUSCOPE" spe dump --records --format jsonl n.data >dump.jsonl 2>/dev/null
	export_to csv n.data --columns thread_name >n.csv
	export_to sqlite n.data --columns thread_name -o n.db
	export_to rowbinary n.data --columns thread_name >n.rowbinary
	python3 - "$name" <<-'PYTHON'
		import csv, io, json, os, sqlite3, sys
		name = os.fsencode(sys.argv[1])
		for file, records in ("n.jsonl", 2000), ("dump.jsonl", 2000):
		    text = open(file, "rb").read()
		    assert not any(c < 32 and c != 10 for c in text), file
		    rows = [json.loads(line) for line in text.splitlines()]
		    named = [r for r in rows if "thread_name" in r]
		    assert len(rows) == records and len(named) > 500, (file, len(rows), len(named))
		    for row in named:
		        assert row["thread_name"] == "a\ufffd\nb\x1b[1m\"\\", (file, row)
		        assert bytes.fromhex(row["thread_name_bytes"]) == name, (file, row)
		# The other formats keep bytes as they are.
		got = csv.reader(io.StringIO(open("n.csv", newline="", encoding="latin-1").read()))
		assert {row[0].encode("latin-1") for row in list(got)[1:] if row} == {name}
		assert {v for v, in sqlite3.connect("n.db").execute("SELECT thread_name FROM spe")} - {None} == {name}
		assert bytes([0, len(name)]) + name in open("n.rowbinary", "rb").read()
	PYTHON
	# Names that are UTF-8 stand alone.
	SPE_COMM=$'\u00e9\U0001f600' "$SPE_FILE" n.data a.raw
	export_to jsonl n.data --columns thread_name | grep -vx '{}' | sort -u >n.jsonl
	[ "$(cat n.jsonl)" = $'{"thread_name":"\u00e9\U0001f600"}' ]
}

@test "the columns that are named, in their order" {
	run -0 --separate-stderr "$PMUSCOPE" spe export perf.data --to csv --columns op,total_lat,cpu
	[ "${lines[0]}" = op,total_lat,cpu ]
	[[ "${lines[1]}" =~ ^[a-z]+,[0-9]*,0$ ]]
	[ "${#lines[@]}" -eq 3001 ]
	[ "$stderr" = $'3000 records exported\n4 stretches of trace, 2 with collisions' ]
	run -0 "$PMUSCOPE" spe export --ddl --columns op,stream
	[ "${#lines[@]}" -eq 4 ]
	[[ "${lines[1]}" == "    op Nullable(String), -- "* ]]
	[[ "${lines[2]}" == "    stream UInt32 -- "* ]]
}

# Binutils' addr2line and nm say what is at an address: the program is one whose code begins at 0x401000,
# which the recording has at 0x400000.
@test "functions and lines are those of addr2line" {
	command -v gcc >/dev/null && command -v addr2line >/dev/null || skip "there is no gcc or addr2line"
	python3 - >program.c <<-'PYTHON'
		print("static inline __attribute__((always_inline)) int twice(int x)\n{\n\treturn x * x + x % 7;\n}\n")
		for i in range(60):
		    print(f"int function_{i}(int x)\n{{\n\tint y = twice(x + {i});\n\treturn y / (x + 1);\n}}\n")
		print("int main(int argc, char **argv)\n{\n\t(void)argv;\n\treturn function_0(argc);\n}")
	PYTHON
	gcc -g -O1 -no-pie -fno-pie -Wl,--build-id=none -o program program.c
	"$SPE_FILE" -m "$PWD/program" symbols.data a.raw b.raw # two threads, so that both are known
	columns=pc,object,object_offset,symbol,symbol_offset,inlined,file,line
	export_to jsonl symbols.data --columns $columns >symbols.jsonl
	python3 "$SOURCE/tests/e2e/spe_export.py" --symbols program symbols.jsonl
	# Without the program's file only the object is known; in another place the file is found
	# again.
	mkdir -p "other$PWD"
	mv program "other$PWD/"
	export_to jsonl symbols.data --columns $columns >without.jsonl
	run -1 grep -E 'symbol|file|line' without.jsonl
	run "$PMUSCOPE" spe export symbols.data --to csv --columns symbol -o out.csv
	[[ "$output" =~ [0-9]+\ records\ of\ files\ not\ found\ here ]]
	export_to jsonl symbols.data --symfs other --columns $columns |
		cmp - symbols.jsonl
}

@test "the page has every column, its type and unit" {
	"$PMUSCOPE" spe export --ddl --symbols | sed -n 's/^    \([a-z0-9_]*\) \(.*\) -- .*/\1 \2/p' |
		sed 's/,$//; /Nullable/!s/$/, always/; s/Nullable(\(.*\))/\1/' >ddl
	sed -n 's/^| `\([a-z0-9_]*\)` | \([^|]*\) |.*/\1 \2/p' "$SOURCE/docs/use/spe-export.md" >page
	[ "$(wc -l <page)" -gt 50 ]
	diff ddl page
}

# matches FILTER SQL: the filter finds as many records as SQLite, and more than none.
matches() {
	run -0 --separate-stderr "$PMUSCOPE" spe export perf.data --to csv --columns offset --filter "$1"
	want=$(sqlite3 out.db "SELECT count(*) FROM spe WHERE $2")
	echo "$1: ${#lines[@]} lines, $want rows"
	[ "$want" -gt 0 ] && [ "$want" -lt 3000 ]
	[ "${#lines[@]}" -eq $((want + 1)) ]
	[[ "$stderr" == "$want records exported, $((3000 - want)) left out by the filter"$'\n'* ]]
}

@test "records that match a filter" {
	export_to sqlite perf.data -o out.db
	matches 'op==load && total_lat>100' "op = 'load' AND total_lat > 100"
	matches '!total_lat' "total_lat IS NULL"
	matches 'data_source==dram || condition==1' "data_source_name = 'dram' OR condition = 1"
	matches 'pc==0xffff8000080000fc' "pc = 0xffff8000080000fc"
	matches 'pc==0xff8000080000fc' "pc = 0xffff8000080000fc"
	matches 'cpu==1 && event==mispredicted' "cpu = 1 AND event LIKE '%mispredicted%'"
	refuses 2 "total_lat is a number" perf.data --to jsonl --filter 'total_lat==much'
	printf '' >empty.raw
	refuses 2 "total_lat is a number" empty.raw --to jsonl --filter 'total_lat==much'
	refuses 2 "the names of data sources depend on the core" a.raw --to jsonl --filter 'data_source==dram'
}

@test "pipes, bare buffers and other cores" {
	export_to csv perf.data >want.csv
	cat perf.data >piped # a file of another name
	"$PMUSCOPE" spe export --to csv - <piped 2>/dev/null | cmp - want.csv
	run -0 --separate-stderr "$PMUSCOPE" spe export --raw a.raw --to csv --mcpu neoverse-v1 \
		--columns cpu,tid,time,data_source,data_source_name
	[ "${#lines[@]}" -eq 2001 ]
	# Records without thread and time; but sources have names.
	[[ "$output" == *$'\n,,,8,l2_cache\n'* ]]
	[[ "$output" != *$'\n0,'* ]]
}

@test "the database is the user's alone, and replaces what was there" {
	umask 022
	echo old >out.db
	chmod 644 out.db
	export_to sqlite perf.data -o out.db
	[ "$(stat -c %a out.db)" = 600 ]
	run -0 sqlite3 out.db "SELECT count(*), sum(total_lat IS NULL) > 0, sum(total_lat = 0) FROM spe"
	[ "$output" = "3000|1|0" ]
}

@test "nothing is half written" {
	head -c 40000 perf.data >cut.data # read to there, and said
	run -0 --separate-stderr "$PMUSCOPE" spe export cut.data --to csv -o cut.csv
	[[ "$stderr" == *"the file is cut short at byte "* ]]
	head -c 400 perf.data >none.data
	for to in csv sqlite; do
		rm -f out
		run -2 "$PMUSCOPE" spe export none.data --to $to -o out
		[ ! -e out ]
	done
	[ -z "$(find . -name '.pmuscope-*')" ]
}

@test "a full disk and a closed pipe" {
	[ -w /dev/full ] || skip "no /dev/full"
	for to in csv jsonl rowbinary; do
		run -2 sh -c '"$0" spe export perf.data --to $1 >/dev/full' "$PMUSCOPE" $to
		[[ "$output" == *"cannot write: No space left on device"* ]]
		run -2 "$PMUSCOPE" spe export perf.data --to $to -o /dev/full
		[[ "$output" == *"cannot write: No space left on device"* ]]
	done
	run -2 sh -c '"$0" spe export --ddl >/dev/full' "$PMUSCOPE"
	[[ "$output" == *"cannot write: No space left on device"* ]]
	run -2 "$PMUSCOPE" spe export perf.data --to sqlite -o /dev/full
	[[ "$output" == *"a database needs a file of its own"* ]]
	[ -c /dev/full ]
	run -0 bash -c '"$0" spe export perf.data --to jsonl | head -n 1 | wc -l' "$PMUSCOPE"
	[ "${lines[-1]}" = 1 ]
	# A limit of the file's size stands for a disk that fills up on the way.
	run bash -c 'trap "" XFSZ; ulimit -f 64; "$0" spe export perf.data --to sqlite -o big.db' "$PMUSCOPE"
	[ "$status" -eq 2 ]
	[[ "$output" == "pmuscope: cannot write the database: "* ]]
	[ ! -e big.db ]
	[ -z "$(find . -name '.pmuscope-*')" ]
}

@test "what is wrong is said" {
	refuses 2 "export what? A file is missing" --to csv
	refuses 2 "--to csv, jsonl, rowbinary or sqlite is missing" perf.data
	refuses 2 "--to xml: none of csv, jsonl, rowbinary, sqlite" perf.data --to xml
	refuses 2 "--to sqlite needs -o FILE" perf.data --to sqlite
	refuses 2 "one file at a time, not b.raw as well" --to csv a.raw b.raw
	refuses 2 'there is no column "totl_lat"' perf.data --to csv --columns pc,totl_lat
	[[ "$stderr" == *"did you mean total_lat?"* ]]
	refuses 2 "column pc is named twice" perf.data --to csv --columns pc,pc
	refuses 2 "--null is of --to csv alone" perf.data --to jsonl --null x
	refuses 2 "--symbols adds columns" perf.data --to csv --columns pc --symbols
	refuses 2 "--ddl reads no file" --ddl perf.data
	refuses 2 "unknown option --tu; did you mean --to?" perf.data --tu csv
	refuses 2 "--to needs a value" perf.data --to
	refuses 2 "--mcpu cortex-a57: its data sources are not known" perf.data --to csv --mcpu cortex-a57
	refuses 2 "none: cannot open: No such file" none --to csv
	refuses 2 "no/where" perf.data --to csv -o no/where
	printf 'PERFILE2\x10\0\0\0\0\0\0\0' >empty.data
	refuses 2 "empty.data: it has no Arm SPE buffers" empty.data --to csv
}

@test "binary does not go to a terminal, and progress only to one" {
	command -v script >/dev/null || skip "there is no script"
	run script -qec "'$PMUSCOPE' spe export perf.data --to rowbinary" /dev/null
	[[ "$output" == *"--to rowbinary is not for terminals"* ]]
	# Two seconds of records, through a pipe that waits.
	"$SPE_MAKE" 3 40000 c.raw
	slow="{ head -c 100000 c.raw; sleep 1.5; tail -c +100001 c.raw; }"
	run -0 script -qec "$slow | '$PMUSCOPE' spe export - --to csv -o out.csv" /dev/null
	[[ "$output" == *$'\rexporting '*" MiB"*$'\r\x1b[K40000 records exported'* ]]
	run -0 --separate-stderr bash -c "$slow | '$PMUSCOPE' spe export - --to csv -o out.csv"
	[ "$stderr" = "40000 records exported" ]
}

@test "an interrupt leaves nothing, and what was there" {
	echo old >out.csv
	mkfifo pipe
	"$PMUSCOPE" spe export pipe --to csv -o out.csv 2>message &
	exporting=$!
	exec 7>pipe
	cat a.raw >&7
	kill -TERM $exporting # bash has INT ignored in the background
	status=0
	wait $exporting || status=$?
	exec 7>&-
	[ "$status" -eq 143 ] # by the signal itself
	[ ! -s message ]
	[ "$(cat out.csv)" = old ]
	[ -z "$(find . -name '.pmuscope-*')" ]
}
