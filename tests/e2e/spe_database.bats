#!/usr/bin/env bats
# SPDX-License-Identifier: MIT Databases loaded from exports give the same numbers as spe report.

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR"
}

database() {
	python3 "$SOURCE/tests/e2e/spe_database.py" "$@"
}

# Sets server to ClickHouse's program, or skips. Debian's package of it is unpacked, not installed, since
# installing would start a server for good; the libraries that it needs are those of clickhouse-common.
clickhouse_server() {
	server=$(command -v clickhouse-server) && return
	tree=$("$SOURCE/tools/debian-tree.sh" "$(dpkg --print-architecture)" clickhouse clickhouse-server 2>reason) ||
		skip "no clickhouse-server: $(cat reason)"
	server=$tree/usr/sbin/clickhouse-server
	if ldd "$server" | grep -q 'not found'; then
		skip 'a library of clickhouse-common is not installed'
	fi
}

@test "SQLite says what reports say" {
	"$SPE_MAKE" 3 30000 a.raw
	"$SPE_MAKE" 4 30000 b.raw
	"$SPE_FILE" perf.data a.raw b.raw
	"$PMUSCOPE" spe export perf.data --to sqlite -o spe.db 2>/dev/null
	database sqlite perf.data spe.db
}

@test "ClickHouse says what reports say of a million records" {
	clickhouse_server
	"$SPE_MAKE" 1 500000 a.raw
	"$SPE_MAKE" 2 500000 b.raw
	"$SPE_FILE" perf.data a.raw b.raw
	rm a.raw b.raw
	mkdir clickhouse
	database clickhouse perf.data "$server" clickhouse
}
