/* SPDX-License-Identifier: MIT */
/* Export samples as rows: choose columns and records, and pass them to the format. */
#include "spe/export.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/name.h"
#include "base/status.h"
#include "spe/filter.h"
#include "spe/pick.h"

static const char *const formats[PMS_SPE_EXPORT_FORMATS] = { "csv", "jsonl", "rowbinary",
							     "sqlite" };

const char *pms_spe_export_format_name(enum pms_spe_export_format format)
{
	return formats[format];
}

int pms_spe_export_format_find(const char *name, enum pms_spe_export_format *format)
{
	for (unsigned i = 0; i < PMS_SPE_EXPORT_FORMATS; i++) {
		if (strcmp(name, formats[i]) != 0)
			continue;
		*format = (enum pms_spe_export_format)i;
		return 1;
	}
	return 0;
}

/* Columns -------------------------------------------------------------------------------------- */

static int cell_of(const char *name, size_t length)
{
	for (int i = 0; i < PMS_SPE_N_CELLS; i++)
		if (!strncmp(pms_spe_cells[i].name, name, length) && !pms_spe_cells[i].name[length])
			return i;
	return -1;
}

static int no_such_column(const char *name, size_t length, struct pms_error *err)
{
	struct pms_nearest nearest = { 0 };
	char word[64];
	snprintf(word, sizeof(word), "%.*s", length < 60 ? (int)length : 60, name);
	int status = pms_fail(err, PMS_ENAME, "there is no column \"%s\"", word);
	for (int i = 0; i < PMS_SPE_N_CELLS; i++)
		pms_nearest_offer(&nearest, word, pms_spe_cells[i].name);
	if (nearest.best)
		pms_hint(err, "did you mean %s?", nearest.best);
	else
		pms_hint(err, "pmuscope spe export --ddl --symbols lists them");
	return status;
}

static int choose_named(const char *names, struct pms_spe_chosen *chosen, struct pms_error *err)
{
	uint64_t seen = 0;
	for (const char *at = names;; at++) {
		size_t length = strcspn(at, ",");
		int cell = cell_of(at, length);
		if (cell < 0)
			return no_such_column(at, length, err);
		if (seen >> cell & 1)
			return pms_fail(err, PMS_EINVAL, "column %s is named twice",
					pms_spe_cells[cell].name);
		seen |= UINT64_C(1) << cell;
		chosen->cell[chosen->count++] = (uint8_t)cell;
		at += length;
		if (!*at)
			return 0;
	}
}

static int choose(const struct pms_spe_export_options *options, struct pms_spe_chosen *chosen,
		  struct pms_error *err)
{
	unsigned all = options->symbols ? (unsigned)PMS_SPE_N_CELLS : PMS_SPE_FIRST_OF_SYMBOLS;
	chosen->count = 0;
	if (options->columns)
		return choose_named(options->columns, chosen, err);
	for (unsigned i = 0; i < all; i++)
		chosen->cell[chosen->count++] = (uint8_t)i;
	return 0;
}

/* Whether any column from @first on is chosen. */
static int needs(const struct pms_spe_chosen *chosen, unsigned first)
{
	for (size_t i = 0; i < chosen->count; i++)
		if (chosen->cell[i] >= first)
			return 1;
	return 0;
}

int pms_spe_export_check(const struct pms_spe_export_options *options, struct pms_error *err)
{
	struct pms_spe_chosen chosen;
	return choose(options, &chosen, err);
}

/* Rows ----------------------------------------------------------------------------------------- */

struct export
{
	struct pms_spe_out out;
	const struct pms_spe_sink *sink; /* NULL: the database */
	struct pms_spe_database *database;
	struct pms_symbols *symbols; /* NULL: neither a column nor the filter needs any */
	struct pms_spe_filler *filler;
	struct pms_spe_filter *filter; /* NULL: all records, or none was read yet */
	char *only;		       /* filter made from options->pick; NULL: none */
	const struct pms_spe_samples *samples;
	struct pms_places places; /* for the filter */
	struct pms_data data;
	struct pms_spe_export_counts *counts;
	struct pms_spe_cells cells;
	uint8_t keep[PMS_SPE_BATCH];
};

static int write_row(struct export *e, const struct pms_spe_samples_batch *batch, size_t i,
		     struct pms_error *err)
{
	if (pms_spe_fill(e->filler, batch, i, &e->cells))
		return pms_no_memory(err);
	if (!e->sink)
		return pms_spe_database_row(e->database, &e->cells, err);
	e->sink->row(&e->out, &e->cells);
	return 0;
}

/* Compile the filter once the encoding is known: it names data sources as the core does, and the
 * first batch tells the core where the user does not. */
