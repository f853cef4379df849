#!/usr/bin/env bats
# SPDX-License-Identifier: MIT Texts from files and command lines are shown harmlessly, whatever
# they hold: neither a terminal nor a spreadsheet obeys them.

load helpers

# A title for a terminal's window, a colour in one character (C1), from right to left, and not to be
# seen.
evil=$'\e]0;pwn\a\xc2\x9b31m\xe2\x80\xae\xe2\x81\xa6\xd8\x9c\xe2\x80\x8b'

setup() {
	cd "$BATS_TEST_TMPDIR"
	export LC_ALL=C.UTF-8
}

# inert FILE: holds no control characters, and shows them escaped.
inert() {
	python3 - "$1" <<'END'
import sys, unicodedata
text = open(sys.argv[1], encoding="utf-8", newline="").read()
bad = sorted({hex(ord(c)) for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")})
assert not bad, (bad, text)
assert "\\x1b]0;pwn\\x" in text, text # what is long is wrapped or cut
END
}

# on_terminal FILE WORD...: what pmuscope writes to a terminal, without the terminal's own returns
# and the colours that are ours.
on_terminal() {
	local file=$1
	shift
	script -qec "$(printf '%q ' "$PMUSCOPE" "$@")" /dev/null </dev/null | tr -d '\r' | sed 's/\x1b\[[01]m//g' >"$file"
}

# samples COMM PATH: make samples.data, of a process and a program that are called so.
samples() {
	"$SPE_MAKE" 1 200 a.raw
	SPE_COMM=$1 "$SPE_FILE" -m "$2" samples.data a.raw
}

# specification: make spec.json, with hostile words.
specification() {
	python3 - "$PMUSCOPE_DATA/cpus/neoverse-v1/telemetry.json" "$evil" <<'END'
import json, sys
spec = json.load(open(sys.argv[1]))
evil = sys.argv[2]
for kind in ("events", "metrics"):
    for entry in spec[kind].values():
        entry["title"] += evil
        entry["description"] += evil
spec["events"]["STALL_SLOT"]["code"] = spec["events"]["CPU_CYCLES"]["code"]
json.dump(spec, open("spec.json", "w"))
END
}

@test "messages" {
	"$PMUSCOPE" "x$evil" 2>one && false
	inert one
	"$PMUSCOPE" list "--x$evil" 2>two && false
	inert two
	"$PMUSCOPE" report "$evil" 2>three && false
	inert three
	"$PMUSCOPE" list metrics -o "none/$evil" 2>four && false
	inert four
	printf 'metric,low,high\nx%s,1,2\n' "$evil" >budget.csv
	"$PMUSCOPE" check "$SOURCE/tests/data/perf-stat/arm-one.csv" --mcpu neoverse-v1 --budget budget.csv 2>five && false
	inert five
	printf '%s\n' "$evil" >stat
	"$PMUSCOPE" report stat --mcpu neoverse-v1 2>six && false
	inert six
	"$PMUSCOPE" stat --source perf -e "$evil" -- true 2>seven && false
	inert seven
	"$PMUSCOPE" stat --source perf -e page-faults -- "./$evil" 2>eight && false
	inert eight
}

@test "tables" {
	samples $'x\e]0;\xe2\x80\xaepwn\a' "/bin/x$evil"
	"$PMUSCOPE" spe report --by object samples.data >objects
	inert objects
	! grep -q 'x5c' objects # nothing is escaped twice
	specification
	"$PMUSCOPE" list events --spec spec.json >events
	inert events
	! grep -q 'x5c' events
	"$PMUSCOPE" describe ipc --spec spec.json >ipc
	inert ipc
	"$PMUSCOPE" list events --spec spec.json >wide
	inert wide
}

@test "JSON has the same text, escaped" {
	samples $'x\e]0;\xe2\x80\xaepwn\a' "/bin/x$evil"
	specification
	"$PMUSCOPE" spe report --by object -j samples.data >report
	"$PMUSCOPE" spe export --to jsonl samples.data >export 2>/dev/null
	"$PMUSCOPE" list events -j --spec spec.json >events
	"$PMUSCOPE" describe ipc -j --spec spec.json >ipc
	python3 - "$evil" <<'END'
import json, sys, unicodedata
evil = sys.argv[1]
def texts(of):
    if isinstance(of, str):
        yield of
    elif isinstance(of, (dict, list)):
        for i in of.values() if isinstance(of, dict) else of:
            yield from texts(i)
for name in "report", "export", "events", "ipc":
    text = open(name, newline="").read()
    bad = [c for c in text if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")]
    assert not bad, (name, bad)
    lines = text.splitlines() if name == "export" else [text]
    assert any(t.endswith(evil) for line in lines for t in texts(json.loads(line))), name
END
}

@test "CSV and names are as they are, but on a terminal" {
	command -v script >/dev/null || skip "there is no script"
	samples $'x\e]0;\xe2\x80\xaepwn\a' "/bin/x$evil"
	specification
	while read -r command; do
		"$PMUSCOPE" $command >plain 2>/dev/null
		grep -qF "$evil" plain
		on_terminal shown $command
		inert shown
	done <<-'END'
		spe report --by object -x , samples.data
		spe export --to csv --columns object,pc samples.data
		list events -x ; --spec spec.json
	END
	"$PMUSCOPE" spe dump --records samples.data >dump 2>/dev/null
	! grep -q $'\e' dump
	! grep -q $'\xe2\x80\xae' dump
}

@test "what a spreadsheet would take for a formula has an apostrophe in front" {
	for comm in "=cmd|'/C c'!A0" "@SUM(1)" "-2+3" "+x" "'=x"; do
		samples "$comm" "$comm"
		"$PMUSCOPE" spe export --to csv samples.data >export.csv 2>/dev/null
		"$PMUSCOPE" spe report --by thread -x , samples.data >report.csv
		"$PMUSCOPE" spe export --to jsonl samples.data >export.jsonl 2>/dev/null
		python3 - "$comm" <<'END'
import csv, json, sys
comm = sys.argv[1]
rows = list(csv.DictReader(open("export.csv", newline="")))
assert len(rows) == 200 and {r["thread_name"] for r in rows} == {"", "'" + comm}, rows[0]
assert {r["object"] for r in rows} == {"", "'" + comm}, rows[0]
lines = [l for l in open("report.csv", newline="") if not l.startswith("#")]
rows = list(csv.DictReader(lines))
assert any("'" + comm in r.values() for r in rows), rows
records = [json.loads(l) for l in open("export.jsonl")]
assert {r.get("thread_name", comm) for r in records} == {r.get("object", comm) for r in records} == {comm}
END
	done
	samples "a=b" "/a=b" # nothing else has
	! "$PMUSCOPE" spe export --to csv samples.data 2>/dev/null | grep "'"
}
