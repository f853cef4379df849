#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# pmuscope spe report.

load helpers

by="pc object data-source cacheline page branch op thread cpu"

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
}

setup() {
	cd "$BATS_FILE_TMPDIR"
}

@test "every report is what another program works out" {
	for what in $by; do
		"$PMUSCOPE" spe report --by $what -j p.data >"report.$what"
		expected check $what "report.$what" p.data.0.json p.data.1.json
	done
}

@test "CSV has the same numbers as JSON" {
	for what in $by; do
		"$PMUSCOPE" spe report --by $what --format json p.data >j
		"$PMUSCOPE" spe report --by $what --format csv p.data >c
		expected check-csv $what c j
	done
	"$PMUSCOPE" spe report --by cpu -x ';' p.data | grep '^row;cpu;records;'
}

@test "tables are 80 columns wide at most, and end with the quality of the sample" {
	for what in $by; do
		run --separate-stderr "$PMUSCOPE" spe report --by $what p.data
		[ "$status" -eq 0 ]
		[ -z "$stderr" ]
		[[ "$output" == *"How good the sample is"*"undecodable "*"0 bytes"* ]]
		for line in "${lines[@]}"; do
			[ "${#line}" -le 80 ]
		done
	done
}
