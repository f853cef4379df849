/* SPDX-License-Identifier: MIT */
#include "collect/perfstat/count.h"

#include <math.h>

#include "base/status.h"

static double running_share(const struct pms_stat_record *record)
{
	/* Some versions round to 0.00 and some cut to it: it did run. */
	return record->run_pct > 0 ? record->run_pct / 100 : 0.00005;
}

static uint64_t to_integer(double value)
{
	return value >= 0x1p63 ? (uint64_t)1 << 63 : (uint64_t)llround(value);
}

/* Split perf's scaled count into the counter's value and the times. */
static struct pms_count convert(const struct pms_stat_record *record, double length)
{
	double share = running_share(record);
	struct pms_count count = { .state = PMS_COUNTED, .cls = PMS_COUNT_MEASURED };
	double running = record->has_run ? (double)record->run_ns : length * 1e9 * share;
	count.value = to_integer(record->value * share);
	count.running_ns = to_integer(running);
	count.enabled_ns = to_integer(running / share);
	if (share < 1 && !count.running_ns) {
		/* Without a time, any times with the right share will do. */
		count.running_ns = to_integer(1e9 * share);
		count.enabled_ns = 1000000000;
	}
	count.loose_times = share < 1 && !record->has_run;
	if (share < 1 || (double)count.value < record->value || (double)count.value > record->value)
		count.scaled = record->value;
	count.spread = record->spread;
	return count;
}

static const char *no_count(struct pms_counts *counts, const struct pms_stat_record *record)
{
	if (record->state == PMS_NOT_SUPPORTED)
		return pms_counts_keep(counts, "perf stat says <not supported>");
	if (record->run_pct < 100)
		return pms_counts_keep(counts,
				       "perf stat says <not counted>, as it never had a counter");
	return pms_counts_keep(counts, "perf stat says <not counted>");
}

/* Returns whether @a is the better one of two counts of the same: a real count, then the longer
 * one. */
static int is_better(const struct pms_count *a, const struct pms_count *b)
{
	if ((a->state == PMS_COUNTED) != (b->state == PMS_COUNTED))
		return a->state == PMS_COUNTED;
	double enabled_a = fmax(1, (double)a->enabled_ns),
	       enabled_b = fmax(1, (double)b->enabled_ns);
	double share_a = (double)a->running_ns / enabled_a;
	double share_b = (double)b->running_ns / enabled_b;
	return share_a > share_b;
}

int pms_stat_count_put(struct pms_count *slot, unsigned char *filled, unsigned char mode,
		       const struct pms_stat_record *record, double length,
		       struct pms_counts *counts)
{
	struct pms_count count = { .state = (enum pms_count_state)record->state };
	if (count.state == PMS_COUNTED)
		count = convert(record, length);
	else if (!(count.because = no_count(counts, record)))
		return -PMS_ENOMEM;
	if (!*filled || (*filled == mode && is_better(&count, slot)))
		*slot = count;
	else if (!(*filled & mode))
		pms_count_add(slot, &count);
	*filled |= mode;
	return 0;
}
