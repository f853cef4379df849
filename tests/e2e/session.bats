#!/usr/bin/env bats
# SPDX-License-Identifier: MIT Sessions of counts from files, and files that are no sessions.
# Nothing here needs QEMU.

load helpers

setup() {
	data="$SOURCE/tests/data/perf-stat"
	cd "$BATS_TEST_TMPDIR"
}

@test "a session is shown as what it was saved from, in every format" {
	for file in arm-one.plain arm-one.csv arm-threads.csv interval.csv cpus-interval.json repeat.csv; do
		for format in table json csv; do
			rm -f s.pms
			"$PMUSCOPE" report "$data/$file" --mcpu neoverse-v1 --format $format --save s.pms -o first
			"$PMUSCOPE" report s.pms --format $format -o second
			cmp first second
		done
	done
}

@test "options change what is shown of a session" {
	"$PMUSCOPE" report "$data/arm-one.csv" --mcpu neoverse-v1 --save s.pms >/dev/null
	"$PMUSCOPE" report -j -M ipc s.pms >a
	"$PMUSCOPE" report -j -M ipc --mcpu neoverse-v1 "$data/arm-one.csv" >b
	cmp a b
	"$PMUSCOPE" report s.pms --mcpu neoverse-n1 -j >a
	holds a 'r["catalog"]["name"] == "neoverse-n1" and
		any("by the catalog of neoverse-v1" in w for w in r["warnings"])'
}

@test "names and level given when it was saved are kept" {
	"$PMUSCOPE" report "$data/arm-one.csv" --mcpu neoverse-v1 -M ipc --save s.pms -j -o a
	"$PMUSCOPE" report -j s.pms | cmp - a
	[ "$(sqlite3 s.pms "SELECT kind, name FROM shown_name")" = "metric|ipc" ]
	"$PMUSCOPE" report "$data/arm-one.csv" --mcpu neoverse-v3 -l 2 --save l.pms -j -o a
	"$PMUSCOPE" report -j l.pms | cmp - a
	"$PMUSCOPE" report -j -l 1 l.pms >b
	! cmp -s a b
}

@test "a session of a session is the same" {
	"$PMUSCOPE" report "$data/interval.csv" --mcpu neoverse-v1 --save a.pms -j -o a
	"$PMUSCOPE" report a.pms --save b.pms -j -o b
	cmp a b
	for table in event interval scope count warning argument shown shown_name counts; do
		[ "$(sqlite3 a.pms "SELECT * FROM $table")" = "$(sqlite3 b.pms "SELECT * FROM $table")" ]
	done
}

@test "a specification that was given is found again" {
	cp "$SOURCE/tests/data/specs/neoverse-n2.json" spec.json
	"$PMUSCOPE" report "$data/arm-one.csv" --spec spec.json --save s.pms -j -o a
	cd /
	"$PMUSCOPE" report "$BATS_TEST_TMPDIR/s.pms" -j | cmp - "$BATS_TEST_TMPDIR/a"
}

@test "sqlite3 reads what docs/use/session.md says" {
	"$PMUSCOPE" report "$data/arm-one.csv" --mcpu neoverse-v1 --save s.pms >/dev/null
	[ "$(sqlite3 s.pms "PRAGMA user_version")" -eq 4 ]
	[ "$(sqlite3 s.pms "PRAGMA application_id")" -eq $((0x504d5363)) ]
	[ "$(sqlite3 s.pms "PRAGMA integrity_check")" = ok ]
	[ "$(sqlite3 s.pms "SELECT count, state FROM counts WHERE event = 'CPU_CYCLES'")" = "1000000|counted" ]
	[ "$(sqlite3 s.pms "SELECT source, modelled, catalog, file IS NOT NULL FROM session")" = \
		"file|0|neoverse-v1|1" ]
	# The page lists exactly the columns that exist.
	for table in session argument event interval scope count; do
		sqlite3 s.pms "SELECT name FROM pragma_table_info('$table')" | sort >have
		sed -n "/^### $table\b/,/^### /p" "$SOURCE/docs/use/session.md" |
			sed -n 's/^| \(`[^|]*`\) |.*/\1/p' | tr -d '` ' | tr , '\n' | sort >told
		diff have told
	done
	sqlite3 s.pms "SELECT name FROM pragma_table_info('counts')" >have
	for column in $(cat have); do
		sed -n '/^### counts/,$p' "$SOURCE/docs/use/session.md" | grep -q "\`$column\`"
	done
	[ "$(stat -c %a s.pms)" = 600 ]
}

