/* SPDX-License-Identifier: MIT */
#include "vcore/model/calendar.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "vcore/share/params.h"
#include "vcore/model/hint.h"

enum { SOON = 8 }; /* cycles */
#define NEVER UINT64_MAX

_Static_assert((int)PMS_IQ_NONE == 0 && (int)PMS_QUEUES_MOST < (int)PMS_CALENDAR_QUEUES,
	       "the calendar packs the queues in a word, and leaves out queue 0");
_Static_assert((int)PMS_PORTS_MOST <= 32, "the calendar's ports are 32 bits");

void pms_calendar_init(struct pms_calendar *c)
{
	memset(c, 0, sizeof(*c));
}

/* Returns the ports of @ports that are free in all of [start, end), 0 if none is. Then *next is
 * the first start worth trying: every start from @start to before it covers the same conflict. */
static unsigned open_ports(const struct pms_calendar *c, uint64_t start, uint64_t end,
			   uint32_t ports, uint64_t *next)
{
	unsigned open = ports;
	for (uint64_t cycle = end; cycle > start; cycle--) {
		open &= ~c->busy[(cycle - 1) % PMS_CALENDAR_CYCLES];
		if (!open) {
			*next = cycle;
			return 0;
		}
	}
	return open;
}

/* Remember that the search of [from, to) failed: join it to the range in @m. Of two separate
 * ranges the longer one is kept, unless it has passed. */
static void remember(struct pms_calendar_memo *m, uint64_t from, uint64_t to, uint64_t now)
{
	if (from <= m->to && to >= m->from) {
		m->from = from < m->from ? from : m->from;
		m->to = to > m->to ? to : m->to;
	} else if (m->to <= now || to - from > m->to - m->from) {
		m->from = from;
		m->to = to;
	}
}

static struct pms_calendar_memo *memo_of(struct pms_calendar *c, uint32_t ports,
					 unsigned busy_cycles)
{
	uint32_t hash = (ports * UINT32_C(0x9e3779b1)) ^ (busy_cycles * UINT32_C(0x85ebca6b));
	struct pms_calendar_memo *m = &c->memos[hash >> 16 & (PMS_CALENDAR_MEMOS - 1)];
	if (m->ports != ports || m->busy_cycles != busy_cycles)
		*m = (struct pms_calendar_memo){ 0, 0, ports, busy_cycles };
	return m;
}

/* Take the first port that is free for long enough. Returns the cycle. */
static uint64_t take_port(struct pms_calendar *c, uint64_t earliest, uint32_t ports,
			  unsigned busy_cycles)
{
	assert(earliest >= c->now && busy_cycles && busy_cycles < 256);
	uint64_t horizon = c->now + PMS_CALENDAR_CYCLES; /* first cycle out of reach */
	if (earliest >= horizon)
		return earliest;
	struct pms_calendar_memo *m = memo_of(c, ports, busy_cycles);
	uint64_t start = earliest, end = 0;
	unsigned open = 0;
	while (start < horizon) {
		if (start >= m->from && start < m->to) {
			start = m->to;
			continue;
		}
		/* Beyond the horizon nothing is booked yet. */
		end = start + busy_cycles < horizon ? start + busy_cycles : horizon;
		open = open_ports(c, start, end, ports, &start);
		if (open)
			break;
	}
	remember(m, earliest, start, c->now);
	if (start >= horizon)
		return start;
	for (uint64_t cycle = start; cycle < end; cycle++) {
		uint32_t *busy = &c->busy[cycle % PMS_CALENDAR_CYCLES];
		*busy |= open & -open;
	}
	return start;
}

/* Try the next few cycles without a memo, since a port is usually free soon. Returns the cycle,
 * or NEVER. */
static inline uint64_t take_soon(struct pms_calendar *c, uint64_t earliest, uint32_t ports)
{
	for (uint64_t cycle = earliest; cycle < earliest + SOON; cycle++) {
		uint32_t *busy = &c->busy[cycle % PMS_CALENDAR_CYCLES];
		unsigned open = ports & ~*busy;
		if (open) {
			*busy |= open & -open;
			return cycle;
		}
	}
	return NEVER;
}

PMS_APART uint64_t pms_calendar_book(struct pms_calendar *c, uint64_t earliest, uint32_t ports,
				     unsigned busy_cycles, uint8_t queue)
{
	uint64_t end = c->now + PMS_CALENDAR_CYCLES - 1, cycle = NEVER;
	if (busy_cycles == 1 && earliest + SOON <= end)
		cycle = take_soon(c, earliest, ports);
	if (cycle == NEVER)
		cycle = ports ? take_port(c, earliest, ports, busy_cycles) : earliest;
	if (queue && cycle > c->now)
		pms_calendar_hold(c, cycle < end ? cycle : end, queue);
	return cycle;
}

static uint64_t group_end(uint64_t slot)
{
	return (slot | (PMS_CALENDAR_GROUP - 1)) + 1;
}

/* Free the entries that are due in the ring slots [from, to), to <= PMS_CALENDAR_CYCLES. */
static void release_slots(struct pms_calendar *c, uint64_t from, uint64_t to)
{
	while (from < to) {
		uint64_t group = from / PMS_CALENDAR_GROUP, end = group_end(from);
		bool whole = from % PMS_CALENDAR_GROUP == 0 && end <= to;
		end = end < to ? end : to;
		uint64_t sum = 0;
		for (uint64_t slot = from; c->held[group] && slot < end; slot++) {
			sum += c->release[slot];
			c->release[slot] = 0;
		}
		c->occupied -= sum;
		if (whole)
			c->held[group] = 0;
		from = end;
	}
}

/* Clear the cycles [from, to), at most one ring: they are one or two runs of ring slots. */
static void forget_ports(struct pms_calendar *c, uint64_t from, uint64_t to)
{
	uint64_t first = from % PMS_CALENDAR_CYCLES, count = to - from;
	uint64_t head = PMS_CALENDAR_CYCLES - first < count ? PMS_CALENDAR_CYCLES - first : count;
	memset(c->busy + first, 0, head * sizeof(*c->busy));
	memset(c->busy, 0, (count - head) * sizeof(*c->busy));
}

static void release_cycles(struct pms_calendar *c, uint64_t from, uint64_t to)
{
	uint64_t first = from % PMS_CALENDAR_CYCLES, count = to - from;
	uint64_t head = PMS_CALENDAR_CYCLES - first < count ? PMS_CALENDAR_CYCLES - first : count;
	release_slots(c, first, first + head);
	release_slots(c, 0, count - head);
}

PMS_APART void pms_calendar_jump(struct pms_calendar *c, uint64_t to)
{
	if (to <= c->now)
		return;
	uint64_t count = to - c->now < PMS_CALENDAR_CYCLES ? to - c->now : PMS_CALENDAR_CYCLES;
	forget_ports(c, c->now, c->now + count);
	release_cycles(c, c->now + 1, c->now + 1 + count);
	c->now = to;
}

PMS_APART uint64_t pms_calendar_next_release(const struct pms_calendar *c, uint8_t queue)
{
	assert(pms_calendar_occupancy(c, queue));
	uint64_t cycle = c->now + 1;
	for (;;) {
		uint64_t slot = cycle % PMS_CALENDAR_CYCLES;
		if (!c->held[slot / PMS_CALENDAR_GROUP])
			cycle += group_end(slot) - slot;
		else if (c->release[slot] >> 8 * queue & 0xff)
			return cycle;
		else
			cycle++;
	}
}
