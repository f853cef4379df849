#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# report over the output of perf stat. Nothing here needs QEMU.

load helpers

setup() {
	data="$SOURCE/tests/data/perf-stat"
	cd "$BATS_TEST_TMPDIR"
}

# Metrics of Neoverse V1 over arm-one.*, worked out by hand: 8 slots a cycle in 1,000,000 cycles.
# backend 4,000,000 / 8,000,000; frontend 1,600,000 / 8,000,000 less 4 x 30,000 / 1,000,000; of the
# 30 % that were filled 18/24 retired.
@test "the same shares from every format" {
	for format in plain csv json; do
		"$PMUSCOPE" report "$data/arm-one.$format" --mcpu neoverse-v1 -j >report.json
		holds report.json 'all(abs(level1[n] - v) < 1e-9 for n, v in {"backend_bound": 50,
			"frontend_bound": 8, "retiring": 22.5, "bad_speculation": 19.5}.items())'
		holds report.json 'metrics["ipc"] == 2 and metrics["branch_mpki"] is None and
			"perf stat says <not supported>" in
			[m for m in r["metrics"] if m["name"] == "l1d_cache_mpki"][0]["because"] and
			[e["state"] for e in r["events"] if e["count"] is None] ==
			["not_supported", "not_counted"]'
		holds report.json 'r["source"] == "file" and r["modelled"] is False and
			"measured elsewhere: counts from " in r["heading"] and
			r["findings"][0]["node"] == "backend_bound" and
			"time" not in r and r["scopes"] == [] and
			r["exit_status"] is None and r["counters_available"] is None and
			sum("task-clock" in w for w in r["warnings"]) == 1'
	done
}

@test "the table" {
	run --separate-stderr "$PMUSCOPE" report --mcpu neoverse-v1 "$data/arm-one.plain"
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[[ "$output" == "Neoverse V1, measured elsewhere: counts from"* ]]
	[[ "$output" == *"Command: ./prog -n 3"* ]]
	[[ "$output" == *"Backend Bound"*"50.0 %"* ]]
	[[ "$output" == *"--all shows them"* ]]
	[[ "$output" != *"L1 Data TLB"* ]]
	run "$PMUSCOPE" report --all --mcpu neoverse-v1 "$data/arm-one.plain"
	[[ "$output" == *"L1 Data TLB"* ]]
	[[ "$output" != *"--all shows them"* ]]
}

# 4 % and 3 % of the cycles stalled, IPC 3, on a core that does not count what retires.
@test "a program that loses nothing is told so, without advice" {
	printf '%s,,%s,1000000000,100.00,,\n' 1000000000 CPU_CYCLES 3000000000 INST_RETIRED \
		40000000 STALL_FRONTEND 30000000 STALL_BACKEND >well.csv
	run --separate-stderr "$PMUSCOPE" report --mcpu neoverse-n1 well.csv
	[ "$status" -eq 0 ]
	[[ "$output" == *"No finding: no loss reaches 10 % of the cycles."* ]]
	[[ "$output" != *"Finding 1"* && "$output" != *"advice"* && "$output" != *"← 1"* ]]
	"$PMUSCOPE" report -j --mcpu neoverse-n1 well.csv >well.json
	holds well.json 'r["findings"] == [] and
		r["no_finding"] == "no loss reaches 10 % of the cycles"'
	"$PMUSCOPE" report -x, --mcpu neoverse-n1 well.csv >well.out
	grep -Fqx '# no finding: no loss reaches 10 % of the cycles' well.out
}

# perf's own scaled number is kept, whatever share of the time had a counter.
@test "what perf scaled up is shown scaled up" {
	printf '%s\n' 1000000,,cycles,400000000,100.00,, 4000001,,r3d,100000000,25.00,, >turns.csv
	"$PMUSCOPE" report -x, --mcpu neoverse-v1 turns.csv >out
	grep -q '^event,,,,,,,STALL_SLOT_BACKEND,4000001,events,2986231.*,6055822.*,scaled,25,$' out
	grep -qx 'event,,,,,,,CPU_CYCLES,1000000,events,1000000,1000000,counted,100,' out
	"$PMUSCOPE" report -j --mcpu neoverse-v1 turns.csv >out
	holds out 'events["STALL_SLOT_BACKEND"] == 4000001 and
		[e["raw"] for e in r["events"] if "raw" in e] == [1000000]'
}

