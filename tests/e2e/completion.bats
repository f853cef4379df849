#!/usr/bin/env bats
# SPDX-License-Identifier: MIT Completion in bash, called as readline calls it; of zsh's completion
# only the syntax is tested.

load helpers

setup() {
	source "$SOURCE/completions/pmuscope.bash"
	PATH=$(dirname "$PMUSCOPE"):$PATH
	# Turn the leak checker off for hundreds of short runs: one in thousands hung, stopped by
	# its tracer. Other tests look for leaks.
	export ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS-}
}

# complete_line WORD...: COMPREPLY for these words, the last of which is being written.
complete_line() {
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_pmuscope
}

# offers WANT WORD...: WANT is among the words offered, as a whole.
offers() {
	local want=$1 reply
	shift
	complete_line "$@"
	for reply in "${COMPREPLY[@]}"; do
		[ "$reply" != "$want" ] || return 0
	done
	echo "not offered for $*: $want; offered: ${COMPREPLY[*]}"
	return 1
}

# offers_only "WANT..." WORD...: exactly these words are offered, in this order.
offers_only() {
	local want=$1
	shift
	complete_line "$@"
	[ "${COMPREPLY[*]}" = "$want" ] || {
		echo "wanted for $*: $want; offered: ${COMPREPLY[*]}"
		return 1
	}
}

@test "commands, which are those that there are" {
	complete_line pmuscope ''
	for command in "${COMPREPLY[@]}"; do
		[[ "$command" == --* ]] || pmuscope help "$command" >/dev/null
	done
	for command in topdown stat report check list search describe lint export plan validate core doctor help; do
		offers $command pmuscope ''
	done
	offers_only describe pmuscope de
	offers --version pmuscope --v
	offers describe pmuscope help de
}

@test "options of the command" {
	offers --mcpu pmuscope topdown --
	offers --per-thread pmuscope topdown -
	offers -j pmuscope list events -
	offers_only --names pmuscope list events --na
	offers --control pmuscope topdown --co
	offers --multirun pmuscope stat -I 1000 -p 1,2 --mul
	complete_line pmuscope doctor --
	[[ "${COMPREPLY[*]}" != *--mcpu* ]]
}

@test "numbers of the modelled core" {
	offers l2_bytes pmuscope stat --core-set l2
	offers l2_bytes=1,rob_entries pmuscope stat --core-set l2_bytes=1,rob
	offers mul32.latency pmuscope core show --core-set mul32
}

@test "functions of the program behind the option" {
	cd "$EXAMPLES"
	COMP_WORDS=(pmuscope topdown --roi ma -- ./mispredict)
	COMP_CWORD=3
	_pmuscope
	[[ " ${COMPREPLY[*]} " == *" main "* ]]
}

@test "sessions for report and check, and any file where there is none" {
	cd "$BATS_TEST_TMPDIR"
	touch counts.csv
	offers counts.csv pmuscope report co
	touch a.pms a.txt
	mkdir adir
	offers_only "a.pms adir" pmuscope report a
	offers_only "a.pms adir" pmuscope check a
	offers_only "a.pms adir" pmuscope annotate a
	offers instruction pmuscope annotate a.pms --by inst
}

@test "CPUs" {
	offers neoverse-v1 pmuscope list events --mcpu ''
	offers_only "neoverse-n1 neoverse-n2" pmuscope describe x --mcpu neoverse-n
	offers all pmuscope search x --mcpu a
	offers_only "" pmuscope list events --mcpu al
}

@test "events and metrics, in any case and after a comma" {
	offers BR_MIS_PRED_RETIRED pmuscope stat -e BR_
	offers BR_MIS_PRED_RETIRED pmuscope stat -e br_mis
	offers CPU_CYCLES,INST_RETIRED pmuscope stat -e CPU_CYCLES,INST_RET
	offers ipc,branch_mpki pmuscope topdown -M ipc,branch_m
	offers Branch_Effectiveness pmuscope stat -M Branch_E
	offers INST_RETIRED pmuscope stat --event = INST_
	offers_only "" pmuscope stat -e NO_SUCH_EV
}