# refused FILE TEXT: report gives TEXT, names the file, and exits with status 2.
refused() {
	run -2 --separate-stderr "$PMUSCOPE" report "$1"
	[ -z "$output" ]
	[[ "$stderr" == "pmuscope: $1: "*"$2"* ]] || { echo "$stderr"; return 1; }
}

@test "what is no session, damaged or newer is refused" {
	"$PMUSCOPE" report "$data/arm-one.csv" --mcpu neoverse-v1 --save s.pms >/dev/null
	sqlite3 other.db 'CREATE TABLE t (x)'
	refused other.db "not a session"
	cp s.pms newer.pms
	sqlite3 newer.pms 'PRAGMA user_version = 7'
	refused newer.pms "version 7"
	head -c 20000 s.pms >cut.pms
	refused cut.pms damaged
	head -c 100 s.pms >short.pms
	refused short.pms ""
	cp s.pms row.pms
	sqlite3 row.pms "UPDATE count SET state = 'lost'"
	refused row.pms damaged
	cp s.pms view.pms
	sqlite3 view.pms "DROP TABLE warning; CREATE VIEW warning AS
		WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x FROM n)
		SELECT 0 AS interval, x AS position, 'x' AS text FROM n"
	refused view.pms warning
	run -2 --separate-stderr "$PMUSCOPE" report - <s.pms
	[[ "$stderr" == *"standard input"* ]]
}

@test "nothing is overwritten, and nothing is left behind" {
	mkdir d
	echo mine >d/s.pms
	run -2 --separate-stderr "$PMUSCOPE" report "$data/arm-one.csv" --mcpu neoverse-v1 --save d/s.pms
	[ -z "$output" ]
	[[ "$stderr" == *"d/s.pms: "*"no file is overwritten"* ]]
	[ "$(cat d/s.pms)" = mine ]
	run -2 "$PMUSCOPE" report "$data/arm-one.csv" --mcpu neoverse-v1 --save d/t.pms -o d/t.pms
	run -2 "$PMUSCOPE" report "$data/arm-one.csv" --mcpu neoverse-v1 --save /nowhere/t.pms
	run -2 "$PMUSCOPE" report "$data/arm-one.csv" --mcpu neoverse-v1 --save d/
	[ "$(ls -A d)" = s.pms ]
}

@test "what was ended while SQLite put it in order is read as it was before, and left as it is" {
	"$PMUSCOPE" report "$data/interval.csv" --mcpu neoverse-v1 --save s.pms -j -o whole.json
	# A change half written, with the journal to undo it, as a kill leaves them.
	sqlite3 s.pms "PRAGMA cache_size = 1; BEGIN; UPDATE count SET count = 7, because = hex(zeroblob(999));" \
		".shell cp s.pms half.pms; cp s.pms-journal half.pms-journal" "ROLLBACK" >sqlite.out
	! cmp -s s.pms half.pms
	cat half.pms half.pms-journal >before
	"$PMUSCOPE" report -j half.pms | cmp - whole.json
	cat half.pms half.pms-journal | cmp - before
	[ "$(ls)" = "$(printf '%s\n' before half.pms half.pms-journal s.pms sqlite.out whole.json)" ]
}

@test "what a journal beside a session names is not touched" {
	"$PMUSCOPE" report "$data/arm-one.csv" --mcpu neoverse-v1 --save s.pms >/dev/null
	echo precious >victim
	# SQLite deletes the file whose name such a journal ends with.
	python3 - "$PWD/victim" <<-'END'
		import struct, sys
		name, size = sys.argv[1].encode(), len(open("s.pms", "rb").read())
		magic = bytes.fromhex("d9d505f920a163d7")
		head = magic + struct.pack(">IIIII", 0, 0x1234, size // 4096, 512, 4096)
		end = struct.pack(">I", 0x40000000 // 4096 + 1) + name + struct.pack(">II", len(name), sum(name))
		open("s.pms-journal", "wb").write(head.ljust(512, b"\0") + end + magic)
	END
	for command in report check; do
		run -2 --separate-stderr "$PMUSCOPE" $command s.pms
		[ -z "$output" ]
		[[ "$stderr" == *"s.pms-journal: names another file"* ]]
		[ "$(cat victim)" = precious ]
		[ -e s.pms-journal ]
	done
}

@test "a pipe beside a session is not waited for" {
	"$PMUSCOPE" report "$data/arm-one.csv" --mcpu neoverse-v1 --save s.pms >/dev/null
	mkfifo s.pms-journal
	run -2 --separate-stderr timeout 20 "$PMUSCOPE" report s.pms
	[[ "$stderr" == *"s.pms-journal: is not a regular file"* ]]
	rm s.pms-journal
	mkfifo s.pms-wal # none of its own: it was finished
	timeout 20 "$PMUSCOPE" report s.pms >/dev/null
}