@test "a file may stand anywhere, and - is standard input" {
	"$PMUSCOPE" report "$data/arm-one.csv" -j -M ipc --mcpu neoverse-v1 >a
	"$PMUSCOPE" report -j --mcpu neoverse-v1 "$data/arm-one.csv" -M ipc -o b
	cmp a b
	"$PMUSCOPE" report -j -M ipc --mcpu neoverse-v1 - <"$data/arm-one.csv" >a
	holds a 'metrics == {"ipc": 2} and r["file"] == "standard input"'
	cat "$data/arm-one.csv" | "$PMUSCOPE" report -j -M ipc --mcpu neoverse-v1 /dev/stdin >b
	holds b 'metrics == {"ipc": 2}'
}

@test "a core without a model, without slots, of another architecture" {
	"$PMUSCOPE" report "$data/arm-one.csv" -j --mcpu neoverse-n1 >report.json
	holds report.json 'metrics["ipc"] == 2 and "frontend_bound" not in metrics'
	holds report.json 'any("stall_slot" in w.lower() for w in r["warnings"])'
	"$PMUSCOPE" report "$data/arm-one.csv" -j --mcpu neoverse-v3 >report.json
	holds report.json 'metrics["ipc"] == 2 and r["slots_per_cycle"] == 10'
	"$PMUSCOPE" report "$data/arm-one.csv" -j --mcpu riscv >report.json
	holds report.json 'events["CYCLES.HART"] == 1000000 and events["INST.RET"] == 2000000'
	"$PMUSCOPE" report "$data/arm-one.csv" -j --spec "$SOURCE/cpus/neoverse-v1/telemetry.json" >report.json
	holds report.json 'metrics["ipc"] == 2'
}

@test "codes and Linux' names of a RISC-V core, once it is named" {
	printf '%s,,%s,100,100.00,,\n' 1000 instructions 40 r2001 30 cpu/event=0x402/ 20 conditional_branch_retired >core.csv
	"$PMUSCOPE" report core.csv --mcpu riscv:sifive-p550 -j >report.json
	holds report.json 'events["INST.MISPRED.BRANCH.SPEC"] == 40 and events["CACHE.L1D.WB"] == 30
		and events["INST.BRJMP.BRANCH.RET"] == 20 and r["catalog"]["name"] == "riscv:sifive-p550"'
	"$PMUSCOPE" report core.csv --mcpu riscv -j >report.json
	holds report.json 'events["INST.BRJMP.BRANCH.RET"] == 20 and not events.get("CACHE.L1D.WB")'
	holds report.json 'any("r2001" in w and "--mcpu riscv:CORE" in w for w in r["warnings"])'
	# A session keeps the core.
	"$PMUSCOPE" report core.csv --mcpu riscv:sifive-p550 --save core.pms >/dev/null
	"$PMUSCOPE" report core.pms -j >again.json
	holds again.json 'events["CACHE.L1D.WB"] == 30 and r["catalog"]["name"] == "riscv:sifive-p550"'
}

@test "a share is shown although what it is a share of is not in the file" {
	printf '%s,,%s,100,100.00,,\n' 1000 STALL_BACKEND 560 STALL_BACKEND_MEMBOUND >below.csv
	"$PMUSCOPE" report --mcpu neoverse-v3 below.csv >table
	grep -q '^Backend Memory Bound  *56.0 %' table
}

