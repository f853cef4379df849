/* SPDX-License-Identifier: MIT */
/* spe/export.h - a record as the values of its columns (column.h), and the sinks that write
 * them. Flow: samples -> [cells] -> a sink of some format. */
#ifndef PMS_SPE_EXPORT_H
#define PMS_SPE_EXPORT_H

#include <string.h>

#include "pmuscope/spe_export.h"
#include "spe/column.h"

/** A record as a row. */
struct pms_spe_cells {
	uint64_t there; /* bits by enum pms_spe_cell_name; a value without its bit is meaningless */
	uint64_t number[PMS_SPE_N_CELLS];
	const char *text[PMS_SPE_N_CELLS];
	char event[64 * 40]; /* room for the names of events */
};

static inline int pms_spe_cell_there(const struct pms_spe_cells *cells, unsigned cell)
{
	return (int)(cells->there >> cell & 1);
}

/* Turns records into cells. */
struct pms_spe_filler;

/** Returns a new filler, NULL when out of memory. @samples, @symbols: borrowed. @places: 1: look
 * up the places of instructions, and with @symbols their functions and lines. @data: looks up
 * data; NULL: do not */
struct pms_spe_filler *pms_spe_filler_new(const struct pms_spe_samples *samples, int places,
					  struct pms_symbols *symbols, struct pms_data *data);
void pms_spe_filler_free(struct pms_spe_filler *filler);

/** Returns the number of filled records by the symbol state of their instruction's file. */
const uint64_t *pms_spe_filler_files(const struct pms_spe_filler *filler);

/** Fill the cells of record @i. Texts are borrowed until the next record. Returns 0. Errors:
 * -PMS_ENOMEM. */
int pms_spe_fill(struct pms_spe_filler *filler, const struct pms_spe_samples_batch *batch, size_t i,
		 struct pms_spe_cells *cells);

/** The columns that are written, in order. */
struct pms_spe_chosen {
	size_t count;
	uint8_t cell[PMS_SPE_N_CELLS]; /* enum pms_spe_cell_name */
};

/* Sinks ---------------------------------------------------------------------------------------- */

enum { PMS_SPE_OUT = 1 << 16 };

/** Bytes on their way to options->write. */
struct pms_spe_out {
	const struct pms_spe_export_options *options;
	struct pms_spe_chosen chosen;
	int failed; /* 1: write() has stopped the export */
	size_t length;
	char bytes[PMS_SPE_OUT];
};

void pms_spe_out_flush(struct pms_spe_out *out);

/** Returns room for @length bytes, at most PMS_SPE_OUT. The caller advances out->length. */
static inline char *pms_spe_out_room(struct pms_spe_out *out, size_t length)
{
	if (PMS_SPE_OUT - out->length < length)
		pms_spe_out_flush(out);
	return out->bytes + out->length;
}

static inline void pms_spe_out_char(struct pms_spe_out *out, char c)
{
	*pms_spe_out_room(out, 1) = c;
	out->length++;
}

/** Any number of bytes. */
void pms_spe_out_bytes(struct pms_spe_out *out, const char *bytes, size_t length);

/** A format that is a stream of bytes. */
struct pms_spe_sink {
	void (*begin)(struct pms_spe_out *out); /* NULL: nothing comes first */
	void (*row)(struct pms_spe_out *out, const struct pms_spe_cells *cells);
};

extern const struct pms_spe_sink pms_spe_sink_csv, pms_spe_sink_jsonl, pms_spe_sink_rowbinary;

/** Write the statement that creates ClickHouse's table, and flush. */
void pms_spe_ddl(struct pms_spe_out *out);

/** A database of SQLite, which is not a stream of bytes. */
struct pms_spe_database;

int pms_spe_database_open(const struct pms_spe_export_options *options,
			  const struct pms_spe_chosen *chosen, struct pms_spe_database **out,
			  struct pms_error *err);
int pms_spe_database_row(struct pms_spe_database *database, const struct pms_spe_cells *cells,
			 struct pms_error *err);
/** Commit: all of it is on disk afterwards. */
int pms_spe_database_finish(struct pms_spe_database *database, struct pms_error *err);
/** NULL is fine. */
void pms_spe_database_close(struct pms_spe_database *database);

#endif
