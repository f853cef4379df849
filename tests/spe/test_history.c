/* SPDX-License-Identifier: MIT */
/* Random lives of processes, told in any order, against a model that plays them up to each question
 * anew: lists that a fork copies and an exec empties. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../growth.h"
#include "../vcore/random.h"
#include "base/limits.h"
#include "heap.h"
#include "spe/data.h"
#include "spe/history.h"
#include "spe/samples.h"

enum { EVENTS = 300, ROUNDS = 60, QUESTIONS = 400, PIDS = 40, FIRST_PID = 100, MAPS = 400 };

enum kind { MAP, COMM, EXEC, FORK, THREAD, SWITCH };

/* Something that happens at a time of its own. */
struct event {
	enum kind kind;
	uint64_t time;
	int32_t pid, tid; /* FORK, THREAD: of the new one; pid of FORK's parent in `parent` */
	int32_t parent;
	uint64_t start, length, offset;
	char text[16]; /* path or name */
	uint32_t cpu;
};

struct mapping {
	uint64_t start, end, offset;
	const char *path;
};

/* What is so at a time. Threads are named by their tid alone; each process' first has its pid. */
struct world {
	struct mapping maps[PIDS][MAPS];
	size_t n_maps[PIDS];
	const char *name[PIDS]; /* by tid */
	int32_t pid_of[PIDS];	/* 0: there is no such thread */
	int32_t on[4];		/* by CPU */
};

static struct world world;

static size_t row(int32_t id)
{
	return (size_t)(id - FIRST_PID);
}

static void play(const struct event *e)
{
	struct world *w = &world;
	switch (e->kind) {
	case MAP:
		w->maps[row(e->pid)][w->n_maps[row(e->pid)]++] =
			(struct mapping){ e->start, e->start + e->length, e->offset, e->text };
		break;
	case EXEC:
		w->n_maps[row(e->pid)] = 0;
		w->name[row(e->tid)] = e->text;
		break;
	case COMM:
		w->name[row(e->tid)] = e->text;
		w->pid_of[row(e->tid)] = e->pid;
		break;
	case FORK:
		w->n_maps[row(e->pid)] = w->n_maps[row(e->parent)];
		memcpy(w->maps[row(e->pid)], w->maps[row(e->parent)], sizeof(w->maps[0]));
		w->name[row(e->tid)] = w->name[row(e->parent)];
		w->pid_of[row(e->tid)] = e->pid;
		break;
	case THREAD:
		w->name[row(e->tid)] = w->name[row(e->parent)];
		w->pid_of[row(e->tid)] = e->pid;
		break;
	case SWITCH:
		w->on[e->cpu] = e->tid;
		break;
	}
}

/* Events that make sense one after another, each some time after the one before. */
static void draw(struct event *events, uint64_t *random)
{
	int32_t processes[PIDS], threads[PIDS], next = FIRST_PID + 1;
	size_t n_processes = 1, n_threads = 1;
	processes[0] = threads[0] = FIRST_PID;
	int32_t process_of[PIDS] = { FIRST_PID };
	for (size_t i = 0; i < EVENTS; i++) {
		struct event *e = &events[i];
		*e = (struct event){ .time = 10 * i + 1 + random_below(random, 9) };
		e->kind = i ? (enum kind)random_below(random, 6) : COMM;
		if (random_below(random, 2))
			e->kind = i ? MAP : COMM;
		if (e->kind >= FORK && e->kind <= THREAD && next == FIRST_PID + PIDS)
			e->kind = MAP;
		int32_t process = processes[random_below(random, n_processes)];
		e->pid = e->tid = process;
		snprintf(e->text, sizeof(e->text), "/%c%d", e->kind == MAP ? 'm' : 'n',
			 (int)random_below(random, 6));
		if (e->kind == MAP) {
			e->start = 0x1000 * (1 + random_below(random, 40));
			e->length = 0x1000 * (1 + random_below(random, 8));
			/* Often the same bytes of the same file at the same place. */
			e->offset = random_below(random, 3) ? e->start : 0x1000;
		} else if (e->kind == FORK || e->kind == THREAD) {
			e->parent = process;
			e->tid = next++;
			e->pid = e->kind == FORK ? e->tid : process;
			if (e->kind == FORK)
				processes[n_processes++] = e->tid;
			process_of[n_threads] = e->pid;
			threads[n_threads++] = e->tid;
		} else if (e->kind == COMM || e->kind == SWITCH) {
			size_t t = (size_t)random_below(random, n_threads);
			e->tid = threads[t];
			e->pid = process_of[t];
			e->cpu = (uint32_t)random_below(random, 4);
		}
	}
}

