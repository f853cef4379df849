#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Where reports go: streams that are closed, files that are replaced or written in place, signals.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR"
	mkdir d
}

# without CLOSED WORD...: run pmuscope with these standard descriptors closed; $status is its status.
without() {
	local closed=$1
	shift
	status=0
	(
		case $closed in *0*) exec 0<&- ;; esac
		case $closed in *1*) exec 1>&- ;; *) exec 1>stdout ;; esac
		case $closed in *2*) exec 2>&- ;; *) exec 2>stderr ;; esac
		exec "$PMUSCOPE" "$@"
	) || status=$?
}

@test "closed standard streams take nothing from files" {
	"$SPE_MAKE" 1 200 a.raw
	for to in csv sqlite; do
		"$PMUSCOPE" spe export --raw a.raw --to $to -o want.$to 2>/dev/null
	done
	"$PMUSCOPE" spe report --raw a.raw -o want.report
	for closed in 0 1 2 01 02 12 012; do
		for to in csv sqlite; do
			rm -f d/out
			without $closed spe export --raw a.raw --to $to -o d/out
			[ "$status" -eq 0 ]
			cmp d/out want.$to
		done
		without $closed spe report --raw a.raw -o d/out
		[ "$status" -eq 0 ]
		cmp d/out want.report
		[ "$(ls -A d)" = out ]
	done
}

@test "a report to a closed stream is an error" {
	"$SPE_MAKE" 1 200 a.raw
	for closed in 1 01; do
		for command in "list cpus" "core show" doctor "spe export --raw a.raw --to csv" \
			"spe dump --raw a.raw" "spe report --raw a.raw"; do
			without $closed $command
			[ "$status" -eq 2 ]
			grep -q "cannot write" stderr
		done
	done
	without 0 report - --mcpu neoverse-v1
	[ "$status" -eq 2 ]
	grep -q "standard input: .*Bad file descriptor" stderr
	without 0 stat --source perf --control fd:0 -- true
	[ "$status" -eq 2 ]
	grep -q "descriptor 0 is not open" stderr
}

@test "a program that is measured finds closed streams closed" {
	"$PMUSCOPE" stat --source perf -e page-faults -- true 2>/dev/null || skip "no counters"
	for closed in 0 1 2 012; do
		without $closed stat --source perf -e page-faults -o d/out -- \
			sh -c 'for n in 0 1 2; do [ -e /proc/$$/fd/$n ] || m=$m$n; done; echo $m >d/closed; exit 5'
		[ "$status" -eq 5 ]
		[ "$(cat d/closed)" = $closed ]
		grep -q page-faults d/out
	done
}

# ends SIGNAL WORD...: run a pmuscope that would take long. The signal must end it at once. The
# signal comes $after seconds after the start (0.3).
ends() {
	run -124 timeout -k 2 -s $1 ${after:-0.3} env --default-signal=$1 "$PMUSCOPE" "${@:2}"
	[ -z "$output" ]
}

@test "signals end what takes long, and leave nothing" {
	mkfifo d/in d/out
	echo old >d/kept
	for signal in INT TERM HUP QUIT; do
		ends $signal list events -o d/out
	done
	ends INT report d/in --mcpu neoverse-v1 -o d/kept
	ends INT check d/in --mcpu neoverse-v1
	ends INT spe export d/in --to csv -o d/kept
	ends INT spe export d/in --to sqlite -o d/new
	ends INT spe dump d/in -o d/new
	ends INT spe report d/in -o d/new
	[ "$(cat d/kept)" = old ]
	[ "$(ls -A d | tr '\n' ' ')" = "in kept out " ]
}

# intervals SESSION: how many it has
intervals() {
	python3 -c 'import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*) FROM interval").fetchone()[0])' "$1"
}