@test "levels of RISC-V's tree that were not counted are told together" {
	topdown=TOPDOWN.BACKEND_BOUND.MEMORY
	printf '%s,,%s,100,100.00,,\n' 1000 TOPDOWN.SLOTS 560 $topdown.SLOTS 550 $topdown.DATA.SLOTS \
		500 $topdown.DATA.L1_MISS.SLOTS 100 $topdown.DATA.LL_MISS.SLOTS >levels.csv
	"$PMUSCOPE" report --mcpu riscv levels.csv >table
	grep -q 'Level 1 Cache Bound  *5.0 %' table
	grep -q 'Bound by Caches Behind Level 1  *40.0 %' table
	grep -q 'External Memory Bound  *10.0 %' table
	! grep -q '—' table
}

@test "each interval is a line of JSON, rows of CSV and a line of the table" {
	"$PMUSCOPE" report "$data/arm-threads.csv" --mcpu neoverse-v1 -M ipc -j >lines
	[ "$(wc -l <lines)" -eq 2 ]
	head -n 1 lines >first
	tail -n 1 lines >second
	holds first 'r["time"] == 0.1 and metrics["ipc"] == 2'
	holds second 'r["time"] == 0.2 and metrics["ipc"] == 3400000 / 1500000'
	holds second '[(s["thread"], s["name"], s["metrics"][0]["value"]) for s in r["scopes"]] ==
		[(101, "a, b", 3.0), (100, "main", 0.8)]'
	"$PMUSCOPE" report "$data/arm-threads.csv" --mcpu neoverse-v1 -M ipc -x, >csv
	[ "$(grep -c '^kind,time,cpu,thread,' csv)" -eq 1 ]
	grep -qx 'metric,0.1,,,General,2,0,ipc,2,per cycle,2,2,exact,100,' csv
	grep -qx 'metric,0.1,,101,General,2,0,ipc,2,per cycle,2,2,exact,100,' csv
	grep -qx 'metric,0.1,,100,General,2,0,ipc,,per cycle,,,undefined,,' csv
	grep -qx 'metric,0.2,,100,General,2,0,ipc,0.8,per cycle,0.8,0.8,exact,100,' csv
	run "$PMUSCOPE" report "$data/arm-threads.csv" --mcpu neoverse-v1 -M ipc
	[[ "$output" == *"Instructions Per Cycle  2.160"* ]] # 5,400,000 / 2,500,000
	[[ "$output" == *"0.100"*"2.000"* ]]
	[[ "$output" == *"0.200"*"2.267"* ]]
}

@test "CPUs put together have their name in the column cpu" {
	printf 'S0-D0-C3,1,100,,r11,5,100.00,,\nS0-D0-C3,1,200,,r8,5,100.00,,\n' >cores
	"$PMUSCOPE" report cores --mcpu neoverse-v1 -M ipc -x, | grep -q '^metric,,S0-D0-C3,,General,2,0,ipc,2,'
	"$PMUSCOPE" report cores --mcpu neoverse-v1 -M ipc -j >report.json
	holds report.json 'r["scopes"][0]["core"] == 3 and r["scopes"][0]["name"] == "S0-D0-C3"'
}

@test "what real perf wrote is read, whatever its options" {
	for file in "$data"/*; do
		case $file in */metric-only.*) continue ;; esac
		"$PMUSCOPE" report "$file" --mcpu neoverse-v1 >report.txt
		grep -q '^Neoverse V1, measured elsewhere' report.txt
	done
}

