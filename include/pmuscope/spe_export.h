/* SPDX-License-Identifier: MIT */
/* pmuscope/spe_export.h - SPE records for other programs: a row each, in columns that have names.
 * Flow: samples -> [rows] -> CSV, JSON lines, ClickHouse's RowBinary, or an SQLite file.
 * docs/use/spe-export.md has every column, with its unit and type. */
#ifndef PMUSCOPE_SPE_EXPORT_H
#define PMUSCOPE_SPE_EXPORT_H

#include "pmuscope/spe_samples.h"
#include "pmuscope/symbol.h"

#ifdef __cplusplus
extern "C" {
#endif

enum pms_spe_export_format {
	PMS_SPE_EXPORT_CSV,	  /* a line of names, then a line a record */
	PMS_SPE_EXPORT_JSONL,	  /* a JSON object a line; a value that is not there has no key */
	PMS_SPE_EXPORT_ROWBINARY, /* what ClickHouse reads fastest */
	PMS_SPE_EXPORT_SQLITE	  /* a database file with the table "spe" */
};
enum { PMS_SPE_EXPORT_FORMATS = PMS_SPE_EXPORT_SQLITE + 1 };

/** Returns "csv", "jsonl", "rowbinary" or "sqlite". Static storage. */
const char *pms_spe_export_format_name(enum pms_spe_export_format format);

/** Returns 1 with the format that @name names, 0 when it names none. */
int pms_spe_export_format_find(const char *name, enum pms_spe_export_format *format);

struct pms_spe_export_options {
	enum pms_spe_export_format format;
	const char *columns; /* their names, with commas between, in the order to write; NULL: all
				   but those that need symbols */
	int symbols;	     /* 1: with NULL columns: those that need symbols too */
	const char *symfs; /* directory to look for the programs' files in; NULL: where they were */
	const char *filter;		/* expression that records have to match; NULL: all. See
					   docs/use/spe-report.md */
	struct pms_spe_pick pick;	/* and that these options mean */
	const char *path;		/* of the file, for pick.time; NULL: not known */
	int raw;			/* 1: it is a bare buffer */
	enum pms_spe_encoding encoding; /* by which the filter names data sources; UNKNOWN: the
					   file's */
	int terminal;	       /* 1: CSV is read as it is: texts are as pms_text_clean has them */
	const char *null_text; /* CSV: for a value that is not there; NULL: nothing at all */
	/* Takes what is written, but for SQLite. Returns 0, or -1 to stop. */
	int (*write)(void *context, const void *bytes, size_t length);
	void *context;
	const char *database; /* SQLite: the file, which is there and empty */
};

/** What an export did. */
struct pms_spe_export_counts {
	uint64_t written; /* rows */
	uint64_t dropped; /* records that did not match the filter */
	/* Rows with an instruction, by what became of its file when symbols were looked for; those
	 * of no known file are not among them. */
	uint64_t files[PMS_SYMBOLS_STATES];
};

/**
 * Whether the options' columns exist. pms_spe_export looks at them too, but after the file is
 * opened.
 * Errors: -PMS_ENAME no such column; -PMS_EINVAL one is named twice
 */
int pms_spe_export_check(const struct pms_spe_export_options *options, struct pms_error *err);

/**
 * Write a row for each record of @samples. What was written when it fails is to be thrown away.
 * Memory: 2 MiB, whatever the number of records, and what symbols take.
 * @counts: filled, also when it fails
 * Errors: those of pms_spe_samples_next and of the check; -PMS_EPARSE in the filter, with the
 *         column; -PMS_EIO write() stops, or the database
 * cannot be written; -PMS_ENOMEM
 */
int pms_spe_export(struct pms_spe_samples *samples, const struct pms_spe_export_options *options,
		   struct pms_spe_export_counts *counts, struct pms_error *err);

/**
 * Write the statement that makes ClickHouse's table "spe" for these columns, by options->write.
 * Errors: those of the check; -PMS_EIO write() stops
 */
int pms_spe_export_ddl(const struct pms_spe_export_options *options, struct pms_error *err);

#ifdef __cplusplus
}
#endif
#endif