@test "signals end reports of many intervals, and the session that they go into" {
	seq -f '     %.0f.000100000,7,,cpu_cycles,100,100.00,,' 30000 >many.csv
	ends INT report many.csv --mcpu neoverse-v1 -o d/out
	# While the file is read, while its intervals go into the session, and while they are written.
	for after in 0.2 0.5 0.8 1.1; do
		ends TERM report many.csv --mcpu neoverse-v1 --save d/out
		[ -e d/out ] || continue
		[ "$(intervals d/out)" = 30001 ] # the whole is one of them
		rm d/out
	done
	ends HUP check many.csv --mcpu neoverse-v1 -o d/out
	[ -z "$(ls -A d)" ]
}

@test "signals that are ignored end nothing" {
	(trap '' HUP && exec "$PMUSCOPE" spe export /dev/stdin --raw --to csv -o d/out) < <(
		"$SPE_MAKE" 1 200 a.raw
		head -c 1000 a.raw
		sleep 0.5
		tail -c +1001 a.raw
	) &
	sleep 0.2
	kill -HUP $!
	wait $!
	[ "$(wc -l <d/out)" -eq 201 ]
}

# tmpfile: whether the file system here supports files without names.
tmpfile() {
	python3 -c 'import os; os.open(".", os.O_TMPFILE | os.O_WRONLY)' 2>/dev/null || skip "no O_TMPFILE here"
}

@test "not even SIGKILL leaves anything" {
	tmpfile
	mkfifo in
	for to in csv jsonl; do
		"$PMUSCOPE" spe export in --to $to -o d/out &
		exec 7>in
		kill -KILL $!
		wait $! || true
		exec 7>&-
		[ -z "$(ls -A d)" ]
	done
}

@test "file systems that have only files with names" {
	export LD_PRELOAD=$NO_TMPFILE ASAN_OPTIONS=verify_asan_link_order=0:$ASAN_OPTIONS
	echo old >d/kept
	chmod 640 d/kept
	mkfifo in
	for signal in INT TERM HUP QUIT PIPE USR1 XCPU; do
		env --default-signal=$signal "$PMUSCOPE" spe export in --to csv -o d/kept &
		exec 7>in
		[ "$(find d -name '.pmuscope-*' | wc -l)" -eq 1 ]
		kill -$signal $!
		status=0
		wait $! || status=$?
		exec 7>&-
		[ "$status" -eq $((128 + $(kill -l $signal))) ]
		[ "$(ls -A d)" = kept ]
	done
	[ "$(cat d/kept)" = old ]
	for name in kept new; do
		"$PMUSCOPE" list metrics -j -o d/$name
		python3 -m json.tool d/$name >/dev/null
	done
	[ "$(stat -c %a d/kept)" = 640 ]
	[ "$(ls -A d | wc -l)" -eq 2 ]
}

@test "a chain of links stays, and what it ends at is written" {
	ln -s b d/a
	ln -s ../e/c d/b
	mkdir e
	for i in 1 2; do # not there, then there
		"$PMUSCOPE" list cpus -o d/a
		[ -L d/a ] && [ -L d/b ] && [ ! -L e/c ]
		grep -q neoverse-v1 e/c
	done
	[ "$(ls -A d e | wc -w)" -eq 5 ]
	ln -s y d/x
	ln -s x d/y
	run -2 "$PMUSCOPE" list cpus -o d/x
	[[ "$output" == "pmuscope: d/x: cannot write: Too many levels of symbolic links" ]]
	run -2 "$PMUSCOPE" list cpus -o none/x
	[[ "$output" == "pmuscope: none/x: cannot write: No such file or directory" ]]
	for name in . .. / d/ d/.; do
		run -2 "$PMUSCOPE" list cpus -o $name
		[[ "$output" == "pmuscope: $name: cannot write: Is a directory" ]]
	done
}

