/* SPDX-License-Identifier: MIT */
/* Warn of what a program did and the model cannot see: without a warning the report would look
 * sure of numbers that cannot show it. docs/use/methodology.md has the thresholds. */
#include "collect/vrun/tally.h"

#include <inttypes.h>
#include <math.h>

/* Every program's start-up has fewer, which do not matter. */
enum { FEW = 100 };

/* An instruction that can cost or save hundreds of cycles, memory's latency, matters at 1 of
 * 10,000: that is a few percent of the cycles. One that costs tens matters at 1 of 1000. */
static const double dear = 1e-4, cheap = 1e-3;
/* A second thread with less of the work than this cannot lose more by sharing. */
static const double hardly_works = 0.01;

static const struct sight {
	enum pms_counter counter;
	const double *least; /* the warning's threshold, as a share of the instructions */
	const char *what, *missing;
} sights[] = {
	{ PMS_COUNTER_UNSEEN_PREFETCHES, &dear, "prefetch instructions",
	  "the model does not see where they go, and what they gain is in no number" },
	{ PMS_COUNTER_UNSEEN_ZEROING, &cheap, "dc zva instructions, by which memset clears memory",
	  "the model does not see where they go, and their cache and TLB accesses are missing" },
	{ PMS_COUNTER_UNSEEN_ACCESSES, &cheap, "loads and stores of SVE or of memory tags",
	  "the model does not see where they go, and their cache and TLB accesses are missing" },
	{ PMS_COUNTER_EXC_SVC, &cheap, "system calls",
	  "each costs the model a refill of the pipeline, and the kernel's own time is missing" },
};

static uint64_t counter_sum(const struct pms_share *share, enum pms_counter counter)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < pms_tally_threads(share); i++)
		sum += share->threads[i].counters[counter];
	return sum;
}

/* Returns how many instructions each counted one stands for. */
static double stands_for(const struct pms_share *share, uint64_t counted)
{
	uint64_t ran = 0;
	for (uint32_t i = 0; i < pms_tally_threads(share); i++)
		ran += share->threads[i].instructions;
	return share->extent.detail && counted ? (double)ran / (double)counted : 1;
}

static bool is_worth_telling(uint64_t count, uint64_t of, double least)
{
	return count >= FEW && (double)count >= least * (double)of;
}

static int sight_warning(struct pms_counts *counts, const struct pms_share *share,
			 const struct sight *sight, uint64_t retired)
{
	uint64_t count = counter_sum(share, sight->counter);
	if (!is_worth_telling(count, retired, *sight->least))
		return 0;
	return pms_counts_warn(counts, "%.0f %s (%.1f in 1000): %s",
			       round((double)count * stands_for(share, retired)), sight->what,
			       1000 * (double)count / (double)retired, sight->missing);
}

/* Warn of several threads: lines shared by plain stores leave no other trace. */
static int threads_warning(struct pms_counts *counts, const struct pms_share *share,
			   uint64_t retired)
{
	uint64_t most = 0, atomics = counter_sum(share, PMS_COUNTER_ATOMICS);
	unsigned n = 0;
	for (uint32_t i = 0; i < pms_tally_threads(share); i++) {
		uint64_t one = share->threads[i].counters[PMS_COUNTER_INST_RETIRED];
		most = one > most ? one : most;
		n += one > 0;
	}
	if ((double)(retired - most) < hardly_works * (double)retired || n < 2)
		return 0;
	int rc =
		pms_counts_warn(counts,
				"%u threads ran, each on a core with caches of its own: lines that "
				"they share, locks that they wait for and memory that they compete "
				"for cost nothing here",
				n);
	if (rc || !is_worth_telling(atomics, retired, dear))
		return rc;
	return pms_counts_warn(
		counts,
		"%.0f atomic and exclusive instructions (%.1f in 1000): each takes the "
		"time of one that no other thread disturbs",
		round((double)atomics * stands_for(share, retired)),
		1000 * (double)atomics / (double)retired);
}

int pms_tally_sight(struct pms_counts *counts, const struct pms_share *share)
{
	uint64_t retired = counter_sum(share, PMS_COUNTER_INST_RETIRED);
	int rc = 0;
	for (size_t i = 0; i < sizeof(sights) / sizeof(sights[0]) && !rc; i++)
		rc = sight_warning(counts, share, &sights[i], retired);
	return rc ? rc : threads_warning(counts, share, retired);
}
