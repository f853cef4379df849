/* SPDX-License-Identifier: MIT */
/* show/spe_report.h - a report of SPE samples as an outline, in parts. The report makes one row at
 * a time, and a row's texts last until the next: so rows are made when they are written. */
#ifndef PMS_SHOW_SPE_REPORT_H
#define PMS_SHOW_SPE_REPORT_H

#include "pmuscope/spe_report.h"
#include "show/outline.h"

/* From so many columns on, there is room for sources side by side and for columns marked wide. */
enum { PMS_SPE_WIDE = 110 };

/* Views ---------------------------------------------------------------------------------------- */

enum { PMS_SPE_VIEW_MOST = 9 };

/** What people see of one kind of report. */
struct pms_spe_view {
	const char *heading;
	struct {
		const char *measure;
		const char *title;    /* of one line or two */
		int wide;	      /* 1: show only from PMS_SPE_WIDE columns on */
	} columns[PMS_SPE_VIEW_MOST]; /* ends with a NULL */
	int from;		      /* 1: show where data came from */
};

const struct pms_spe_view *pms_spe_view(const struct pms_spe_report *report);
/** Returns the title of what rows by @by are about: "Function". */
const char *pms_spe_view_subject(enum pms_spe_by by);

/* Parts ---------------------------------------------------------------------------------------- */

/** A report that is shown. */
struct pms_spe_shown {
	struct pms_spe_report *report;
	const char *file; /* its name */
};

/** Build the whole. @subject: a struct pms_spe_shown, which lasts until the outline is written */
int pms_build_spe_report(struct pms_outline *outline, void *subject, struct pms_error *err);

/** Add the table of rows: all of them, and in CSV the total. */
void pms_spe_put_rows(struct pms_out_item *parent, struct pms_spe_report *report);
/** Add the total of the whole report, for JSON. */
void pms_spe_put_total(struct pms_out_item *parent, const struct pms_spe_report *report);

/** For people: add a cache line with the places in it and who touches them. */
void pms_spe_put_line(struct pms_out_item *parent, const struct pms_spe_report *report,
		      const struct pms_spe_row *row);
/** Make a table of the places in a cache line. @parent: NULL: it is a datum of @of */
struct pms_out_item *pms_spe_spots(struct pms_out_item *of, struct pms_out_item *parent,
				   const struct pms_spe_row *row);
enum pms_spe_touched { PMS_SPE_TOUCHED, PMS_SPE_TARGETS, PMS_SPE_PREVIOUS };
/** Make a table, for JSON, of the touches of a cache line, of where a branch goes, or of where the
 * branch before it went. It lasts as long as the row. */
struct pms_out_item *pms_spe_touches(struct pms_out_item *of, enum pms_spe_touched what,
				     const struct pms_spe_row *row);

/** Add how good the sample is: sentences for people and as comments, numbers for JSON. */
void pms_spe_put_quality(struct pms_out_item *parent, const struct pms_spe_report *report);

/* Cells ---------------------------------------------------------------------------------------- */

/** Two fields of JSON for a name, which may hold any bytes: the second is there where the name is
 * not UTF-8, and has all its bytes in hexadecimal. */
#define PMS_SPE_NAME(key)                                                                          \
	{ key, NULL, NULL, 0 },                                                                    \
	{                                                                                          \
		key "_bytes", NULL, NULL, PMS_OUT_OPTIONAL                                         \
	}
enum { PMS_SPE_NAME_FIELDS = 2 };

/** Set both cells of a name, @column and the next. */
void pms_spe_put_name(struct pms_out_item *row, size_t column, const char *name);

#endif
