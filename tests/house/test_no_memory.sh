#!/bin/sh
# SPDX-License-Identifier: MIT
# test_no_memory.sh SOURCE_ROOT: the library says in one place that memory has run out: pms_no_memory().
cd "$1" || exit 1
found=$(grep -rnE --include='*.[ch]' 'pms_fail\([^;]*"out of memory"' src | grep -v '^src/base/status\.h:')
[ -z "$found" ] || { printf '%s\n' "$found" 'call pms_no_memory() instead'; exit 1; }