static int compile_filter(struct export *e, enum pms_spe_encoding encoding, struct pms_error *err)
{
	const struct pms_spe_export_options *options = e->out.options;
	const struct pms_symbols_options symbols = { .symfs = options->symfs };
	if (e->filter || (!options->filter && !e->only))
		return 0;
	int status = pms_spe_filter_compile_both(options->filter, e->only,
						 options->encoding ? options->encoding : encoding,
						 &e->filter, err);
	return status || e->symbols || !pms_spe_filter_needs_symbols(e->filter)
		       ? status
		       : pms_symbols_open(&symbols, &e->symbols, err);
}

static int write_batch(struct export *e, const struct pms_spe_samples_batch *batch,
		       struct pms_error *err)
{
	int status = compile_filter(e, batch->encoding, err);
	const struct pms_spe_where where = { e->samples, e->symbols, &e->places, &e->data };
	e->data.symbols = e->symbols;
	if (!status && e->filter && pms_spe_filter_apply(e->filter, &where, batch, e->keep))
		return pms_no_memory(err);
	for (size_t i = 0; i < batch->records->count && !status; i++) {
		if (e->filter && !e->keep[i]) {
			e->counts->dropped++;
			continue;
		}
		status = write_row(e, batch, i, err);
		e->counts->written += !status;
	}
	if (e->out.failed)
		return pms_fail(err, PMS_EIO, "cannot write");
	return status;
}

static int write_all(struct export *e, struct pms_spe_samples *samples, struct pms_error *err)
{
	const struct pms_spe_samples_batch *batch;
	int status;
	if (e->sink && e->sink->begin)
		e->sink->begin(&e->out);
	while ((status = pms_spe_samples_next(samples, &batch, err)) > 0) {
		status = write_batch(e, batch, err);
		if (status)
			return status;
	}
	if (!status) /* check the filter even without records */
		status = compile_filter(e, PMS_SPE_ENCODING_UNKNOWN, err);
	if (status)
		return status;
	if (!e->sink)
		return pms_spe_database_finish(e->database, err);
	pms_spe_out_flush(&e->out);
	return e->out.failed ? pms_fail(err, PMS_EIO, "cannot write") : 0;
}

static int find_place(void *context, uint32_t space, uint64_t address, struct pms_place *place)
{
	return pms_spe_samples_place(context, space, address, place);
}

static int prepare(struct export *e, const struct pms_spe_samples *samples, struct pms_error *err)
{
	static const struct pms_spe_sink *const sinks[PMS_SPE_EXPORT_FORMATS] = {
		&pms_spe_sink_csv, &pms_spe_sink_jsonl, &pms_spe_sink_rowbinary, NULL
	};
	const struct pms_spe_export_options *options = e->out.options;
	const struct pms_symbols_options symbols = { .symfs = options->symfs };
	const struct pms_place_finder finder = { find_place, NULL, (void *)samples };
	int status = choose(options, &e->out.chosen, err);
	e->samples = samples;
	e->data.samples = samples;
	if (!status && pms_places_init(&e->places, &finder))
		status = pms_no_memory(err);
	if (!status)
		status = pms_spe_pick_text(&options->pick, options->path, options->raw, &e->only,
					   err);
	if (!status && needs(&e->out.chosen, PMS_SPE_FIRST_OF_SYMBOLS))
		status = pms_symbols_open(&symbols, &e->symbols, err);
	if (status)
		return status;
	e->filler = pms_spe_filler_new(
		samples, needs(&e->out.chosen, PMS_SPE_FIRST_OF_PLACES), e->symbols,
		needs(&e->out.chosen, PMS_SPE_FIRST_OF_DATA) ? &e->data : NULL);
	if (!e->filler)
		return pms_no_memory(err);
	e->sink = sinks[options->format];
	return e->sink ? 0 : pms_spe_database_open(options, &e->out.chosen, &e->database, err);
}

int pms_spe_export(struct pms_spe_samples *samples, const struct pms_spe_export_options *options,
		   struct pms_spe_export_counts *counts, struct pms_error *err)
{
	struct export *e = calloc(1, sizeof(*e));
	*counts = (struct pms_spe_export_counts){ 0 };
	if (!e)
		return pms_no_memory(err);
	e->out.options = options;
	e->counts = counts;
	int status = prepare(e, samples, err);
	if (!status)
		status = write_all(e, samples, err);
	if (e->filler)
		memcpy(counts->files, pms_spe_filler_files(e->filler), sizeof(counts->files));
	pms_spe_database_close(e->database);
	pms_spe_filler_free(e->filler);
	pms_symbols_close(e->symbols);
	pms_spe_filter_free(e->filter);
	pms_places_release(&e->places);
	pms_data_release(&e->data);
	free(e->only);
	free(e);
	return status;
}

int pms_spe_export_ddl(const struct pms_spe_export_options *options, struct pms_error *err)
{
	struct pms_spe_out *out = calloc(1, sizeof(*out));
	if (!out)
		return pms_no_memory(err);
	out->options = options;
	int status = choose(options, &out->chosen, err);
	if (!status) {
		pms_spe_ddl(out);
		status = out->failed ? pms_fail(err, PMS_EIO, "cannot write") : 0;
	}
	free(out);
	return status;
}
