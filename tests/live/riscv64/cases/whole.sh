# SPDX-License-Identifier: MIT
# A machine without Sscofpmf, as the first boards are: its counters do not tell user mode from the kernel, and Linux
# refuses events that leave a mode out.
# What the others rely on.
modes_are_refused() {
	counts 0:0 0:1 -- /live/exact/turns >/tmp/counts # user mode alone
	cat /tmp/counts
	same 'instructions in user mode' "$(column 2 0:1)" EINVAL
	counts -g -k 0:0 0:1 -- /live/exact/turns >/tmp/counts
	cat /tmp/counts
	about 'cycles' "$(column 2 0:0)" turns
	about 'instructions' "$(column 2 0:1)" turns
}

all_modes_are_counted() {
	measure -e INST.RET,CYCLES.HART -- /live/exact/turns
	cat /tmp/out.csv
	about 'instructions' "$(value INST.RET)" turns
	about 'cycles' "$(value CYCLES.HART)" turns
	measure -a -I 100 -e INST.RET -- /live/exact/turns
	within 'instructions of the system' "$(awk -F, '$1 == "event" { sum += $9 } END { print sum }' /tmp/out.csv)" \
		60000274 1e9
	pmuscope topdown -x, -o /tmp/topdown.csv -- /live/exact/turns
	within 'IPC' "$(awk -F, '$1 == "metric" && $8 == "IPC" { print $9; exit }' /tmp/topdown.csv)" 0.95 1.05
}

one_mode_is_not_had() {
	measure -e INST.RET,INST.RET:u,task-clock:u -- /live/exact/turns
	cat /tmp/out.csv
	about 'instructions' "$(value INST.RET)" turns
	same 'those of user mode' "$(value INST.RET:u)$(value INST.RET:u '' '' 13)" not_supported
	within 'Linux tells it apart, of its own' "$(value task-clock:u)" 1 1e9
	pmuscope stat --source perf -e INST.RET:u -- /live/exact/turns >/tmp/table 2>&1
	tr '\n' ' ' </tmp/table | grep 'do not tell user mode from *the kernel'
}

a_program_measures_itself() {
	/live/self INST.RET >/tmp/self
	same '1,000 turns more' "$(cat /tmp/self)" '2000 read in user space'
}

mkdir -p /etc
echo 'nobody:x:65534:65534::/tmp:/bin/sh' >/etc/passwd

a_user_is_refused() {
	echo 2 >/proc/sys/kernel/perf_event_paranoid
	refused 3 'do not tell user mode from the kernel' \
		su nobody -s /bin/sh -c 'pmuscope stat --source perf -e INST.RET -- true'
	su nobody -s /bin/sh -c 'pmuscope stat --source perf -e task-clock -- true'
	echo 1 >/proc/sys/kernel/perf_event_paranoid
	su nobody -s /bin/sh -c 'pmuscope stat --source perf -x, -o /tmp/nobody.csv -e INST.RET -- /live/exact/turns'
	about 'instructions' "$(awk -F, '$8 == "INST.RET" { print $9 }' /tmp/nobody.csv)" turns
}

try 'modes are refused' modes_are_refused
try 'all modes are counted' all_modes_are_counted
try 'one mode is not had' one_mode_is_not_had
try 'a program measures itself' a_program_measures_itself
try 'a user is refused' a_user_is_refused
