/* SPDX-License-Identifier: MIT */
/* The numbers of a row, by name. docs/use/spe-report.md says what each means. */
#include <math.h>
#include <string.h>

#include "pmuscope/spe_report.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct measure {
	struct pms_spe_measure about;
	int (*get)(const struct pms_spe_report *report, const struct pms_spe_row *row,
		   unsigned what, double *value);
	unsigned what;
};

static int ratio(uint64_t part, uint64_t whole, double *value)
{
	*value = whole ? (double)part / (double)whole : 0;
	return whole != 0;
}

/* Counts --------------------------------------------------------------------------------------- */

static int get_records(const struct pms_spe_report *report, const struct pms_spe_row *row,
		       unsigned what, double *value)
{
	(void)report;
	(void)what;
	*value = (double)row->records;
	return 1;
}

enum { SHARE, SHARE_LOW, SHARE_HIGH };

static int get_share(const struct pms_spe_report *report, const struct pms_spe_row *row,
		     unsigned what, double *value)
{
	uint64_t all = pms_spe_report_total(report)->records;
	double low, high;
	if (what == SHARE || !all)
		return ratio(row->records, all, value);
	pms_spe_share(row->records, all, &low, &high);
	*value = what == SHARE_LOW ? low : high;
	return 1;
}

enum { ESTIMATE, ESTIMATE_LOW, ESTIMATE_HIGH };

static int get_estimate(const struct pms_spe_report *report, const struct pms_spe_row *row,
			unsigned what, double *value)
{
	uint64_t period = pms_spe_report_accounts(report)->period;
	double low, high;
	pms_spe_estimate(row->records, period, &low, &high);
	*value = what == ESTIMATE	? (double)row->records * (double)period
		 : what == ESTIMATE_LOW ? low
					: high;
	return period != 0;
}

enum { LOADS, STORES, ATOMICS, BRANCHES };

static int get_kind(const struct pms_spe_report *report, const struct pms_spe_row *row,
		    unsigned what, double *value)
{
	const uint64_t counts[] = { [LOADS] = row->loads,
				    [STORES] = row->stores,
				    [ATOMICS] = row->atomics,
				    [BRANCHES] = row->branches };
	(void)report;
	*value = (double)counts[what];
	return 1;
}

/* Waiting -------------------------------------------------------------------------------------- */

enum { WAIT, WAIT_SHARE, WAIT_MEAN, CONTENDED_WAIT };

static int get_wait(const struct pms_spe_report *report, const struct pms_spe_row *row,
		    unsigned what, double *value)
{
	if (what == WAIT_SHARE)
		return ratio(row->wait, pms_spe_report_total(report)->wait, value);
	if (what == WAIT_MEAN)
		return ratio(row->wait, row->waited, value);
	*value = (double)(what == WAIT ? row->wait : row->contended_wait);
	return row->waited && (what == WAIT || pms_spe_report_is(report, PMS_SPE_BY_CACHELINE));
}

static int get_contended(const struct pms_spe_report *report, const struct pms_spe_row *row,
			 unsigned what, double *value)
{
	(void)what;
	*value = (double)row->contended;
	return pms_spe_report_is(report, PMS_SPE_BY_CACHELINE);
}

/* Latencies ------------------------------------------------------------------------------------ */

enum { MEAN, P50, P90, P99, MAX, STATISTICS };
enum { TOTAL = 0, ISSUE = STATISTICS, TRANSLATION = 2 * STATISTICS, WAITING = 3 * STATISTICS };

static int get_latency(const struct pms_spe_report *report, const struct pms_spe_row *row,
		       unsigned what, double *value)
{
	const struct pms_spe_latency *all[] = { &row->total, &row->issue, &row->translation,
						&row->waiting };
	const struct pms_spe_latency *l = all[what / STATISTICS];
	const int values[] = { [P50] = l->p50, [P90] = l->p90, [P99] = l->p99, [MAX] = l->max };
	(void)report;
	if (what % STATISTICS == MEAN)
		return ratio(l->sum, l->count, value);
	*value = values[what % STATISTICS];
	return l->count && *value >= 0;
}

/* Events --------------------------------------------------------------------------------------- */

/* D18.2.6: a store may be over before the caches answer, and its bits then read as zero; those of
 * the TLB tell. Of stores alone, no event is not known to be none. */
static int is_hidden(const struct pms_spe_row *row, unsigned bit)
{
	int tells = bit == PMS_SPE_EV_TLB_ACCESS || bit == PMS_SPE_EV_TLB_WALK;
	return !tells && row->stores && !row->loads && !row->events[bit];
}

/* A bit that no record of the whole file has set may be one that the core does not have: its count
 * is not defined. */
static int get_access(const struct pms_spe_report *report, const struct pms_spe_row *row,
		      unsigned bit, double *value)
{
	*value = (double)row->events[bit];
	return row->with_events && pms_spe_report_total(report)->events[bit] &&
	       !is_hidden(row, bit);
}

