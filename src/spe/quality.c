/* SPDX-License-Identifier: MIT */
/* What can be said of a sample: how it was taken, what was lost, what it is of. */
#include "spe/samples.h"

#include <string.h>

#include "base/status.h"

/* Bits of an SPE event's attribute, as Linux' driver names them in sysfs (drivers/perf/
 * arm_spe_pmu.c). */
enum {
	CONFIG_JITTER = 16,
	CONFIG_BRANCHES = 32,
	CONFIG_LOADS = 33,
	CONFIG_STORES = 34,
	LATENCY_MASK = 0xfff
};

/* Numbers of the PMU's events for SPE's population: Arm Architecture Reference Manual, "The PMU
 * event number space". */
enum { SAMPLE_POP = 0x4000, SAMPLE_EVENTS = 4 };

enum { PERF_TYPE_RAW = 4 };

static int is_bit(uint64_t value, unsigned bit)
{
	return (int)(value >> bit & 1);
}

int pms_samples_pmus(struct pms_spe_samples *s, const struct pms_perfdata_info *info)
{
	for (; s->n_pmus < info->n_pmus; s->n_pmus++) {
		uint32_t type = info->pmus[s->n_pmus].type;
		if (pms_numbers_get(&s->pmus, type) == PMS_NO_ROW &&
		    pms_numbers_set(&s->pmus, type, (uint32_t)s->n_pmus))
			return -PMS_ENOMEM;
	}
	return 0;
}

static const char *pmu_name(const struct pms_spe_samples *s, const struct pms_perfdata_info *info,
			    uint32_t type)
{
	uint32_t row = pms_numbers_get(&s->pmus, type);
	return row < info->n_pmus ? info->pmus[row].name : NULL;
}

/* Whether an event counts on the core's PMU by its architectural number. */
static int is_core_event(const struct pms_spe_samples *s, const struct pms_perfdata_info *info,
			 const struct pms_perfdata_event *e)
{
	const char *name = pmu_name(s, info, e->type);
	return e->type == PERF_TYPE_RAW || (name && !strncmp(name, "armv", 4));
}

/* Which of the population's events it is, or -1. */
static int population_event(const struct pms_spe_samples *s, const struct pms_perfdata_info *info,
			    const struct pms_perfdata_event *e)
{
	if (e->config < SAMPLE_POP || e->config >= SAMPLE_POP + SAMPLE_EVENTS ||
	    !is_core_event(s, info, e))
		return -1;
	return (int)(e->config - SAMPLE_POP);
}

int pms_samples_population(struct pms_spe_samples *s, const struct pms_perfdata_info *info,
			   const struct pms_perfdata_record *r)
{
	if (r->event < 0 || (size_t)r->event >= info->n_events)
		return 0;
	if (pms_samples_pmus(s, info))
		return -PMS_ENOMEM;
	const struct pms_perfdata_event *e = &info->events[r->event];
	int which = population_event(s, info, e);
	if (which < 0)
		return 0;
	uint64_t period =
		e->sample_type & PMS_PERFDATA_PERIOD ? r->sample.period : e->sample_period;
	if (__builtin_add_overflow(s->population[which], period, &s->population[which]))
		s->population[which] = UINT64_MAX;
	return 0;
}

static void population_say(const struct pms_spe_samples *s, const struct pms_perfdata_info *info,
			   struct pms_spe_population *p)
{
	int known[SAMPLE_EVENTS] = { 0 };
	for (size_t i = 0; i < info->n_events; i++) {
		int which = population_event(s, info, &info->events[i]);
		if (which >= 0)
			known[which] = 1;
	}
	*p = (struct pms_spe_population){ .known_pop = known[0],
					  .known_feed = known[1],
					  .known_filtrate = known[2],
					  .known_collision = known[3],
					  .pop = s->population[0],
					  .feed = s->population[1],
					  .filtrate = s->population[2],
					  .collision = s->population[3] };
}

