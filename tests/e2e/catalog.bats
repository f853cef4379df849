#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What there is for a CPU: specifications from elsewhere, lists. Nothing here needs QEMU.

load helpers

specs=$SOURCE/tests/data/specs

# fails_with STATUS TEXT ARGUMENT...: exits so, with TEXT on standard error and nothing on the other.
fails_with() {
	local status_wanted=$1 text=$2
	shift 2
	run "-$status_wanted" --separate-stderr "$PMUSCOPE" "$@"
	echo "stderr: $stderr"
	[ -z "$output" ]
	[[ "$stderr" == *"$text"* ]]
}

@test "a published specification is listed wholly, as it is" {
	for name in n2 v2; do
		for list in events metrics groups tree; do
			run -0 --separate-stderr "$PMUSCOPE" list $list -j --spec "$specs/neoverse-$name.json"
			[ -z "$stderr" ]
			python3 -c '
import json, sys
spec, got = json.load(open(sys.argv[1])), json.loads(sys.argv[2])
what = sys.argv[3]
assert got["catalog"]["name"] == "neoverse-" + sys.argv[4], got["catalog"]
names = [row["name"] for row in got[what]]
if what in ("events", "metrics"):
    assert names == list(spec[what])
if what == "metrics":
    for row in got[what]:
        assert row["formula"] == spec[what][row["name"]]["formula"]
        assert sorted(row["events"]) == sorted(spec[what][row["name"]]["events"]), row
if what == "groups":
    assert names == [*spec[what]["function"], *spec[what]["metrics"]]
' "$specs/neoverse-$name.json" "$output" $list $name
		done
	done
}

@test "keys that are not known are said once and passed over" {
	sed '0,/"events": {/s//"events_of_2030": 1, "events": {/; s/"units": "MPKI"/"unit_of": 1, &/' \
		"$specs/neoverse-n2.json" >"$BATS_TEST_TMPDIR/spec.json"
	mpki=$(grep -c '"unit_of"' "$BATS_TEST_TMPDIR/spec.json")
	run -0 --separate-stderr "$PMUSCOPE" list events --spec "$BATS_TEST_TMPDIR/spec.json"
	[ "$stderr" = "pmuscope: $BATS_TEST_TMPDIR/spec.json: note: ignored key events_of_2030 (and $mpki more)" ]
	[ "${#lines[@]}" -gt 155 ]
}

@test "a specification that is not one is named with the place and what was expected" {
	cd "$BATS_TEST_TMPDIR"
	printf '{"product_configuration": {\n "product_name": "X", "num_slots": "8"}}' >spec.json
	fails_with 2 'spec.json:2:36: product_configuration.num_slots: must be a whole number, not a string' \
		list events --spec spec.json
	printf '{' >spec.json
	fails_with 2 'spec.json:1:' list events --spec spec.json
	fails_with 2 'none.json: No such file' list events --spec none.json
	fails_with 2 '.: ' list events --spec .
	fails_with 2 'spec.json:1:' topdown --source vcore --spec spec.json -- prog
}

@test "a CPU is named once" {
	fails_with 2 "--mcpu and --spec name two CPUs" list events --mcpu riscv --spec x
}

@test "a CPU that there is none of is met with those there are and --spec" {
	fails_with 2 'no CPU "neoverse-n9"' list events --mcpu neoverse-n9
	[[ "$stderr" == *"neoverse-n1, "*"riscv"*"--spec FILE"* ]]
}

@test "names with dots are looked up" {
	"$PMUSCOPE" list events --mcpu riscv | grep -q '^INST.MISPRED.RET '
	"$PMUSCOPE" list metrics -x ';' --spec "$SOURCE/cpus/riscv/telemetry.json" | grep -q ';INST.RET / CYCLES.HART;'
}