@test "a file with several names has the report under all of them" {
	echo old >d/one
	ln d/one d/two
	inode=$(stat -c %i d/one)
	seq 100000 >>d/one # what is longer is cut
	"$PMUSCOPE" list cpus -o d/two
	grep -q neoverse-v1 d/one
	! grep -q 100000 d/one
	[ "$(stat -c %i d/one d/two | sort -u)" = "$inode" ]
	echo old >d/one
	run -2 "$PMUSCOPE" report - --mcpu neoverse-v1 -o d/one <<<"no counts"
	[ "$(cat d/two)" = old ]
	run -2 "$PMUSCOPE" spe export none --to sqlite -o d/one
	[[ "$output" == *"-o d/one: a database needs a file of its own"* ]]
	[ "$(ls -A d | wc -l)" -eq 2 ]
}

@test "an access control list is kept" {
	echo old >d/out
	# user::rw- user:1:rw- group::--- mask::rw- other::---
	python3 - 2>/dev/null <<-'END' || skip "no access control lists here"
		import os, struct
		rows = [(1, 6, -1), (2, 6, 1), (4, 0, -1), (16, 6, -1), (32, 0, -1)]
		os.setxattr("d/out", "system.posix_acl_access",
		            struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *r) for r in rows))
	END
	[ "$(stat -c %a d/out)" = 660 ]
	"$PMUSCOPE" list cpus -o d/out
	grep -q neoverse-v1 d/out
	python3 -c 'import os; os.getxattr("d/out", "system.posix_acl_access")'
	[ "$(stat -c %a d/out)" = 660 ]
}

@test "a stream that is named stays where it is" {
	echo before >log
	"$PMUSCOPE" list cpus -o /dev/stdout >>log
	"$PMUSCOPE" list cpus -o /dev/stderr 2>>log
	"$PMUSCOPE" list cpus -o /dev/fd/5 5>>log
	[ "$(head -n 1 log)" = before ]
	[ "$(grep -c '^neoverse-v1 ' log)" -eq 3 ]
	[ "$("$PMUSCOPE" list cpus -o /dev/stdout | grep -c '^neoverse-v1 ')" -eq 1 ]
	mkfifo pipe
	"$PMUSCOPE" list cpus -o pipe &
	grep -q '^neoverse-v1 ' pipe
	wait $!
	[ -p pipe ]
	run -2 "$PMUSCOPE" list cpus -o /dev/fd/0 </dev/null
	[[ "$output" == "pmuscope: /dev/fd/0: cannot write: Bad file descriptor" ]]
}

@test "setuid, setgid and sticky bits are not those of the report" {
	for mode in 4755 2755 1755 6711; do
		rm -f d/one d/two
		install -m $mode /dev/null d/one
		"$PMUSCOPE" list cpus -o d/one
		[ "$(stat -c %a d/one)" = ${mode:1} ]
		ln d/one d/two # written in place
		chmod $mode d/one
		"$PMUSCOPE" list cpus -o d/one
		[ $((0$(stat -c %a d/one) & 06000)) -eq 0 ]
	done
	[ "$(ls -A d | wc -l)" -eq 2 ]
}

# another WORD...: run it as another user.
another() {
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$@"
}

# shared_folders: make "open", where anybody may do anything, and "sticky", as /tmp is.
shared_folders() {
	[ "$(id -u)" -eq 0 ] || skip "needs root to be two users"
	place=$(mktemp -d /tmp/pmuscope-test-XXXXXX)
	chmod 755 "$place"
	mkdir -m 777 "$place/open"
	mkdir -m 1777 "$place/sticky"
	another test -r "$PMUSCOPE" -a -r "$PMUSCOPE_DATA/cpus" || skip "another user cannot run pmuscope"
	cd "$place"
}

teardown() {
	[ -z "$place" ] || rm -rf "$place"
}

@test "root keeps the owner of a file that it replaces" {
	shared_folders
	another install -m 4640 /dev/null open/out
	"$PMUSCOPE" list cpus -o open/out
	[ "$(stat -c '%u:%g %a' open/out)" = "65534:65534 640" ]
	another grep -q neoverse-v1 open/out
}