/* Whether an event is SPE's: of a PMU named so, or of that which AUXTRACE_INFO names. */
static int is_spe(const struct pms_spe_samples *s, const struct pms_perfdata_info *info,
		  const struct pms_perfdata_event *e)
{
	enum { PMU_TYPE_1 = 0, PMU_TYPE_2 = 2, VERSIONED = 4 };
	const char *name = pmu_name(s, info, e->type);
	size_t n = info->n_auxtrace_private;
	if (name)
		return !strncmp(name, "arm_spe", 7);
	if (!n)
		return 0;
	return e->type == info->auxtrace_private[n > VERSIONED ? PMU_TYPE_2 : PMU_TYPE_1];
}

static void recorded_say(const struct pms_perfdata_event *e, struct pms_spe_recorded *out)
{
	*out = (struct pms_spe_recorded){ .name = e->name ? e->name : "",
					  .period = e->flags & PMS_PERFDATA_FLAG_FREQ
							    ? 0
							    : e->sample_period,
					  .jitter = is_bit(e->config, CONFIG_JITTER),
					  .filter_branches = is_bit(e->config, CONFIG_BRANCHES),
					  .filter_loads = is_bit(e->config, CONFIG_LOADS),
					  .filter_stores = is_bit(e->config, CONFIG_STORES),
					  .events = e->config1,
					  .no_events = e->config3,
					  .least_latency = (uint32_t)(e->config2 & LATENCY_MASK) };
}

static void file_say(const struct pms_spe_samples *s, struct pms_spe_quality *q)
{
	const struct pms_perfdata_info *info = pms_perfdata_info(s->perfdata);
	q->pipe = info->pipe;
	q->stats = *pms_perfdata_stats(s->perfdata);
	q->tasks_left_out = s->history.left_out;
	q->names_cut = s->history.names_cut;
	q->damage = s->damage.status ? &s->damage : NULL;
	q->has_time = info->time_conv.known;
	q->arch = info->arch ? info->arch : "";
	q->cpuid = info->cpuid ? info->cpuid : "";
	q->hostname = info->hostname ? info->hostname : "";
	q->os_release = info->os_release ? info->os_release : "";
	population_say(s, info, &q->population);
	for (size_t i = 0; i < info->n_events && q->n_recorded < PMS_SPE_EVENTS_MOST; i++)
		if (is_spe(s, info, &info->events[i]))
			recorded_say(&info->events[i], &q->recorded[q->n_recorded++]);
}

void pms_spe_samples_quality(const struct pms_spe_samples *s, struct pms_spe_quality *q)
{
	*q = (struct pms_spe_quality){ .arch = "", .cpuid = "", .hostname = "", .os_release = "" };
	pms_samples_ahead_hold(s->ahead);
	q->raw = !s->perfdata;
	q->without_time = s->without_time;
	q->without_tid = s->without_tid;
	q->summary = *pms_spe_decoder_summary(s->decoder);
	for (size_t i = 0; i < s->n_streams; i++)
		q->streams += s->streams[i].begun != 0;
	q->bytes_left_out = pms_spe_file_left_out(s->file);
	q->undecodable = q->summary.bytes[PMS_SPE_RESERVED] + q->summary.bytes[PMS_SPE_TRUNCATED];
	if (s->perfdata)
		file_say(s, q);
	pms_samples_ahead_go_on(s->ahead);
}

int pms_spe_quality_check(const struct pms_spe_quality *q, const char *name, struct pms_error *err)
{
	enum {
		LEAST_SHARE = 4
	}; /* a damaged recording has less that is no packet, other files more */
	uint64_t bytes = pms_spe_summary_bytes(&q->summary);
	if (!q->raw)
		return 0;
	if (!bytes)
		return pms_fail_at(err, PMS_EPARSE, name, 0, 0, "the file is empty");
	bytes -= q->summary.bytes[PMS_SPE_PADDING];
	if (q->undecodable <= bytes / LEAST_SHARE)
		return 0;
	int status = pms_fail_at(err, PMS_EPARSE, name, 0, 0,
				 "no perf.data, and no Arm SPE buffer: %.0f %% of its bytes are no "
				 "packets",
				 100 * (double)q->undecodable / (double)bytes);
	pms_hint(err,
		 "pmuscope spe dump shows what it decodes to; --raw takes it for SPE all the same");
	return status;
}
