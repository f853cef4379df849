/* SPDX-License-Identifier: MIT */
/* vcore/model/pace.h - units that take one request every so many cycles: L2, its TLB, memory.
 * Time is cut into turns of that interval, and each turn serves one request. Requests come in
 * program order, not in time order: a request that comes late in time leaves the earlier turns
 * to others. */
#ifndef PMS_VCORE_MODEL_PACE_H
#define PMS_VCORE_MODEL_PACE_H

#include <stdint.h>

enum { PMS_PACE_TURNS = 512 }; /* turns remembered, in a ring */

struct pms_pace {
	uint32_t interval;
	uint64_t reciprocal;		/* 2^64 / interval */
	uint64_t from, to;		/* a run of turns that are known to be taken */
	uint32_t taken[PMS_PACE_TURNS]; /* the last taken turn of each place in the ring */
};

/** Set the pace: a request every @interval cycles; 0: any number at once. */
static inline void pms_pace_init(struct pms_pace *p, unsigned interval)
{
	*p = (struct pms_pace){ .interval = interval };
	p->reciprocal = interval > 1 ? UINT64_MAX / interval + 1 : 0;
	for (uint32_t i = 0; i < PMS_PACE_TURNS; i++)
		p->taken[i] = i + 1; /* the number of another place, so free */
}

/** Take the first turn from cycle @now (< 2^48) on. Returns its cycle. */
static inline uint64_t pms_pace_take(struct pms_pace *p, uint64_t now)
{
	if (!p->interval)
		return now;
	uint64_t turn =
		p->reciprocal ? (uint64_t)((unsigned __int128)now * p->reciprocal >> 64) : now;
	const uint64_t first = turn;
	if (turn >= p->from && turn < p->to)
		turn = p->to;
	while (p->taken[turn % PMS_PACE_TURNS] == (uint32_t)turn)
		turn++;
	p->taken[turn % PMS_PACE_TURNS] = (uint32_t)turn;
	if (first < p->from || first > p->to)
		p->from = first;
	p->to = turn + 1;
	uint64_t begin = turn * p->interval;
	return begin > now ? begin : now;
}

#endif