@test "a file of another user that may be written is written in place" {
	shared_folders
	mkdir closed
	install -m 666 /dev/null closed/out
	install -m 666 /dev/null open/out
	for folder in closed open; do
		inode=$(stat -c %i $folder/out)
		another "$PMUSCOPE" list cpus -o $folder/out
		[ "$(stat -c '%u %a %i' $folder/out)" = "0 666 $inode" ]
		grep -q neoverse-v1 $folder/out
	done
	chmod 644 open/out
	run -2 another "$PMUSCOPE" list cpus -o open/out
	[[ "$output" == *"cannot write: Permission denied"* ]]
	[ "$(ls -A open closed | wc -w)" -eq 4 ]
}

# refused FILE: root refuses to write there, and changes nothing.
refused() {
	run -2 "$PMUSCOPE" list cpus -o "$1"
	[[ "$output" == *"$1: cannot write: Permission denied"*"is another user's, in a folder where anybody may put files"* ]]
	run -2 "$PMUSCOPE" stat --source perf -e page-faults -I 100 -o "$1" -- true
	[[ "$output" == *"$1: cannot write: Permission denied"* ]]
	[ "$(cat open/victim)" = old ]
}

@test "links and files that another user left in a folder for all are not taken" {
	shared_folders
	echo old >open/victim
	another ln -s ../open/victim sticky/link
	another ln -s ../open/new sticky/new
	another touch sticky/file
	another mkfifo sticky/fifo
	for name in link new file fifo; do
		refused sticky/$name
	done
	[ ! -s sticky/file ]
	[ ! -e open/new ]
	[ "$(ls -A sticky | wc -l)" -eq 4 ]
	# Files of the user, or of the folder's owner, are accepted.
	ln -s ../open/victim sticky/own
	"$PMUSCOPE" list cpus -o sticky/own
	grep -q neoverse-v1 open/victim
	another ln -s a sticky/b
	another "$PMUSCOPE" list cpus -o sticky/b
	[ "$(stat -c %u sticky/a)" = 65534 ]
	another "$PMUSCOPE" list cpus -o sticky/a
	# A folder that others cannot write to is its owner's own business.
	another ln -s victim open/link
	"$PMUSCOPE" list cpus -j -o open/link
	python3 -m json.tool open/victim >/dev/null
}

@test "a second name in a folder for all is given up, not followed" {
	shared_folders
	echo old >open/victim
	ln open/victim sticky/out # by another user, where the kernel lets him
	"$PMUSCOPE" list cpus -o sticky/out
	[ "$(cat open/victim)" = old ]
	grep -q neoverse-v1 sticky/out
}

@test "an output that cannot be written is an error, whatever the command" {
	[ -c /dev/full ] || skip "there is no /dev/full"
	for command in --version --help "help topdown" "list events" "search tlb" "describe ipc" "plan --mcpu neoverse-v1"; do
		run -2 sh -c '"$0" $1 >/dev/full' "$PMUSCOPE" "$command"
		[[ "$output" == *"cannot write"* || "$output" == *"No space left"* ]]
	done
}

@test "a file that grows past its limit is an error, and nothing is left" {
	run -2 --separate-stderr sh -c 'ulimit -f 1; exec "$0" list events -j -o out.json' "$PMUSCOPE"
	[[ "$stderr" == *"out.json: cannot write the report: File too large"* ]]
	[ ! -e out.json ] && [ -z "$(find . -name '.pmuscope*')" ]
}

@test "a program's report that is lost is an error, unless the program failed" {
	[ -c /dev/full ] || skip "there is no /dev/full"
	run -2 "$PMUSCOPE" stat -e INST_RETIRED -o /dev/full -- "$EXACT/loop"
	run -2 "$PMUSCOPE" stat --source perf -e task-clock -o /dev/full -- /bin/true
	run -7 "$PMUSCOPE" stat --source perf -e task-clock -o /dev/full -- /bin/sh -c 'exit 7'
}
