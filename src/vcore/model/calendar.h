/* SPDX-License-Identifier: MIT */
/* vcore/model/calendar.h - the issue calendar: which port is taken in each of the next cycles,
 * and when issue queue entries come free. Operations book in program order, each the first
 * cycle that suits it. A later operation may find an earlier cycle free: that makes the core
 * out of order.
 *
 * The ring reaches PMS_CALENDAR_CYCLES - 1 cycles ahead of `now`. An operation that would issue
 * later books no port, and frees its queue entry at the ring's end. No real core waits that
 * long, but a parameter file may say anything. */
#ifndef PMS_VCORE_MODEL_CALENDAR_H
#define PMS_VCORE_MODEL_CALENDAR_H

#include <stdint.h>

enum {
	PMS_CALENDAR_CYCLES = 4096, /* a power of two */
	PMS_CALENDAR_QUEUES = 8,    /* 0 is "no queue": it holds no entries */
	PMS_CALENDAR_GROUP = 16,    /* cycles that share a flag */
	PMS_CALENDAR_MEMOS = 32	    /* a power of two */
};

/* "No operation with these ports, busy that long, can start in the cycles [from, to)." This
 * stays true, because bookings are never undone. Without the memo, each operation for a
 * saturated port would scan it from the start. */
struct pms_calendar_memo {
	uint64_t from, to;
	uint32_t ports;
	uint32_t busy_cycles;
};

struct pms_calendar {
	uint64_t now;
	uint64_t occupied; /* entries held, 8 bits for each queue */
	/* For each group of cycles: 0: none of them frees entries. 1 promises nothing. */
	uint8_t held[PMS_CALENDAR_CYCLES / PMS_CALENDAR_GROUP];
	struct pms_calendar_memo memos[PMS_CALENDAR_MEMOS];
	uint32_t busy[PMS_CALENDAR_CYCLES];    /* ports taken, from now on */
	uint64_t release[PMS_CALENDAR_CYCLES]; /* entries freed, 8 bits for each queue; after now */
};

/** Empty the calendar, at cycle 0. */
void pms_calendar_init(struct pms_calendar *c);

/** The general case of pms_calendar_issue. */
uint64_t pms_calendar_book(struct pms_calendar *c, uint64_t earliest, uint32_t ports,
			   unsigned busy_cycles, uint8_t queue);

/** The general case of pms_calendar_advance: any number of cycles. */
void pms_calendar_jump(struct pms_calendar *c, uint64_t to);

/* Hold an entry of @queue from now until @cycle, which must be within the ring. */
static inline void pms_calendar_hold(struct pms_calendar *c, uint64_t cycle, uint8_t queue)
{
	static const uint64_t ones[PMS_CALENDAR_QUEUES] = {
		0,
		/* no queue */ UINT64_C(1) << 8,
		UINT64_C(1) << 16,
		UINT64_C(1) << 24,
		UINT64_C(1) << 32,
		UINT64_C(1) << 40,
		UINT64_C(1) << 48,
		UINT64_C(1) << 56,
	};
	uint64_t slot = cycle % PMS_CALENDAR_CYCLES;
	c->occupied += ones[queue];
	c->release[slot] += ones[queue];
	c->held[slot / PMS_CALENDAR_GROUP] = 1;
}

/**
 * Issue an operation in the first cycle from @earliest (>= now) on in which one of @ports is free
 * for @busy_cycles cycles (1..255), and hold an entry of @queue until then. Of several free ports
 * the lowest is taken, and core.json lists ports that few classes can use last.
 * @ports: bit set; 0: needs none, and issues at @earliest
 * @queue: 0: none, else 1..7; its entries held must be fewer than 255
 * Returns the cycle.
 */
static inline uint64_t pms_calendar_issue(struct pms_calendar *c, uint64_t earliest, uint32_t ports,
					  unsigned busy_cycles, uint8_t queue)
{
	uint32_t *busy = &c->busy[earliest % PMS_CALENDAR_CYCLES];
	uint32_t open = ports & ~*busy;
	uint64_t ahead = earliest - c->now - 1;
	if (!open || busy_cycles != 1 || ahead >= PMS_CALENDAR_CYCLES - 1)
		return pms_calendar_book(c, earliest, ports, busy_cycles, queue);
	*busy |= open & -open;
	pms_calendar_hold(c, earliest, queue);
	return earliest;
}

/** Issue an operation that holds no queue entry and needs its port for one cycle. Returns the
 * cycle. */
static inline uint64_t pms_calendar_take(struct pms_calendar *c, uint64_t earliest, uint32_t ports)
{
	uint32_t *busy = &c->busy[earliest % PMS_CALENDAR_CYCLES];
	uint32_t open = ports & ~*busy;
	if (!open || earliest - c->now >= PMS_CALENDAR_CYCLES)
		return pms_calendar_book(c, earliest, ports, 1, 0);
	*busy |= open & -open;
	return earliest;
}

/** Move now forward to @to: forget the ports of the passed cycles, and free the queue entries due
 * up to and including @to. A @to in the past changes nothing. */
static inline void pms_calendar_advance(struct pms_calendar *c, uint64_t to)
{
	if (to > c->now + 24) {
		pms_calendar_jump(c, to);
		return;
	}
	while (c->now < to) {
		c->busy[c->now % PMS_CALENDAR_CYCLES] = 0;
		uint64_t slot = ++c->now % PMS_CALENDAR_CYCLES;
		c->occupied -= c->release[slot];
		c->release[slot] = 0;
	}
}

/** Returns how many entries of @queue are held. */
static inline unsigned pms_calendar_occupancy(const struct pms_calendar *c, uint8_t queue)
{
	return (unsigned)(c->occupied >> 8 * queue & 0xff);
}

/** Returns the earliest cycle after now at which an entry of @queue is freed; one must be held. */
uint64_t pms_calendar_next_release(const struct pms_calendar *c, uint8_t queue);

#endif
