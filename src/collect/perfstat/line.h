/* SPDX-License-Identifier: MIT */
/* collect/perfstat/line.h - one count as perf stat writes it: a line of -x SEP or of the table for
 * people, an object of -j.
 * Source: the output of perf 6.1; tools/perf/util/stat-display.c of Linux for later versions. */
#ifndef PMS_COLLECT_PERFSTAT_LINE_H
#define PMS_COLLECT_PERFSTAT_LINE_H

#include <stddef.h>
#include <stdint.h>

#include "pmuscope/counts.h"

/** Part of a text, borrowed. */
struct pms_stat_view {
	const char *at;
	size_t length;
};

/** The contents of a line. Texts are parts of the line. */
struct pms_stat_line {
	int has_time;	/* of -I */
	double time;	/* s */
	int is_summary; /* of -I --summary: a sum of intervals that were told before */
	enum pms_scope_kind kind;
	int64_t id;		    /* of the scope */
	struct pms_stat_view scope; /* thread's name, or "S0-D0-C1" */
	struct pms_stat_view event; /* as it was named to perf, with modifiers */
	struct pms_stat_view cgroup;
	enum pms_count_state state;
	double value; /* scaled up by perf to the time enabled */
	int has_run;  /* run_ns is told */
	uint64_t run_ns;
	double run_pct; /* 0..100 */
	double spread;	/* relative standard error of -r, a fraction; 0: not told */
};

enum pms_stat_kind { PMS_STAT_BAD, PMS_STAT_NOTHING, PMS_STAT_COUNT };

/** Read a line of -x @separator. PMS_STAT_NOTHING: only a metric of perf's. */
enum pms_stat_kind pms_stat_read_csv(struct pms_stat_view text, char separator,
				     struct pms_stat_line *line);
/** Returns the separator with which the line is a count, 0 when none works. */
char pms_stat_find_separator(struct pms_stat_view text);

/** Read a line of the table. PMS_STAT_NOTHING: only a metric of perf's, or an empty line. */
enum pms_stat_kind pms_stat_read_table(struct pms_stat_view text, struct pms_stat_line *line);

/**
 * Read the next object of -j.
 * @text: shortened by what was read, and by blanks and comments before it; on an error it starts at
 *        the place of that
 * PMS_STAT_NOTHING: a metric alone, or, when @text is empty then, the end.
 */
enum pms_stat_kind pms_stat_read_json(struct pms_stat_view *text, struct pms_stat_line *line);

struct pms_stat_view pms_view_trim(struct pms_stat_view view);
int pms_view_starts(struct pms_stat_view view, const char *text);
int pms_view_equals(struct pms_stat_view a, struct pms_stat_view b);
/** Read @view as a number, with nothing around it. Returns 1, or 0 for no number. */
int pms_view_number(struct pms_stat_view view, double *value);

#endif
