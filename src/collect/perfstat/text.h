/* SPDX-License-Identifier: MIT */
/* collect/perfstat/text.h - the output of perf stat as a list of counts, not yet put together by
 * interval and scope. Files have millions of counts, so a count takes about as much memory as
 * its line. */
#ifndef PMS_COLLECT_PERFSTAT_TEXT_H
#define PMS_COLLECT_PERFSTAT_TEXT_H

#include <stdio.h>

#include "base/numbers.h"
#include "collect/perfstat/event.h"
#include "collect/perfstat/line.h"

/** A name of an event in the text. */
struct pms_stat_name {
	struct pms_stat_view name;
	int64_t event; /* of the catalog, or -PMS_ENAME */
	enum pms_stat_mode mode;
};

/** A thread, a CPU or another scope of counts. */
struct pms_stat_scope {
	enum pms_scope_kind kind;
	int64_t id;
	char name[32]; /* cut, if it is longer */
};

/** A count, without the parts of pms_stat_line that are not needed later. */
struct pms_stat_record {
	double time, value, run_pct, spread;
	uint64_t run_ns;
	uint32_t name, scope; /* indices */
	unsigned char state;  /* enum pms_count_state */
	unsigned char has_time, has_run;
};

struct pms_stat_text {
	char *text;			 /* what the records are parts of, owned */
	char *source;			 /* name of the file, owned */
	struct pms_stat_record *records; /* in the text's order; with intervals, no summary */
	size_t n_records;
	struct pms_stat_name *names;
	size_t n_names;
	struct pms_stat_scope *scopes; /* the first is the total */
	size_t n_scopes;
	struct pms_numbers by_scope;  /* rows of scopes */
	struct pms_hash_key key;      /* that their hashes are made with */
	size_t size;		      /* bytes of the file, so far */
	struct pms_stat_view command; /* of the table's heading; empty where it tells none */
	struct pms_stat_view cgroup;  /* of every count; empty where there is none */
	double elapsed;		      /* s, of the table; 0: not told */
	int is_table;
};

/** Read @in. Always release @text. Errors: as pms_perf_stat_open. */
int pms_stat_text_read(FILE *in, const char *source, const struct pms_catalog *catalog,
		       struct pms_stat_text *text, struct pms_error *err);
/** Append a count of the name with that index. Errors: -PMS_EPARSE there are more counts or scopes
 * than is allowed; -PMS_ENOMEM. */
int pms_stat_text_add(struct pms_stat_text *text, const struct pms_stat_line *line, size_t name,
		      struct pms_error *err);
void pms_stat_text_release(struct pms_stat_text *text);

#endif
