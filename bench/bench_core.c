/* SPDX-License-Identifier: MIT */
/* The core model alone, without QEMU: nanoseconds per modelled instruction on small loops.
 * Usage: bench_core [MILLIONS [CASE]]   instructions per case, default 20; one case from 0 on */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../tests/vcore/core_fixture.h"

enum { CODE = 0x10000, ADD_X0 = 0x91000400, NOP = 0xd503201f, LDR_X1_X2 = 0xf9400041 };

static bool read_code(void *context, uint64_t line, void *code)
{
	uint32_t *words = code;
	(void)context;
	for (unsigned i = 0; i < 16; i++)
		words[i] = line >= CODE && line < CODE + 4096 ? ADD_X0 : NOP;
	return true;
}

static double seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct loop {
	const char *name;
	unsigned adds, loads;
	unsigned random; /* how often of 256 the branch goes the other way */
	uint64_t span;	 /* bytes that the loads stride through */
};

/* Build the loop's code, run it on the model and print the time of an instruction. */
static void run(const struct loop *loop, uint64_t instructions)
{
	static uint64_t counters[PMS_COUNTER_COUNT];
	struct pms_params params = fixture_params();
	struct pms_code_source code = { read_code, NULL };
	uint32_t words[64];
	unsigned count = 0;
	for (unsigned i = 0; i < loop->adds; i++)
		words[count++] = ADD_X0 + i % 16 * 0x21;
	unsigned first = count;
	for (unsigned i = 0; i < loop->loads; i++)
		words[count++] = LDR_X1_X2;
	words[count] = 0x54000001u | ((uint32_t)-count & 0x7ffff) << 5; /* b.ne to the start */
	count++;
	struct pms_core *core = pms_core_new(&params, counters, &code);
	struct pms_block *block = pms_block_new(&params, CODE, words, count);
	struct pms_block *back =
		pms_block_new(&params, CODE + 4 * (uint64_t)count,
			      (uint32_t[]){ 0x14000000u | (-count & 0x3ffffff) }, 1);
	uint64_t random = 1, at = 0, done = 0;
	double start = seconds();
	while (done < instructions) {
		struct pms_access accesses[16];
		for (unsigned i = 0; i < loop->loads; i++, at += 8)
			accesses[i] =
				(struct pms_access){ 0x1000000 + at % loop->span, first + i, 8, 0 };
		random = random * 6364136223846793005u + 1442695040888963407u;
		bool other = random >> 56 < loop->random;
		pms_core_run(core, block, accesses, loop->loads, PMS_END_NEXT,
			     other ? pms_block_pc(back) : CODE);
		done += count;
		if (other) {
			pms_core_run(core, back, NULL, 0, PMS_END_NEXT, CODE);
			done++;
		}
	}
	double took = seconds() - start;
	pms_core_drain(core);
	printf("%-28s %6.1f ns an instruction, %6.1f million/s, IPC %.2f, %.0f wrong-path ops %%\n",
	       loop->name, took * 1e9 / (double)done, (double)done / took / 1e6,
	       (double)counters[PMS_COUNTER_INST_RETIRED] /
		       (double)counters[PMS_COUNTER_CPU_CYCLES],
	       100.0 * (double)counters[PMS_COUNTER_FLUSHED_BRANCH] /
		       (double)counters[PMS_COUNTER_OP_RETIRED]);
	memset(counters, 0, sizeof(counters));
	pms_block_free(block);
	pms_block_free(back);
	pms_core_free(core);
}

int main(int argc, char **argv)
{
	static const struct loop loops[] = {
		{ "8 adds and a branch", 8, 0, 0, 8 },
		{ "3 adds and a branch", 3, 0, 0, 8 },
		{ "4 adds, 3 loads from L1", 4, 3, 0, 16384 },
		{ "4 adds, 3 loads, streaming", 4, 3, 0, 64 << 20 },
		{ "8 adds, 50 % mispredicted", 8, 0, 128, 8 },
		{ "8 adds, 5 % mispredicted", 8, 0, 13, 8 },
	};
	uint64_t millions = argc > 1 ? strtoull(argv[1], NULL, 10) : 20;
	size_t first = 0, end = sizeof(loops) / sizeof(loops[0]);
	if (argc > 2) {
		first = strtoull(argv[2], NULL, 10) % end;
		end = first + 1;
	}
	for (size_t i = first; i < end; i++)
		run(&loops[i], millions * 1000000);
	return 0;
}
