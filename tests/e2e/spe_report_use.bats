#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# pmuscope spe report: what it is asked for, and files that are damaged.

load helpers
load spe_report_helpers

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
