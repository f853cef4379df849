/* SPDX-License-Identifier: MIT */
/* The guest's code for wrong paths: lines, each decoded once. Code that the guest overwrites
 * shows its new form only when the line is read again. */
#include <string.h>

#include "vcore/model/state.h"

enum { LINE_WINDOWS = PMS_LINE_BYTES / PMS_WINDOW_BYTES };

/* This file assumes that each parcel of a line is one whole instruction. An ISA with several
 * lengths must tell here where instructions begin, and which one reaches into the next line. */
_Static_assert((int)PMS_ISA_PARCEL == (int)PMS_ISA_LONGEST, "one length of instructions");
_Static_assert((int)PMS_LINE_PARCELS <= 16, "a line's bits have 16");

static void add_tally(uint64_t words[PMS_TALLY_WORDS], uint32_t spec_set)
{
	words[0] += UINT64_C(1) << 8 * PMS_TALLY_INSTS;
	for (uint32_t rest = spec_set; rest; rest &= rest - 1) {
		unsigned byte = pms_tally_byte((unsigned)__builtin_ctz(rest));
		words[byte / 8] += UINT64_C(1) << byte % 8 * 8;
	}
}

static bool counts_seldom(const struct pms_code_line *line)
{
	uint64_t rest = line->fp_ops[PMS_LINE_PARCELS];
	for (unsigned w = 1; w < PMS_TALLY_WORDS; w++)
		rest |= line->tally[PMS_LINE_PARCELS][w];
	return rest;
}

/* Build running sums over a line, so that a walk counts any run of its instructions by one
 * subtraction. */
static void sum_line(struct pms_code_line *line,
		     const struct pms_uop_counts counts[PMS_LINE_PARCELS])
{
	line->conditionals = line->jumps = 0;
	line->stops = 1u << PMS_LINE_PARCELS;
	memset(line->nano, 0, sizeof(line->nano));
	line->slots[0] = 0;
	line->fp_ops[0] = 0;
	line->queued[0] = 0;
	for (unsigned w = 0; w < PMS_TALLY_WORDS; w++)
		line->tally[0][w] = 0;
	for (unsigned i = 0; i < PMS_LINE_PARCELS; i++) {
		const struct pms_uop *uop = &line->ops[i];
		line->slots[i + 1] = (uint8_t)(line->slots[i] + uop->rename_slots);
		line->queued[i + 1] = line->queued[i] + pms_queue_lane(uop->room_queue);
		uint64_t fp_ops = (uint64_t)counts[i].fp_ops
				  << (pms_uop_scales(&counts[i]) ? 32 : 0);
		line->fp_ops[i + 1] = line->fp_ops[i] + fp_ops;
		for (unsigned w = 0; w < PMS_TALLY_WORDS; w++)
			line->tally[i + 1][w] = line->tally[i][w];
		add_tally(line->tally[i + 1], counts[i].spec_set);
		uint16_t bit = (uint16_t)(1u << i);
		if (uop->kind == PMS_UOP_SERIAL)
			line->stops |= bit;
		else if (uop->branch == PMS_BRANCH_COND)
			line->conditionals |= bit;
		else if (uop->kind == PMS_UOP_BRANCH)
			line->jumps |= bit;
	}
	line->seldom = counts_seldom(line);
}

PMS_APART void pms_code_windows(const struct pms_core *core, struct pms_code_line *entry)
{
	unsigned windows = 0;
	for (unsigned i = 0; i < LINE_WINDOWS && core->params->mop_cache_windows; i++)
		windows |=
			(unsigned)(pms_cache_peek(&core->mops, LINE_WINDOWS * entry->line + i) >= 0)
			<< i;
	entry->windows = (uint8_t)windows;
	entry->windows_at = core->mop_fills;
}

PMS_APART void pms_code_read(struct pms_core *core, struct pms_code_line *entry, uint64_t line)
{
	uint32_t words[PMS_LINE_BYTES / sizeof(uint32_t)];
	entry->line = line;
	entry->windows_at = 0;
	entry->mapped = core->code->read(core->code->context, line << PMS_LINE_LOG2, words);
	if (entry->mapped) {
		struct pms_uop_counts counts[PMS_LINE_PARCELS];
		pms_uops_decode(core->params, words, PMS_LINE_PARCELS, entry->ops, counts);
		sum_line(entry, counts);
	}
}