@test "what is refused" {
	run -2 --separate-stderr "$PMUSCOPE" report "$data/arm-one.csv"
	[[ "$stderr" == *"does not say on which Arm or RISC-V CPU"*"--mcpu"*"neoverse-v1"*"--spec"* ]]
	# A file that is no output of perf stat gives no error about its CPU.
	run -2 --separate-stderr "$PMUSCOPE" report /etc/passwd
	[[ "$stderr" == "pmuscope: /etc/passwd:1: this is no count of perf stat"* ]]
	[[ "$stderr" != *"CPU"* ]]
	run -2 --separate-stderr "$PMUSCOPE" report --mcpu neoverse-v1
	[[ "$stderr" == *"no file of counts"* ]]
	run -2 --separate-stderr "$PMUSCOPE" report --mcpu neoverse-v1 a b
	[[ "$stderr" == *"b is too much"* ]]
	run -2 --separate-stderr "$PMUSCOPE" report --mcpu neoverse-v1 missing
	[[ "$stderr" == "pmuscope: missing: cannot open: No such file"* ]]
	run -2 --separate-stderr "$PMUSCOPE" report --mcpu neoverse-v1 .
	[[ "$stderr" == "pmuscope: .: cannot read: "* ]]
	printf '1,,r11,5,100.00,,\nnonsense\n' >bad
	run -2 --separate-stderr "$PMUSCOPE" report --mcpu neoverse-v1 bad
	[ -z "$output" ]
	[[ "$stderr" == "pmuscope: bad:2: "*"nonsense"* ]]
	printf 'SQLite format 3\0' >session
	run -2 --separate-stderr "$PMUSCOPE" report --mcpu neoverse-v1 session
	[[ "$stderr" == *"session: "*"session"* ]]
	printf 'PERFILE2' >perf.data
	run -2 --separate-stderr "$PMUSCOPE" report --mcpu neoverse-v1 perf.data
	[[ "$stderr" == *"perf.data"* ]]
	run -2 --separate-stderr "$PMUSCOPE" report --mcpu neoverse-v1 "$data/metric-only.plain"
	[[ "$stderr" == *"no counts"*"--metric-only"* ]]
	run -2 --separate-stderr "$PMUSCOPE" report --mcpu neoverse-v1 -M nothing "$data/arm-one.csv"
	[[ "$stderr" == *"nothing"* ]]
	run -2 --separate-stderr "$PMUSCOPE" report --mcpu neoverse-v1 -e cycles "$data/arm-one.csv"
	[[ "$stderr" == *"report has no option -e"* ]]
}

@test "events that give no metric are shown as counts" {
	printf '100,,r11,5,100.00,,\n' >cycles
	run "$PMUSCOPE" report cycles --mcpu neoverse-v1
	[ "$status" -eq 0 ]
	[[ "$output" == *"100  CPU_CYCLES"* ]]
}

# patched FROM TO: the file of perf stat record with FROM replaced by TO, which is not longer.
patched() {
	python3 - recorded.data "$@" <<-'END'
		import sys
		path, pairs = sys.argv[1], sys.argv[2:]
		data = open(path, "rb").read()
		for old, new in zip(pairs[::2], pairs[1::2]):
		    old, new = old.encode() + b"\0", new.encode() + b"\0"
		    assert old in data and len(new) <= len(old), (old, new)
		    data = data.replace(old, new.ljust(len(old), b"\0"))
		open(path, "wb").write(data)
	END
}

