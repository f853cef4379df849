/* SPDX-License-Identifier: MIT */
/* The help pages: one screen each, 24 lines of 80 columns. */
#include "cli.h"

#include <string.h>

static const struct page {
	const char *command; /* NULL: pmuscope itself */
	const char *text;
} pages[] = {
	{ NULL,
	  "usage: pmuscope COMMAND [OPTION...] [-- PROGRAM [ARGUMENT...]]\n"
	  "\n"
	  "Shows where a program's pipeline slots go on a server CPU core, why, and what\n"
	  "to look at next.\n"
	  "\n"
	  "  topdown   run a program and walk the tree from its shares to their causes\n"
	  "  stat      run a program and show its counts, then its metrics\n"
	  "  report    show a saved session, or evaluate the output of perf stat\n"
	  "  annotate  the code that cycles and slots are lost in, with its source\n"
	  "  check     hold counts against what documents say of them, and a budget\n"
	  "  list      cpus, events, metrics, groups or the decision tree\n"
	  "  search    events, metrics, advice and documents by the words in them\n"
	  "  describe  all that is known of an event, a metric, a group or a CPU\n"
	  "  lint      what a specification contradicts itself in\n"
	  "  spe       read Arm SPE samples: reports by code or data, packets, records\n"
	  "  export    a session's profile for pprof, flame graphs, compilers and others\n"
	  "  plan      which events are counted in which pass, in the fewest passes\n"
	  "  validate  run workloads whose numbers are published, and compare\n"
	  "  core      the numbers of the modelled core, and where each comes from\n"
	  "  doctor    what can be measured on this machine, and what is missing\n"
	  "  help      for a command, or a topic: live, sample; see help help. --version\n"
	  "\n"
	  "example: pmuscope topdown -- ./program 1000\n"
	  "\n"
	  "Exit status: the program's own. Where none was run: 0 done, 1 found something\n"
	  "(search: nothing), 2 usage or input, 3 this machine cannot, 126, 127 not begun.\n" },
#define PROGRAM_OPTIONS                                                                            \
	"      --mcpu CPU, --spec FILE   the core: neoverse-v1 unless given; its metrics\n"        \
	"      --source SRC    perf: this machine's PMU, the default on Arm and RISC-V,\n"         \
	"                      see pmuscope help live; vcore: a core modelled in QEMU\n"           \
	"  -M NAME,...         these metrics or groups of metrics only\n"                          \
	"  -l LEVEL            no deeper in the tree of Stage 1; groups of metrics stay\n"         \
	"      --per-thread    also each thread by itself\n"                                       \
	"  -L DIR              where the program's loader and libraries are (QEMU's -L)\n"         \
	"      --env NAME=VAL  add to the program's environment, which is a fixed one\n"           \
	"      --qemu PATH, --qemu-cpu CPU   another QEMU; another guest CPU of it\n"              \
	"      --core-set NAME=N,..., --no-wrong-path   change the model: see core show\n"         \
	"      --fast-forward N, --roi FUNCTION, --sample WARM,DETAIL,SKIP   for long\n"           \
	"                      programs: see pmuscope help sample\n"                               \
	"  -j, -x SEP, --format table|json|csv   how to write the report\n"                        \
	"  -o FILE             write the report there, not to standard error\n"                    \
	"      --save S.pms    keep the counts too, for pmuscope report S.pms\n"
	{ "topdown",
	  "usage: pmuscope topdown [OPTION...] [--] PROGRAM [ARGUMENT...]\n"
	  "\n"
	  "Runs a program, an AArch64 one on a modelled core, shows what became of its\n"
	  "pipeline slots, follows the tree to the cause of the losses, and gives advice.\n"
	  "\n" PROGRAM_OPTIONS
	  "      --all           every group of metrics, not those of findings alone\n"
	  "      --where         also which functions and lines lose them, on the model\n"
	  "      --why           also what would be gained: some 20 runs on ideal cores\n"
	  "\n"
	  "examples:\n"
	  "  pmuscope topdown ./program 1000\n"
	  "  pmuscope topdown -L /usr/aarch64-linux-gnu -- ./dynamic --its-option\n" },
	{ "stat",
	  "usage: pmuscope stat [OPTION...] [--] PROGRAM [ARGUMENT...]\n"
	  "\n"
	  "Runs a program, an AArch64 one on a modelled core: counts, then metrics.\n"
	  "\n"
	  "  -e EVENT,...        these events, and unless -M is given the metrics they "
	  "give\n" PROGRAM_OPTIONS "\n"
	  "examples:\n"
	  "  pmuscope stat ./program\n"
	  "  pmuscope stat -e INST_RETIRED,CPU_CYCLES -- ./program\n"
	  "  pmuscope stat -M Branch_Effectiveness,ipc -x ';' -o report.csv -- ./program\n" },
	{ "sample",
	  "usage: pmuscope topdown|stat --fast-forward N ... [--] PROGRAM [ARGUMENT...]\n"
	  "       pmuscope topdown|stat --roi FUNCTION ... [--] PROGRAM [ARGUMENT...]\n"
	  "       pmuscope topdown|stat --sample WARM,DETAIL,SKIP ... [--] PROGRAM ...\n"
	  "\n"
	  "Counts a part of a program on the modelled core. Numbers are of instructions:\n"
	  "2000000, 2M, 200k, 5G.\n"
	  "\n"
	  "      --fast-forward N   run the first N without the model: nothing of them is\n"
	  "                      counted, and caches and predictors are cold behind them\n"
	  "      --roi FUNCTION  count this function of the program alone, with all that it\n"
	  "                      calls; its symbol, C++ name, or address as 0x4006f0\n"
	  "      --sample WARM,DETAIL,SKIP   the start is counted, and of each period behind\n"
	  "                      it a window of DETAIL; the WARM before it warm all that\n"
	  "                      the core remembers; in between, SKIP do so with less care.\n"
	  "                      40k,5k,155k is a good choice. The report is of the whole:\n"
	  "                      estimates, each with a 95 % interval\n"
	  "\n"
	  "--fast-forward goes with each of the others, --roi and --sample not together.\n"
	  "\n"
	  "examples:\n"
	  "  pmuscope topdown --sample 40k,5k,155k -- ./program   in half the time\n"
	  "  pmuscope stat --fast-forward 2G --roi parse -- ./program\n" },
	{ "live", "usage: pmuscope topdown|stat [--source perf] [OPTION...] [-- PROGRAM...]\n"
		  "\n"
		  "  -p PID,..., -t TID,...      processes with all threads; single threads\n"
		  "  -a, -C CPUS, -G CGROUP      what runs: anywhere, on CPUs 0-3,7, in a cgroup\n"
		  "  -A, --per-core, --per-thread   tell CPUs, cores or threads apart\n"
		  "  -I MS               each interval as it ends; --save: it outlives kill -9\n"
		  "  -r N                run the program N times: means, and how they scatter\n"
		  "      --multiplex     more events than counters: they take turns in one run\n"
		  "      --multirun      ... or have a run of the program each, with exact counts\n"
		  "      --all-user, --all-kernel   in one mode; of one event: -e NAME:u, :k, :h\n"
		  "  -D MS               start to count later; -1: when --control says so\n"
		  "      --timeout MS    end then\n"
		  "      --control fd:N[,M]   obey enable, disable, stop, ping; answer ack on M\n"
		  "\n"
		  "Events of -e: names of the catalog, rNN, and Linux's own (task-clock, ...).\n"
		  "Without a program it ends with the processes, or at SIGINT.\n"
		  "\n"
		  "examples:\n"
		  "  pmuscope topdown --multirun -- ./program 1000\n"
		  "  pmuscope topdown -p 1234 -I 1000 --save S.pms\n"
		  "  pmuscope stat -a -A -e task-clock,context-switches -- sleep 1\n" },
	{ "report",
	  "usage: pmuscope report FILE [--mcpu CPU] [OPTION...]\n"
	  "\n"
	  "Shows a session, which --save has written, as it was shown; or evaluates the\n"
	  "output of perf stat, plain, with -x or -j, and with -I, -r, -A, --per-thread and\n"
	  "the like, or what perf stat record wrote. FILE - is standard input. Events\n"
	  "are found by their names, by rNN, by armv8_pmuv3_0/event=0xNN/ and by perf's own\n"
	  "names (branch-misses, ...).\n"
	  "\n"
	  "      --mcpu CPU      the core that perf stat counted on; unless given, the one\n"
	  "                      that perf stat record noted, or this machine's\n"
	  "  -M NAME,...         these metrics or groups of metrics only\n"
	  "  -l LEVEL            no deeper in the tree of Stage 1; groups of metrics stay\n"
	  "      --all           every metric, those without their events among them\n"
	  "  -j, -x SEP, --format table|json|csv   how to write the report\n"
	  "  -o FILE             write the report there, not to standard output\n"
	  "      --save S.pms    keep the counts too\n"
	  "\n"
	  "examples:\n"
	  "  perf stat -x, -o counts.csv -e cycles,instructions,stall_slot ./prog\n"
	  "  pmuscope report counts.csv --mcpu neoverse-v1\n"
	  "  pmuscope report --mcpu neoverse-n1 -j intervals.txt | jq .time\n"
	  "  pmuscope report S.pms\n" },
	{ "annotate",
	  "usage: pmuscope annotate S.pms [FUNCTION|FILE] [OPTION...]\n"
	  "\n"
	  "Shows a function's instructions below their lines of source, or a source file's\n"
	  "lines: cycles, a bar of lost slots with a letter by cause (F frontend, S bad\n"
	  "speculation, B backend), and misses each time that it ran. Without a name: the\n"
	  "function that has most. S.pms is a session that recorded places. Instructions\n"
	  "need binutils or llvm, for an objdump.\n"
	  "\n"
	  "      --by WHAT       a table, by function, line, instruction, object or thread\n"
	  "      --sort NAME     greatest first: cycles, lost, frontend_bound, a miss, ...\n"
	  "      --filter EXPR   of these rows: function==walk && line>=10 && lost>100\n"
	  "      --limit N       so many rows, 0 for all; a table has 20, others all\n"
	  "      --symfs DIR     look for the programs' files below DIR\n"
	  "      --mcpu CPU, --spec FILE   as pmuscope report takes them\n"
	  "  -j, -x SEP, --format table|json|csv   how to write it\n"
	  "  -o FILE             write it there, not to standard output\n"
	  "\n"
	  "examples:\n"
	  "  pmuscope annotate S.pms walk\n"
	  "  pmuscope annotate S.pms --by line --sort backend_bound\n" },
	{ "check",
	  "usage: pmuscope check FILE [--mcpu CPU] [OPTION...]\n"
	  "\n"
	  "Holds the counts of a session, or of the output of perf stat, against what the\n"
	  "core's documents say of its events, and the metrics against a budget.\n"
	  "Exit status: 1 when a relation is broken or a metric outside, or not counted.\n"
	  "\n"
	  "      --assume NAME,...   configurations that are the case on the machine\n"
	  "      --revision REV  of the core, such as r3p1, for relations that errata break\n"
	  "      --budget FILE   CSV with the heading metric,low,high; an end may be empty\n"
	  "      --mcpu CPU      the core that perf stat counted on\n"
	  "      --all           every relation, also those kept and those without counts\n"
	  "  -j, -x SEP, --format table|json|csv   how to write it\n"
	  "  -o FILE             write it there, not to standard output\n"
	  "\n"
	  "examples:\n"
	  "  pmuscope check S.pms\n"
	  "  pmuscope check counts.csv --mcpu neoverse-n1 --assume direct_connect\n"
	  "  pmuscope check S.pms --budget budget.csv\n"
	  "  pmuscope check S.pms -j | jq '.relations[] | select(.status == \"broken\")'\n" },
	{ "list",
	  "usage: pmuscope list cpus|events|metrics|groups|tree [WORD...] [OPTION...]\n"
	  "\n"
	  "Lists what there is for a CPU: its events, its metrics with their formulas, the\n"
	  "groups of both, or the tree that topdown walks. WORDs narrow it down: a group\n"
	  "(for events also a metric, for metrics also an event), a name, or a pattern.\n"
	  "\n"
	  "      --mcpu CPU      of this CPU; unless given this machine's or neoverse-v1\n"
	  "      --spec FILE     of the CPU of this specification, in Arm's layout\n"
	  "      --names         the names alone, a line each\n"
	  "  -j, -x SEP, --format table|json|csv   how to write the list\n"
	  "  -o FILE             write it there, not to standard output\n"
	  "\n"
	  "examples:\n"
	  "  pmuscope list cpus\n"
	  "  pmuscope list metrics 'l2*' --mcpu neoverse-v1\n"
	  "  pmuscope list events L1D_Cache\n"
	  "  pmuscope list events -j | jq -r '.[].name'\n" },
	{ "search",
	  "usage: pmuscope search WORD... [OPTION...]\n"
	  "\n"
	  "Finds the events, metrics, groups and advice that have all the words in their\n"
	  "names, titles or texts, whatever the case, those with the words in the name\n"
	  "first; then the documents' sections. Exit status: 1 when nothing has them.\n"
	  "\n"
	  "      --mcpu CPU      of this CPU; unless given this machine's or neoverse-v1;\n"
	  "                      all: of every CPU that there is a catalog of\n"
	  "      --spec FILE     of the CPU of this specification, in Arm's layout\n"
	  "  -j, -x SEP, --format table|json|csv   how to write it\n"
	  "  -o FILE             write it there, not to standard output\n"
	  "\n"
	  "examples:\n"
	  "  pmuscope search 'false sharing'\n"
	  "  pmuscope search prefetch --mcpu all\n"
	  "  pmuscope search -j branch | jq -r '.results[].name'\n" },
	{ "describe",
	  "usage: pmuscope describe NAME... [OPTION...]\n"
	  "\n"
	  "Says all that is known of events (by name, 0x11 or perf's r11), metrics and\n"
	  "groups: what they count, who uses them, how counts stand to each other, errata,\n"
	  "caveats, and whether the core model counts them. A CPU's name stands by itself.\n"
	  "\n"
	  "      --mcpu CPU      of this CPU; unless given this machine's or neoverse-v1\n"
	  "      --spec FILE     of the CPU of this specification, in Arm's layout\n"
	  "  -j, --format table|json   how to write it\n"
	  "  -o FILE             write it there, not to standard output\n"
	  "\n"
	  "examples:\n"
	  "  pmuscope describe LL_CACHE_RD --mcpu neoverse-n1\n"
	  "  pmuscope describe r11 ipc L1D_Cache_Effectiveness\n"
	  "  pmuscope describe neoverse-v3\n" },
	{ "spe", "usage: pmuscope spe COMMAND [OPTION...] FILE\n"
		 "\n"
		 "Reads what Arm's Statistical Profiling Extension has sampled: a perf.data of\n"
		 "perf record -e arm_spe//, a bare buffer, or - for standard input.\n"
		 "\n"
		 "  dump      each packet with offset, bytes and meaning, or records\n"
		 "  export    records for other programs: CSV, JSON, ClickHouse, SQLite\n"
		 "  report    which code waits for memory, where data came from, how long\n"
		 "\n"
		 "examples:\n"
		 "  pmuscope spe report perf.data\n"
		 "  pmuscope spe dump perf.data | less\n"
		 "\n"
		 "pmuscope spe COMMAND --help has the options.\n" },
	{ "spe dump",
	  "usage: pmuscope spe dump [OPTION...] FILE\n"
	  "\n"
	  "Shows each Arm SPE packet of a perf.data or a bare buffer (- is standard input)\n"
	  "with its offset, bytes and meaning. Sums of them go to standard error.\n"
	  "\n"
	  "      --records       records, put together from the packets of each sample\n"
	  "      --raw           FILE is a bare buffer, whatever it begins with\n"
	  "      --mcpu CPU      name data sources as this CPU has them: neoverse-v1, ...\n"
	  "      --format table|jsonl   how to write it; jsonl: a JSON object a line\n"
	  "  -o FILE             write it there, not to standard output\n"
	  "\n"
	  "examples:\n"
	  "  pmuscope spe dump perf.data | less\n"
	  "  pmuscope spe dump --records --mcpu neoverse-n1 perf.data\n"
	  "  pmuscope spe dump --raw --format jsonl aux.bin | jq -c 'select(.ts)'\n" },
	{ "spe export",
	  "usage: pmuscope spe export FILE --to csv|jsonl|rowbinary|sqlite [OPTION...]\n"
	  "\n"
	  "Writes a row for each record, with its CPU, process, thread and time.\n"
	  "docs/use/spe-export.md and --ddl say what the columns are. A value that is not\n"
	  "there is left empty, never 0.\n"
	  "\n"
	  "      --to FORMAT     CSV, JSON lines, ClickHouse's RowBinary, or an SQLite file\n"
	  "      --columns NAME,...   these columns, in this order\n"
	  "      --symbols       also function, file and line of the instruction, variable\n"
	  "      --symfs DIR     look for the programs' files below DIR\n"
	  "      --filter EXPR, --pid, --tid, --cpu, --comm, --time   only these records,\n"
	  "                      as in pmuscope spe report\n"
	  "      --null TEXT     CSV: for a value that is not there; ClickHouse wants '\\N'\n"
	  "      --ddl           print the CREATE TABLE of ClickHouse, read no file\n"
	  "      --raw           FILE is a bare buffer, whatever it begins with\n"
	  "      --mcpu CPU      name data sources as this CPU has them: neoverse-v1, ...\n"
	  "  -o FILE             write it there, not to standard output\n"
	  "\n"
	  "examples:\n"
	  "  pmuscope spe export perf.data --to sqlite -o spe.db\n"
	  "  pmuscope spe export perf.data --to csv --filter 'op==load && total_lat>100'\n" },
	{ "spe report",
	  "usage: pmuscope spe report [OPTION...] FILE\n"
	  "\n"
	  "Puts samples of a perf.data or a bare buffer (- is standard input) together: how\n"
	  "many, how long, what they missed, where data came from; and how good they are.\n"
	  "\n"
	  "      --by WHAT       line (the default), symbol, pc, object, data-source, page,\n"
	  "                      data-symbol: variables, branch, op, thread, cpu, or\n"
	  "                      cacheline: false sharing; or two of them: symbol,thread\n"
	  "      --filter EXPR   of these samples: op==load && wait>=100 && file==list.c\n"
	  "      --pid N,..., --tid N,..., --cpu N-N,..., --comm NAME,...   of these\n"
	  "      --time 10%-20%  of this part of the recording; or seconds: 12.5-13\n"
	  "      --sort NAME     greatest first: records, wait, total_p99, ...\n"
	  "      --limit N       so many rows, 0 for all; a table has 20, others all\n"
	  "      --histogram     how long a row's loads waited, as a column of the table\n"
	  "      --targets       where a row's branches go: by line, symbol, pc or branch\n"
	  "      --max-groups N  tell so many rows apart, 262144 unless given; others are\n"
	  "                      summed up in a last one\n"
	  "      --period N      operations from sample to sample, where FILE does not say\n"
	  "      --symfs DIR, --kallsyms FILE   of programs, of the kernel\n"
	  "      --mcpu CPU      name data sources as this CPU has them: neoverse-v1, ...\n"
	  "      --raw           FILE is a bare buffer, whatever it begins with\n"
	  "  -j, -x SEP, --format table|json|csv   how to write it\n"
	  "  -o FILE             write it there, not to standard output\n"
	  "\n"
	  "examples:\n"
	  "  pmuscope spe report --by cacheline perf.data\n"
	  "  pmuscope spe report --by symbol --filter 'tid==42' -j perf.data\n" },
	{ "lint",
	  "usage: pmuscope lint FILE|DIRECTORY... [OPTION...]\n"
	  "\n"
	  "Reads specifications of events and metrics and says where they contradict\n"
	  "themselves: formulas over unknown events, lists of events that differ from the\n"
	  "formula, members of groups that do not exist, numbers given twice, nodes of the\n"
	  "tree that lead nowhere, units that do not fit, formulas copied from a neighbour.\n"
	  "Arm's layout and perf's are read; of a directory, every *.json. Files in perf's\n"
	  "layout are taken together, so name those with events beside those with metrics.\n"
	  "Exit status: 0 nothing found, 1 something.\n"
	  "\n"
	  "  -j, -x SEP, --format table|json|csv   how to write it\n"
	  "  -o FILE             write it there, not to standard output\n"
	  "\n"
	  "examples:\n"
	  "  pmuscope lint neoverse-n3.json\n"
	  "  pmuscope lint pmu-events/arch/riscv/common\n"
	  "  pmuscope lint -j spec.json | jq -r '.findings[] | .path + \": \" + .text'\n" },
	{ "export",
	  "usage: pmuscope export S.pms --to FORMAT [OPTION...]\n"
	  "\n"
	  "Writes where in a program its cycles and slots are in the format of another\n"
	  "program. S.pms is a session that recorded places.\n"
	  "\n"
	  "      --to FORMAT     folded: flamegraph.pl, inferno; speedscope;\n"
	  "                      callgrind: callgrind_annotate, KCachegrind; pprof;\n"
	  "                      firefox: profiler.firefox.com; perfetto: ui.perfetto.dev;\n"
	  "                      llvm-sample: clang; bolt: llvm-bolt\n"
	  "      --value NAME    of folded: cycles, lost, backend_bound, a miss, ...\n"
	  "      --causes        of folded: slots, each below what they were lost to\n"
	  "      --symfs DIR     look for the programs' files below DIR\n"
	  "      --mcpu CPU, --spec FILE   as pmuscope report takes them\n"
	  "  -o FILE             write it there, not to standard output\n"
	  "\n"
	  "Others of stacks have cycles, and slots by cause; callgrind and pprof all values.\n"
	  "\n"
	  "examples:\n"
	  "  pmuscope export S.pms --to folded --causes | flamegraph.pl >slots.svg\n"
	  "  pmuscope export S.pms --to pprof -o S.pb.gz && pprof -http : S.pb.gz\n" },
	{ "plan",
	  "usage: pmuscope plan [OPTION...]\n"
	  "\n"
	  "Says which events are counted at the same time, so that each metric has all of\n"
	  "its own from one pass, in the fewest passes; and proves that there are no fewer.\n"
	  "Nothing is run. Cycles, and instructions on RISC-V, have counters of their own.\n"
	  "\n"
	  "      --mcpu CPU      of this CPU; unless given this machine's or neoverse-v1\n"
	  "      --spec FILE     of the CPU of this specification, in Arm's layout\n"
	  "  -M NAME,...         these metrics or groups of metrics only\n"
	  "      --counters N    programmable counters, 1 to 31; as many as the CPU has\n"
	  "  -j, -x SEP, --format table|json|csv   how to write the plan\n"
	  "  -o FILE             write it there, not to standard output\n"
	  "\n"
	  "examples:\n"
	  "  pmuscope plan --mcpu neoverse-v3\n"
	  "  pmuscope plan -M Topdown_L1,DTLB_Effectiveness --counters 4\n"
	  "  pmuscope plan -j | jq '.passes | length'\n" },
	{ "validate",
	  "usage: pmuscope validate [OPTION...] [WORKLOAD...]\n"
	  "\n"
	  "Runs small programs that each stress one resource of a core, and compares what\n"
	  "comes out with what Arm measured on Neoverse V1, or with what follows from the\n"
	  "core's parameters: a model, a machine and a catalog are held to account.\n"
	  "Shown are the figures that differ, with --all those that agree as well.\n"
	  "Exit status: 0 all agree, 1 something differs.\n"
	  "\n"
	  "      --mcpu CPU      the core: neoverse-v1 unless given\n"
	  "      --source SRC    perf: this machine's PMU; vcore: a core modelled in QEMU\n"
	  "      --all           every figure, and the four shares of Stage 1\n"
	  "      --quick         a twentieth of the turns; on the model, kernels alone\n"
	  "      --names         the names of the workloads, and nothing is run\n"
	  "      --core-set NAME=N,...   what if the modelled core had another number, or\n"
	  "                      with NAME=off was without a mechanism: see core show\n"
	  "      --qemu PATH, --qemu-cpu CPU   another QEMU; another guest CPU of it\n"
	  "  -j, -x SEP, --format table|json|csv   how to write it\n"
	  "  -o FILE             write it there, not to standard output\n"
	  "\n"
	  "examples:\n"
	  "  pmuscope validate\n"
	  "  pmuscope validate --all branch_direct l1d_tlb\n"
	  "  pmuscope validate -j | jq .summary.published\n" },
	{ "core",
	  "usage: pmuscope core show [OPTION...] [NAME...]\n"
	  "\n"
	  "Shows the numbers of the modelled core, how sure each is, and where it comes\n"
	  "from: a document, or chosen, and why; then the mechanisms that --core-set\n"
	  "NAME=off leaves out, and what --core-set NAME=ideal makes perfect. A name may\n"
	  "be a pattern.\n"
	  "\n"
	  "      --mcpu CPU      the core: neoverse-v1 unless given\n"
	  "      --core-set NAME=N,...   as topdown, stat and validate take it\n"
	  "  -j, -x SEP, --format table|json|csv   how to write it\n"
	  "  -o FILE             write it there, not to standard output\n"
	  "\n"
	  "examples:\n"
	  "  pmuscope core show\n"
	  "  pmuscope core show '*tlb*' rob_entries\n"
	  "  pmuscope topdown --core-set ras_entries=8,mul32.latency=4 -- ./program\n"
	  "  pmuscope validate --core-set tage=off branch_indirect\n"
	  "  pmuscope topdown --core-set l1d=ideal -- ./program\n"
	  "  pmuscope core show -j | jq '.numbers[] | select(.certainty == \"chosen\")'\n" },
	{ "doctor",
	  "usage: pmuscope doctor [OPTION...]\n"
	  "\n"
	  "Says what can be measured on this machine and gives the fix for what cannot.\n"
	  "Exit status: 0 when programs can be measured or, on other machines than Arm and\n"
	  "RISC-V ones, run on a modelled core; else 3.\n"
	  "\n"
	  "      --qemu PATH     look at this QEMU\n"
	  "  -j, -x SEP, --format table|json|csv   how to write it\n"
	  "  -o FILE             write it there, not to standard output\n"
	  "\n"
	  "examples:\n"
	  "  pmuscope doctor\n"
	  "  pmuscope doctor -j | jq -r '.checks[] | select(.state == \"missing\") | .fix'\n" },
	{ "help", "usage: pmuscope help [COMMAND [COMMAND]]\n"
		  "\n"
		  "Shows what COMMAND does and its options, as pmuscope COMMAND --help does.\n"
		  "Topics beside the commands:\n"
		  "\n"
		  "  live      measuring with this machine's PMU: processes, CPUs, intervals\n"
		  "  sample    counting a part of a long program on the modelled core\n"
		  "  spe dump, spe export, spe report, core show   commands of two words\n"
		  "\n"
		  "examples:\n"
		  "  pmuscope help topdown\n"
		  "  pmuscope help spe report\n" },
};

/* Returns whether the page is for @command, alone or with a further word of its usage: "core
 * show". */
static int is_of(const struct page *page, const char *command)
{
	size_t length = strlen(page->command), whole = strlen(command);
	const char *usage = page->text + strlen("usage: pmuscope ");
	return !strcmp(command, page->command) ||
	       (!strncmp(command, page->command, length) && command[length] == ' ' &&
		!strncmp(command, usage, whole) && usage[whole] == ' ');
}

int cli_help_print(FILE *out, const char *command)
{
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		const char *of = pages[i].command;
		if (command && of ? is_of(&pages[i], command) : command == of) {
			fputs(pages[i].text, out);
			return 0;
		}
	}
	return -1;
}

int cli_help(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : NULL;
	char both[64]; /* "spe dump" */
	if (argc > 2 &&
	    (size_t)snprintf(both, sizeof(both), "%s %s", argv[1], argv[2]) < sizeof(both))
		command = both;
	if (command && (!strcmp(command, "-h") || !strcmp(command, "--help")))
		command = "help";
	if (!cli_help_print(stdout, command))
		return CLI_DONE;
	return cli_unknown_command(command);
}
