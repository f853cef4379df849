/* SPDX-License-Identifier: MIT */
/* vcore/model/calendar.h - the issue calendar: which port is taken in which of the next cycles,
 * and when entries of the issue queues come free. Operations book in program order, each the first
 * cycle that suits it, and an earlier cycle may still be free for a later operation: that is what
 * makes it out of order.
 *
 * The ring reaches PMS_CALENDAR_CYCLES - 1 cycles ahead of `now`. What would issue later than
 * that books no port, and gives its queue entry back at the ring's end: no core keeps operations
 * waiting that long, but a parameter file may say anything. */
#ifndef PMS_VCORE_MODEL_CALENDAR_H
#define PMS_VCORE_MODEL_CALENDAR_H

#include <stdint.h>

enum {
	PMS_CALENDAR_CYCLES = 4096, /* a power of two */
	PMS_CALENDAR_QUEUES = 8,    /* 0 is "no queue": never held */
	PMS_CALENDAR_GROUP = 16,    /* cycles that share a flag */
	PMS_CALENDAR_MEMOS = 32	    /* a power of two */
};

/* "No operation with these ports, busy that long, can start in the cycles [from, to)." Bookings
 * are never taken back, so it stays true; without it, a saturated port would be scanned from the
 * start for each operation that wants it. */
struct pms_calendar_memo {
	uint64_t from, to;
	uint32_t ports;
	uint32_t busy_cycles;
};

struct pms_calendar {
	uint64_t now;
	uint64_t occupied; /* entries held, 8 bits a queue */
	/* By group of cycles. 0: none of them gives entries back. The reverse need not be so. */
	uint8_t held[PMS_CALENDAR_CYCLES / PMS_CALENDAR_GROUP];
	struct pms_calendar_memo memos[PMS_CALENDAR_MEMOS];
	uint32_t busy[PMS_CALENDAR_CYCLES];    /* ports taken, from now on */
	uint64_t release[PMS_CALENDAR_CYCLES]; /* entries given back, 8 bits a queue; after now */
};

/** An empty calendar at cycle 0. */
void pms_calendar_init(struct pms_calendar *c);

/** The general case of pms_calendar_issue. */
uint64_t pms_calendar_book(struct pms_calendar *c, uint64_t earliest, uint32_t ports,
			   unsigned busy_cycles, uint8_t queue);

/** The general case of pms_calendar_advance: any number of cycles. */
void pms_calendar_jump(struct pms_calendar *c, uint64_t to);

/* Hold an entry of @queue from now until a cycle after it that is in the ring. */
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
 * the lowest is taken: core.json orders them so that the ports that few classes can use come last.
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

/** Like it, for what holds no queue entry and keeps its port for one cycle. */
static inline uint64_t pms_calendar_take(struct pms_calendar *c, uint64_t earliest, uint32_t ports)
{
	uint32_t *busy = &c->busy[earliest % PMS_CALENDAR_CYCLES];
	uint32_t open = ports & ~*busy;
	if (!open || earliest - c->now >= PMS_CALENDAR_CYCLES)
		return pms_calendar_book(c, earliest, ports, 1, 0);
	*busy |= open & -open;
	return earliest;
}

/** Move now forward to @to: the ports of the cycles passed are forgotten, and the queue entries
 * released up to and including cycle @to are given back. A @to that is past changes nothing. */
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

/** Returns the earliest cycle after now at which an entry of @queue is given back; one must be
 * held. */
uint64_t pms_calendar_next_release(const struct pms_calendar *c, uint8_t queue);

#endif
