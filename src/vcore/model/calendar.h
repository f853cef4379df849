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
	PMS_CALENDAR_MEMOS = 32	    /* a power of two */
};

/* "No operation with these ports, busy that long, can start in the cycles [from, to)." Bookings
 * are never taken back, so it stays true; without it, a saturated port would be scanned from the
 * start for each operation that wants it. */
struct pms_calendar_memo {
	uint64_t from, to;
	uint16_t ports;
	uint16_t busy_cycles;
};

struct pms_calendar {
	uint64_t now;
	uint64_t occupied;			 /* entries held, 8 bits a queue */
	uint64_t held[PMS_CALENDAR_CYCLES / 64]; /* bit: the cycle has releases */
	struct pms_calendar_memo memos[PMS_CALENDAR_MEMOS];
	uint16_t busy[PMS_CALENDAR_CYCLES];    /* ports taken, from now on */
	uint64_t release[PMS_CALENDAR_CYCLES]; /* entries given back, 8 bits a queue; after now */
};

/** An empty calendar at cycle 0. */
void pms_calendar_init(struct pms_calendar *c);

/** The general case of pms_calendar_issue's search: books, and returns the cycle. */
uint64_t pms_calendar_book(struct pms_calendar *c, uint64_t earliest, uint16_t ports,
			   unsigned busy_cycles);

/** The general case of pms_calendar_advance: any number of cycles. */
void pms_calendar_jump(struct pms_calendar *c, uint64_t to);

/** Hold an entry of @queue from now until @cycle. */
static inline void pms_calendar_hold(struct pms_calendar *c, uint64_t cycle, uint8_t queue)
{
	if (cycle <= c->now)
		return;
	uint64_t end = c->now + PMS_CALENDAR_CYCLES - 1;
	uint64_t slot = (cycle < end ? cycle : end) % PMS_CALENDAR_CYCLES;
	uint64_t one = (uint64_t)(queue != 0) << 8 * queue;
	c->occupied += one;
	c->release[slot] += one;
	c->held[slot / 64] |= (uint64_t)(queue != 0) << slot % 64;
}

/**
 * Issue an operation in the first cycle from @earliest (>= now) on in which one of @ports is free
 * for @busy_cycles cycles (1..255), and hold an entry of @queue until then. Of several free ports
 * the lowest is taken: core.json orders them so that the ports that few classes can use come last.
 * @ports: bit set; 0: needs none, and issues at @earliest
 * @queue: 0: none, else 1..7; its entries held must be fewer than 255
 * Returns the cycle.
 */
static inline uint64_t pms_calendar_issue(struct pms_calendar *c, uint64_t earliest, uint16_t ports,
					  unsigned busy_cycles, uint8_t queue)
{
	uint64_t cycle = earliest;
	if (ports) {
		uint16_t *busy = &c->busy[earliest % PMS_CALENDAR_CYCLES];
		unsigned open = ports & ~(unsigned)*busy;
		if (busy_cycles == 1 && open && earliest - c->now < PMS_CALENDAR_CYCLES)
			*busy = (uint16_t)(*busy | (open & -open));
		else
			cycle = pms_calendar_book(c, earliest, ports, busy_cycles);
	}
	pms_calendar_hold(c, cycle, queue);
	return cycle;
}

/** Move now forward to @to: the ports of the cycles passed are forgotten, and the queue entries
 * released up to and including cycle @to are given back. A @to that is past changes nothing. */
static inline void pms_calendar_advance(struct pms_calendar *c, uint64_t to)
{
	if (to > c->now + 8) {
		pms_calendar_jump(c, to);
		return;
	}
	while (c->now < to) {
		c->busy[c->now % PMS_CALENDAR_CYCLES] = 0;
		uint64_t slot = ++c->now % PMS_CALENDAR_CYCLES;
		c->occupied -= c->release[slot];
		c->release[slot] = 0;
		c->held[slot / 64] &= ~(UINT64_C(1) << slot % 64);
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
