#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Arm SPE in perf.data files: pmuscope and Linux perf read the same files and must see the same, as far as
# perf 6.1 goes. SPE_FILE makes the files; see spe_file.c. What perf loses or reads otherwise is written down
# in spe_perf.py.

load helpers

# Other versions of perf know more, or other words.
needs_perf() {
	command -v perf >/dev/null || skip 'Linux perf is not installed'
	version=$(perf --version)
	[[ "$version" == 'perf version 6.1.'* ]] || skip "the words are those of perf 6.1, not of $version"
}

compare() {
	python3 "$SOURCE/tests/e2e/spe_perf.py" "$1" "$BATS_TEST_TMPDIR"
}

@test "packets are as perf reads them" {
	needs_perf
	compare packets
}

@test "where perf takes other bytes for a packet" {
	needs_perf
	compare framing
}

@test "records are the samples that perf script makes, and their times too" {
	needs_perf
	compare records
}

@test "files without Arm SPE are told" {
	cd "$BATS_TEST_TMPDIR"
	printf '\x01' >one.spe
	printf 'PERFILE2\x10\0\0\0\0\0\0\0' >empty.data
	run -2 "$PMUSCOPE" spe dump empty.data
	[[ "$output" == *'empty.data: it has no Arm SPE buffers'* ]]

	"$SPE_FILE" one.data one.spe # and the type in AUXTRACE_INFO becomes 1, Intel PT's
	python3 - one.data <<-'PYTHON'
		import sys
		content = open(sys.argv[1], "rb").read()
		at = content.index(bytes([70, 0, 0, 0, 0, 0, 32, 0, 4]))
		open(sys.argv[1], "wb").write(content[:at + 8] + b"\1" + content[at + 9:])
	PYTHON
	run -2 "$PMUSCOPE" spe dump one.data
	[[ "$output" == *"one.data: its traces are not Arm SPE's, but of type 1"* ]]

	printf '2ELIFREP\0\0\0\0\0\0\0\x10' >big.data
	run -2 "$PMUSCOPE" spe dump big.data
	[[ "$output" == *'big.data: was written on a big-endian machine'* ]]

	"$SPE_FILE" one.data one.spe
	run -2 bash -c 'cat one.data | "$PMUSCOPE" spe dump -'
	[[ "$output" == *'cannot be read from a pipe'* ]]
}
