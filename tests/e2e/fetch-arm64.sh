#!/bin/sh
# SPDX-License-Identifier: MIT
# Fetch a few Debian arm64 programs with their libraries and unpack them into the cache, for tests of
# programs that nobody here wrote. Prints the directory they were unpacked into.
exec "$(dirname "$0")/../../tools/debian-tree.sh" arm64 arm64 sqlite3 libsqlite3-0 libreadline8 libtinfo6 zstd \
	libzstd1 gzip liblzma5 liblz4-1 zlib1g libc6 libgcc-s1 libstdc++6
