#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Places of a profile: tables that add up, code with its source, and what is missing is said.
# annotate.py says what each instruction of annotate.c counted.

load helpers

setup_file() {
	cd "$BATS_FILE_TMPDIR"
	cp "$SOURCE/tests/e2e/annotate.c" .
	aarch64-linux-gnu-gcc -O1 -g -o prog annotate.c
	"$PMUSCOPE" report "$SOURCE/tests/data/perf-stat/arm-one.csv" --mcpu neoverse-v1 --save bare.pms >/dev/null
	cp bare.pms s.pms
	python3 "$SOURCE/tests/e2e/annotate.py" s.pms "$PWD/prog" aarch64-linux-gnu-nm
}

setup() {
	cd "$BATS_FILE_TMPDIR"
	session=$PWD/s.pms
}

# rows FILE EXPRESSION: as report, of a table's rows or the lines of code.
rows() {
	python3 - "$1" "$2" <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
rows = r.get("rows", r.get("lines"))
t = r["totals"]
print(eval(sys.argv[2]))
END
}

@test "the sums of every table are the totals" {
	for by in function line instruction object thread; do
		"$PMUSCOPE" annotate "$session" --by $by -j >$by.json
		[ "$(rows $by.json 'all(sum(row[k] for row in rows) == t[k] for k in t)')" = True ]
		[ "$(rows $by.json 't == dict(t, lost=t["slots"] - t["retiring"]) and t["cycles"] > 0')" = True ]
	done
	diff <(rows function.json t) <(rows thread.json t)
	[ "$(rows function.json '[row["function"] for row in rows][:2]')" = "['walk', 'mix']" ]
	[ "$(rows thread.json '[(row["tid"], row["thread"]) for row in rows]')" = "[(9, 'main'), (10, 'worker')]" ]
	[ "$(rows function.json 'sum(row["function"] is None and row["cycles"] for row in rows)')" = 7 ]
}

@test "lines are those of addr2line" {
	"$PMUSCOPE" annotate "$session" --by instruction -j >i.json
	rows i.json '"\n".join("%s %s:%d" % (r["address"], r["file"].split("/")[-1], r["line"]) for r in rows if r["line"])' |
		sort >have
	cut -d' ' -f1 have | aarch64-linux-gnu-addr2line -e prog | sed 's|.*/||; s/ (.*//' >lines
	cut -d' ' -f1 have | paste -d' ' - lines | diff - have
	[ "$(wc -l <have)" -gt 20 ]
}

@test "a table is sorted, filtered and cut as asked" {
	"$PMUSCOPE" annotate "$session" --by function --sort frontend_bound -j >f.json
	[ "$(rows f.json 'rows[0]["function"], r["sort"]')" = "('mix', 'frontend_bound')" ]
	"$PMUSCOPE" annotate "$session" --by instruction --filter 'function==mix && cycles>=20' -j >f.json
	[ "$(rows f.json '{row["function"] for row in rows}, min(row["cycles"] for row in rows)')" = "({'mix'}, 20)" ]
	"$PMUSCOPE" annotate "$session" --by function --filter '!(function=~"w*" || tid==9)' -j >f.json
	[ "$(rows f.json 'len(rows)')" = 0 ]
	"$PMUSCOPE" annotate "$session" --by instruction --limit 3 -x, >three.csv
	[ "$(grep -vc '^#' three.csv)" = 4 ]
	"$PMUSCOPE" annotate "$session" walk --by line -j >w.json
	[ "$(rows w.json '{row["function"] for row in rows}')" = "{'walk'}" ]
	run -2 "$PMUSCOPE" annotate "$session" --by function --sort cycle
	[[ "$output" == *"did you mean cycles?"* ]]
	run -2 "$PMUSCOPE" annotate "$session" --by functions
	[[ "$output" == *"did you mean function?"* ]]
	run -2 "$PMUSCOPE" annotate "$session" --by line --filter 'function==walk &&'
	[[ "$output" == "pmuscope: --filter:18: ends where a column should follow"* ]] || { echo "$output"; false; }
	run -2 "$PMUSCOPE" annotate "$session" --by line --filter 'funktion==walk'
	[[ "$output" == *"there is no column funktion"*"did you mean function?"* ]]
}

@test "a function has its instructions below its lines of source" {
	"$PMUSCOPE" annotate "$session" walk -j >w.json
	aarch64-linux-gnu-objdump -d --no-show-raw-insn --disassemble=walk prog |
		sed -n 's/^ *\([0-9a-f]*\):\t*/0x\1 /p' | tr '\t' ' ' >want
	rows w.json '"\n".join(row["address"] + " " + row["instruction"] for row in rows if row["address"])' | diff want -
	[ "$(rows w.json 'sum(row["cycles"] for row in rows) * 1.0 == sum(125 * (i + 1) for i in range(sum(1 for row in rows if row["address"])))')" = True ]
	[ "$(rows w.json 'any(row["source"] == "\t\tsum += list[i];" and row["line"] == 12 for row in rows)')" = True ]
	[ "$(rows w.json 'r["function"], r["disassembler"]')" = "('walk', 'aarch64-linux-gnu-objdump')" ]
	# Without a name: the function that has most.
	"$PMUSCOPE" annotate "$session" -j | cmp - w.json
}

