#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The documents' relations between a core's events hold for every workload on the modelled core. A
# build with assertions also checks the model's own laws.

load helpers

# every_workload_keeps_every_relation CPU
every_workload_keeps_every_relation() {
	workloads=$("$PMUSCOPE" validate --names)
	[ "$(wc -l <<<"$workloads")" -ge 37 ]
	for workload in $workloads; do
		session=$BATS_TEST_TMPDIR/$workload.pms
		"$PMUSCOPE" stat --mcpu "$1" --save "$session" -o "$BATS_TEST_TMPDIR/counts" -- "$WORKLOADS/$workload" /20
		run -0 "$PMUSCOPE" check "$session"
		[[ "$output" == *"kept"*", 0 broken"* ]]
	done
}

@test "every workload keeps every relation of Neoverse N1" {
	every_workload_keeps_every_relation neoverse-n1
}

@test "every workload keeps every relation of Neoverse V1" {
	every_workload_keeps_every_relation neoverse-v1
}
