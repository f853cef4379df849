#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# pmuscope spe report.

load helpers

by="pc object data-source cacheline page data-symbol branch op thread cpu"

expected() {
	python3 "$SOURCE/tests/e2e/spe_report.py" "$@"
}

# recording NAME SEED COUNT CPUS: makes NAME, a perf.data, and NAME.0.json, NAME.1.json, ...
recording() {
	local parts=()
	for ((i = 0; i < $4; i++)); do
		parts+=("$1.$i")
	done
	expected make "$2" "$3" "${parts[@]}"
	"$SPE_FILE" "$1" "${parts[@]}"
}

setup_file() {
	cd "$BATS_FILE_TMPDIR"
	recording p.data 1 1500 2
	# A program at the addresses and with the build-id that spe_file gives it.
	mkdir -p root/nonexistent
	cat >walk.c <<-'C'
		struct node { struct node *next; long value; };
		volatile long sink;
		static inline __attribute__((always_inline)) long twice(long x) { return x * 2 + sink; }
		__attribute__((noinline)) long walk(struct node *n)
		{
			long sum = 0;
			for (; n; n = n->next) {
				sum += twice(n->value);
				sum ^= twice(sum);
				if (sum & 4)
					sum += sink * 3;
			}
			return sum;
		}
		__attribute__((noinline)) long with_a_name_that_is_too_long_for_the_last_column_of_any_table_there_is(long x)
		{
			while (x > 1)
				x = x / 3 + twice(x) % 5;
			return x;
		}
		__attribute__((noinline)) long fill(struct node *nodes, long n)
		{
			for (long i = 0; i < n; i++) {
				nodes[i].next = &nodes[i * 7 % n];
				nodes[i].value = twice(i) / 3;
			}
			sink = n;
			return walk(nodes) + with_a_name_that_is_too_long_for_the_last_column_of_any_table_there_is(n);
		}
		int main(int argc, char **argv)
		{
			(void)argv;
			struct node nodes[64];
			return (int)fill(nodes, argc);
		}
	C
	gcc -O2 -g -fno-align-functions -no-pie -Wl,--build-id=0xabcd"$(printf '0%.0s' {1..36})" -o root/nonexistent/sample \
		"$PWD/walk.c"
}

setup() {
	cd "$BATS_FILE_TMPDIR"
}

# rows EXPRESSION: the JSON report of standard input, each row as r.
rows() {
	python3 -c 'import json, sys
for r in json.load(sys.stdin)["rows"]:
    print('"$1"')'
}

# refused TEXT OPTION...: exit status 2, and a message with the text.
refused() {
	run --separate-stderr "$PMUSCOPE" spe report "${@:2}"
	[ "$status" -eq 2 ]
	[ -z "$output" ]
	[[ "$stderr" == "pmuscope: $1"* ]] || {
		echo "$stderr"
		return 1
	}
}

@test "every report is what another program works out" {
	for what in $by; do
		"$PMUSCOPE" spe report --by $what -j p.data >"report.$what"
		expected check $what "report.$what" p.data.0.json p.data.1.json
	done
}

@test "two keys at once" {
	for what in pc,data-source thread,op data-source,cpu cacheline,thread page,pc object,page branch,cpu; do
		"$PMUSCOPE" spe report --by $what -j p.data >report
		expected check $what report p.data.0.json p.data.1.json
	done
	"$PMUSCOPE" spe report --by cacheline,pc --format csv p.data >c
	"$PMUSCOPE" spe report --by cacheline,pc -j p.data >j
	expected check-csv cacheline,pc c j
	for what in symbol,data-source line,thread cacheline,thread; do
		"$PMUSCOPE" spe report --by $what --symfs root p.data >table
		grep -x "p.data: by ${what%,*} and ${what#*,}" table
		grep -E "^ *Wait % .* and ${what#*,}$" table
		[ "$(wc -L <table)" -le 80 ]
	done
	# bound of the groups of each key, and of both
	"$PMUSCOPE" spe report --by pc,op --max-groups 10 -j p.data | rows 'r["records"]' | awk '{ n += $1 } END { exit n < 2900 }'
	refused '--by cpu,cpu: the same twice' --by cpu,cpu p.data
	refused '--by tread: did you mean thread?' --by cpu,tread p.data
}

