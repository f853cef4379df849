/* SPDX-License-Identifier: MIT */
/* collect/perf_stat_text.h - the output of perf stat as a list of counts, before they are put
 * together by interval and scope. */
#ifndef PMS_COLLECT_PERF_STAT_TEXT_H
#define PMS_COLLECT_PERF_STAT_TEXT_H

#include <stdio.h>

#include "collect/perf_stat_event.h"
#include "collect/perf_stat_line.h"

/** A name that an event goes by in the text. */
struct pms_stat_name {
	struct pms_view name;
	int64_t event; /* of the catalog, or -PMS_ENAME */
	enum pms_stat_mode mode;
};

struct pms_stat_record {
	struct pms_stat_line line;
	size_t name; /* index */
};

struct pms_stat_text {
	char *text;			 /* what the records are parts of, owned */
	char *source;			 /* name of the file, owned */
	struct pms_stat_record *records; /* in the text's order; with intervals, no summary */
	size_t n_records;
	struct pms_stat_name *names;
	size_t n_names;
	struct pms_view command; /* of the table's heading; empty where it tells none */
	double elapsed;		 /* s, of the table; 0: not told */
	int is_table;
};

/** Read @in. Release @text whatever is returned. Errors: as pms_perf_stat_open. */
int pms_stat_text_read(FILE *in, const char *source, const struct pms_catalog *catalog,
		       struct pms_stat_text *text, struct pms_error *err);
void pms_stat_text_release(struct pms_stat_text *text);

#endif