@test "a table of code has 80 columns, and letters in place of colours" {
	COLUMNS=80 "$PMUSCOPE" annotate "$session" walk >walk.txt
	[ "$(LC_ALL=C.UTF-8 awk '{ if (length > 80) print }' walk.txt)" = "" ]
	grep -q 'BBBBBBBBBB' walk.txt
	grep -q '0.50 l1d_refill' walk.txt
	grep -Eq '^ +(annotate.c:)?12: sum \+= list\[i\];' walk.txt
	! grep -q $'\033' walk.txt
	for by in function line instruction object thread; do
		COLUMNS=80 "$PMUSCOPE" annotate "$session" --by $by >$by.txt
		[ "$(LC_ALL=C.UTF-8 awk '{ if (length > 80) print }' $by.txt)" = "" ]
	done
	grep -Eq 'reorder buffer full 100 % +walk in prog' function.txt || { cat function.txt; false; }
}

@test "a source file has the sums of its lines" {
	"$PMUSCOPE" annotate "$session" annotate.c -j >file.json
	"$PMUSCOPE" annotate "$session" --by line --filter file==annotate.c -j >lines.json
	[ "$(rows file.json 'sum(row["cycles"] for row in rows)')" = "$(rows lines.json 'sum(row["cycles"] for row in rows)')" ]
	[ "$(rows file.json '[row["line"] for row in rows] == sorted({row["line"] for row in rows})')" = True ]
	"$PMUSCOPE" annotate "$session" annotate.c | grep -q 'sum += list'
}

@test "a report names the functions and lines that lose most" {
	COLUMNS=80 "$PMUSCOPE" report "$session" >report.txt
	python3 -c 'import sys; sys.exit(any(len(line) > 81 for line in open("report.txt", encoding="utf-8")))'
	grep -Eq '^ +97.5 +96.7 +reorder buffer full 100 % +walk annotate.c:1[0-4]$' report.txt || { cat report.txt; false; }
	"$PMUSCOPE" report "$session" -j >report.json
	"$PMUSCOPE" annotate "$session" --by function -j >f.json
	"$PMUSCOPE" annotate "$session" --by line --sort backend_bound -j >l.json
	python3 - <<'END'
import json
report, functions, lines = (json.load(open(name)) for name in ("report.json", "f.json", "l.json"))
where = report["where"]
assert where["profile"] == "modelled"
for ours, theirs in zip(where["functions"], functions["rows"], strict=True):
    for key in ("function", "object", "cycles", "retiring", "bad_speculation", "frontend_bound", "backend_bound"):
        assert ours[key] == theirs[key], (key, ours, theirs)
assert [f["cause"] for f in where["functions"]] == ["slots_be_rob", "slots_fe_icache", "slots_bs_branch", None]
backend = [f for f in report["findings"] if f["path"][0] == "backend_bound"]
assert backend or not report["findings"], report["findings"]
for finding in report["findings"]:
    share = finding["path"][0]
    want = sorted((r[share] for r in lines["rows"] if r[share] and r["line"]), reverse=True)[:3]
    assert [p["slots"] for p in finding["places"]] == want, (finding["places"], want)
END
	"$PMUSCOPE" report "$session" -x, | grep -q '^# where: walk 98 %, most lost at annotate.c:1'
	# A session that is copied keeps its places.
	"$PMUSCOPE" report "$session" --save copy.pms >/dev/null
	"$PMUSCOPE" annotate copy.pms --by instruction -j | grep -v '"heading"\|"file": .*pms' >copied
	"$PMUSCOPE" annotate "$session" --by instruction -j | grep -v '"heading"\|"file": .*pms' | diff copied -
	rm copy.pms
	! "$PMUSCOPE" report bare.pms -j | grep -q '"where"\|"places"'
}

@test "without objdump, source, program or places the reason is said" {
	mkdir -p empty moved
	run -0 env PATH="$PWD/empty" "$PMUSCOPE" annotate "$session" walk
	[[ "${output//$'\n'/ }" == *"apt install binutils-aarch64-linux-gnu"* ]]
	[[ "$output" == *"sum += list[i]"* ]]
	mv annotate.c moved
	run -0 "$PMUSCOPE" annotate "$session" walk
	mv moved/annotate.c .
	[[ "${output//$'\n'/ }" == *"annotate.c cannot be read"* ]]
	[[ "$output" == *"ret"* ]]
	mv prog moved
	run -0 "$PMUSCOPE" annotate "$session" --by function
	local table=$output
	run -2 "$PMUSCOPE" annotate "$session" walk
	mv moved/prog .
	[[ "$table" == *"[unknown] in prog"* ]]
	[[ "$output" == *"no function and no source file walk"* ]]
	run -2 "$PMUSCOPE" annotate bare.pms
	[[ "$output" == "pmuscope: bare.pms: the session does not say where"* ]]
	run -2 "$PMUSCOPE" annotate "$session" wolk
	[[ "$output" == *"did you mean walk?"* ]]
	run -2 "$PMUSCOPE" annotate "$session" walk mix
	[[ "$output" == *"mix is too much"* ]]
}

@test "a name is never a command or an option of objdump" {
	mkdir -p "a b;touch x"
	cp prog "a b;touch x/-D"
	cp bare.pms odd.pms
	python3 "$SOURCE/tests/e2e/annotate.py" odd.pms "$PWD/a b;touch x/-D" aarch64-linux-gnu-nm
	"$PMUSCOPE" annotate odd.pms walk | grep -q '  ret'
	[ ! -e x ]
	cp prog ./-D
	cp bare.pms dash.pms
	python3 "$SOURCE/tests/e2e/annotate.py" dash.pms ./-D aarch64-linux-gnu-nm
	"$PMUSCOPE" annotate dash.pms walk | grep -q '  ret'
}
