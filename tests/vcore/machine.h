/* SPDX-License-Identifier: MIT */
/* A core of the fixture's numbers with what it counts and the code that its wrong paths see, and
 * short programs run on it. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdlib.h>

#include "core_fixture.h"

enum {
	ADD_X0 = 0x91000400, /* add x0, x0, #1; register n: + n * 0x21 */
	NOP = 0xd503201f,
};

static inline uint32_t add(unsigned reg)
{
	return ADD_X0 + reg * 0x21;
}

static inline uint32_t b(int from, int to)
{
	return 0x14000000u | ((uint32_t)(to - from) & 0x3ffffff);
}

static inline uint32_t bne(int from, int to)
{
	return 0x54000001u | ((uint32_t)(to - from) & 0x7ffff) << 5;
}

struct machine {
	struct pms_params params;
	uint64_t n[PMS_COUNTER_COUNT];
	struct pms_core *core;
	struct pms_code_source source;
	uint32_t code[64]; /* what wrong paths see at CODE */
};

enum { CODE = 0x10000 };

static inline bool read_code(void *context, uint64_t line, void *code)
{
	uint32_t *words = code;
	struct machine *m = context;
	if (line < CODE || line >= CODE + sizeof(m->code))
		return false;
	for (unsigned i = 0; i < 16; i++)
		words[i] = m->code[(line - CODE) / 4 + i];
	return true;
}

static inline struct machine *machine_of(const struct pms_params *params, bool wrong_paths)
{
	struct machine *m = calloc(1, sizeof(*m));
	m->params = *params;
	for (unsigned i = 0; i < 64; i++)
		m->code[i] = NOP;
	m->source = (struct pms_code_source){ read_code, m };
	m->core = pms_core_new(&m->params, m->n, wrong_paths ? &m->source : NULL);
	assert_non_null(m->core);
	return m;
}

static inline struct machine *machine_new(bool wrong_paths)
{
	struct pms_params params = fixture_params();
	return machine_of(&params, wrong_paths);
}

static inline void machine_free(struct machine *m)
{
	pms_core_free(m->core);
	free(m);
}

#define N(m, name) ((m)->n[PMS_COUNTER_##name])

/* Run a block @turns times as a loop, then leave it by falling through. */
static inline void loop(struct machine *m, const uint32_t *words, unsigned count, unsigned turns,
			const struct pms_access *accesses, size_t n_accesses)
{
	struct pms_block *block = pms_block_new(&m->params, CODE, words, count);
	for (unsigned i = 0; i < turns; i++)
		pms_core_run(m->core, block, accesses, n_accesses, PMS_END_NEXT,
			     i + 1 < turns ? CODE : CODE + 4 * (uint64_t)count);
	pms_core_drain(m->core);
	pms_block_free(block);
}

#endif
