/* SPDX-License-Identifier: MIT */
/* The guest's code for wrong paths: lines, each decoded once. Code that the guest overwrites
 * shows its new form only when the line is read again. */
#include <string.h>

#include "vcore/model/state.h"

enum { LINE_WINDOWS = PMS_LINE_BYTES / PMS_WINDOW_BYTES };

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

/* Build running sums over a line from parcel @from on, so that a walk counts any run of its
 * instructions by one subtraction. @counts: of these instructions, one after another */
static void sum_line(struct pms_code_line *line, unsigned from, const struct pms_uop_counts *counts)
{
	line->conditionals = line->jumps = 0;
	line->stops |= (pms_parcels_end)1 << PMS_LINE_PARCELS;
	memset(line->nano, 0, sizeof(line->nano));
	line->slots[from] = 0;
	line->fp_ops[from] = 0;
	line->queued[from] = 0;
	for (unsigned w = 0; w < PMS_TALLY_WORDS; w++)
		line->tally[from][w] = 0;
	for (unsigned i = from, next; i < PMS_LINE_PARCELS; i = next, counts++) {
		const struct pms_uop *uop = &line->ops[i];
		next = pms_code_behind(line, i);
		line->slots[next] = (uint16_t)(line->slots[i] + uop->rename_slots);
		line->queued[next] = line->queued[i] + pms_queue_lane(uop->room_queue);
		uint64_t fp_ops = (uint64_t)counts->fp_ops << (pms_uop_scales(counts) ? 32 : 0);
		line->fp_ops[next] = line->fp_ops[i] + fp_ops;
		for (unsigned w = 0; w < PMS_TALLY_WORDS; w++)
			line->tally[next][w] = line->tally[i][w];
		add_tally(line->tally[next], counts->spec_set);
		pms_parcels bit = (pms_parcels)(1u << i);
		bool cut = !PMS_ONE_LENGTH && line->stops & bit;
		if (uop->kind == PMS_UOP_SERIAL || cut)
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

/* Decode the line from parcel @from on. @code: its bytes, with those of the next line if @whole */
static void decode(const struct pms_core *core, struct pms_code_line *entry, unsigned from,
		   const uint8_t *code, bool whole)
{
	struct pms_uop_counts counts[PMS_LINE_PARCELS];
	struct pms_uop ops[PMS_LINE_PARCELS];
	struct pms_uop *to = PMS_ONE_LENGTH ? entry->ops : ops;
	unsigned at = from * PMS_ISA_PARCEL;
	unsigned n = pms_uops_decode_bytes(core->params, code + at, PMS_LINE_BYTES - at,
					   PMS_LINE_PARCELS, to, counts);
	entry->starts = 0;
	entry->stops = 0;
	for (unsigned i = 0, parcel = from; i < n && !PMS_ONE_LENGTH; i++) {
		entry->starts = (pms_parcels)(entry->starts | 1u << parcel);
		entry->ops[parcel] = ops[i];
		unsigned behind = parcel + ops[i].more + 1u;
		if (behind > PMS_LINE_PARCELS && !whole) /* it is not all there: fetch stops */
			entry->stops |= (pms_parcels_end)1 << parcel;
		parcel = behind;
	}
	sum_line(entry, from, counts);
}

PMS_APART void pms_code_read(struct pms_core *core, struct pms_code_line *entry, uint64_t pc)
{
	/* With the line behind it, where instructions may reach into it. */
	enum { LINES = PMS_ONE_LENGTH ? 1 : 2 };
	_Alignas(uint64_t) uint8_t code[LINES * PMS_LINE_BYTES];
	const struct pms_code_source *source = core->code;
	const uint64_t line = pc & ~(uint64_t)(PMS_LINE_BYTES - 1);
	entry->line = line >> PMS_LINE_LOG2;
	entry->windows_at = 0;
	entry->starts = (pms_parcels)-1;
	entry->mapped = source->read(source->context, line, code);
	if (!entry->mapped)
		return;
	bool whole = PMS_ONE_LENGTH ||
		     source->read(source->context, line + PMS_LINE_BYTES, code + PMS_LINE_BYTES);
	if (!whole)
		memset(code + PMS_LINE_BYTES * (LINES - 1), 0, PMS_LINE_BYTES);
	decode(core, entry, PMS_ONE_LENGTH ? 0 : pms_parcel_in_line(pc), code, whole);
}
