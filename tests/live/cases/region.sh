# SPDX-License-Identifier: MIT
# The examples for the library: a program that measures itself, and one that watches another.
user_access=/proc/sys/kernel/perf_user_access

# self HOW: what region, which measures work of its own three times, says of itself; twice alike
self() {
	/live/region INST_RETIRED:u CPU_CYCLES:u >/tmp/first
	/live/region INST_RETIRED:u CPU_CYCLES:u >/tmp/second
	cat /tmp/first /tmp/second
	grep -qx "read $1" /tmp/first
	first=$(awk '$1 == "INST_RETIRED:u" { print $2 }' /tmp/first)
	# Each turn of its loop over 3,000 pages is 6 to 20 instructions; reading adds some.
	within 'instructions' "$first" 18000 80000
	within 'cycles' "$(awk '$1 == "CPU_CYCLES:u" { print $2 }' /tmp/first)" $((first - 3000)) $((first + 3000))
	within 'instructions again' "$(awk '$1 == "INST_RETIRED:u" { print $2 }' /tmp/second)" \
		$((first - 100)) $((first + 100))
}

it_reads_by_the_kernel() {
	echo 0 >$user_access
	self 'by the kernel'
}

it_reads_in_user_space() {
	echo 1 >$user_access
	self 'in user space'
}

# Reads are of the same cost each, so what they add goes out of a difference.
a_known_length_is_exact() {
	echo "$2" >$user_access
	/live/self INST_RETIRED:u >/tmp/self
	same 'instructions of 1,000 turns more' "$(cat /tmp/self)" "2000 read $1"
}

it_watches_another() {
	mkfifo /tmp/gate
	/live/exact/gate </tmp/gate &
	pid=$!
	exec 3>/tmp/gate
	/live/watch $pid 100 >/tmp/watched &
	watcher=$!
	sleep 1
	echo >&3
	wait $watcher
	cat /tmp/watched
	within 'lines' "$(wc -l </tmp/watched)" 5 20
	# The emulator lists both events of Stage 1 and counts neither, so that no line has a share.
	! grep -q stalled_cycles /tmp/watched
}

try 'a program reads its counters by the kernel' it_reads_by_the_kernel
try 'a program reads its counters in user space' it_reads_in_user_space
try 'a known length is exact by the kernel' a_known_length_is_exact 'by the kernel' 0
try 'a known length is exact in user space' a_known_length_is_exact 'in user space' 1
try 'a program watches another' it_watches_another
