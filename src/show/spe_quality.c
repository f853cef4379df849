/* SPDX-License-Identifier: MIT */
/* Say in sentences how good a sample is: what was taken, and what was lost on the way. */
#include "show/spe_report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/limits.h"
#include "base/name.h"
#include "show/text.h"

enum { LINE = 512 };

struct lines {
	const struct pms_spe_quality *q;
	const struct pms_spe_accounts *a;
	const struct pms_spe_row *total;
	struct pms_out_item *to;
};

__attribute__((format(printf, 3, 4))) static void put(const struct lines *l, const char *name,
						      const char *format, ...)
{
	char text[LINE];
	va_list args;
	if (pms_outline_is_in(l->to, PMS_IN_JSON))
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	pms_out_paragraph(l->to, name, "%s", text);
	pms_out_comment_print(l->to, name, "%s", text);
}

struct number {
	char text[PMS_NUMBER_MAX];
};

static struct number count(uint64_t value)
{
	struct number n;
	pms_text_count(n.text, value);
	return n;
}

/* Returns "1 record", "2 records". */
static struct number counted(uint64_t value, const char *what)
{
	struct number n = count(value);
	size_t length = strlen(n.text);
	snprintf(n.text + length, sizeof(n.text) - length, " %s%s", what, value == 1 ? "" : "s");
	return n;
}

static struct number rounded(double value)
{
	return count(value < 1e19 ? (uint64_t)(value + 0.5) : UINT64_MAX);
}

static void put_records(const struct lines *l)
{
	const struct pms_spe_summary *s = &l->q->summary;
	put(l, "records", "%s decoded from %s; %s in this report", count(s->records).text,
	    counted(l->q->streams, "buffer").text, count(l->a->reported).text);
	if (l->a->keyless)
		put(l, "without a key", "%s with nothing to be put together by",
		    counted(l->a->keyless, "record").text);
	if (l->a->rest)
		put(l, "beyond the bound",
		    "%s of none of the first %s groups: in the row of the rest",
		    counted(l->a->rest, "record").text, count(l->a->most_groups).text);
}

/* Say how many operations a record stands for, and the interval of the total. */
static void put_period(const struct lines *l)
{
	int jitter = 0;
	double low, high;
	for (size_t i = 0; i < l->q->n_recorded; i++)
		jitter |= l->q->recorded[i].jitter;
	if (!l->a->period) {
		put(l, "period", "%s: real counts cannot be estimated",
		    l->a->periods_differ ? "differs between the file's events"
					 : "not known (--period N tells)");
		return;
	}
	put(l, "period", "one of %s operations was sampled%s", count(l->a->period).text,
	    jitter ? ", at intervals made random" : "");
	pms_spe_estimate(l->total->records, l->a->period, &low, &high);
	put(l, "estimate",
	    "the report's records stand for %s operations, 95 %% interval %s to %s, besides what "
	    "was lost",
	    rounded((double)l->total->records * (double)l->a->period).text, rounded(low).text,
	    rounded(high).text);
}

/* Say how many operations could have been sampled, if the recording counted them. */
static void put_population(const struct lines *l)
{
	const struct pms_spe_population *p = &l->q->population;
	const struct {
		int known;
		uint64_t value;
		const char *text;
	} rows[] = { { p->known_pop, p->pop, "operations could have been sampled" },
		     { p->known_feed, p->feed, "samples were taken" },
		     { p->known_filtrate, p->filtrate, "passed the filters" } };
	char text[LINE] = "";
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].known) {
			char part[LINE / 4];
			snprintf(part, sizeof(part), "%s %s", count(rows[i].value).text,
				 rows[i].text);
			pms_name_append(text, sizeof(text), part);
		}
	put(l, "population", "%s",
	    *text ? text : "not counted: the file has no events sample_pop, sample_feed");
}

