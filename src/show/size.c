/* SPDX-License-Identifier: MIT */
#include "show/size.h"

#include <stdlib.h>
#include <string.h>

#include "base/memstream.h"
#include "base/status.h"
#include "show/label.h"
#include "show/text.h"

/* Returns the index of the event that has @role; SIZE_MAX: the catalog has none. */
static size_t event_of(const struct pms_catalog *catalog, enum pms_catalog_role role)
{
	int64_t event = pms_catalog_find_role(catalog, role);
	return event < 0 ? SIZE_MAX : (size_t)event;
}

static const struct pms_count *count_of(const struct pms_scope *scope, size_t event)
{
	return event != SIZE_MAX && pms_count_is_known(&scope->counts[event])
		       ? &scope->counts[event]
		       : NULL;
}

void pms_size_find(struct pms_size *size, const struct pms_counts *counts)
{
	size_t instructions = event_of(counts->catalog, PMS_CATALOG_INSTRUCTIONS);
	size_t cycles = event_of(counts->catalog, PMS_CATALOG_CYCLES);
	*size = (struct pms_size){ .instructions = count_of(&counts->total, instructions),
				   .cycles = count_of(&counts->total, cycles) };
	for (size_t i = 0; i < counts->n_scopes; i++) {
		const struct pms_scope *scope = &counts->scopes[i];
		const struct pms_count *ran = count_of(scope, instructions);
		const struct pms_count *took = count_of(scope, cycles);
		size->cpus += scope->kind == PMS_SCOPE_CPU;
		if (scope->kind != PMS_SCOPE_THREAD || (ran && !ran->value))
			continue;
		size->threads++;
		if (took &&
		    (!size->longest || pms_count_scaled(took) > pms_count_scaled(size->longest)))
			size->longest = took;
	}
}

double pms_size_ipc(const struct pms_size *size)
{
	if (!size->instructions || !size->cycles || pms_count_scaled(size->cycles) == 0)
		return 0;
	return pms_count_scaled(size->instructions) / pms_count_scaled(size->cycles);
}

double pms_size_share(const struct pms_counts *counts, const struct pms_scope *scope)
{
	size_t event = event_of(counts->catalog, PMS_CATALOG_CYCLES);
	const struct pms_count *all = count_of(&counts->total, event);
	const struct pms_count *own = count_of(scope, event);
	if (!all || !own || pms_count_scaled(all) == 0)
		return -1;
	return 100 * pms_count_scaled(own) / pms_count_scaled(all);
}

/* Shorten from a million on: nobody reads ten digits in a heading. */
static void describe_number(char text[PMS_NUMBER_MAX], uint64_t value)
{
	static const struct {
		double unit;
		const char *name;
	} units[] = { { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" } };
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		double size = (double)value / units[i].unit;
		if (size < 1)
			continue;
		int decimals = size < 9.9995 ? 3 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0;
		snprintf(text, PMS_NUMBER_MAX, "%.*f %s", decimals, size, units[i].name);
		return;
	}
	pms_text_count(text, value);
}

/* Write "some 10.55 M" for an estimate: scaled from part of the time, or sampled. */
static void put_count(FILE *out, const struct pms_scope *scope, const struct pms_count *count)
{
	char text[PMS_NUMBER_MAX];
	describe_number(text, pms_label_count(count));
	fprintf(out, "%s%s", pms_label_run_pct(scope, count) < 100 ? "some " : "", text);
}

/* Join the facts that are known into one line; unknown ones leave no gap. */
static void put_parts(FILE *out, const struct pms_size *size, const struct pms_scope *total)
{
	char ipc[PMS_NUMBER_MAX];
	if (size->instructions) {
		put_count(out, total, size->instructions);
		fputs(" instructions", out);
	}
	if (size->cycles) {
		fputs(size->instructions ? " in " : "", out);
		put_count(out, total, size->cycles);
		fputs(" cycles", out);
	}
	if (pms_size_ipc(size) > 0) {
		pms_text_value(ipc, pms_size_ipc(size), "");
		fprintf(out, ", IPC %s", ipc);
	}
	if (size->threads)
		fprintf(out, ", %zu thread%s", size->threads, size->threads == 1 ? "" : "s");
	if (size->threads > 1 && size->longest) {
		fputs(", the longest of ", out);
		put_count(out, total, size->longest);
		fputs(" cycles", out);
	}
	if (size->cpus)
		fprintf(out, ", %zu CPU%s", size->cpus, size->cpus == 1 ? "" : "s");
}

int pms_size_line(char *text, size_t room, const struct pms_counts *counts)
{
	struct pms_size size;
	pms_size_find(&size, counts);
	char *parts;
	size_t n;
	if (!size.instructions && !size.cycles)
		return 0;
	FILE *out = pms_memstream_open(&parts, &n);
	if (!out)
		return -PMS_ENOMEM;
	put_parts(out, &size, &counts->total);
	int rc = pms_memstream_close(out);
	snprintf(text, room, "%s", rc ? "" : parts);
	free(parts);
	return rc ? rc : 1;
}

static struct pms_out_datum count_or_none(const struct pms_count *count)
{
	return count ? pms_out_of_count(pms_label_count(count)) : pms_out_of_nothing();
}

void pms_size_put(struct pms_out_item *root, const struct pms_counts *counts)
{
	struct pms_size size;
	struct pms_out_item *run = pms_out_group(root, PMS_IN_JSON, "run");
	/* Skip the comments for intervals: they stand once, at the top, and would be true of the
	 * first alone. */
	struct pms_out_item *head = counts->has_time ? NULL : root;
	pms_size_find(&size, counts);
	double ipc = pms_size_ipc(&size);
	const struct {
		const char *key, *comment;
		struct pms_out_datum datum;
	} facts[] = {
		{ "instructions", "instructions", count_or_none(size.instructions) },
		{ "cycles", "cycles", count_or_none(size.cycles) },
		{ "ipc", "ipc", pms_out_when(ipc > 0, pms_out_of_real(ipc)) },
		{ "threads", "threads",
		  pms_out_when(size.threads > 0, pms_out_of_count(size.threads)) },
		{ "longest_thread_cycles", "longest thread cycles", count_or_none(size.longest) },
	};
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		pms_out_member(run, facts[i].key, facts[i].datum);
		pms_out_comment(head, facts[i].comment, facts[i].datum);
	}
}
