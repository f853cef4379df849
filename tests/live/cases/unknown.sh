# SPDX-License-Identifier: MIT
# A core that there is no catalog of, a Cortex-A76.
topdown_names_the_core() {
	refused 2 '0xd0b' pmuscope topdown -- true
	grep -q -- --mcpu /tmp/refused.err
}

events_are_counted_all_the_same() {
	measure -e instructions:u,cycles:u,r8:u,r3f -- /live/exact/loop
	cat /tmp/out.csv
	same 'instructions' "$(value instructions:u)" "$(expected loop INST_RETIRED)"
	same 'by their number' "$(value r8:u)" "$(expected loop INST_RETIRED)"
	same 'one that is not there' "$(value r3f)$(value r3f '' '' 13)" not_supported
}

another_catalog_is_taken_with_a_warning() {
	pmuscope stat --mcpu neoverse-n1 -x, -o /tmp/out.csv -e INST_RETIRED:u -- /live/exact/loop 2>/tmp/err
	cat /tmp/err
	grep -q 'not a Neoverse N1' /tmp/err
	same 'instructions' "$(value INST_RETIRED:u)" "$(expected loop INST_RETIRED)"
}

try 'topdown names the core' topdown_names_the_core
try 'events are counted all the same' events_are_counted_all_the_same
try 'another catalog is taken, with a warning' another_catalog_is_taken_with_a_warning
