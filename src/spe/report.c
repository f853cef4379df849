/* SPDX-License-Identifier: MIT */
#include "spe/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/name.h"
#include "base/status.h"
#include "spe/filter.h"
#include "spe/pick.h"
#include "spe/samples.h"

/* Read ----------------------------------------------------------------------------------------- */

static int find_place(void *context, uint32_t space, uint64_t address, struct pms_place *place)
{
	const struct pms_spe_report *report = context;
	return pms_spe_samples_place(report->samples, space, address, place);
}

static int is_alike(void *context, uint64_t page)
{
	const struct pms_spe_report *report = context;
	return pms_history_is_alike(&report->samples->history, page, page + PMS_PAGE_BYTES - 1);
}

/* The filter is compiled when the first records tell of their core: data sources have names then.
 */
static int begin(struct pms_spe_report *r, const struct pms_spe_report_options *o,
		 enum pms_spe_encoding encoding, struct pms_spe_filter **filter,
		 struct pms_error *err)
{
	if (!r->encoding)
		r->encoding = encoding;
	if (*filter || (!o->filter && !r->only))
		return 0;
	int status = pms_spe_filter_compile_both(o->filter, r->only, r->encoding, filter, err);
	return status || r->symbols || !pms_spe_filter_needs_symbols(*filter)
		       ? status
		       : pms_symbols_open(&o->symbols, &r->symbols, err);
}

static int add_batches(struct pms_spe_report *r, const struct pms_spe_report_options *o,
		       struct pms_spe_filter **filter, struct pms_error *err)
{
	const struct pms_spe_samples_batch *batch;
	uint8_t keep[PMS_SPE_BATCH];
	int status;
	while ((status = pms_spe_samples_next(r->samples, &batch, err)) > 0) {
		status = begin(r, o, batch->encoding, filter, err);
		if (status)
			return status;
		const struct pms_spe_where where = { r->samples, r->symbols, &r->aggregate.places,
						     &r->data };
		r->data.symbols = r->symbols;
		r->accounts.records += batch->records->count;
		if ((*filter && pms_spe_filter_apply(*filter, &where, batch, keep)) ||
		    pms_aggregate_add(&r->aggregate, batch, *filter ? keep : NULL))
			return pms_no_memory(err);
	}
	return status;
}

static int read_all(struct pms_spe_report *r, const struct pms_spe_report_options *o,
		    struct pms_error *err)
{
	struct pms_spe_filter *filter = NULL;
	r->encoding = o->encoding;
	int status = add_batches(r, o, &filter, err);
	if (!status) /* one without records has its filter looked at all the same */
		status = begin(r, o, PMS_SPE_ENCODING_UNKNOWN, &filter, err);
	pms_spe_filter_free(filter);
	return status;
}

/* Sort ----------------------------------------------------------------------------------------- */

struct place_in_order {
	double value; /* of the measure; -1: undefined */
	uint64_t records;
	uint32_t group;
};

/* Undefined values come last; where the measure is the same, more records first, then what came
 * first in the file. */
static int compare(const void *a, const void *b)
{
	const struct place_in_order *x = a, *y = b;
	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	if (x->records != y->records)
		return x->records < y->records ? 1 : -1;
	return (x->group > y->group) - (x->group < y->group);
}

/* The numbers of a row, without words. */
static void fill_row(struct pms_spe_report *r, uint32_t group)
{
	memset(&r->row, 0, sizeof(r->row));
	pms_group_row(pms_aggregate_group(&r->aggregate, group), &r->aggregate.sources, &r->row);
	r->row.sharing = (enum pms_spe_sharing)r->sharing[group];
	r->row.threads = r->threads[group];
	if (r->sharing[group] >= PMS_SPE_TRUE_SHARING) {
		r->row.contended = r->row.records;
		r->row.contended_wait = r->row.wait;
	}
}

static int sort_groups(struct pms_spe_report *r, size_t limit)
{
	size_t n = r->aggregate.count;
	struct place_in_order *all = reallocarray(NULL, n + 1, sizeof(*all));
	r->order = reallocarray(NULL, n + 1, sizeof(*r->order));
	if (!all || !r->order) {
		free(all);
		return -PMS_ENOMEM;
	}
	for (uint32_t i = 0; i < n; i++) {
		double value;
		fill_row(r, i);
		int defined = pms_spe_measure_get(r, &r->row, r->sort, &value);
		all[i] = (struct place_in_order){ defined ? value : -1, r->row.records, i };
		r->accounts.buckets_full |= (r->row.total.p50 < 0 && r->row.total.count) ||
					    (r->row.waiting.p50 < 0 && r->row.waiting.count);
	}
	if (n)
		qsort(all, n, sizeof(*all), compare);
	r->n_rows = limit && limit < n ? limit : n;
	for (size_t i = 0; i < r->n_rows; i++)
		r->order[i] = all[i].group;
	free(all);
	return 0;
}