@test "the table shows the latencies of loads, and sources by what was waited for them" {
	for what in pc object; do
		"$PMUSCOPE" spe report --by $what --limit 0 p.data >table
		expected check-table $what table p.data.0.json p.data.1.json
	done
}

@test "functions and lines are those of addr2line" {
	range=$(expected functions root/nonexistent/sample walk fill)
	for what in symbol line pc; do
		"$PMUSCOPE" spe report --by $what --targets --symfs root --filter "$range" -j p.data >j
		expected check-code $what j root/nonexistent/sample walk fill p.data.0.json p.data.1.json
	done
	"$PMUSCOPE" spe report --symfs root --filter "$range" p.data | grep -E ' walk\.c:[0-9]+ walk$'
	"$PMUSCOPE" spe report --by symbol p.data | grep -E '^ +symbols +/nonexistent/sample: not found here; --symfs'
}

@test "false sharing is told from what is none" {
	expected sharing root/nonexistent/sample s.0 s.1
	"$SPE_FILE" s.data s.0 s.1
	"$PMUSCOPE" spe report --by cacheline --symfs root -j s.data |
		rows 'r["vaddr"], r["sharing"], r["threads"], r["loads"], r["stores"], r["contended"], r["contended_wait"]' >got
	# 80 loads of 200 cycles wait where a thread stores beside them; stores wait for nothing
	diff - got <<-'END'
		0x70001000 false sharing 2 80 100 180 16000
		0x700010c0 true sharing 2 0 45 45 None
		0x70001080 read by several 2 60 0 0 0
		0x70001040 one thread 1 50 0 0 0
		0x70001100 one after another 2 15 10 0 0
	END
	"$PMUSCOPE" spe report --by cacheline --symfs root --limit 1 s.data >table
	sed -n '/^0x70001000/,/^How/p' table | sed '/^$/d; /^How/d' >got
	line_of() {
		addr2line -e root/nonexistent/sample "$(nm root/nonexistent/sample | sed -n "s/ T $1$//p")" | sed 's/.*://; s/ .*//'
	}
	# of 205 loads that wait 200 cycles each, 80 are here
	diff - got <<-END
		0x70001000 pid 1000
		  80 loads, 100 stores; half of the loads wait 200 cycles or fewer; 39.0 % of
		  the wait; threads touch different places of it at the same time, and some
		  write: false sharing. Put what each thread writes into cache lines of its own.
		  Offset  Share %  Loads  Stores  Peers  Wait  Threads  CPUs  Variable
		       0     55.6      0     100      0     -        1     1  not known
		       8     44.4     80       0     80   200        1     1  not known
		  Offset  Access  Records  Thread       Code
		       0  store       100  1000 sample  walk.c:$(line_of fill) fill
		       8  load         80  1001         walk.c:$(line_of walk) walk
	END
}

@test "an access that is neither load nor store is told from these, and one is not many" {
	# of the Linux kernel mailing list: PC, class other, a data address, TLB and L1D accesses, times of 12 and 4 cycles
	other='\260\0\0\100\0\0\0\0\200\110\6\262\0\20\0\160\0\0\0\0\122\26\0\231\4\0\230\14\0\1'
	load=${other/'\110\6'/'\111\0'}
	printf "$other" >other
	"$PMUSCOPE" spe report --by cacheline --raw other >table
	grep -F '  0 loads, 0 stores, 1 operation of another kind; which threads touch it is not' table
	grep -F '  undecodable          0 bytes; 0 records with damage, 0 unfinished left out' table
	printf "$load$other$other" >three
	"$PMUSCOPE" spe report --by cacheline --raw three >table
	tr -s '\n ' ' ' <table | grep -F ' 1 load, 0 stores, 2 operations of another kind; half of the loads wait 8 cycles or fewer;'
	"$PMUSCOPE" spe report --raw three | grep -F '1 load, which took 8 cycles from issue to completion on average.'
}