@test "names of the CPU or the specification that the line names" {
	offers L3D_CACHE_RD pmuscope describe --mcpu neoverse-n1 L3D_CACHE_R
	offers INST.MISPRED.RET pmuscope describe --mcpu = riscv INST.MISPRED.R
	offers_only "" pmuscope describe --mcpu riscv CPU_CYC
	offers STALL_SLOT pmuscope describe --spec "$SOURCE/tests/data/specs/neoverse-n2.json" STALL_SLO
	offers neoverse-v3 pmuscope describe neoverse-v
}

@test "what is listed, and how it is narrowed down" {
	offers_only "cpus events metrics groups tree" pmuscope list ''
	offers L1D_Cache pmuscope list events L1D_C
	offers l2_cache_mpki pmuscope list -j metrics l2_
	offers backend_bound pmuscope list tree back
}

@test "what spe does, and its formats" {
	offers_only "dump export report" pmuscope spe ''
	offers_only "table jsonl" pmuscope spe dump --format ''
	offers --records pmuscope spe dump --rec
	offers_only "table json csv" pmuscope spe report --format ''
	offers cacheline pmuscope spe report --by cache
	offers symbol,data-source pmuscope spe report --by symbol,data
	offers_only symbol,thread pmuscope spe report --by symbol,th
	offers --filter pmuscope spe report --fil
	offers --raw pmuscope spe dump --mcpu neoverse-v1 --ra
	offers_only "csv jsonl rowbinary sqlite" pmuscope spe export --to ''
	offers_only "folded speedscope callgrind pprof firefox perfetto llvm-sample bolt" pmuscope export --to ''
	offers pc,total_lat pmuscope spe export --columns pc,total
	complete_line pmuscope spe --
	[[ "${COMPREPLY[*]}" != *--records* ]]
}

@test "files" {
	cd "$BATS_TEST_TMPDIR"
	touch counts.txt
	mkdir folder
	offers counts.txt pmuscope report cou
	offers counts.txt pmuscope lint cou
	offers counts.txt pmuscope list events -o cou
	offers folder pmuscope topdown -L fol
	offers counts.txt pmuscope topdown ./program cou
	# The program's options are its own.
	complete_line pmuscope topdown ./program --mcp
	[ "${#COMPREPLY[@]}" -eq 0 ]
}

@test "zsh reads its completion" {
	command -v zsh >/dev/null || skip "there is no zsh"
	zsh -n "$SOURCE/completions/_pmuscope"
	# Replace compadd, to print what would be offered.
	run -0 zsh -fc '
		compadd() { while [[ $1 == -* ]]; do if [[ $1 == -a ]]; then print -l ${(P)2}; return; fi
			[[ $1 == -M ]] && shift; shift; done; print -l -- "$@"; }
		compset() { return 1; }
		words=('"$PMUSCOPE"' describe --mcpu neoverse-n1 LL_) CURRENT=5 PREFIX=LL_
		source '"$SOURCE"'/completions/_pmuscope'
	[[ "$output" == *LL_CACHE_MISS_RD* ]]
	[[ "$output" == *neoverse-v1* ]]
	run -0 zsh -fc '
		compset() { return 1; }
		words=('"$PMUSCOPE"' topdown -I 1000 --) CURRENT=5 PREFIX=--
		compadd() { [[ $1 != -- ]] || print -l -- "${@:2}"; }
		source '"$SOURCE"'/completions/_pmuscope'
	[[ "$output" == *--control* && "$output" == *--mcpu* ]]
	# With two keys, complete the second: leave out the text before the comma.
	run -0 zsh -fc '
		compset() { [[ $1 == -P && $2 == "*," ]] && print aside; }
		words=('"$PMUSCOPE"' spe report --by symbol,data) CURRENT=5 PREFIX=symbol,data
		compadd() { print -l -- "$@"; }
		source '"$SOURCE"'/completions/_pmuscope'
	[[ "$output" == aside* && "$output" == *data-source* ]]
}