@test "what perf stat record wrote says its CPU" {
	command -v perf >/dev/null || skip 'Linux perf is not installed'
	perf stat record -a -A -o recorded.data -e task-clock,page-faults true 2>/dev/null ||
		skip 'perf cannot count here'
	cpuid=$(perf report -i recorded.data --header-only 2>/dev/null | sed -n 's/^# cpuid : //p')
	[ ${#cpuid} -ge 10 ] || skip 'perf does not tell this CPU'
	perf stat report -i recorded.data 2>want
	run -2 --separate-stderr "$PMUSCOPE" report recorded.data
	[[ "$stderr" == *"which Arm or RISC-V CPU"*"--mcpu"* ]]
	patched "$cpuid" 0x410fd840 task-clock cpu_cycles page-faults r8
	"$PMUSCOPE" report recorded.data -j >report.json
	holds report.json 'r["catalog"]["name"] == "neoverse-v3" and r["file"] == "recorded.data" and
		len(r["scopes"]) >= 1 and metrics["ipc"] == events["INST_RETIRED"] / events["CPU_CYCLES"] and
		sum(e["count"] for s in r["scopes"] for e in s["events"] if e["name"] == "INST_RETIRED")
		== events["INST_RETIRED"]'
	# As perf itself reads it.
	[ "$(report report.json 'events["INST_RETIRED"]')" -eq \
		"$(awk '/page-faults/ { gsub(",", "", $2); sum += $2 } END { print sum }' want)" ]
	"$PMUSCOPE" report recorded.data --mcpu neoverse-n1 -j >report.json
	holds report.json 'r["catalog"]["name"] == "neoverse-n1"'
	"$PMUSCOPE" check recorded.data >check.txt
	grep -q '^Neoverse V3' check.txt
	# A core without a catalog, and samples alone.
	patched 0x410fd840 0x410fd030
	run -2 --separate-stderr "$PMUSCOPE" report recorded.data
	[[ "$stderr" == *"no catalog of the recording's CPU, made by Arm (implementer 0x41, part 0xd03)"*"--spec FILE"* ]]
	perf record -q -e task-clock -o samples.data true
	run -2 --separate-stderr "$PMUSCOPE" report samples.data
	[[ "$stderr" == *"it holds samples"* ]]
}

@test "what reads 0 and cannot be 0 has no value" {
	# A restricted guest: it lists the events, and counts two.
	printf '%s,,%s,100000000,100.00,,\n' 90000000 cycles 90000000 instructions 0 r4 1500000 r3 0 r12 0 r10 0 r22 70000 r21 \
		>guest.csv
	"$PMUSCOPE" report guest.csv --mcpu neoverse-v1 -j >report.json
	holds report.json 'events["L1D_CACHE"] is None and events["L1D_CACHE_REFILL"] == 1500000 and
		events["BR_MIS_PRED_RETIRED"] == 0 and
		"cannot be, since L1D_CACHE_REFILL <= L1D_CACHE" in
		next(e["because"] for e in r["events"] if e["name"] == "L1D_CACHE")'
	# check goes by what was read.
	run -1 "$PMUSCOPE" check guest.csv --mcpu neoverse-v1
	[[ "$output" == *"broken     L1D_CACHE_REFILL <= L1D_CACHE"* ]]
}

# 4000 CPUs take 43 MB when all are told apart. Number i had 1000 i cycles and twice as many instructions: the sum over i from
# 1 to 4000 is 8,002,000.
@test "CPUs that there is no room for are in the total" {
	awk 'BEGIN { for (i = 1; i <= 4000; i++)
			printf "CPU%d,%d,,cycles,100,100.00,,\nCPU%d,%d,,instructions,100,100.00,,\n", i, 1000 * i, i, 2000 * i
		print "CPU4000,<not counted>,,branches,0,0.00,," }' >cpus
	"$PMUSCOPE" report cpus --mcpu neoverse-v1 -x, -M ipc >report.csv
	[ "$(awk -F, '$1 == "event" && $3 == "" && $8 == "CPU_CYCLES" { print $9 }' report.csv)" = 8002000000 ]
	[ "$(awk -F, '$1 == "metric" && $3 == "" { print $9 }' report.csv)" = 2 ]
	told="$(awk -F, '$1 == "metric" && $3 != ""' report.csv | wc -l)"
	((told > 2000 && told < 4000))
	[[ "$(grep "in the total" report.csv)" == *"$((4000 - told)) of the file's 4000 threads or CPUs"* ]]
	# In the second interval the last CPU comes first: the order of CPUs does not matter.
	awk '{ print "     1.000000000," $0 } END { print "     2.000000000,CPU4000,5000,,cycles,100,100.00,,"
		print "     2.000000000,CPU1,7000,,cycles,100,100.00,," }' cpus >intervals
	"$PMUSCOPE" report intervals --mcpu neoverse-v1 -x, -M ipc >intervals.csv
	[ "$(awk -F, '$2 == 2 && $1 == "event" && $8 == "CPU_CYCLES" { print $3 ":" $9 }' intervals.csv | xargs)" = ":12000 1:7000" ]
}
