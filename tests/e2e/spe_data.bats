#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Data to variables: see spe_data.py.

@test "data have the names that readelf reads in the program, wherever the kernel mapped it" {
	python3 "$SOURCE/tests/e2e/spe_data.py" layouts "$BATS_TEST_TMPDIR"
}

@test "a name is of the file that the data are of, or of none" {
	python3 "$SOURCE/tests/e2e/spe_data.py" libraries "$BATS_TEST_TMPDIR"
}

@test "data of a program that Linux perf recorded are where the program says" {
	command -v perf >/dev/null || skip 'Linux perf is not installed'
	python3 "$SOURCE/tests/e2e/spe_data.py" recorded "$BATS_TEST_TMPDIR"
}