static int default_sort(const struct pms_spe_report *r)
{
	static const char *const by[PMS_SPE_BYS] = {
		[PMS_SPE_BY_LINE] = "wait",
		[PMS_SPE_BY_SYMBOL] = "wait",
		[PMS_SPE_BY_PC] = "wait",
		[PMS_SPE_BY_OBJECT] = "wait",
		[PMS_SPE_BY_SOURCE] = "records",
		[PMS_SPE_BY_CACHELINE] = "contended",
		[PMS_SPE_BY_VARIABLE] = "wait",
		[PMS_SPE_BY_PAGE] = "wait",
		[PMS_SPE_BY_BRANCH] = "mispredicted",
		[PMS_SPE_BY_OP] = "records",
		[PMS_SPE_BY_THREAD] = "records",
		[PMS_SPE_BY_CPU] = "records",
	};
	double value;
	int sort = pms_spe_measure_find(by[r->aggregate.by]);
	return pms_spe_measure_get(r, &r->total, (size_t)sort, &value) && value > 0
		       ? sort
		       : pms_spe_measure_find("records");
}

/* Finish --------------------------------------------------------------------------------------- */

static int find_sharing(struct pms_spe_report *r)
{
	struct pms_aggregate *a = &r->aggregate;
	r->sharing = calloc(a->count + 1, sizeof(*r->sharing));
	r->threads = calloc(a->count + 1, sizeof(*r->threads));
	if (!r->sharing || !r->threads)
		return -PMS_ENOMEM;
	pms_touches_sort(&a->touches);
	for (uint32_t i = 0; i < a->count && a->by == PMS_SPE_BY_CACHELINE && !a->pair[0]; i++) {
		const struct pms_touch *first;
		size_t threads, n = pms_touches_of(&a->touches, i, &first);
		int sharing = pms_touches_sharing(first, n, &threads);
		if (sharing < 0)
			return -PMS_ENOMEM;
		r->sharing[i] = (uint8_t)sharing;
		r->threads[i] = (uint32_t)threads;
	}
	return 0;
}

static int sum_up(struct pms_spe_report *r)
{
	struct pms_sketch_budget budget = { .left = SIZE_MAX };
	struct pms_spe_group all = { 0 };
	for (size_t i = 0; i < r->aggregate.count; i++)
		pms_group_merge(&all, pms_aggregate_group(&r->aggregate, i), &budget);
	pms_group_merge(&all, &r->aggregate.rest, &budget);
	pms_group_row(&all, &r->aggregate.sources, &r->total);
	pms_group_release(&all, &budget);
	for (size_t i = 0; i < r->aggregate.count; i++)
		if (r->sharing[i] >= PMS_SPE_TRUE_SHARING) {
			const struct pms_spe_group *group = pms_aggregate_group(&r->aggregate, i);
			r->total.contended += group->records;
			r->total.contended_wait += group->wait.sum;
		}
	return budget.failed ? -PMS_ENOMEM : 0;
}

/* One event, or several that agree. */
static void find_period(struct pms_spe_report *r, uint64_t given)
{
	struct pms_spe_accounts *a = &r->accounts;
	a->period = given;
	for (size_t i = 0; i < r->quality.n_recorded && !given; i++) {
		uint64_t period = r->quality.recorded[i].period;
		a->periods_differ |= i && period != r->quality.recorded[0].period;
		a->period = period;
	}
	if (a->periods_differ)
		a->period = 0;
}

/* What branches can be part of. */
static int by_code(enum pms_spe_by by)
{
	return by == PMS_SPE_BY_LINE || by == PMS_SPE_BY_SYMBOL || by == PMS_SPE_BY_PC ||
	       by == PMS_SPE_BY_BRANCH;
}

static int uses_symbols(enum pms_spe_by by)
{
	return by == PMS_SPE_BY_LINE || by == PMS_SPE_BY_SYMBOL || by == PMS_SPE_BY_PC ||
	       by == PMS_SPE_BY_BRANCH || by == PMS_SPE_BY_CACHELINE || by == PMS_SPE_BY_VARIABLE;
}

/* Take the object of the place, if it was not met. */
static int meet_object(struct pms_spe_report *r, uint8_t *met, const struct pms_place *place)
{
	if (!place->object || met[place->index])
		return 0;
	met[place->index] = 1;
	const struct pms_place **objects =
		pms_array_room((void *)r->objects, r->n_objects, sizeof(*objects));
	if (!objects)
		return -PMS_ENOMEM;
	r->objects = objects;
	objects[r->n_objects++] = place;
	return 0;
}

