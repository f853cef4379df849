/* SPDX-License-Identifier: MIT */
/* show/label.h - the fixed words of the formats: programs read them. */
#ifndef PMS_SHOW_LABEL_H
#define PMS_SHOW_LABEL_H

#include <stddef.h>
#include <stdint.h>

#include "pmuscope/relation.h"
#include "pmuscope/show.h"

/** Returns "undefined", "scaled", or the word for a value whose events were counted all the time:
 * "exact" on a PMU, "complete" in a model, because a model measures nothing. */
const char *pms_label_value_state(const struct pms_provenance *provenance,
				  enum pms_value_state state);
const char *pms_label_count_state(enum pms_count_state state); /* not_counted counted … */
const char *
pms_label_state_of(const struct pms_count *count); /* as pms_label_count_state, and scaled */
const char *pms_label_count_class(enum pms_count_class cls); /* measured exact modelled */
const char *pms_label_severity(enum pms_severity severity);  /* info moderate high */
const char *pms_label_scope(enum pms_scope_kind kind);	     /* total cpu thread core */
const char *pms_label_check(int ok);			     /* ok missing not_needed */

/** Write "Neoverse V1, modelled (core model 1), not measured" into @text of @size bytes. */
void pms_label_heading(char *text, size_t size, const struct pms_counts *counts);

/** Write when a relation holds, "where direct_connect; from r4p0 on (erratum 1356341)", or when a
 * caveat applies, "before r4p0 (erratum 1356341)"; "" for always. @text has @size bytes and is
 * cut where the room ends. */
void pms_label_holds(char *text, size_t size, const struct pms_condition *condition);
void pms_label_applies(char *text, size_t size, const struct pms_condition *condition);

/** Returns why @count has no value; never NULL. */
const char *pms_label_because(const struct pms_count *count);

/** Returns @count scaled up to the whole time, rounded to the nearest whole number. */
uint64_t pms_label_count(const struct pms_count *count);

/** Returns 1 when the event counts nanoseconds, as Linux's clocks do. */
int pms_label_event_is_ns(const struct pms_event *event);

/** Returns the percentage that @count of @scope saw: of its enabled time, or of a sampled run's
 * instructions; 100 for a modelled count. */
double pms_label_run_pct(const struct pms_scope *scope, const struct pms_count *count);

/** Find the next event to show: from options->events, else from all that were asked for. Start
 * with *@next 0. Returns 0 after the last one. */
int pms_label_next_event(const struct pms_report *report, const struct pms_show_options *options,
			 size_t *next, size_t *event);

#endif
