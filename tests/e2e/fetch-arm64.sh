#!/bin/sh
# SPDX-License-Identifier: MIT
# Fetch a few Debian arm64 programs with their libraries and unpack them into the cache, for tests of
# programs that nobody here wrote. Prints the directory they were unpacked into.
#
# Uses this machine's package sources with apt lists of its own: nothing is installed, and the system
# gets no foreign architecture. Exit status 1, with the reason, when the packages cannot be had.
set -eu

packages='sqlite3 libsqlite3-0 libreadline8 libtinfo6 zstd libzstd1 gzip liblzma5 liblz4-1 zlib1g
	libc6 libgcc-s1 libstdc++6'
cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/pmuscope
root=$cache/arm64

fail() {
	printf 'fetch-arm64: %s\n' "$*" >&2
	exit 1
}

# Of several that start at once, one fetches and the others wait for it.
mkdir -p "$cache"
exec 9>"$cache/arm64.lock"
command -v flock >/dev/null && flock 9
if [ -d "$root" ]; then
	printf '%s\n' "$root"
	exit 0
fi
for tool in apt-get dpkg-deb; do
	command -v "$tool" >/dev/null || fail "no $tool here"
done

work=$(mktemp -d "$cache/arm64-XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/debs" "$work/root"
: >"$work/state/status"
cat >"$work/apt.conf" <<END
#clear APT::Architectures;
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "";
Acquire::Languages "none";
Dir::State "$work/state";
Dir::State::status "$work/state/status";
Dir::Cache "$work/cache";
END
export APT_CONFIG="$work/apt.conf"
apt-get -qq update >"$work/log" 2>&1 || fail "apt-get update: $(tail -n 1 "$work/log")"
# Word splitting is wanted: the list holds package names.
# shellcheck disable=SC2086
(cd "$work/debs" && apt-get -qq download $packages) >"$work/log" 2>&1 ||
	fail "apt-get download: $(tail -n 1 "$work/log")"
for deb in "$work"/debs/*.deb; do
	dpkg-deb -x "$deb" "$work/root" || fail "cannot unpack ${deb##*/}"
done
chmod 755 "$work/root"
mv "$work/root" "$root"
printf '%s\n' "$root"
