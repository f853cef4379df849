#!/usr/bin/env bats
# SPDX-License-Identifier: MIT The documents' relations between Neoverse V1's events hold for every
# workload on the modelled core. A build with assertions also checks the model's own laws.

load helpers

@test "every workload keeps every relation" {
	workloads=$("$PMUSCOPE" validate --names)
	[ "$(wc -l <<<"$workloads")" -ge 37 ]
	for workload in $workloads; do
		session=$BATS_TEST_TMPDIR/$workload.pms
		"$PMUSCOPE" stat --save "$session" -o "$BATS_TEST_TMPDIR/counts" -- "$WORKLOADS/$workload" /20
		run -0 "$PMUSCOPE" check "$session"
		[[ "$output" == *"kept"*", 0 broken"* ]]
	done
}