/* Say what the file tells of lost samples. A bare buffer tells nothing. */
static void put_losses(const struct lines *l)
{
	const struct pms_perfdata_stats *s = &l->q->stats;
	if (l->q->raw) {
		put(l, "collisions, losses", "a bare buffer does not tell");
		return;
	}
	if (l->q->population.known_collision)
		put(l, "collisions", "%s lost, another being in flight",
		    counted(l->q->population.collision, "sample").text);
	else
		put(l, "collisions", "%s of %s stretches of trace had some; how many is not told",
		    count(s->aux_collided).text, count(s->aux_records).text);
	put(l, "truncations", "%s stretches ended with a full buffer: records after them are lost",
	    count(s->aux_truncated).text);
	put(l, "lost, partial", "%s with gaps, %s overwritten; %s bytes not in the file",
	    count(s->aux_partial).text, count(s->aux_overwritten).text,
	    count(s->aux_bytes > s->auxtrace_bytes ? s->aux_bytes - s->auxtrace_bytes : 0).text);
	if (s->lost_events || s->lost_samples)
		put(l, "lost by perf", "%s, %s", counted(s->lost_events, "record").text,
		    counted(s->lost_samples, "sample").text);
	if (s->cut)
		put(l, "cut", "the file is cut short at byte %" PRIu64 ": %s", s->cut_at,
		    s->cut_text);
	if (l->q->damage)
		put(l, "damaged", "%s", l->q->damage->text);
}

/* Add the filters set in the recording: its shares are of the filtered part alone. */
static void describe_filters(char text[LINE], const struct pms_spe_recorded *r)
{
	char part[64];
	if (r->filter_loads)
		pms_name_append(text, LINE, "loads");
	if (r->filter_stores)
		pms_name_append(text, LINE, "stores");
	if (r->filter_branches)
		pms_name_append(text, LINE, "branches");
	if (r->least_latency) {
		snprintf(part, sizeof(part), "of %" PRIu32 " cycles or more", r->least_latency);
		pms_name_append(text, LINE, part);
	}
	if (r->events) {
		snprintf(part, sizeof(part), "with all events of 0x%" PRIx64, r->events);
		pms_name_append(text, LINE, part);
	}
	if (r->no_events) {
		snprintf(part, sizeof(part), "with no event of 0x%" PRIx64, r->no_events);
		pms_name_append(text, LINE, part);
	}
}

static void put_filtered(const struct lines *l)
{
	char text[LINE] = "";
	for (size_t i = 0; i < l->q->n_recorded; i++)
		describe_filters(text, &l->q->recorded[i]);
	put(l, "filtered", "by the recording: %s; by --filter: %s left out",
	    l->q->raw ? "not known"
	    : *text   ? text
		      : "nothing",
	    counted(l->a->dropped, "record").text);
	if (*text)
		put(l, "of filtered records",
		    "shares are of those that passed, not of the whole program");
}

/* Say what could not be decoded or was dropped at a bound, so that the report hides no loss. */
static void put_decoding(const struct lines *l)
{
	const struct pms_spe_summary *s = &l->q->summary;
	uint64_t bytes = pms_spe_summary_bytes(s);
	if (l->q->undecodable > bytes / 100)
		put(l, "doubtful",
		    "%.0f %% of the bytes are no packets: is this an Arm SPE buffer?",
		    100 * (double)l->q->undecodable / (double)bytes);
	put(l, "undecodable", "%s; %s with damage, %s unfinished left out",
	    counted(l->q->undecodable, "byte").text, counted(s->damaged, "record").text,
	    count(s->unfinished).text);
	if (s->repeated)
		put(l, "repeated", "%s with a packet twice: an end may be lost between",
		    counted(s->repeated, "record").text);
	if (l->q->without_tid && !l->q->raw)
		put(l, "without thread", "%s", counted(l->q->without_tid, "record").text);
	if (l->q->bytes_left_out)
		put(l, "bound met",
		    "%s bytes of trace were left out: those of buffers beyond the first %s",
		    count(l->q->bytes_left_out).text, count(PMS_MOST_SPE_STREAMS).text);
	if (l->q->tasks_left_out)
		put(l, "bound met",
		    "%s records of threads and mappings were left out: those before take 4 times "
		    "their bytes and %d MiB, or %d MiB in all",
		    count(l->q->tasks_left_out).text, PMS_SPARE_HISTORY_BYTES >> 20,
		    PMS_MOST_HISTORY_BYTES >> 20);
	if (l->q->names_cut)
		put(l, "bound met", "%s names were cut: of threads at %d bytes, of files at %d",
		    count(l->q->names_cut).text, PMS_MOST_THREAD_NAME - 1,
		    PMS_MOST_OBJECT_PATH - 1);
	if (l->a->touches_full)
		put(l, "bound met",
		    "pairs of thread or CPU and place were left out: sharing may be more");
	if (l->a->buckets_full)
		put(l, "bound met", "some percentiles are undefined for want of memory");
}

