/* SPDX-License-Identifier: MIT */
/* bench/bench_structs.c - nanoseconds an operation for each structure of the core model.
 * Run: build/bench/bench_structs. Seven runs each; median, fastest and slowest. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>

#include "vcore/model/btb.h"
#include "vcore/model/cache.h"
#include "vcore/model/calendar.h"
#include "vcore/model/indirect.h"
#include "vcore/model/ras.h"
#include "vcore/model/slots.h"
#include "vcore/model/stride.h"
#include "vcore/model/tage.h"
#include "vcore/model/tlb.h"

enum { RUNS = 7, COUNT = 1 << 20, INPUTS = 1 << 14, TABLES = 5, PATHS = 3 };

struct bench {
	uint64_t inputs[INPUTS]; /* random words, the same in each run */
	uint64_t sum;		 /* of results, so that the compiler keeps the work */
	struct pms_cache l1, slc;
	struct pms_tlb tlb;
	struct pms_slots slots;
	struct pms_calendar calendar;
	struct pms_history history;
	struct pms_tage tage;
	struct pms_indirect indirect;
	struct pms_btb btb;
	struct pms_ras ras;
	struct pms_stride stride;
};

static uint64_t input(const struct bench *b, unsigned i)
{
	return b->inputs[i % INPUTS];
}

static void access_cache(struct bench *b, struct pms_cache *c, uint64_t line)
{
	uint64_t victim;
	uint8_t flags;
	int64_t entry = pms_cache_find(c, line);
	if (entry < 0)
		entry = pms_cache_fill(c, line, &victim, &flags);
	b->sum += (uint64_t)entry;
}

static void cache_hits(struct bench *b)
{
	for (unsigned i = 0; i < COUNT; i++)
		access_cache(b, &b->l1, input(b, i) % 512);
}

static void cache_misses(struct bench *b)
{
	for (unsigned i = 0; i < COUNT; i++)
		access_cache(b, &b->l1, i);
}

static void slc_misses(struct bench *b)
{
	for (unsigned i = 0; i < COUNT; i++)
		access_cache(b, &b->slc, i * UINT64_C(7));
}

static void access_tlb(struct bench *b, uint64_t page)
{
	bool hit = pms_tlb_lookup(&b->tlb, page);
	if (!hit)
		pms_tlb_fill(&b->tlb, page);
	b->sum += hit;
}

static void tlb_hits(struct bench *b)
{
	for (unsigned i = 0; i < COUNT; i++)
		access_tlb(b, input(b, i) % 32);
}

static void tlb_misses(struct bench *b)
{
	for (unsigned i = 0; i < COUNT; i++)
		access_tlb(b, i % 4096);
}

static void slots(struct bench *b)
{
	for (unsigned i = 0; i < COUNT; i++) {
		uint64_t start = pms_slots_free_at(&b->slots, i);
		pms_slots_occupy(&b->slots, start, start + 20 + input(b, i) % 64);
		b->sum += start;
	}
}

/* Book four operations a cycle. Ports and times to readiness vary as in ordinary code. */
static void calendar_free(struct bench *b)
{
	for (unsigned i = 0; i < COUNT; i++) {
		static const uint32_t ports[] = { 0x3c, 0x1c0, 0x3c, 0x7800 };
		pms_calendar_advance(&b->calendar, b->calendar.now + (i % 4 == 0));
		b->sum += pms_calendar_issue(&b->calendar, b->calendar.now + 2 + input(b, i) % 16,
					     ports[i % 4], 1, 1 + i % 4);
	}
}

/* Send everything to one port, so that rename waits for room in the queue. */
static void calendar_saturated(struct bench *b)
{
	for (unsigned i = 0; i < COUNT; i++) {
		while (pms_calendar_occupancy(&b->calendar, 1) >= 60)
			pms_calendar_advance(&b->calendar,
					     pms_calendar_next_release(&b->calendar, 1));
		b->sum += pms_calendar_issue(&b->calendar, b->calendar.now + 2, 16, 1, 1);
	}
}

static void branch(struct bench *b, uint64_t pc, bool taken)
{
	struct pms_tage_look look;
	b->sum += pms_tage_predict(&b->tage, &b->history, pc, &look) == taken;
	pms_tage_update(&b->tage, pc, &look, taken);
	pms_history_push(&b->history, pc, taken);
}

/* Predict 60 branches in turn: most are biased, one ends a loop, one follows another. */
static void tage_ordinary(struct bench *b)
{
	bool tossed = false;
	for (unsigned i = 0; i < COUNT; i++) {
		unsigned which = i % 60;
		bool taken = which % 3 == 0;
		if (which == 7)
			taken = tossed = input(b, i) & 1;
		else if (which == 20)
			taken = tossed;
		else if (which == 40)
			taken = i / 60 % 7 != 0;
		branch(b, 0x400000 + which * 20, taken);
	}
}

static void tage_random(struct bench *b)
{
	for (unsigned i = 0; i < COUNT; i++)
		branch(b, 0x400000 + i % 60 * 20, input(b, i) & 1);
}

static void history_push(struct bench *b)
{
	for (unsigned i = 0; i < COUNT; i++)
		pms_history_push(&b->history, 0, input(b, i) & 1);
	b->sum += b->history.folds[0];
}

