#!/bin/sh
# SPDX-License-Identifier: MIT
# boot.sh CASE INITRAMFS LOG KERNEL QEMU [OPTION...]
#
# Boot a kernel (an image, or a folder of Debian's) in QEMU with an initramfs; let it run one of the cases in
# it; print what it says in the Test Anything Protocol. LOG keeps all of the serial line. A machine
# that does not end by itself is ended; then the plan is missing, which fails the test.
set -eu

case=$1 initramfs=$2 log=$3 kernel=$4
shift 4
[ ! -d "$kernel" ] || kernel=$(find "$kernel" -name 'vmlinu[xz]-*' | sort -V | tail -n 1)
# There is no device but the serial line, or QEMU would look for boot ROMs of other packages.
timeout -k 5 "${LIVE_SECONDS:-200}" "$@" -m 512 -nodefaults -display none -monitor none -serial stdio -no-reboot \
	-kernel "$kernel" -initrd "$initramfs" \
	-append "console=ttyS0 console=ttyAMA0 quiet panic=-1 rdinit=/init live=$case" </dev/null >"$log" 2>&1 ||
	echo "# QEMU ended with status $?; $log has what it said"
tr -d '\r' <"$log" | sed -n 's/^TAP //p'