/* Name the files that are missing or are not the ones that ran: their code has no names. */
static void put_symbols(const struct lines *l, const struct pms_spe_report *report)
{
	for (unsigned state = PMS_SYMBOLS_NAMES; state < PMS_SYMBOLS_STATES; state++) {
		static const char *const texts[] = {
			[PMS_SYMBOLS_NAMES] = "without lines, for want of debug information",
			[PMS_SYMBOLS_BARE] = "without names of functions",
			[PMS_SYMBOLS_MISSING] = "not found here; --symfs DIR looks below DIR",
			[PMS_SYMBOLS_MISMATCH] = "of another build than the one that ran: not used",
			[PMS_SYMBOLS_DAMAGED] = "not readable as ELF",
			[PMS_SYMBOLS_PART] =
				"without some lines: their tables take more than 40 MiB and 3 "
				"times the file",
		};
		const struct pms_object *object;
		char text[LINE / 2] = "";
		for (size_t i = 0; i < pms_spe_report_objects(report); i++)
			if (pms_spe_report_object(report, i, &object) == state)
				pms_name_append(text, sizeof(text), object->path);
		if (*text)
			put(l, "symbols", "%s: %s", text, texts[state]);
	}
}

/* Write how good the sample is. A number that the file cannot tell is null, not 0. */
static void put_numbers(struct pms_out_item *quality, const struct pms_spe_report *report)
{
	const struct pms_spe_quality *q = pms_spe_report_quality(report);
	const struct pms_spe_accounts *a = pms_spe_report_accounts(report);
	const struct pms_spe_population *p = &q->population;
	const struct pms_perfdata_stats *s = &q->stats;
	const int file = !q->raw;
	const struct {
		const char *key;
		int known;
		uint64_t value;
	} rows[] = {
		{ "records", 1, q->summary.records },
		{ "reported", 1, a->reported },
		{ "filtered", 1, a->dropped },
		{ "without_key", 1, a->keyless },
		{ "rest", 1, a->rest },
		{ "groups", 1, a->groups },
		{ "groups_bound", 1, a->most_groups },
		{ "streams", 1, q->streams },
		{ "period", a->period != 0, a->period },
		{ "sample_pop", p->known_pop, p->pop },
		{ "sample_feed", p->known_feed, p->feed },
		{ "sample_filtrate", p->known_filtrate, p->filtrate },
		{ "sample_collision", p->known_collision, p->collision },
		{ "aux_records", file, s->aux_records },
		{ "aux_collided", file, s->aux_collided },
		{ "aux_truncated", file, s->aux_truncated },
		{ "aux_partial", file, s->aux_partial },
		{ "aux_overwritten", file, s->aux_overwritten },
		{ "bytes_missing", file,
		  s->aux_bytes > s->auxtrace_bytes ? s->aux_bytes - s->auxtrace_bytes : 0 },
		{ "lost_events", file, s->lost_events },
		{ "lost_samples", file, s->lost_samples },
		{ "cut_at", s->cut, s->cut_at },
		{ "damaged_at", q->damage != NULL, q->damage ? q->damage->offset : 0 },
		{ "bytes_left_out", 1, q->bytes_left_out },
		{ "tasks_left_out", file, q->tasks_left_out },
		{ "names_cut", file, q->names_cut },
		{ "undecodable_bytes", 1, q->undecodable },
		{ "damaged", 1, q->summary.damaged },
		{ "unfinished", 1, q->summary.unfinished },
		{ "repeated", 1, q->summary.repeated },
		{ "without_thread", 1, q->without_tid },
		{ "without_time", 1, q->without_time },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		pms_out_member(quality, rows[i].key,
			       pms_out_when(rows[i].known, pms_out_of_count(rows[i].value)));
}

void pms_spe_put_quality(struct pms_out_item *parent, const struct pms_spe_report *report)
{
	pms_out_heading(parent, "How good the sample is");
	struct pms_out_item *quality = pms_out_group(parent, PMS_EVERYWHERE, "quality");
	const struct lines l = { .q = pms_spe_report_quality(report),
				 .a = pms_spe_report_accounts(report),
				 .total = pms_spe_report_total(report),
				 .to = quality };
	pms_out_set_labels(quality, 2, 21);
	put_numbers(quality, report);
	put_records(&l);
	put_period(&l);
	put_population(&l);
	put_losses(&l);
	put_filtered(&l);
	put_decoding(&l);
	put_symbols(&l, report);
}