static struct pms_perfdata_record record_of(const struct event *e)
{
	struct pms_perfdata_record r = {
		.id = { .have = PMS_PERFDATA_TIME | PMS_PERFDATA_CPU | PMS_PERFDATA_TID,
			.pid = e->pid,
			.tid = e->tid,
			.time = e->time,
			.cpu = e->cpu },
	};
	switch (e->kind) {
	case MAP:
		r.type = PMS_PERFDATA_MMAP2;
		r.misc = 2;
		r.mmap = (struct pms_perfdata_mmap){ .pid = e->pid,
						     .tid = e->tid,
						     .start = e->start,
						     .length = e->length,
						     .file_offset = e->offset,
						     .path = e->text };
		break;
	case COMM:
	case EXEC:
		r.type = PMS_PERFDATA_COMM;
		r.comm = (struct pms_perfdata_comm){ e->pid, e->tid, e->kind == EXEC, e->text };
		break;
	case FORK:
	case THREAD:
		r.type = PMS_PERFDATA_FORK;
		r.task = (struct pms_perfdata_task){ e->pid, e->kind == FORK ? e->parent : e->pid,
						     e->tid, e->parent, e->time };
		break;
	case SWITCH:
		r.type = PMS_PERFDATA_SWITCH;
		r.switch_ = (struct pms_perfdata_switch){ .pid = -1, .tid = -1 };
		break;
	}
	return r;
}

static void tell(struct pms_spe_history *h, const struct event *events, uint64_t *random)
{
	static const struct pms_perfdata_info info;
	uint16_t order[EVENTS];
	for (uint16_t i = 0; i < EVENTS; i++)
		order[i] = i;
	for (size_t i = EVENTS - 1; i > 0; i--) {
		size_t j = (size_t)random_below(random, i + 1);
		uint16_t other = order[i];
		order[i] = order[j];
		order[j] = other;
	}
	for (size_t i = 0; i < EVENTS; i++) {
		struct pms_perfdata_record r = record_of(&events[order[i]]);
		assert_int_equal(pms_history_add(h, &r), 0);
	}
	assert_int_equal(pms_history_settle(h, &info), 0);
}

/* Whether the mapping found is one that comes only later: a space is not cut where something is
 * mapped to where nothing was. */
static int comes_later(const struct event *events, uint64_t time, uint64_t address,
		       const struct pms_place *place)
{
	for (size_t i = 0; i < EVENTS; i++) {
		const struct event *e = &events[i];
		if (e->kind == MAP && e->time > time && e->start == place->start &&
		    address - e->start < e->length && !strcmp(e->text, place->object->path))
			return 1;
	}
	return 0;
}

static void ask_place(struct pms_spe_history *h, const struct event *events, int32_t pid,
		      uint64_t time, uint64_t address)
{
	struct pms_window window = { 0, UINT64_MAX };
	struct pms_place place;
	const struct mapping *want = NULL;
	uint32_t space = pms_history_space(h, pid, time, &window);
	pms_history_place(h, space, address, &place);
	for (size_t i = 0; i < world.n_maps[row(pid)]; i++) {
		const struct mapping *m = &world.maps[row(pid)][i];
		if (address >= m->start && address < m->end)
			want = m;
	}
	assert_true(time >= window.from && time < window.until);
	if (!want) {
		assert_true(!place.object || comes_later(events, time, address, &place));
		return;
	}
	if (!place.object || strcmp(place.object->path, want->path) != 0 ||
	    place.offset != address - want->start + want->offset)
		fail_msg("%d at %llu: %#llx is in %s+%#llx, not %s+%#llx", pid,
			 (unsigned long long)time, (unsigned long long)address,
			 place.object ? place.object->path : "nothing",
			 (unsigned long long)place.offset, want->path,
			 (unsigned long long)(address - want->start + want->offset));
}