/* The objects of instructions and of variables, each by the first place in it. */
static int find_objects(struct pms_spe_report *r)
{
	const struct pms_aggregate *a = &r->aggregate;
	if (a->pair[0]) /* that which has looked up instructions */
		a = a->pair[uses_symbols(a->pair[0]->by) ? 0 : 1];
	const struct pms_places *places = &a->places;
	uint8_t *met = calloc(pms_spe_samples_n_objects(r->samples) + 1, 1);
	int status = met ? 0 : -PMS_ENOMEM;
	for (size_t i = 0; i < places->count && !status; i++)
		status = meet_object(r, met, &places->places[i]);
	for (size_t i = 0; i < r->data.n_images && !status; i++)
		status = meet_object(r, met, &r->data.images[i].below);
	free(met);
	return status;
}

static int finish(struct pms_spe_report *r, const struct pms_spe_report_options *o,
		  struct pms_error *err)
{
	struct pms_spe_accounts *a = &r->accounts;
	pms_spe_samples_quality(r->samples, &r->quality);
	find_period(r, o->period);
	a->dropped = r->aggregate.dropped;
	a->keyless = r->aggregate.keyless;
	a->reported = a->records - a->dropped - a->keyless;
	a->rest = r->aggregate.rest.records;
	a->groups = r->aggregate.count;
	a->most_groups = r->aggregate.most;
	a->touches_full = r->aggregate.touches.full;
	if (find_sharing(r) || (r->symbols && find_objects(r)) || sum_up(r))
		return pms_no_memory(err);
	r->sort = (size_t)(o->sort ? pms_spe_measure_find(o->sort) : default_sort(r));
	return sort_groups(r, o->limit) ? pms_no_memory(err) : 0;
}

static int check_sort(const char *name, struct pms_error *err)
{
	struct pms_nearest nearest = { 0 };
	if (!name || pms_spe_measure_find(name) >= 0)
		return 0;
	int rc = pms_fail(err, PMS_ENAME, "--sort %.64s: there is no such column", name);
	for (size_t i = 0; i < pms_spe_measures(); i++)
		pms_nearest_offer(&nearest, name, pms_spe_measure(i)->name);
	if (nearest.best)
		pms_hint(err, "did you mean %s?", nearest.best);
	return rc;
}

/* What the user names has to be there: files that are not found are otherwise passed over. */
static int check_symbols(const struct pms_symbols_options *o, struct pms_error *err)
{
	const char *const paths[] = { o->symfs, o->kallsyms };
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (paths[i] && access(paths[i], R_OK))
			return pms_fail_at(err, PMS_EIO, paths[i], 0, 0, "cannot read: %s",
					   strerror(errno));
	return 0;
}

static int check_is_spe(const struct pms_spe_report *r, const char *path, struct pms_error *err)
{
	struct pms_spe_quality quality;
	pms_spe_samples_quality(r->samples, &quality);
	return pms_spe_quality_check(&quality, path, err);
}

/* Of a name that both have, the second's has "second_" before it. */
static void join_keys(struct pms_spe_report *r, enum pms_spe_by also)
{
	const enum pms_spe_by by[] = { r->aggregate.by, also };
	for (int k = 0; k < 2; k++) {
		size_t n, first = r->n_keys;
		const struct pms_spe_key *keys = pms_spe_keys(by[k], &n);
		memcpy(r->all_keys + first, keys, n * sizeof(*keys));
		for (size_t i = 0; i < n * first; i++) /* each of them with each of the first's */
			if (!strcmp(r->all_keys[i % first].name, keys[i / first].name)) {
				snprintf(r->second_names[i / first], sizeof(r->second_names[0]),
					 "second_%s", keys[i / first].name);
				r->all_keys[first + i / first].name = r->second_names[i / first];
			}
		r->n_keys += n;
	}
}

int pms_spe_report_is(const struct pms_spe_report *report, enum pms_spe_by by)
{
	return report->aggregate.by == by && !report->n_keys;
}

int pms_spe_report_also(const struct pms_spe_report *report, enum pms_spe_by *also)
{
	if (report->n_keys)
		*also = report->aggregate.pair[1]->by;
	return report->n_keys > 0;
}

