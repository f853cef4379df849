#!/bin/sh
# SPDX-License-Identifier: MIT
# exports.sh HEADER...: print a linker's version script that exports what the headers declare, alone.
set -eu
echo 'PMUSCOPE_0 {'
echo 'global:'
cat "$@" | grep -Eo '\bpms_[a-z0-9_]+\(' | sort -u | sed 's/^/	/; s/($/;/'
echo 'local:'
echo '	*;'
echo '};'