@test "CSV has the same numbers as JSON" {
	for what in $by line; do
		"$PMUSCOPE" spe report --by $what --symfs root --format json p.data >j
		"$PMUSCOPE" spe report --by $what --symfs root --format csv p.data >c
		expected check-csv $what c j
	done
	"$PMUSCOPE" spe report --by cpu -x ';' p.data | grep '^row;cpu;records;'
}

@test "tables are 80 columns wide at most, and end with the quality of the sample" {
	LC_ALL=C.UTF-8 "$PMUSCOPE" spe report --by symbol --symfs root p.data | grep 'with_a.*….*there_is'
	for what in $by line symbol; do
		run --separate-stderr "$PMUSCOPE" spe report --by $what --symfs root p.data
		[ "$status" -eq 0 ]
		[ -z "$stderr" ]
		[[ "$output" == *"How good the sample is"*"undecodable "*"0 bytes"* ]]
		for line in "${lines[@]}"; do
			[ "${#line}" -le 80 ]
		done
	done
}

@test "a filter takes the records that it says" {
	filter='op==load && (total_lat>=100 || data_source==dram) && !(tid==1001 && event==tlb_walk)'
	"$PMUSCOPE" spe report --by op --filter "$filter" -j p.data >j
	python3 - j p.data.0.json p.data.1.json <<-'PYTHON'
		import json, sys
		report, *lists = map(json.load, map(open, sys.argv[1:]))
		meant = [r for l in lists for r in l if r["op"] and r["op"][0] == 1 and not r["op"][1] & 1
		         and ((r["total"] or 0) >= 100 or r["source"] == 14)
		         and not (r["tid"] == 1001 and r["events"] is not None and r["events"] >> 5 & 1)]
		assert report["quality"]["reported"] == len(meant) > 100
		assert report["quality"]["filtered"] == sum(map(len, lists)) - len(meant)
		assert {row["op"] for row in report["rows"]} == {"load"}
	PYTHON
	# none at all
	run --separate-stderr "$PMUSCOPE" spe report --filter 'total_lat>65535' p.data
	[ "$status" -eq 0 ]
	[[ "$output" == *"No records to show."* ]]
}

@test "an instruction has the address that objdump prints, in every format" {
	walk=$(objdump -d root/nonexistent/sample | sed -n '/<walk>:/{n;s/:.*//;s/^ */0x/p}')
	for what in pc branch; do
		"$PMUSCOPE" spe report --by $what --symfs root -j p.data | rows 'r["pc"], r["address"]' >j
		"$PMUSCOPE" spe report --by $what --symfs root --format csv p.data | grep '^group' | cut -d, -f2,3 | tr , ' ' >c
		sed 's/None$//' j | diff - c
		"$PMUSCOPE" spe report --by $what --symfs root --limit 0 p.data | grep -q ' 0x401[0-9a-f]* '
	done
	"$PMUSCOPE" spe report --by pc --symfs root --filter "pc==$walk" p.data | grep " $walk walk.c:[0-9]* walk$"
	# where there is no file, its offset is what is known
	"$PMUSCOPE" spe report --by pc --filter "pc==$walk" p.data | grep " 0x${walk#0x40} "
	"$PMUSCOPE" spe report --by pc --filter "pc==$walk" -j p.data | rows 'r["address"]' | grep -x None
}

@test "targets of branches" {
	"$PMUSCOPE" spe report --by pc --targets -j p.data >j
	expected check pc j p.data.0.json p.data.1.json
	"$PMUSCOPE" spe report --by pc -j p.data | rows '"targets" in r' | sort -u | grep -x False
	for what in line symbol pc branch; do
		"$PMUSCOPE" spe report --by $what --targets --symfs root p.data >table
		grep -E '^ +[0-9.]+ % to 0x4000(00|04|08|0c|10|14)$' table
		grep -E '^ +[0-9.]+ % before, to 0x4000(00|04|08|0c|10|14|18|20)$' table
		[ "$(wc -L <table)" -le 80 ]
	done
	refused '--targets is of --by line, symbol, pc or branch alone' --targets --by cpu p.data
	refused '--targets is of --by line, symbol, pc or branch alone' --targets --by pc,cpu p.data
}

