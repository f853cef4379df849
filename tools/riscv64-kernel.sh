#!/bin/sh
# SPDX-License-Identifier: MIT
# Build a small RISC-V kernel of Debian's linux-source package, for the test machine: Debian 12 has no riscv64
# packages. `riscv64-kernel.sh build` takes minutes the first time and keeps it in the cache; `riscv64-kernel.sh
# path` prints where it is, or would be. Exit status 1, with the reason, when it cannot be had.
set -eu

config=$(dirname "$0")/../tests/live/riscv64/kernel.config
cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/pmuscope
image=$cache/riscv64-Image-$(cksum <"$config" | cut -d' ' -f1)
case ${1-} in
path)
	printf '%s\n' "$image"
	exit 0
	;;
build) [ ! -f "$image" ] || exit 0 ;;
*)
	echo 'usage: riscv64-kernel.sh build | path' >&2
	exit 2
	;;
esac
source=$("$(dirname "$0")/debian-tree.sh" "$(dpkg --print-architecture)" linux-source linux-source-6.1)
work=$(mktemp -d "$cache/riscv64-XXXXXX")
trap 'rm -rf "$work"' EXIT
tar -C "$work" --strip-components=1 -xf "$source"/usr/src/linux-source-*.tar.xz
cp "$config" "$work/kernel/configs/pmuscope.config"
make="make -s -j2 -C $work ARCH=riscv CROSS_COMPILE=riscv64-linux-gnu-"
# Word splitting is wanted: a command and its options.
# shellcheck disable=SC2086
$make tinyconfig pmuscope.config >"$work/log" 2>&1 && $make Image >>"$work/log" 2>&1 || {
	tail -n 5 "$work/log" >&2
	echo 'riscv64-kernel: the kernel does not build' >&2
	exit 1
}
mv "$work/arch/riscv/boot/Image" "$image"
rm -rf "$source"
