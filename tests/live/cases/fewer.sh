# SPDX-License-Identifier: MIT
# Without -icount the emulated PMU has no INST_RETIRED, only cycles: an event that a core should have and
# its machine lacks.
instructions_are_undefined() {
	measure -e INST_RETIRED,CPU_CYCLES -- /live/exact/loop
	cat /tmp/out.csv
	same 'instructions' "$(value INST_RETIRED)" ''
	same 'their state' "$(value INST_RETIRED '' '' 13)" not_supported
	within 'cycles' "$(value CPU_CYCLES)" 1 1e12
}

topdown_goes_on_without() {
	pmuscope topdown -x, -o /tmp/topdown.csv -- /live/exact/loop
	grep ',ipc,' /tmp/topdown.csv
	same 'state of ipc' "$(awk -F, '$1 == "metric" && $8 == "ipc" { print $13; exit }' /tmp/topdown.csv)" undefined
}

try 'instructions are undefined' instructions_are_undefined
try 'topdown goes on without' topdown_goes_on_without
