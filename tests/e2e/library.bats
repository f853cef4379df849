#!/usr/bin/env bats
# SPDX-License-Identifier: MIT The shared library as other programs use it: installed, found by
# pkg-config, with the examples built against it.

bats_require_minimum_version 1.5.0

setup_file() {
	command -v pkg-config >/dev/null || skip "no pkg-config"
	export PREFIX=$BATS_FILE_TMPDIR/root
	DESTDIR=$PREFIX meson install -C "$BUILD" --no-rebuild --quiet
	PC=$(find "$PREFIX" -name pmuscope.pc)
	LIB=$(dirname "$(dirname "$PC")")
	INCLUDE=$(dirname "$(find "$PREFIX" -path '*/pmuscope/pmuscope.h')")
	export PC LIB INCLUDE
	export LD_LIBRARY_PATH=$LIB
}

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# example NAME: build an example as its first comment says
example() {
	local flags
	flags=$(PKG_CONFIG_PATH=$(dirname "$PC") pkg-config --define-variable=libdir="$LIB" \
		--define-variable=includedir="$(dirname "$INCLUDE")" --cflags --libs pmuscope)
	[ "$SANITIZE" = none ] || flags+=" -fsanitize=$SANITIZE"
	# Word splitting is wanted: both are lists of words.
	# shellcheck disable=SC2086
	$CC -Wall -Wextra -Werror "$SOURCE/examples/$1.c" $flags -o "$1"
}

counts_faults() {
	"$PMUSCOPE" stat --source perf -e page-faults -- true 2>/dev/null
}

@test "it has a SONAME, and shows what the public headers declare, no more" {
	readelf -d "$LIB/libpmuscope.so" | grep -q 'SONAME.*\[libpmuscope.so.0\]'
	nm -D --defined-only "$LIB/libpmuscope.so" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' |
		sort >shown
	[ -s shown ]
	while read -r name; do
		grep -qr "\b$name(" "$INCLUDE" || { echo "$name is in no header"; false; }
	done <shown
	grep -qx pms_region_open shown
	! grep -q pms_perf_encode shown
}

@test "a program measures a region of its own" {
	example region
	counts_faults || skip "perf_event_open is not to be had here"
	run -0 ./region page-faults
	# Three times 1000 pages that were not touched before.
	[[ ${lines[0]} =~ ^page-faults\ +3000$ ]]
	run -1 ./region no-such-event
	[[ $output == *"no event no-such-event"* ]]
}

@test "a program attaches to another and prints it at each interval" {
	example watch
	counts_faults || skip "perf_event_open is not to be had here"
	sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; exec sleep 0.3' 3>&- &
	run -0 ./watch $! 100
	[ ${#lines[@]} -ge 3 ]
	[[ ${lines[0]} == *" s "*"task-clock "* || ${lines[0]} == *"retiring"* ]]
	run -1 ./watch 999999999
	[[ $output == *"no process 999999999"* ]]
}