int pms_spe_report_make(const char *path, const struct pms_spe_report_options *options,
			struct pms_spe_report **out, struct pms_error *err)
{
	struct pms_spe_samples_options how = { .raw = options->raw,
					       .encoding = options->encoding,
					       .progress = options->progress,
					       .context = options->context };
	struct pms_spe_report *r;
	*out = NULL;
	int status = check_sort(options->sort, err);
	status = status ? status : check_symbols(&options->symbols, err);
	if (status)
		return status;
	r = calloc(1, sizeof(*r));
	if (!r)
		return pms_no_memory(err);
	const struct pms_place_finder finder = { find_place, is_alike, r };
	if (pms_aggregate_init(&r->aggregate, options->by, &finder, options->most_groups,
			       options->most_buckets))
		status = pms_no_memory(err);
	if (!status && options->has_also &&
	    pms_aggregate_also(&r->aggregate, options->also, options->most_groups))
		status = pms_no_memory(err);
	if (!status && options->has_also)
		join_keys(r, options->also);
	if (!status &&
	    (uses_symbols(options->by) || (options->has_also && uses_symbols(options->also))))
		status = pms_symbols_open(&options->symbols, &r->symbols, err);
	r->aggregate.symbols = r->symbols;
	r->aggregate.latencies = ~options->no_latencies;
	if (options->sort)
		r->aggregate.latencies |=
			pms_spe_measure_latency((size_t)pms_spe_measure_find(options->sort));
	r->aggregate.data = &r->data;
	for (int i = 0; i < 2 && !status && options->has_also; i++) {
		r->aggregate.pair[i]->symbols = r->symbols;
		r->aggregate.pair[i]->data = &r->data;
	}
	r->histogram = options->histogram;
	r->targets = options->targets;
	r->aggregate.targets |= options->targets && by_code(options->by);
	if (!status)
		status = pms_spe_pick_text(&options->pick, path, options->raw, &r->only, err);
	if (!status)
		status = pms_spe_samples_open(path, &how, &r->samples, err);
	r->data.samples = r->samples;
	r->data.symbols = r->symbols;
	if (!status && !options->most_groups)
		pms_aggregate_bound(&r->aggregate, pms_samples_bytes(r->samples),
				    !options->most_buckets);
	if (!status)
		status = read_all(r, options, err);
	if (!status && !options->raw)
		status = check_is_spe(r, path, err);
	if (!status)
		status = finish(r, options, err);
	if (status) {
		pms_spe_report_free(r);
		return status;
	}
	*out = r;
	return 0;
}

void pms_spe_report_free(struct pms_spe_report *report)
{
	if (!report)
		return;
	pms_aggregate_release(&report->aggregate);
	pms_data_release(&report->data);
	pms_symbols_close(report->symbols);
	pms_spe_samples_close(report->samples);
	free((void *)report->objects);
	pms_arena_release(&report->strings);
	free(report->sharing);
	free(report->threads);
	free(report->order);
	free(report->only);
	free(report);
}

/* Ask ------------------------------------------------------------------------------------------ */

size_t pms_spe_report_rows(const struct pms_spe_report *report)
{
	return report->n_rows + (report->accounts.rest > 0);
}

const struct pms_spe_row *pms_spe_report_row(struct pms_spe_report *report, size_t i)
{
	pms_arena_release(&report->strings);
	if (i < report->n_rows) {
		fill_row(report, report->order[i]);
		report->row.has_histogram = pms_sketch_octaves(
			&pms_aggregate_group(&report->aggregate, report->order[i])->wait,
			report->row.histogram);
		pms_spe_label_row(report, report->order[i]);
	} else {
		memset(&report->row, 0, sizeof(report->row));
		pms_group_row(&report->aggregate.rest, &report->aggregate.sources, &report->row);
		report->row.rest = 1;
	}
	return report->failed ? NULL : &report->row;
}

size_t pms_spe_report_objects(const struct pms_spe_report *report)
{
	return report->n_objects;
}

enum pms_symbols_state pms_spe_report_object(const struct pms_spe_report *report, size_t i,
					     const struct pms_object **object)
{
	*object = report->objects[i]->object;
	return pms_symbols_state(report->symbols, *object);
}

const struct pms_spe_row *pms_spe_report_total(const struct pms_spe_report *report)
{
	return &report->total;
}

const struct pms_spe_accounts *pms_spe_report_accounts(const struct pms_spe_report *report)
{
	return &report->accounts;
}

const struct pms_spe_quality *pms_spe_report_quality(const struct pms_spe_report *report)
{
	return &report->quality;
}

enum pms_spe_by pms_spe_report_by(const struct pms_spe_report *report)
{
	return report->aggregate.by;
}

int pms_spe_report_has_targets(const struct pms_spe_report *report)
{
	return report->aggregate.targets && !report->n_keys;
}

int pms_spe_report_targets(const struct pms_spe_report *report)
{
	return report->targets;
}

int pms_spe_report_histogram(const struct pms_spe_report *report)
{
	return report->histogram;
}

enum pms_spe_encoding pms_spe_report_encoding(const struct pms_spe_report *report)
{
	return report->encoding;
}

size_t pms_spe_report_sort(const struct pms_spe_report *report)
{
	return report->sort;
}
