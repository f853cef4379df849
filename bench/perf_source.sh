#!/bin/sh
# SPDX-License-Identifier: MIT Fetch Linux perf's own decoder of Arm SPE, as Debian has it in
# linux-source-6.1, and unpack it into the cache. Prints the folder; the file `version` in it says
# which it is. It only serves to measure beside our decoder: nothing of it becomes part of this
# project. Exit status 1, with the reason, when the source is not available.
set -eu

cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/pmuscope
root=$cache/perf-source

fail() {
	printf 'perf_source: %s\n' "$*" >&2
	exit 1
}

# When several start at once, one fetches and the others wait for it.
mkdir -p "$cache"
exec 9>"$cache/perf-source-unpack.lock"
command -v flock >/dev/null && flock 9
if [ -d "$root" ]; then
	printf '%s\n' "$root"
	exit 0
fi
command -v xz >/dev/null || fail 'no xz here'
tree=$("$(dirname "$0")/../tools/debian-tree.sh" "$(dpkg --print-architecture)" linux-source linux-source-6.1)

work=$(mktemp -d "$cache/perf-source-XXXXXX")
trap 'rm -rf "$work"' EXIT
# The source has 1.4 GB; unpack only the few files that are needed.
xz -dc "$tree/usr/src/linux-source-6.1.tar.xz" |
	tar -x -C "$work" --strip-components=1 --wildcards '*/tools/perf/util/arm-spe-decoder/*.[ch]' \
		'*/tools/include/*' '*/tools/lib/zalloc.c' || fail 'cannot unpack linux-source-6.1'
zcat "$tree/usr/share/doc/linux-source-6.1/changelog.Debian.gz" |
	sed -n '1s/.*(\(.*\)).*/\1/p' >"$work/version"

# Replace headers of perf from which the decoder only needs printing.
util=$work/tools/perf/util
[ -f "$util/arm-spe-decoder/arm-spe-decoder.c" ] || fail 'linux-source-6.1 has no decoder of Arm SPE'
for name in auxtrace util; do
	: >"$util/$name.h"
done
cat >"$util/debug.h" <<'END'
#define pr_debug(...) do { } while (0)
#define pr_err(...) do { } while (0)
END
chmod 755 "$work"
mv "$work" "$root"
rm -rf "$tree"
printf '%s\n' "$root"