/* A miss is next to its access, and as well defined. */
static int get_miss(const struct pms_spe_report *report, const struct pms_spe_row *row,
		    unsigned bit, double *value)
{
	const struct pms_spe_row *total = pms_spe_report_total(report);
	*value = (double)row->events[bit];
	return row->with_events && (total->events[bit] || total->events[bit - 1]) &&
	       !is_hidden(row, bit);
}

static int get_miss_ratio(const struct pms_spe_report *report, const struct pms_spe_row *row,
			  unsigned bit, double *value)
{
	(void)report;
	return ratio(row->events[bit], row->events[bit - 1], value) && !is_hidden(row, bit);
}

static int get_event(const struct pms_spe_report *report, const struct pms_spe_row *row,
		     unsigned bit, double *value)
{
	(void)report;
	*value = (double)row->events[bit];
	return row->with_events && !is_hidden(row, bit);
}

enum { NOT_TAKEN, MISPREDICTED };

static int get_of_branches(const struct pms_spe_report *report, const struct pms_spe_row *row,
			   unsigned what, double *value)
{
	(void)report;
	*value = (double)(what == NOT_TAKEN ? row->not_taken : row->mispredicted);
	return row->branches && row->with_events;
}

static int get_branch_ratio(const struct pms_spe_report *report, const struct pms_spe_row *row,
			    unsigned what, double *value)
{
	int defined = get_of_branches(report, row, what, value);
	return ratio((uint64_t)*value, row->branches, value) && defined;
}

/* The table ------------------------------------------------------------------------------------ */

#define DISTRIBUTION(name, title, what, words)                                                     \
	{ { name "_p50", title " p50", PMS_SPE_CYCLES, words ", half are not above" },             \
	  get_latency,                                                                             \
	  (what) + P50 },                                                                          \
		{ { name "_p90", title " p90", PMS_SPE_CYCLES, words ", 90 % are not above" },     \
		  get_latency,                                                                     \
		  (what) + P90 },                                                                  \
		{ { name "_p99", title " p99", PMS_SPE_CYCLES, words ", 99 % are not above" },     \
		  get_latency,                                                                     \
		  (what) + P99 },                                                                  \
	{                                                                                          \
		{ name "_max", title " max", PMS_SPE_CYCLES, words ", greatest" }, get_latency,    \
			(what) + MAX                                                               \
	}

#define LATENCY(name, title, what, words)                                                          \
	{ { name "_mean", title " mean", PMS_SPE_CYCLES, words ", mean" },                         \
	  get_latency,                                                                             \
	  (what) + MEAN },                                                                         \
		DISTRIBUTION(name, title, what, words)

#define LEVEL(name, title, bit)                                                                    \
	{ { name "_access", title " accesses", PMS_SPE_COUNT_UNIT, "accesses of the " title },     \
	  get_access,                                                                              \
	  bit },                                                                                   \
		{ { name "_miss", title " misses", PMS_SPE_COUNT_UNIT, "misses in the " title },   \
		  get_miss,                                                                        \
		  (bit) + 1 },                                                                     \
	{                                                                                          \
		{ name "_miss_ratio", title " miss", PMS_SPE_FRACTION,                             \
		  "misses of the accesses of the " title },                                        \
			get_miss_ratio, (bit) + 1                                                  \
	}

