/* SPDX-License-Identifier: MIT */
/* Run a program on the model twice, with places and without, and compare: both count the same, and
 * what is charged to instructions adds up to it.
 *
 * usage: where_sums [-r FUNCTION] [-f FORWARD] [-s WARM,DETAIL,SKIP] [-L ROOT] [-pvk] PROGRAM...
 * -p: print the rows: object, address, thread, cycles, instructions. -v: the program
 * counts differently each time, as threads do. -k: and it is killed. The environment names the
 * plugins: PLUGIN, PLUGIN_WHERE. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmuscope/collect.h"
#include "pmuscope/profile.h"

static int failed;

static void check(const char *what, uint64_t got, uint64_t want)
{
	if (got == want)
		return;
	fprintf(stderr, "%s: %" PRIu64 ", counted %" PRIu64 "\n", what, got, want);
	failed = 1;
}

static uint64_t count_of(const struct pms_counts *counts, const char *event)
{
	int64_t i = pms_catalog_find_event(counts->catalog, event);
	return i < 0 ? UINT64_MAX : counts->total.counts[i].value;
}

static uint64_t sum_of(const struct pms_profile *p, const char *kind)
{
	int i = pms_profile_find_kind(p, kind);
	return i < 0 ? UINT64_MAX : pms_profile_sum(p, (size_t)i);
}

static uint64_t sum_of_share(const struct pms_profile *p, enum pms_profile_share share)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < p->n_kinds; i++)
		if (p->kinds[i].share == share)
			sum += pms_profile_sum(p, i);
	return sum;
}

/* What nobody is charged for: nothing, but for a thread's border cycles where windows are counted.
 */
static void check_rest(const struct pms_profile *p, uint64_t windows, int sampled)
{
	for (size_t row = 0; row < p->n_rows; row++)
		for (size_t i = 0; i < p->n_kinds; i++) {
			uint64_t rest = pms_profile_value(p, row, i);
			const char *name = p->kinds[i].name;
			if (p->rows[row].place.object != PMS_PROFILE_NONE || !rest ||
			    (sampled && rest == 1)) /* an estimate is rounded */
				continue;
			if (!windows ||
			    (strcmp(name, "cycles") && strcmp(name, "slots_fe_fetch")) ||
			    rest > 8 * windows)
				check(name, rest, 0);
		}
}

static void check_sums(const struct pms_profile *p, const struct pms_counts *counts, int whole)
{
	static const struct {
		const char *kind, *event;
	} same[] = {
		{ "cycles", "CPU_CYCLES" },	      { "instructions", "INST_RETIRED" },
		{ "slots_retired", "OP_RETIRED" },    { "mispredicted", "BR_MIS_PRED" },
		{ "l1i_refill", "L1I_CACHE_REFILL" }, { "itlb_walk", "ITLB_WALK" },
		{ "dtlb_walk", "DTLB_WALK" },	      { "last_level_rd", "LL_CACHE_RD" },
		{ "exceptions", "EXC_TAKEN" },	      { "stall_backend", "STALL_BACKEND" },
	};
	const uint64_t about = whole ? 0 : 8; /* sums of estimates are rounded one by one */
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		check(same[i].kind, sum_of(p, same[i].kind), count_of(counts, same[i].event));
	struct {
		const char *what;
		uint64_t got, want;
	} shares[] = {
		{ "frontend", sum_of_share(p, PMS_PROFILE_FRONTEND),
		  count_of(counts, "STALL_SLOT_FRONTEND") },
		{ "backend", sum_of_share(p, PMS_PROFILE_BACKEND),
		  count_of(counts, "STALL_SLOT_BACKEND") },
		{ "flushed", sum_of_share(p, PMS_PROFILE_BAD_SPECULATION),
		  count_of(counts, "OP_SPEC") - count_of(counts, "OP_RETIRED") },
	};
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++)
		if (shares[i].got - shares[i].want + about > 2 * about)
			check(shares[i].what, shares[i].got, shares[i].want);
	uint64_t slots = 0, edges = 0, missed = 0;
	for (int share = PMS_PROFILE_RETIRING; share <= PMS_PROFILE_BACKEND; share++)
		slots += sum_of_share(p, (enum pms_profile_share)share);
	if (whole)
		check("slots", slots, p->slots_per_cycle * count_of(counts, "CPU_CYCLES"));
	for (size_t i = 0; i < p->n_edges; i++) {
		edges += p->edges[i].count;
		missed += p->edges[i].mispredicted;
	}
	if (whole) {
		check("mispredicted edges", missed, count_of(counts, "BR_MIS_PRED_RETIRED"));
		/* All but those that a signal hid. */
		if (edges > count_of(counts, "BR_RETIRED") ||
		    edges + 10 < count_of(counts, "BR_RETIRED"))
			check("edges", edges, count_of(counts, "BR_RETIRED"));
	}
}

