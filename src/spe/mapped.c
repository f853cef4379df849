/* SPDX-License-Identifier: MIT */
#include "spe/mapped.h"

#include <stdlib.h>

#include "pmuscope/error.h"

#define NONE UINT32_MAX

int pms_mapped_init(struct pms_mapped *p, size_t count)
{
	size_t words = count;
	*p = (struct pms_mapped){ .count = count };
	p->pieces = calloc(count ? count : 1, sizeof(*p->pieces));
	int bad = !p->pieces;
	do {
		words = (words + 63) / 64;
		p->bits[p->n_levels] = calloc(words ? words : 1, sizeof(uint64_t));
		bad |= !p->bits[p->n_levels++];
	} while (words > 1);
	if (bad)
		pms_mapped_release(p);
	return bad ? -PMS_ENOMEM : 0;
}

void pms_mapped_release(struct pms_mapped *p)
{
	for (unsigned i = 0; i < p->n_levels; i++)
		free(p->bits[i]);
	free(p->pieces);
	*p = (struct pms_mapped){ 0 };
}

static void set(struct pms_mapped *p, uint32_t at, struct pms_spe_piece piece)
{
	p->pieces[at] = piece;
	for (unsigned i = 0; i < p->n_levels; i++, at /= 64)
		p->bits[i][at / 64] |= UINT64_C(1) << at % 64;
}

static void unset(struct pms_mapped *p, uint32_t at)
{
	for (unsigned i = 0; i < p->n_levels; i++, at /= 64) {
		p->bits[i][at / 64] &= ~(UINT64_C(1) << at % 64);
		if (p->bits[i][at / 64])
			break;
	}
}

static int is_set(const struct pms_mapped *p, uint32_t at)
{
	return p->bits[0][at / 64] >> at % 64 & 1;
}

/* The first piece that begins behind @at; NONE. Up to a word that has a bit behind, and down along
 * the first bits. */
static uint32_t next(const struct pms_mapped *p, uint32_t at)
{
	unsigned i = 0;
	uint64_t behind = 0;
	for (; i < p->n_levels; i++, at /= 64) {
		behind = at % 64 == 63 ? 0 : p->bits[i][at / 64] >> (at % 64 + 1);
		if (behind)
			break;
	}
	if (!behind)
		return NONE;
	at += 1 + (unsigned)__builtin_ctzll(behind);
	while (i-- > 0)
		at = at * 64 + (unsigned)__builtin_ctzll(p->bits[i][at]);
	return at;
}

/* The last one that begins before @at; NONE. */
static uint32_t before(const struct pms_mapped *p, uint32_t at)
{
	unsigned i = 0;
	uint64_t below = 0;
	for (; i < p->n_levels; i++, at /= 64) {
		below = p->bits[i][at / 64] & ((UINT64_C(1) << at % 64) - 1);
		if (below)
			break;
	}
	if (!below)
		return NONE;
	at = at / 64 * 64 + 63 - (unsigned)__builtin_clzll(below);
	while (i-- > 0)
		at = at * 64 + 63 - (unsigned)__builtin_clzll(p->bits[i][at]);
	return at;
}

int pms_mapped_put(struct pms_mapped *p, uint32_t low, uint32_t high, uint32_t row,
		   int (*agree)(const void *context, uint32_t a, uint32_t b), const void *context)
{
	uint32_t at = is_set(p, low) ? low : before(p, low);
	int differs = 0;
	if (at == NONE || p->pieces[at].end <= low)
		at = next(p, low);
	while (at != NONE && at < high) {
		struct pms_spe_piece was = p->pieces[at];
		differs |= !agree(context, was.row, row);
		if (at < low)
			p->pieces[at].end = low;
		else
			unset(p, at);
		if (was.end > high)
			set(p, high, was);
		at = next(p, at);
	}
	set(p, low, (struct pms_spe_piece){ high, row });
	return differs;
}

void pms_mapped_clear(struct pms_mapped *p)
{
	uint32_t at = p->count && is_set(p, 0) ? 0 : next(p, 0);
	while (at != NONE) {
		unset(p, at);
		at = next(p, at);
	}
}