@test "a histogram stands in the table when it is asked for" {
	expected sharing root/nonexistent/sample h.0 h.1
	"$SPE_FILE" h.data h.0 h.1
	# all 205 loads wait 200 cycles
	"$PMUSCOPE" spe report --by cpu --histogram h.data >table
	grep -F ' tenths of loads' table
	grep -F '  01248 64  1K  32K  CPU' table
	[ "$(grep -c '  \.\.\.\.\.\.\.\.9\.\.\.\.\.\.\.\.  [01]$' table)" -eq 2 ]
	"$PMUSCOPE" spe report --by pc --histogram --limit 0 p.data >table
	! grep 'Data from' table
	[ "$(wc -L <table)" -le 80 ]
	COLUMNS=140 "$PMUSCOPE" spe report --by pc --histogram p.data | grep -F '32K  of the wait'
}

@test "no byte of a name is lost in JSON" {
	name=$'a\377\nb\e[1m"'
	SPE_COMM=$name "$SPE_FILE" n.data p.data.0
	"$PMUSCOPE" spe report --by thread -j n.data >j
	python3 - j "$name" <<-'PYTHON'
		import json, os, sys
		row, = json.load(open(sys.argv[1]))["rows"]
		assert row["thread_name"] == "a\ufffd\nb\x1b[1m\"", row
		assert bytes.fromhex(row["thread_name_bytes"]) == os.fsencode(sys.argv[2]), row
	PYTHON
	! grep $'\e' j
	# names that are UTF-8 stand as they are, alone
	SPE_COMM=$'é\n' "$SPE_FILE" n.data p.data.0
	"$PMUSCOPE" spe report --by thread -j n.data | rows 'ascii(r["thread_name"]), "thread_name_bytes" in r' | grep -xF "'\\xe9\\n' False"
}

@test "filters know every column of an export, and options pick records" {
	"$PMUSCOPE" spe export p.data --to csv --symbols --symfs root -o all.csv
	expected check-filters all.csv "$PMUSCOPE" spe report --symfs root p.data
	# an export takes the same
	"$PMUSCOPE" spe export p.data --to csv --columns symbol --symfs root --filter 'symbol=~"w*"' --tid 1001 --time 50%-100% -o w.csv
	[ "$(sort -u w.csv | grep -vx symbol | grep -c '^w')" -gt 1 ]
	[ "$(sed 1d w.csv | wc -l)" -eq "$("$PMUSCOPE" spe report --by op --symfs root --filter 'symbol=~"w*"' --tid 1001 --time 50%-100% -j p.data |
		python3 -c 'import json, sys; print(json.load(sys.stdin)["quality"]["reported"])')" ]
}

@test "sorted and cut as asked" {
	[ "$("$PMUSCOPE" spe report --by pc --limit 3 -j p.data | rows 'r["pc"]' | wc -l)" -eq 3 ]
	"$PMUSCOPE" spe report --by pc --sort stores -j p.data | rows 'r["stores"]' >s
	sort -rn s | diff - s
	"$PMUSCOPE" spe report --by pc --sort stores p.data | grep -E '^ *Stores  Wait %  Records '
	# A table leaves out latencies that it does not show, but for the one it is sorted by.
	for column in total_p90 issue_mean xlat_max; do
		"$PMUSCOPE" spe report --by pc --sort $column --limit 7 -j p.data | rows 'r["pc"]' >s
		"$PMUSCOPE" spe report --by pc --sort $column --limit 7 p.data | grep -o ' 0x[0-9a-f]*' |
			tr -d ' ' | diff - s
	done
	"$PMUSCOPE" spe report --by pc --limit 0 p.data >all
	"$PMUSCOPE" spe report --by pc p.data | grep "The first 20 of $(grep -c ' 0x' all)"
}