static void ask_thread(struct pms_spe_history *h, int32_t tid, uint64_t time)
{
	struct pms_window window = { 0, UINT64_MAX };
	uint32_t thread;
	assert_int_equal(pms_history_thread(h, tid, -1, time, &thread, &window), 0);
	assert_true(time >= window.from && time < window.until);
	assert_string_equal(h->threads[thread].thread.comm, world.name[row(tid)]);
	assert_int_equal(h->threads[thread].thread.pid, world.pid_of[row(tid)]);
}

static void ask_cpu(const struct pms_spe_history *h, uint32_t cpu, uint64_t time)
{
	struct pms_window window = { 0, UINT64_MAX };
	const struct pms_history_on *on = pms_history_on_cpu(h, cpu, time, &window);
	assert_true(time >= window.from && time < window.until);
	assert_int_equal(on ? on->tid : 0, world.on[cpu]);
}

static int time_order(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static void ask(struct pms_spe_history *h, const struct event *events, uint64_t *random)
{
	uint64_t times[QUESTIONS];
	size_t done = 0;
	for (size_t i = 0; i < QUESTIONS; i++)
		times[i] = 10 + random_below(random, 10 * EVENTS);
	qsort(times, QUESTIONS, sizeof(times[0]), time_order);
	memset(&world, 0, sizeof(world));
	for (size_t i = 0; i < QUESTIONS; i++) {
		for (; done < EVENTS && events[done].time <= times[i]; done++)
			play(&events[done]);
		int32_t tid = FIRST_PID + (int32_t)random_below(random, PIDS);
		ask_cpu(h, (uint32_t)random_below(random, 4), times[i]);
		if (!world.pid_of[row(tid)])
			continue;
		ask_thread(h, tid, times[i]);
		for (int k = 0; k < 8; k++)
			ask_place(h, events, world.pid_of[row(tid)], times[i],
				  0x1000 + random_below(random, 0x30000));
	}
}

static void random_lives_are_as_they_were_played(void **state)
{
	static struct event events[EVENTS];
	uint64_t random = 11;
	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct pms_spe_history h = { 0 };
		draw(events, &random);
		tell(&h, events, &random);
		ask(&h, events, &random);
		pms_history_release(&h);
	}
}

/* In one space an address is one place, whatever the time: what the report's groups rest on. */
static void a_space_never_changes(void **state)
{
	static struct event events[EVENTS];
	uint64_t random = 12;
	size_t spaces = 0;
	(void)state;
	for (int round = 0; round < 10; round++) {
		struct pms_spe_history h = { 0 };
		draw(events, &random);
		tell(&h, events, &random);
		spaces += h.n_spaces;
		for (uint32_t s = 0; s < h.n_spaces; s++) {
			int32_t pid = h.lives[h.spaces[s].life].pid;
			struct pms_window window = { 0, UINT64_MAX };
			if (pid < 0 || h.spaces[s].from == h.spaces[s].until)
				continue;
			assert_int_equal(pms_history_space(&h, pid, h.spaces[s].from, &window), s);
			if (h.spaces[s].until != UINT64_MAX)
				assert_int_equal(
					pms_history_space(&h, pid, window.until - 1, &window), s);
		}
		pms_history_release(&h);
	}
	assert_true(spaces > 100);
}

/* Of a file with more to tell than is kept, what comes first is kept and the rest counted. What is
 * kept takes no more memory than was reckoned, but for arrays of which half is not used. */