static void indirect(struct bench *b)
{
	for (unsigned i = 0; i < COUNT; i++) {
		struct pms_indirect_look look;
		uint64_t pc = 0x400000 + i % 5 * 400, target = 0x500000 + i % 35 * 64;
		b->sum += pms_indirect_predict(&b->indirect, &b->history, pc, &look) == target;
		pms_indirect_update(&b->indirect, pc, &look, target);
		pms_history_push_target(&b->history, pc, target);
	}
}

static void access_btb(struct bench *b, uint64_t pc)
{
	uint64_t target = 0;
	uint8_t kind;
	b->sum += (uint64_t)pms_btb_lookup(&b->btb, pc, &target, &kind);
	pms_btb_update(&b->btb, pc, pc + 64, 1);
}

static void btb_nano(struct bench *b)
{
	for (unsigned i = 0; i < COUNT; i++)
		access_btb(b, 0x400000 + i % 60 * 20);
}

static void btb_main(struct bench *b)
{
	for (unsigned i = 0; i < COUNT; i++)
		access_btb(b, 0x400000 + i % 4000 * 20);
}

static void ras(struct bench *b)
{
	for (unsigned i = 0; i < COUNT; i++) {
		pms_ras_push(&b->ras, i);
		b->sum += i % 4 ? pms_ras_pop(&b->ras) : 0;
	}
}

static void ras_save(struct bench *b)
{
	for (unsigned i = 0; i < COUNT; i++) {
		struct pms_ras saved = b->ras;
		pms_ras_push(&b->ras, i);
		b->sum += b->ras.address[i % PMS_RAS_MAX];
		b->ras = saved;
	}
}

static void stride(struct bench *b)
{
	for (unsigned i = 0; i < COUNT; i++)
		b->sum += pms_stride_train(&b->stride, 0x400000 + i % 20 * 4, i * 8).confidence;
}

static const struct {
	const char *name;
	void (*run)(struct bench *b);
} benches[] = {
	{ "cache 64 KiB 4-way, find, hits", cache_hits },
	{ "cache 64 KiB 4-way, find and fill", cache_misses },
	{ "cache 32 MiB 16-way, find and fill", slc_misses },
	{ "tlb 48 entries, lookup, hits", tlb_hits },
	{ "tlb 48 entries, lookup and fill", tlb_misses },
	{ "slots, 20", slots },
	{ "calendar, free ports", calendar_free },
	{ "calendar, one saturated port", calendar_saturated },
	{ "history push", history_push },
	{ "tage predict, update, push; ordinary", tage_ordinary },
	{ "tage predict, update, push; random", tage_random },
	{ "indirect predict, update, push", indirect },
	{ "btb lookup and update, nano", btb_nano },
	{ "btb lookup and update, main", btb_main },
	{ "ras push and pop", ras },
	{ "ras save and restore", ras_save },
	{ "stride train", stride },
};

static double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void measure(struct bench *b, const char *name, void (*run)(struct bench *b))
{
	double ns[RUNS];
	run(b);
	for (unsigned i = 0; i < RUNS; i++) {
		double start = now_ns();
		run(b);
		ns[i] = (now_ns() - start) / COUNT;
	}
	qsort(ns, RUNS, sizeof(ns[0]), by_value);
	printf("%-38s %7.2f  (%.2f to %.2f)\n", name, ns[RUNS / 2], ns[0], ns[RUNS - 1]);
}

static int setup(struct bench *b)
{
	uint64_t x = 1;
	for (unsigned i = 0; i < INPUTS; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		b->inputs[i] = x >> 20;
	}
	static const uint32_t lengths[TABLES] = { 6, 14, 32, 74, 160 };
	static const uint32_t targets[PATHS] = { 3, 9, 16 };
	pms_history_init(&b->history, lengths, TABLES);
	pms_slots_init(&b->slots, 20);
	pms_calendar_init(&b->calendar);
	pms_ras_init(&b->ras, 32);
	return pms_cache_init(&b->l1, 65536, 4, 64) < 0 ||
	       pms_cache_init(&b->slc, 32 << 20, 16, 64) < 0 || pms_tlb_init(&b->tlb, 48, 48) < 0 ||
	       pms_tage_init(&b->tage, 13, TABLES, 10) < 0 ||
	       pms_indirect_init(&b->indirect, 9, targets, PATHS, 16) < 0 ||
	       pms_btb_init(&b->btb, 96, 8192, 4) < 0 || pms_stride_init(&b->stride, 256) < 0;
}

int main(void)
{
	struct bench *b = calloc(1, sizeof(*b));
	struct utsname host;
	if (!b || uname(&host) < 0 || setup(b)) {
		fputs("bench_structs: out of memory\n", stderr);
		return 1;
	}
	printf("%s, compiler %s, pmuscope %s, %d runs of %d operations\n", host.machine,
	       __VERSION__, PMS_VERSION, RUNS, COUNT);
	printf("%-38s %7s\n", "", "ns/op");
	for (size_t i = 0; i < sizeof(benches) / sizeof(benches[0]); i++)
		measure(b, benches[i].name, benches[i].run);
	printf("(sum %" PRIx64 ")\n", b->sum);
	pms_cache_release(&b->l1);
	pms_cache_release(&b->slc);
	pms_tlb_release(&b->tlb);
	pms_tage_release(&b->tage);
	pms_indirect_release(&b->indirect);
	pms_btb_release(&b->btb);
	pms_stride_release(&b->stride);
	free(b);
	return 0;
}
