#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Samples of SPE to processes, files, functions and lines: see spe_where.py.

where() {
	python3 "$SOURCE/tests/e2e/spe_where.py" "$1" "$BATS_TEST_TMPDIR"
}

@test "samples are in the process, file, function and line that they were told to be in" {
	where whole
}

@test "in the form for pipes, and through one, they are the same" {
	where piped
	where pipe
}

@test "in a compressed file they are the same" {
	where compressed
}

@test "switches tell as much as context packets" {
	where switches
}

@test "without times what was so in the end is taken" {
	where timeless
}

@test "of a file that is cut short there is what is there" {
	where cut
}

@test "files are found below another directory" {
	where symfs
}

@test "another build of a file is not used" {
	where mismatch
}

@test "files come from a debuginfod server that is named, and only then" {
	where debuginfod
}