static void no_more_is_kept_than_the_bound(void **state)
{
	static const struct pms_perfdata_info info;
	enum { BOUND = 1 << 20, ROWS = 40000 };
	static const enum kind kinds[] = { SWITCH, COMM, FORK, MAP };
	(void)state;
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		struct pms_spe_history h = { .spare = BOUND };
		struct event e = { .kind = kinds[k], .start = 0x1000, .length = 0x1000 };
		size_t before = heap_bytes();
		for (int32_t i = 0; i < ROWS; i++) {
			e.time = (uint64_t)i + 1;
			e.pid = e.tid = FIRST_PID + i;
			snprintf(e.text, sizeof(e.text), "/%d", i);
			struct pms_perfdata_record r = record_of(&e);
			assert_int_equal(pms_history_add(&h, &r), 0);
		}
		assert_in_range(heap_bytes() - before, h.cost / 4, 2 * BOUND);
		assert_int_equal(pms_history_settle(&h, &info), 0);
		assert_in_range(heap_bytes() - before, 0, 2 * BOUND);
		assert_in_range(h.cost, BOUND - 1000, BOUND);
		assert_in_range(h.left_out, ROWS / 2, ROWS - 1);
		size_t kept[] = { h.n_ons, h.n_threads - 1, h.n_threads - 1, h.maps.count };
		assert_int_equal(kept[k] + h.left_out, ROWS);
		pms_history_release(&h);
	}
}

/* Records may take as much again as they are long, and three times more. */
static void long_records_have_room(void **state)
{
	static const struct pms_perfdata_info info;
	enum { ROWS = 40000, SIZE = 160 };
	struct pms_spe_history h = { .spare = 1 << 10 };
	struct event e = { .kind = MAP, .start = 0x1000, .length = 0x1000 };
	(void)state;
	for (int32_t i = 0; i < ROWS; i++) {
		e.time = (uint64_t)i + 1;
		e.pid = e.tid = FIRST_PID + i % 10;
		struct pms_perfdata_record r = record_of(&e);
		r.size = SIZE;
		assert_int_equal(pms_history_add(&h, &r), 0);
	}
	assert_int_equal(h.left_out, 0);
	assert_int_equal(pms_history_settle(&h, &info), 0);
	assert_int_equal(h.maps.count, ROWS);
	pms_history_release(&h);
}

/* A name of a thread is one of the kernel's, and a path one that a system call takes. */
static void names_are_cut_to_what_linux_has(void **state)
{
	static const struct pms_perfdata_info info;
	static char name[60000];
	struct pms_spe_history h = { 0 };
	struct pms_place place;
	struct pms_window window = { 0, UINT64_MAX };
	uint32_t thread;
	(void)state;
	memset(name, 'n', sizeof(name) - 1);
	struct pms_perfdata_record r = { .type = PMS_PERFDATA_COMM,
					 .comm = { FIRST_PID, FIRST_PID, 0, name } };
	assert_int_equal(pms_history_add(&h, &r), 0);
	r.comm = (struct pms_perfdata_comm){ FIRST_PID, FIRST_PID + 1, 0, "fifteen letters" };
	assert_int_equal(pms_history_add(&h, &r), 0);
	name[0] = '/';
	r = (struct pms_perfdata_record){ .type = PMS_PERFDATA_MMAP,
					  .misc = 2,
					  .mmap = { .pid = FIRST_PID,
						    .tid = FIRST_PID,
						    .start = 0x1000,
						    .length = 0x1000,
						    .path = name } };
	assert_int_equal(pms_history_add(&h, &r), 0);
	assert_int_equal(pms_history_settle(&h, &info), 0);
	assert_int_equal(h.names_cut, 2);
	assert_int_equal(pms_history_thread(&h, FIRST_PID, -1, 1, &thread, &window), 0);
	assert_string_equal(h.threads[thread].thread.comm, "nnnnnnnnnnnnnnn");
	assert_int_equal(pms_history_thread(&h, FIRST_PID + 1, -1, 1, &thread, &window), 0);
	assert_string_equal(h.threads[thread].thread.comm, "fifteen letters");
	assert_int_equal(
		pms_history_place(&h, pms_history_space(&h, FIRST_PID, 1, &window), 0x1000, &place),
		1);
	assert_int_equal(strlen(place.object->path), 4095);
	assert_memory_equal(place.object->path, name, 4095);
	pms_history_release(&h);
}