static void check_same(const struct pms_counts *a, const struct pms_counts *b)
{
	for (size_t i = 0; i < pms_catalog_events(a->catalog); i++)
		check(pms_catalog_event(a->catalog, i)->name, a->total.counts[i].value,
		      b->total.counts[i].value);
}

static void print_rows(const struct pms_profile *p)
{
	int cycles = pms_profile_find_kind(p, "cycles");
	int insns = pms_profile_find_kind(p, "instructions");
	for (size_t i = 0; i < p->n_rows; i++) {
		const struct pms_profile_place *at = &p->rows[i].place;
		printf("%s %#" PRIx64 " %s %" PRIu64 " %" PRIu64 "\n",
		       at->object == PMS_PROFILE_NONE ? "-" : p->objects[at->object].path,
		       at->address,
		       at->thread == PMS_PROFILE_NONE ? "-" : p->threads[at->thread].name,
		       pms_profile_value(p, i, (size_t)cycles),
		       pms_profile_value(p, i, (size_t)insns));
	}
}

int main(int argc, char **argv)
{
	struct pms_vcore_options options = { .data = getenv("PMUSCOPE_DATA") };
	struct pms_error err = { 0 };
	struct pms_catalog *catalog = NULL;
	struct pms_counts *with = NULL, *without = NULL;
	int print = 0, rest = 0, varies = 0;
	for (int c; (c = getopt(argc, argv, "+r:f:s:L:pkv")) != -1;) {
		if (c == 'r')
			options.region = optarg;
		else if (c == 'f')
			options.forward = strtoull(optarg, NULL, 10);
		else if (c == 'L')
			options.sysroot = optarg;
		else if (c == 'p')
			print = 1;
		else if (c == 'k')
			rest = varies = 1;
		else if (c == 'v')
			varies = 1;
		else if (c != 's' || sscanf(optarg, "%" SCNu64 ",%" SCNu64 ",%" SCNu64,
					    &options.warm, &options.detail, &options.skip) != 3)
			return 2;
	}
	options.plugin = getenv("PLUGIN");
	int rc = pms_catalog_load(options.data, "neoverse-v1", &catalog, &err);
	if (!rc)
		rc = pms_collect_vcore(catalog, argv + optind, &options, &without, &err);
	options.plugin = getenv("PLUGIN_WHERE");
	options.places = 1;
	if (!rc)
		rc = pms_collect_vcore(catalog, argv + optind, &options, &with, &err);
	if (rc) {
		fprintf(stderr, "where_sums: %s: %s\n", err.source, err.text);
		return 2;
	}
	if (!varies)
		check_same(with, without);
	check_sums(with->profile, with, !options.detail);
	const struct pms_extent *extent = &with->provenance.extent;
	if (!rest)
		check_rest(with->profile, options.detail ? 1000 : extent->entries * with->n_scopes,
			   options.detail != 0);
	if (print)
		print_rows(with->profile);
	pms_counts_free(with);
	pms_counts_free(without);
	pms_catalog_free(catalog);
	return failed;
}