@test "a pipe, a bare buffer and a compressed file give the same rows" {
	"$PMUSCOPE" spe report --by op -j p.data | rows r >want
	"$PMUSCOPE" spe report --by op -j - <p.data | rows r | diff want -
	cat p.data | "$PMUSCOPE" spe report --by op -j - | rows r | diff want -
	"$SPE_FILE" -p piped.data p.data.0 p.data.1
	cat piped.data | "$PMUSCOPE" spe report --by op -j - | rows r | diff want -
	"$SPE_FILE" -z packed.data p.data.0 p.data.1
	"$PMUSCOPE" spe report --by op -j packed.data | rows r | diff want -
	cat p.data.0 p.data.1 >raw
	"$PMUSCOPE" spe report --by op --raw --mcpu neoverse-v1 --period 1024 -j raw | rows r | diff want -
	"$PMUSCOPE" spe report --by op --raw raw | grep 'period  *not known (--period N tells)'
	"$PMUSCOPE" spe report --by op --raw -j raw | rows 'r["operations"]' | sort -u | grep -x None
}

@test "the lines about the sample say what the file says" {
	"$PMUSCOPE" spe report --by op p.data >table
	grep '  records  *3,000 decoded from 2 buffers; 3,000 in this report' table
	grep '  period  *one of 1,024 operations was sampled' table
	# 3000 * 1024; the Poisson limits of 3000 by the exact method are 2893.6 and 3109.3
	tr -s '\n ' ' ' <table | grep -E 'stand for 3,072,000 operations, 95 % interval 2,96[23],[0-9]{3} to 3,18[34],[0-9]{3},'
	# spe_file gives the second half of each buffer a collision
	grep '  collisions  *2 of 4 stretches of trace had some' table
	"$PMUSCOPE" spe report --by op -j p.data | python3 -c 'import json, sys
q = json.load(sys.stdin)["quality"]
assert q["aux_records"] == 4 and q["aux_collided"] == 2 and q["aux_truncated"] == 0, q
assert q["sample_pop"] is None and q["period"] == 1024 and q["bytes_missing"] == 0, q'
}

@test "groups beyond the bound go to the rest, and that is said" {
	"$PMUSCOPE" spe report --by pc --max-groups 10 -j p.data >j
	[ "$(rows 'r["pc"]' <j | wc -l)" -eq 11 ]
	[ "$(rows 'r.get("rest", False)' <j | tail -n 1)" = True ]
	"$PMUSCOPE" spe report --by pc -j p.data >all
	sum() { rows 'r["records"]' | awk '{ n += $1 } END { print n }'; }
	[ "$(sum <j)" -eq "$(sum <all)" ]
	"$PMUSCOPE" spe report --by pc --max-groups 10 p.data >table
	grep 'none of the first 10 groups' table
	grep 'all others' table
}

@test "what is wrong is named, with its place" {
	refused 'missing: cannot open' missing
	refused 'report of what?'
	refused '--filter:14: there is no column total_lta' --filter 'op==load && (total_lta>3)' p.data
	[[ "$stderr" == *"did you mean total_lat?"* ]]
	refused '--filter:5: lode is none of the values of op' --filter 'op==lode' p.data
	refused '--by lines: did you mean line?' --by lines p.data
	refused '--sort total_p95: there is no such column' --sort total_p95 p.data
	refused '--filter:9: this quote is not closed' --filter 'symbol=="x' p.data
	refused '--filter:7: of symbol there is only ==, != and =~' --filter 'symbol>x' p.data
	refused '--filter:3: =~ is of texts alone' --filter 'op=~load' p.data
	refused '--tid 1,x: not a list of numbers' --tid 1,x p.data
	refused '--cpu 3-1: not a list of numbers, such as 0-3,8' --cpu 3-1 p.data
	refused '--time 20%-10%: not a stretch of time' --time 20%-10% p.data
	refused '--time 5: not a stretch of time' --time 5 p.data
	refused '--time in per cent reads the file twice' --time 1%-2% - <p.data
	refused '--time: a bare buffer' --time 1%-2% --raw p.data.0
	refused '--limit x: not a whole number' --limit x p.data
	refused '--period 0: not a whole number above 0' --period 0 p.data
	refused '--format xml' --format xml p.data
	refused 'two formats at once' -j -x ';' p.data
	refused '-x ": not a separator' -x '"' p.data
	refused 'unknown option --filtre; did you mean --filter?' --filtre x p.data
	refused '/nonexistent: cannot read' --symfs /nonexistent p.data
	refused '/nonexistent: cannot read' --kallsyms /nonexistent p.data
	refused '--mcpu z80' --mcpu z80 p.data
	refused 'one file at a time' p.data p.data
	head -c 100 p.data >short
	refused 'short: ' short
	printf 'Words of a page.\n' >text
	refused 'text: no perf.data, and no Arm SPE buffer: ' text
	refused "$SPE_FILE: no perf.data, and no Arm SPE buffer: " "$SPE_FILE"
	"$PMUSCOPE" spe report --raw text
	: >empty
	refused 'empty: the file is empty' empty
	run --separate-stderr "$PMUSCOPE" spe report -o /nonexistent/x p.data
	[ "$status" -eq 2 ]
	[[ "$stderr" == *"/nonexistent/x"* ]]
	"$PMUSCOPE" spe report p.data >/dev/full 2>full && false
	grep 'cannot write' full
}

