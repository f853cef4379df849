/* SPDX-License-Identifier: MIT */
/* pmuscope/spe_export.h - export SPE records for other programs: a row each, in named columns.
 * Flow: samples -> [rows] -> CSV, JSON lines, ClickHouse's RowBinary, or an SQLite file.
 * docs/use/spe-export.md describes every column, with its unit and type. */
#ifndef PMUSCOPE_SPE_EXPORT_H
#define PMUSCOPE_SPE_EXPORT_H

#include "pmuscope/spe_samples.h"
#include "pmuscope/symbol.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pms_spe_export_format {
	PMS_SPE_EXPORT_CSV,	  /* a line of names, then a line a record */
	PMS_SPE_EXPORT_JSONL,	  /* a JSON object a line; missing values have no key */
	PMS_SPE_EXPORT_ROWBINARY, /* the format that ClickHouse reads fastest */
	PMS_SPE_EXPORT_SQLITE	  /* a database file with the table "spe" */
};
enum { PMS_SPE_EXPORT_FORMATS = PMS_SPE_EXPORT_SQLITE + 1 };

/** Returns "csv", "jsonl", "rowbinary" or "sqlite". Static storage. */
const char *pms_spe_export_format_name(enum pms_spe_export_format format);

/** Returns 1 with the format that @name names, 0 when it names none. */
int pms_spe_export_format_find(const char *name, enum pms_spe_export_format *format);

struct pms_spe_export_options {
	enum pms_spe_export_format format;
	const char *columns; /* column names to write, in order, with commas; NULL: all that need no
				symbols */
	int symbols;	     /* 1: with NULL columns, also those that need symbols */
	const char *symfs;   /* folder of the programs' files; NULL: at their own paths */
	const char *filter;  /* expression that records must match; NULL: all. See
				docs/use/spe-report.md */
	struct pms_spe_pick pick;	/* further conditions on records */
	const char *path;		/* the file's path, for pick.time; NULL: not known */
	int raw;			/* 1: the file is a bare buffer */
	enum pms_spe_encoding encoding; /* for the filter; UNKNOWN: the file's */
	int terminal;	       /* 1: a person reads the CSV: texts are as pms_text_clean has them */
	const char *null_text; /* CSV: text for missing values; NULL: leave them empty */
	/* Takes the output, except SQLite's. Returns 0, or -1 to stop. */
	int (*write)(void *context, const void *bytes, size_t length);
	void *context;
	const char *database; /* SQLite: path of the file, which exists and is empty */
};

/** The result of an export. */
struct pms_spe_export_counts {
	uint64_t written; /* rows */
	uint64_t dropped; /* records that did not match the filter */
	/* Rows with an instruction in a known file, by the state of the file's symbols. */
	uint64_t files[PMS_SYMBOLS_STATES];
};

/** Check that the options' columns exist. pms_spe_export checks too, but only after the file is
 * opened.
 * Returns 0. Errors: -PMS_ENAME no such column; -PMS_EINVAL a column is named twice. */
int pms_spe_export_check(const struct pms_spe_export_options *options, struct pms_error *err);

/** Write a row for each record of @samples. After an error, throw the output away.
 * Memory: 2 MiB for any number of records, and the symbols.
 * @counts: filled even on failure
 * Returns 0. Errors: as pms_spe_samples_next and pms_spe_export_check; -PMS_EPARSE in the
 * filter, with the column; -PMS_EIO write() stops, or the database cannot be written;
 * -PMS_ENOMEM. */
int pms_spe_export(struct pms_spe_samples *samples, const struct pms_spe_export_options *options,
		   struct pms_spe_export_counts *counts, struct pms_error *err);

/** Write the statement that creates ClickHouse's table "spe" for these columns, by
 * options->write.
 * Returns 0. Errors: as pms_spe_export_check; -PMS_EIO write() stops. */
int pms_spe_export_ddl(const struct pms_spe_export_options *options, struct pms_error *err);

#ifdef __cplusplus
}
#endif
#endif
