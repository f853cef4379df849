# SPDX-License-Identifier: MIT
# Common to the end-to-end tests. meson sets: PMUSCOPE, the command; EXACT and EXAMPLES, where the
# AArch64 programs were built; SOURCE, the project's root.
bats_require_minimum_version 1.5.0

# Read a JSON report: report FILE EXPRESSION prints the Python expression's value, in which r is the
# whole report, events and metrics are the values by name (None: undefined).
report() {
	python3 - "$1" "$2" <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
events = {e["name"]: e["count"] for e in r["events"]}
metrics = {m["name"]: m["value"] for m in r["metrics"]}
level1 = {n: metrics.get(n) for n in
          ("frontend_bound", "backend_bound", "bad_speculation", "retiring")}
print(eval(sys.argv[2]))
END
}

# The same, for a condition: fails and shows what the report has when it does not hold.
holds() {
	[ "$(report "$1" "bool($2)")" = True ] || {
		echo "does not hold: $2"
		report "$1" '"\n".join("%s %s" % i for i in sorted({**events, **metrics}.items()))'
		return 1
	}
}
