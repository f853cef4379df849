#!/bin/sh
# SPDX-License-Identifier: MIT
# same.sh NATIVE PMUSCOPE
#
# What needs no PMU and runs no program prints the same on every architecture, byte by byte: output, errors and exit
# status of a cross-built PMUSCOPE, under $MESON_EXE_WRAPPER, beside those of the one in the build directory NATIVE.
# Reports by the Test Anything Protocol, a test for each kind of command.
set -eu

native=$1 cross=$(realpath "$2")
[ -x "$native/pmuscope" ] || {
	echo "1..0 # SKIP $native is not built"
	exit 0
}
native=$(realpath "$native")
unset COLUMNS
export COLUMNS PMUSCOPE_DATA="$SOURCE" LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/a" "$work/b"
cd "$work"

tests=0 told=
# Word splitting is wanted: the wrapper is a command and its options.
# shellcheck disable=SC2086
same() {
	(cd a && "$native/pmuscope" "$@") </dev/null >a.out 2>a.err && a=0 || a=$?
	(cd b && ${MESON_EXE_WRAPPER-} "$cross" "$@") </dev/null >b.out 2>b.err && b=0 || b=$?
	[ "$a" = "$b" ] && cmp -s a.out b.out && cmp -s a.err b.err && return
	told="$told
# pmuscope $*: exit status $a here, $b there
$(diff a.out b.out | head -n 6 | sed 's/^/# /')
$(diff a.err b.err | head -n 6 | sed 's/^/# /')"
}

# verdict NAME: on all that was compared since the last
verdict() {
	tests=$((tests + 1))
	if [ -z "$told" ]; then
		echo "ok $tests - $1"
	else
		echo "not ok $tests - $1$told"
	fi
	told=
}

same list cpus
for cpu in neoverse-n1 neoverse-v3 riscv; do
	same list events --mcpu $cpu
	same list metrics --mcpu $cpu -j
	for COLUMNS in 45 80 130; do
		same list tree --mcpu $cpu
	done
done
unset COLUMNS
verdict list

same describe --mcpu neoverse-v1 backend_bound L1D_CACHE_REFILL Topdown_L1
same describe --mcpu riscv INST.LDST.RET IPC
same describe --mcpu neoverse-v1 no_such_thing
same search --mcpu neoverse-v1 branch mispredicted
verdict 'describe and search'

for cpu in neoverse-n1 neoverse-v1 riscv; do
	same plan --mcpu $cpu
	same plan --mcpu $cpu --counters 4 -j
done
same plan --mcpu neoverse-v1 -M frontend_bound,nothing
verdict plan

data="$SOURCE/tests/data/perf-stat"
for file in arm-one.csv arm-one.json arm-one.plain arm-threads.csv; do
	same report --mcpu neoverse-v1 "$data/$file"
	same report --mcpu neoverse-v1 -j "$data/$file"
	same report --mcpu neoverse-v1 -x, "$data/$file"
done
for file in core.json cpus-interval.csv repeat.csv threads.plain tab.csv; do
	same report --mcpu neoverse-v1 "$data/$file"
done
verdict 'report of perf stat'

same report --mcpu neoverse-v1 --save s.pms "$data/arm-one.csv"
same report s.pms
cp a/s.pms a.pms
cp b/s.pms b.pms
for session in a b; do
	same report -j "$work/$session.pms"
	same check "$work/$session.pms"
done
verdict 'sessions, each with those of the other'

for file in arm-one.csv arm-threads.csv; do
	same check --mcpu neoverse-v1 "$data/$file"
	same check --mcpu neoverse-v1 -j "$data/$file"
done
same check "$SOURCE/README.md"
same lint "$SOURCE/tests/data/specs/neoverse-n2.json"
same lint "$SOURCE/tests/data/riscv/topdown.json"
verdict 'check and lint'

"$native/tests/e2e/spe_make" 1 3000 raw
"$native/tests/e2e/spe_file" perf.data raw
head -c 5000 perf.data >cut.data
same spe dump "$work/perf.data"
same spe dump --raw "$work/raw"
same spe dump --raw --format jsonl "$work/raw"
same spe dump "$work/cut.data"
for by in pc object data-source cacheline op cpu; do
	same spe report --by $by "$work/perf.data"
done
same spe report -j "$work/perf.data"
for format in csv jsonl sqlite; do
	same spe export --format $format -o "out.$format" "$work/perf.data"
	same spe export --format $format "$work/perf.data"
done
verdict spe

same core show
same core show --mcpu neoverse-v1 -j
same --help
same help live
same no-such-command
same topdown --no-such-option
verdict 'core, help and errors'
echo "1..$tests"
