#!/bin/sh
# SPDX-License-Identifier: MIT
# debian-tree.sh [-s SUITE] ARCH NAME PACKAGE...
#
# Fetch Debian packages of another architecture and unpack them into a folder of the cache: for cross
# builds, and for tests on programs and kernels that nobody here wrote. Prints the folder. A PACKAGE
# that begins with ^ is a regular expression: of the packages whose names match, the highest version.
#
# Uses this machine's package sources with apt lists of its own: nothing is installed, and the
# system gets no foreign architecture. With -s it is another release of Debian, "trixie", from the
# mirror that this machine has its own release from; Debian's keys sign both. Exit status 1, with
# the reason, when the packages are not available.
set -eu

suite=
[ "${1-}" != -s ] || {
	suite=${2-}
	shift $(($# < 2 ? $# : 2))
}
[ $# -ge 3 ] || {
	echo 'usage: debian-tree.sh [-s SUITE] ARCH NAME PACKAGE...' >&2
	exit 2
}
arch=$1
cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/pmuscope
root=$cache/$2
name=$2
shift 2
wanted="${suite:+$suite: }$*"

fail() {
	printf 'debian-tree: %s for %s\n' "$1" "$arch" >&2
	[ ! -s "${2-}" ] || tail -n 3 "$2" >&2
	exit 1
}

# The mirror of this machine's own release of Debian.
keys=/usr/share/keyrings/debian-archive-keyring.gpg
own_mirror() {
	own=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME-}")
	apt-get indextargets --no-release-info --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' |
		awk -v own="$own" '($1 == own || $1 ~ /^(old)*stable$/) && $2 == "main" { print $3; exit }'
}

# When several start at once, one fetches and the others wait for it.
mkdir -p "$cache"
exec 9>"$cache/$name.lock"
command -v flock >/dev/null && flock 9
# Remove folders that the machine itself provides: qemu-user would look into the tree first.
print_root() {
	for folder in tmp proc sys dev run; do
		rmdir "$root/$folder" 2>/dev/null || :
	done
	printf '%s\n' "$root"
}
if [ -d "$root" ] && [ "$(cat "$root/.packages" 2>/dev/null)" = "$wanted" ]; then
	print_root
	exit 0
fi
for tool in apt-get apt-cache dpkg-deb; do
	command -v "$tool" >/dev/null || fail "no $tool here, which would fetch packages"
done

work=$(mktemp -d "$cache/$name-XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/debs" "$work/root"
: >"$work/state/status"
cat >"$work/apt.conf" <<END
#clear APT::Architectures;
APT::Architecture "$arch";
APT::Architectures { "$arch"; };
APT::Sandbox::User "";
Acquire::Retries "3";
Acquire::Languages "none";
Dir::State "$work/state";
Dir::State::status "$work/state/status";
Dir::Cache "$work/cache";
END
if [ -n "$suite" ]; then
	mirror=$(own_mirror)
	[ -n "$mirror" ] || fail "none of this machine's package sources is Debian's own release, so no $suite"
	[ -f "$keys" ] || fail "no $keys here (package debian-archive-keyring), so no $suite"
	printf 'deb [signed-by=%s] %s %s main\n' "$keys" "$mirror" "$suite" >"$work/sources.list"
	printf 'Dir::Etc::sourcelist "%s";\nDir::Etc::sourceparts "/dev/null";\n' "$work/sources.list" >>"$work/apt.conf"
fi
export APT_CONFIG="$work/apt.conf"
apt-get -qq update >"$work/log" 2>&1 || fail "apt-get update fails" "$work/log"

# Store names without versions, so that a pattern is resolved once, here.
packages=
for package in "$@"; do
	case $package in
	^*)
		newest=$(apt-cache search --names-only "$package" | cut -d' ' -f1 | sort -V | tail -n 1)
		[ -n "$newest" ] || fail "the package sources have no $package"
		packages="$packages $newest"
		;;
	*) packages="$packages $package" ;;
	esac
done
# Word splitting is wanted: the list holds package names.
# shellcheck disable=SC2086
(cd "$work/debs" && apt-get -qq download $packages) >"$work/log" 2>&1 ||
	fail "apt-get download fails" "$work/log"
for deb in "$work"/debs/*.deb; do
	dpkg-deb -x "$deb" "$work/root" || fail "cannot unpack ${deb##*/}"
done
chmod 755 "$work/root"
printf '%s\n' "$wanted" >"$work/root/.packages"
rm -rf "$root"
mv "$work/root" "$root"
print_root