static void add(struct pms_spe_history *h, const struct event *e)
{
	struct pms_perfdata_record r = record_of(e);
	r.size = 48;
	assert_int_equal(pms_history_add(h, &r), 0);
}

/* A file with so many mappings of anonymous memory above it, each with an address of its own. */
static void tell_stack_of_mappings(struct pms_spe_history *h, uint64_t n)
{
	static const struct pms_perfdata_info info;
	struct event e = { .kind = MAP, .time = 1, .pid = FIRST_PID, .tid = FIRST_PID };
	e.start = e.length = 0x1000;
	snprintf(e.text, sizeof(e.text), "/file");
	add(h, &e);
	for (uint64_t i = 0; i < n; i++) {
		e.start += 0x1000;
		snprintf(e.text, sizeof(e.text), "//anon%d", (int)(i % 2));
		add(h, &e);
	}
	assert_int_equal(pms_history_settle(h, &info), 0);
}

static void a_file_is_found_below_so_many_mappings(void **state)
{
	struct pms_window window = { 0, UINT64_MAX };
	struct pms_place place;
	(void)state;
	/* The address lies in the last mapping; the file's own is one of those looked at. */
	for (uint64_t n = PMS_MOST_IMAGE_STRETCHES - 2; n <= PMS_MOST_IMAGE_STRETCHES + 1; n++) {
		struct pms_spe_history h = { 0 };
		tell_stack_of_mappings(&h, n);
		uint32_t space = pms_history_space(&h, FIRST_PID, 2, &window);
		pms_history_image(&h, space, 0x1000 * (n + 1), 0, &place);
		if (!place.object != (n >= PMS_MOST_IMAGE_STRETCHES))
			fail_msg("%d mappings above it: %s", (int)n,
				 place.object ? place.object->path : "none");
		pms_history_release(&h);
	}
}

/* Of so many pages the file is remembered; of others it is found each time, and is the same. */
static void data_is_found_beyond_the_pages_that_are_remembered(void **state)
{
	static const struct pms_perfdata_info info;
	static struct pms_spe_samples samples;
	enum { PAGE = 0x1000, BEYOND = 10 };
	struct event e = { .kind = MAP, .time = 1, .pid = FIRST_PID, .tid = FIRST_PID };
	struct pms_data data = { .samples = &samples };
	struct pms_window window = { 0, UINT64_MAX };
	(void)state;
	e.start = PAGE;
	e.length = (uint64_t)PAGE * (PMS_MOST_SPE_DATA_PAGES + BEYOND);
	snprintf(e.text, sizeof(e.text), "/file");
	add(&samples.history, &e);
	assert_int_equal(pms_history_settle(&samples.history, &info), 0);
	assert_int_equal(pms_symbols_open(NULL, &data.symbols, NULL), 0);
	uint32_t space = pms_history_space(&samples.history, FIRST_PID, 2, &window);
	for (uint64_t i = 0; i < PMS_MOST_SPE_DATA_PAGES + BEYOND; i++) {
		struct pms_datum datum;
		assert_int_equal(pms_data_find(&data, space, PAGE * (i + 1), &datum), 0);
		if (!datum.object || strcmp(datum.object->path, "/file") != 0)
			fail_msg("page %d: %s", (int)i, datum.name);
	}
	assert_int_equal(data.n_images, PMS_MOST_SPE_DATA_PAGES);
	struct pms_symbols *symbols = data.symbols;
	pms_data_release(&data);
	pms_symbols_close(symbols);
	pms_history_release(&samples.history);
}

enum shape { FALLING, NESTED, COVERED, FORKS, FORKS_COVERED };