static const struct measure measures[] = {
	{ { "records", "Records", PMS_SPE_COUNT_UNIT, "sampled operations" }, get_records, 0 },
	{ { "share", "Share", PMS_SPE_FRACTION, "of the report's records" }, get_share, SHARE },
	{ { "share_low", "Share from", PMS_SPE_FRACTION, "low end of its 95 % interval" },
	  get_share,
	  SHARE_LOW },
	{ { "share_high", "Share to", PMS_SPE_FRACTION, "high end of its 95 % interval" },
	  get_share,
	  SHARE_HIGH },
	{ { "operations", "Operations", PMS_SPE_OPERATIONS,
	    "estimate of what was executed: records by period" },
	  get_estimate,
	  ESTIMATE },
	{ { "operations_low", "From", PMS_SPE_OPERATIONS, "low end of its 95 % interval" },
	  get_estimate,
	  ESTIMATE_LOW },
	{ { "operations_high", "To", PMS_SPE_OPERATIONS, "high end of its 95 % interval" },
	  get_estimate,
	  ESTIMATE_HIGH },
	{ { "loads", "Loads", PMS_SPE_COUNT_UNIT, "records of loads" }, get_kind, LOADS },
	{ { "stores", "Stores", PMS_SPE_COUNT_UNIT, "records of stores" }, get_kind, STORES },
	{ { "atomics", "Atomics", PMS_SPE_COUNT_UNIT, "loads and stores that do both at once" },
	  get_kind,
	  ATOMICS },
	{ { "branches", "Branches", PMS_SPE_COUNT_UNIT, "records of branches" },
	  get_kind,
	  BRANCHES },
	{ { "wait", "Wait", PMS_SPE_CYCLES,
	    "loads' cycles from issue to completion: total less issue latency, summed up" },
	  get_wait,
	  WAIT },
	{ { "wait_share", "Wait", PMS_SPE_FRACTION, "of all the loads' cycles" },
	  get_wait,
	  WAIT_SHARE },
	{ { "wait_mean", "Wait mean", PMS_SPE_CYCLES, "the same of one load, mean" },
	  get_wait,
	  WAIT_MEAN },
	DISTRIBUTION("wait", "Wait", WAITING, "the same of one load"),
	{ { "contended", "Contended", PMS_SPE_COUNT_UNIT,
	    "records, in cache lines that threads write at the same time; 0 in others" },
	  get_contended,
	  0 },
	{ { "contended_wait", "Contended wait", PMS_SPE_CYCLES, "wait, in such lines" },
	  get_wait,
	  CONTENDED_WAIT },
	LATENCY("total", "Latency", TOTAL, "cycles from dispatch to completion"),
	LATENCY("issue", "Issue", ISSUE, "cycles waiting for issue"),
	LATENCY("xlat", "Translation", TRANSLATION, "cycles waiting for address translation"),
	LEVEL("l1d", "L1D", PMS_SPE_EV_L1D_ACCESS),
	LEVEL("l2d", "L2D", PMS_SPE_EV_L2D_ACCESS),
	LEVEL("llc", "LLC", PMS_SPE_EV_LLC_ACCESS),
	{ { "tlb_access", "TLB accesses", PMS_SPE_COUNT_UNIT, "accesses of the TLB" },
	  get_access,
	  PMS_SPE_EV_TLB_ACCESS },
	{ { "tlb_walk", "TLB walks", PMS_SPE_COUNT_UNIT, "accesses that needed a table walk" },
	  get_miss,
	  PMS_SPE_EV_TLB_WALK },
	{ { "tlb_walk_ratio", "TLB walk", PMS_SPE_FRACTION, "walks of the accesses of the TLB" },
	  get_miss_ratio,
	  PMS_SPE_EV_TLB_WALK },
	{ { "mispredicted", "Mispredicted", PMS_SPE_COUNT_UNIT, "mispredicted branches" },
	  get_of_branches,
	  MISPREDICTED },
	{ { "mispredict_ratio", "Mispredict", PMS_SPE_FRACTION, "of the branches" },
	  get_branch_ratio,
	  MISPREDICTED },
	{ { "not_taken", "Not taken", PMS_SPE_COUNT_UNIT, "branches that were not taken" },
	  get_of_branches,
	  NOT_TAKEN },
	{ { "not_taken_ratio", "Not taken", PMS_SPE_FRACTION, "of the branches" },
	  get_branch_ratio,
	  NOT_TAKEN },
	{ { "remote_access", "Remote", PMS_SPE_COUNT_UNIT, "accesses of another socket or chip" },
	  get_event,
	  PMS_SPE_EV_REMOTE_ACCESS },
};

size_t pms_spe_measures(void)
{
	return COUNT(measures);
}

const struct pms_spe_measure *pms_spe_measure(size_t i)
{
	return i < COUNT(measures) ? &measures[i].about : NULL;
}

int pms_spe_measure_find(const char *name)
{
	for (size_t i = 0; i < COUNT(measures); i++)
		if (!strcmp(measures[i].about.name, name))
			return (int)i;
	return -PMS_ENAME;
}

uint32_t pms_spe_measure_latency(size_t i)
{
	static const uint32_t latencies[] = { [TOTAL / STATISTICS] = PMS_SPE_HAS_TOTAL,
					      [ISSUE / STATISTICS] = PMS_SPE_HAS_ISSUE,
					      [TRANSLATION / STATISTICS] = PMS_SPE_HAS_TRANSLATION,
					      [WAITING / STATISTICS] = 0 };
	return measures[i].get == get_latency ? latencies[measures[i].what / STATISTICS] : 0;
}

int pms_spe_measure_get(const struct pms_spe_report *report, const struct pms_spe_row *row,
			size_t i, double *value)
{
	return measures[i].get(report, row, measures[i].what, value);
}

/* Intervals ------------------------------------------------------------------------------------ */

/* The 97.5 % point of the normal distribution. */
#define Z 1.959963984540054

void pms_spe_estimate(uint64_t records, uint64_t period, double *low, double *high)
{
	double k = (double)records, next = k + 1, p = (double)period;
	double below = 1 - 1 / (9 * k) - Z / (3 * sqrt(k));
	double above = 1 - 1 / (9 * next) + Z / (3 * sqrt(next));
	*low = records && below > 0 ? p * k * below * below * below : 0;
	*high = p * next * above * above * above;
}

void pms_spe_share(uint64_t part, uint64_t whole, double *low, double *high)
{
	double n = (double)whole, share = (double)part / n;
	double centre = share + Z * Z / (2 * n);
	double half = Z * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n));
	*low = part ? (centre - half) / (1 + Z * Z / n) : 0;
	*high = part < whole ? (centre + half) / (1 + Z * Z / n) : 1;
}