# bad_record NAME: makes NAME, p.data whose last record of a trace is no record; prints where it is.
bad_record() {
	python3 - p.data "$1" <<-'PY'
		import struct, sys
		data = bytearray(open(sys.argv[1], "rb").read())
		at, size = struct.unpack_from("<QQ", data, 40)
		end, traces = at + size, []
		while at < end:
		    kind, _, length = struct.unpack_from("<IHH", data, at)
		    if kind == 71:  # AUXTRACE: its bytes follow it
		        traces.append(at)
		        length += struct.unpack_from("<Q", data, at + 8)[0]
		    at += length
		struct.pack_into("<H", data, traces[-1] + 6, 3)  # a size below that of a header
		open(sys.argv[2], "wb").write(data)
		print(traces[-1])
	PY
}

@test "a bad record costs what is behind it, and no more" {
	at=$(bad_record bad.data)
	for command in "report --by op -j" "dump --records" "export --to csv"; do
		run --separate-stderr -2 "$PMUSCOPE" spe $command bad.data -o out
		[[ $stderr == *"bad.data: "*"at offset $at "*"what stands before it is in the output"* ]]
		[ -s out ]
		rm out
	done
	"$PMUSCOPE" spe report --by op -j p.data >whole
	run --separate-stderr -2 "$PMUSCOPE" spe report --by op -j bad.data
	echo "$output" >part
	python3 - "$at" <<-'PY'
		import json, sys
		def quality(name):
		    return json.load(open(name))["quality"]
		whole, part = quality("whole"), quality("part")
		assert 0 < part["records"] < whole["records"], part["records"]
		assert part["damaged_at"] == int(sys.argv[1]) and whole["damaged_at"] is None
	PY
	run -2 "$PMUSCOPE" spe report --by op bad.data
	[[ $output == *"  damaged "*"a record at offset $at "* ]]
}

@test "a bad record before all others is an error without a report" {
	{ head -c 104 p.data; head -c 400 /dev/zero | tr '\0' '\377'; } >none.data
	run --separate-stderr -2 "$PMUSCOPE" spe report none.data
	[ -z "$output" ]
}

@test "a damaged stream is reported as far as it goes, and its damage said" {
	{ head -c 6400 p.data.0; printf '\377\376\375'; tail -c +6401 p.data.0 | head -c 6409; } >damaged
	"$PMUSCOPE" spe report --by op --raw damaged >table
	grep 'undecodable  *3 bytes; 1 record with damage, 1 unfinished left out' table
	run grep doubtful table
	[ "$status" -eq 1 ]
	"$PMUSCOPE" spe report --raw "$SPE_FILE" | grep 'doubtful .* is this an Arm SPE'
	"$SPE_FILE" -k killed.data p.data.0
	truncate -s -1000 killed.data
	"$PMUSCOPE" spe report --by op killed.data | grep 'cut  *the file is cut short at byte'
}

@test "-o writes a file whole or leaves what was there" {
	"$PMUSCOPE" spe report --by cpu -o out.txt p.data
	"$PMUSCOPE" spe report --by cpu p.data | diff - out.txt
	run "$PMUSCOPE" spe report --filter 'x' -o out.txt p.data
	[ "$status" -eq 2 ]
	"$PMUSCOPE" spe report --by cpu p.data | diff - out.txt
}