/* @n mappings: each below the one before; each within; all but the first below it. Or forks, each
 * from the one before, or all of one that has as many mappings, which each of them maps over. */
static void tell_shape(struct pms_spe_history *h, enum shape shape, uint64_t n)
{
	struct event e = { .kind = MAP, .pid = FIRST_PID, .tid = FIRST_PID, .text = "/a" };
	for (uint64_t i = 0; i < n; i++) {
		e.time = i + 1;
		e.offset = i << 20; /* what it means is its own */
		e.start = shape == FALLING  ? 0x4000 * (n - i)
			  : shape == NESTED ? 0x1000 * (i + 1)
					    : 0x10000000 + 0x2000 * i;
		e.length = shape == NESTED ? 0x2000 * (n - i) : 0x1000;
		if (shape == COVERED && !i) {
			e.start = 0x1000;
			e.length = UINT64_C(1) << 46;
		}
		if (shape != FORKS || !i)
			add(h, &e);
	}
	for (uint64_t i = 0; i < n && shape >= FORKS; i++) {
		int32_t child = FIRST_PID + 1 + (int32_t)i;
		e = (struct event){ .kind = FORK, .pid = child, .tid = child, .time = n + 3 * i };
		e.parent = shape == FORKS ? child - 1 : FIRST_PID;
		add(h, &e);
		e.kind = MAP;
		e.time++;
		e.start = shape == FORKS ? 0x100000000 + 0x2000 * i : 0x1000;
		e.length = shape == FORKS ? 0x1000 : UINT64_C(1) << 46;
		strcpy(e.text, "/b");
		add(h, &e);
	}
}

/* Where the shape's mappings are, by their rule. */
static void ask_shape(struct pms_spe_history *h, enum shape shape, uint64_t n)
{
	uint64_t random = 13, all = 10 * n;
	for (int i = 0; i < 50000; i++) {
		struct pms_window window = { 0, UINT64_MAX };
		struct pms_place place;
		uint64_t k = random_below(&random, n), address = 0x10000800 + 0x2000 * k,
			 want = k << 20;
		int32_t pid =
			FIRST_PID + (shape >= FORKS ? (int32_t)random_below(&random, n) + 1 : 0);
		if (shape == FALLING)
			address = 0x4000 * (n - k) + 0x800;
		if (shape == NESTED)
			address = 0x1000 * (k + 1);
		if (shape == COVERED && !k)
			address = 0x100000000000;
		if (shape == FORKS)
			address = 0x10000000;
		uint32_t space = pms_history_space(h, pid, all, &window);
		assert_int_equal(pms_history_place(h, space, address, &place), 1);
		if (shape == FORKS_COVERED)
			assert_string_equal(place.object->path, "/b");
		else
			assert_int_equal(place.offset - (address - place.start),
					 shape == FORKS ? 0 : want);
	}
}

static void time_goes_with_the_number_of_mappings(void **state)
{
	static const struct pms_perfdata_info info;
	enum { N = 100000 };
	(void)state;
	growth_needs_a_fast_machine();
	for (enum shape shape = FALLING; shape <= FORKS_COVERED; shape++) {
		struct pms_spe_history h = { .spare = 1 << 29 };
		tell_shape(&h, shape, N);
		assert_int_equal(h.left_out, 0);
		assert_int_equal(pms_history_settle(&h, &info), 0);
		ask_shape(&h, shape, N);
		pms_history_release(&h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_lives_are_as_they_were_played),
		cmocka_unit_test(a_space_never_changes),
		cmocka_unit_test(no_more_is_kept_than_the_bound),
		cmocka_unit_test(long_records_have_room),
		cmocka_unit_test(names_are_cut_to_what_linux_has),
		cmocka_unit_test(a_file_is_found_below_so_many_mappings),
		cmocka_unit_test(data_is_found_beyond_the_pages_that_are_remembered),
		cmocka_unit_test(time_goes_with_the_number_of_mappings),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
