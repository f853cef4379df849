# SPDX-License-Identifier: MIT
# A virtual machine whose host hands no PMU through.
it_says_what_is_missing() {
	refused 3 'PMU' pmuscope topdown -- /live/exact/loop
	refused 3 'PMU' measure -e INST_RETIRED -- /live/exact/loop
}

software_events_count() {
	measure -e task-clock -- /live/exact/turns
	cat /tmp/out.csv
	within 'task-clock, ns' "$(value task-clock)" 1000000 1e11
}

try 'it says what is missing' it_says_what_is_missing
try 'software events count' software_events_count
