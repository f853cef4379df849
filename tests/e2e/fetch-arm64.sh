#!/bin/sh
# SPDX-License-Identifier: MIT
# Fetch some of Debian's arm64 programs with their libraries and unpack them into the cache, for the
# gallery and for tests of programs that nobody here wrote. Prints the directory they were unpacked into.
exec "$(dirname "$0")/../../tools/debian-tree.sh" arm64 arm64-programs sqlite3 libsqlite3-0 libreadline8 \
	libtinfo6 zstd libzstd1 gzip liblzma5 liblz4-1 zlib1g libc6 libgcc-s1 libstdc++6 xz-utils bzip2 libbz2-1.0 \
	pigz perl-base libcrypt1 python3.11-minimal libpython3.11-minimal libexpat1 openssl libssl3 mawk \
	coreutils libacl1 libattr1 libgmp10 libselinux1 libpcre2-8-0 grep
