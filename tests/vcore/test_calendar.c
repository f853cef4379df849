/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>

#include "random.h"
#include "vcore/model/calendar.h"

/* 41 KB: on the heap, as in the core. */
static int setup(void **state)
{
	*state = malloc(sizeof(struct pms_calendar));
	if (!*state)
		return -1;
	pms_calendar_init(*state);
	return 0;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

static void port_takes_one_operation_a_cycle(void **state)
{
	struct pms_calendar *c = *state;
	assert_int_equal(pms_calendar_issue(c, 5, 1, 1, 1), 5);
	assert_int_equal(pms_calendar_issue(c, 5, 1, 1, 1), 6);
	assert_int_equal(pms_calendar_issue(c, 4, 1, 1, 1), 4); /* a later one, earlier */
	assert_int_equal(pms_calendar_issue(c, 4, 1, 1, 1), 7);
	assert_int_equal(pms_calendar_issue(c, 5, 2, 1, 1), 5);			/* another port */
	assert_int_equal(pms_calendar_issue(c, 5, UINT32_C(1) << 31, 1, 1), 5); /* the last one */
	assert_int_equal(pms_calendar_issue(c, 5, UINT32_C(1) << 31, 1, 1), 6);
}

static void a_port_can_be_taken_without_an_entry(void **state)
{
	struct pms_calendar *c = *state;
	assert_int_equal(pms_calendar_take(c, 5, 3), 5);
	assert_int_equal(pms_calendar_take(c, 5, 3), 5); /* the other port */
	assert_int_equal(pms_calendar_take(c, 5, 3), 6);
	assert_int_equal(pms_calendar_issue(c, 5, 3, 1, 1), 6);
	assert_int_equal(pms_calendar_take(c, PMS_CALENDAR_CYCLES, 1), PMS_CALENDAR_CYCLES);
	assert_int_equal(pms_calendar_occupancy(c, 1), 1);
}

static void lowest_free_port_is_taken(void **state)
{
	struct pms_calendar *c = *state;
	assert_int_equal(pms_calendar_issue(c, 1, 6, 1, 0), 1); /* takes port 1, leaves 2 */
	assert_int_equal(pms_calendar_issue(c, 1, 2, 1, 0), 2);
	assert_int_equal(pms_calendar_issue(c, 1, 4, 1, 0), 1);
}

static void unpipelined_operation_needs_its_cycles_in_a_row(void **state)
{
	struct pms_calendar *c = *state;
	assert_int_equal(pms_calendar_issue(c, 6, 1, 1, 0), 6);
	/* 3 cycles from 3 on are free up to 5; from 4 on they meet cycle 6. */
	assert_int_equal(pms_calendar_issue(c, 4, 1, 3, 0), 7); /* 7 8 9 */
	assert_int_equal(pms_calendar_issue(c, 3, 1, 3, 0), 3); /* 3 4 5 */
	assert_int_equal(pms_calendar_issue(c, 3, 1, 1, 0), 10);
	assert_int_equal(pms_calendar_issue(c, 3, 3, 3, 0), 3); /* port 1 */
}

static void entry_is_held_until_issue(void **state)
{
	struct pms_calendar *c = *state;
	pms_calendar_issue(c, 3, 1, 1, 2);
	pms_calendar_issue(c, 9, 1, 1, 2);
	pms_calendar_issue(c, 6, 1, 1, 7);
	pms_calendar_issue(c, 6, 2, 1, 0); /* queue 0 is none */
	assert_int_equal(pms_calendar_occupancy(c, 2), 2);
	assert_int_equal(pms_calendar_occupancy(c, 7), 1);
	assert_int_equal(c->occupied & 0xff, 0);
	assert_int_equal(pms_calendar_next_release(c, 2), 3);
	assert_int_equal(pms_calendar_next_release(c, 7), 6);
	pms_calendar_advance(c, 2);
	assert_int_equal(pms_calendar_occupancy(c, 2), 2);
	pms_calendar_advance(c, 3);
	assert_int_equal(pms_calendar_occupancy(c, 2), 1);
	assert_int_equal(pms_calendar_next_release(c, 2), 9);
	pms_calendar_advance(c, 1); /* the past changes nothing */
	assert_int_equal(c->now, 3);
	assert_int_equal(pms_calendar_issue(c, 3, 0, 1, 2), 3); /* at once: never held */
	assert_int_equal(pms_calendar_occupancy(c, 2), 1);
	pms_calendar_advance(c, 3000);
	assert_int_equal(c->occupied, 0);
}

static void operation_without_port_issues_when_ready(void **state)
{
	struct pms_calendar *c = *state;
	assert_int_equal(pms_calendar_issue(c, 8, 0xffff, 1, 0), 8);
	for (unsigned i = 0; i < 20; i++)
		assert_int_equal(pms_calendar_issue(c, 8, 0, 1, 3), 8);
	assert_int_equal(pms_calendar_occupancy(c, 3), 20);
	pms_calendar_advance(c, 8);
	assert_int_equal(pms_calendar_occupancy(c, 3), 0);
}

static void beyond_the_ring_no_port_is_booked(void **state)
{
	struct pms_calendar *c = *state;
	pms_calendar_advance(c, 100); /* the ring ends with 4195 */
	assert_int_equal(pms_calendar_issue(c, 4196, 1, 1, 4), 4196);
	assert_int_equal(pms_calendar_issue(c, 4196, 1, 1, 4), 4196);
	assert_int_equal(pms_calendar_issue(c, 9999, 1, 1, 4), 9999);
	assert_int_equal(pms_calendar_issue(c, 4195, 1, 1, 4), 4195); /* the last one */
	assert_int_equal(pms_calendar_issue(c, 4195, 1, 1, 4), 4196);
	assert_int_equal(pms_calendar_occupancy(c, 4), 5);
	assert_int_equal(pms_calendar_next_release(c, 4), 4195);
	pms_calendar_advance(c, 4194);
	assert_int_equal(pms_calendar_occupancy(c, 4), 5);
	pms_calendar_advance(c, 4195);
	assert_int_equal(pms_calendar_occupancy(c, 4), 0);
}

static void jump_past_the_ring_empties_it(void **state)
{
	struct pms_calendar *c = *state;
	for (unsigned i = 0; i < 200; i++)
		pms_calendar_issue(c, i * 20, 1, 1, 5);
	pms_calendar_advance(c, 1000000);
	assert_int_equal(c->occupied, 0);
	for (unsigned i = 0; i < 4096; i++)
		assert_int_equal(pms_calendar_issue(c, 1000000 + i, 1, 1, 0), 1000000 + i);
}

/* What is known to be full for one class says nothing of others, though their memos collide. */
static void stretch_full_for_one_class_is_open_for_another(void **state)
{
	struct pms_calendar *c = *state;
	for (unsigned i = 0; i < 800; i++) {
		unsigned few = 2 + i % 40, many = 101 + i / 40;
		pms_calendar_init(c);
		assert_int_equal(pms_calendar_issue(c, 101, 1, 1, 0), 101);
		assert_int_equal(pms_calendar_issue(c, 1, 1, many, 0), 102);
		assert_int_equal(pms_calendar_issue(c, 1, 1, few, 0), 1);
	}
	for (unsigned ports = 2; ports < 400; ports += 2) {
		pms_calendar_init(c);
		assert_int_equal(pms_calendar_issue(c, 1, 1, 200, 0), 1);
		assert_int_equal(pms_calendar_issue(c, 1, 1, 2, 0), 201);
		assert_int_equal(pms_calendar_issue(c, 1, (uint32_t)ports, 2, 0), 1);
	}
}

/* The reference: a day book of all cycles there will be, and a list of releases. */
enum { CYCLES = 40000 };
struct naive {
	uint64_t now;
	uint32_t busy[CYCLES];
	uint64_t release[8][CYCLES]; /* how many of the queue are given back in the cycle */
};

static bool naive_free(const struct naive *n, uint64_t cycle, unsigned port, unsigned busy_cycles)
{
	for (uint64_t k = cycle; k < cycle + busy_cycles && k < n->now + 4096; k++)
		if (n->busy[k] >> port & 1)
			return false;
	return true;
}

static uint64_t naive_book(struct naive *n, uint64_t earliest, uint32_t ports, unsigned busy_cycles)
{
	for (uint64_t cycle = earliest; ports && cycle < n->now + 4096; cycle++)
		for (unsigned port = 0; port < 32; port++) {
			if (!(ports >> port & 1) || !naive_free(n, cycle, port, busy_cycles))
				continue;
			for (uint64_t k = cycle; k < cycle + busy_cycles && k < n->now + 4096; k++)
				n->busy[k] |= UINT32_C(1) << port;
			return cycle;
		}
	return ports && earliest < n->now + 4096 ? n->now + 4096 : earliest;
}

static unsigned naive_occupancy(const struct naive *n, unsigned queue, uint64_t *next)
{
	unsigned sum = 0;
	for (uint64_t k = n->now + 4095; k > n->now; k--) {
		sum += (unsigned)n->release[queue][k];
		*next = n->release[queue][k] ? k : *next;
	}
	return sum;
}

static void compare_issue(struct pms_calendar *c, struct naive *n, uint64_t *seed)
{
	/* Few combinations, so that ports saturate and the memos are used. */
	static const struct {
		uint32_t ports;
		uint8_t busy_cycles;
	} classes[] = { { 1, 1 },  { 6, 1 },	       { 14, 1 }, { 8, 12 },
			{ 24, 3 }, { 0x80000000, 40 }, { 0, 1 } };
	uint64_t k = random_below(seed, sizeof(classes) / sizeof(classes[0]));
	uint8_t queue = (uint8_t)random_below(seed, 8);
	uint32_t ports = classes[k].ports;
	uint8_t busy_cycles = classes[k].busy_cycles;
	if (random_below(seed, 20) == 0) { /* and many, so that memos are taken over */
		ports = (uint32_t)random_below(seed, 64);
		busy_cycles = (uint8_t)(1 + random_below(seed, 20));
	}
	uint64_t earliest = n->now + random_below(seed, random_below(seed, 50) ? 60 : 5000);
	if (queue && pms_calendar_occupancy(c, queue) == 255)
		queue = 0;
	uint64_t want = naive_book(n, earliest, ports, busy_cycles);
	assert_int_equal(pms_calendar_issue(c, earliest, ports, busy_cycles, queue), want);
	if (queue && want > n->now)
		n->release[queue][want < n->now + 4095 ? want : n->now + 4095]++;
}

static void agrees_with_a_naive_calendar(void **state)
{
	struct pms_calendar *c = *state;
	struct naive *n = calloc(1, sizeof(*n));
	assert_non_null(n);
	uint64_t seed = 4;
	while (n->now < CYCLES - 10000) {
		for (uint64_t i = random_below(&seed, 6); i > 0; i--)
			compare_issue(c, n, &seed);
		uint64_t how = random_below(&seed, 400);
		n->now += how == 0 ? 6000 : how < 4 ? random_below(&seed, 300) : how % 4;
		pms_calendar_advance(c, n->now);
		assert_int_equal(c->now, n->now);
		uint8_t queue = (uint8_t)(1 + random_below(&seed, 7));
		uint64_t next = 0;
		assert_int_equal(pms_calendar_occupancy(c, queue),
				 naive_occupancy(n, queue, &next));
		if (next)
			assert_int_equal(pms_calendar_next_release(c, queue), next);
	}
	free(n);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(port_takes_one_operation_a_cycle),
		TEST(a_port_can_be_taken_without_an_entry),
		TEST(lowest_free_port_is_taken),
		TEST(unpipelined_operation_needs_its_cycles_in_a_row),
		TEST(entry_is_held_until_issue),
		TEST(operation_without_port_issues_when_ready),
		TEST(beyond_the_ring_no_port_is_booked),
		TEST(jump_past_the_ring_empties_it),
		TEST(stretch_full_for_one_class_is_open_for_another),
		TEST(agrees_with_a_naive_calendar),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
