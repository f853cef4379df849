#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# pmuscope spe report: its numbers, beside those that another program works out.

load helpers
load spe_report_helpers

@test "every report is what another program works out" {
	for what in $by; do
		"$PMUSCOPE" spe report --by $what -j p.data >"report.$what"
		expected check $what "report.$what" p.data.0.json p.data.1.json
	done
}

@test "a bare buffer tells neither threads nor CPUs of a cache line" {
	"$PMUSCOPE" spe report --raw --by cacheline -j p.data.0 |
		rows '{(x["threads"], x["cpus"]) for x in [r, *r["offsets"]]}, {(t["pid"], t["tid"]) for t in r["touches"]}, r["sharing"]' |
		sort -u | diff - <(echo "{(None, None)} {(None, None)} not known")
}

@test "what a thread does on two CPUs is told once" {
	"$SPE_FILE" once.data p.data.0
	"$SPE_FILE" twice.data p.data.0 p.data.0
	touches() { # TIMES: each row, as if there were so many of its records and CPUs
		rows 'r["vaddr"], r["cpus"] * '"$1"', sorted((t["tid"], t["offset"], t["op"], str(t["pc"]), t["records"] * '"$1"') for t in r["touches"])' |
			sort
	}
	"$PMUSCOPE" spe report --by cacheline -j once.data | touches 2 >once
	"$PMUSCOPE" spe report --by cacheline -j twice.data | touches 1 >twice
	[ -s once ]
	diff once twice
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
	"$PMUSCOPE" spe report --by cacheline --symfs root -j s.data >j
	rows 'r["vaddr"], r["sharing"], r["threads"], r["loads"], r["stores"], r["contended"], r["contended_wait"]' <j >got
	grep -E '^\],"total":.*"contended": 225, "contended_wait": 16000,' j
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
	# 80 of the 205 loads that wait 200 cycles each
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

@test "an instruction has the address that objdump prints, in every format" {
	walk=$(objdump -d root/nonexistent/sample | sed -n '/<walk>:/{n;s/:.*//;s/^ */0x/p}')
	for what in pc branch; do
		"$PMUSCOPE" spe report --by $what --symfs root -j p.data | rows 'r["pc"], r["address"]' >j
		"$PMUSCOPE" spe report --by $what --symfs root --format csv p.data | grep '^group' | cut -d, -f2,3 | tr , ' ' >c
		sed 's/None$//' j | diff - c
		"$PMUSCOPE" spe report --by $what --symfs root --limit 0 p.data | grep -q ' 0x401[0-9a-f]* '
	done
	"$PMUSCOPE" spe report --by pc --symfs root --filter "pc==$walk" p.data | grep " $walk walk.c:[0-9]* walk$"
	# without the file, only the offset is known
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
