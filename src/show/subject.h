/* SPDX-License-Identifier: MIT */
/* show/subject.h - the things that a catalog describes, by the names that users give them. */
#ifndef PMS_SHOW_SUBJECT_H
#define PMS_SHOW_SUBJECT_H

#include "pmuscope/relation.h"

enum pms_subject_kind { PMS_SUBJECT_EVENT, PMS_SUBJECT_METRIC, PMS_SUBJECT_GROUP, PMS_SUBJECT_CPU };

struct pms_subject {
	enum pms_subject_kind kind;
	size_t index; /* of the catalog's events, metrics or groups; 0 for the CPU */
};

/* One name can be an event's, a metric's, that of a group of each kind, and the CPU's; one code
 * that of other events on other cores. */
enum { PMS_SUBJECTS_OF_CORES = 8, PMS_SUBJECTS_MAX = PMS_SUBJECTS_OF_CORES + 4 };

/** All that @word names in @catalog. Returns how many. */
size_t pms_subjects_find(const struct pms_catalog *catalog, const char *word,
			 struct pms_subject found[PMS_SUBJECTS_MAX]);

/** The name in @catalog that is most like @word; NULL when none is. */
const char *pms_subjects_nearest(const struct pms_catalog *catalog, const char *word);

/** Whether a metric uses an event, and whether a group has a member (by the group's kind). */
int pms_metric_uses(const struct pms_metric *metric, size_t event);
int pms_group_has(const struct pms_group *group, size_t member);
/** What keys of a group that are not of the layout are said to be of. */
enum pms_extra_of pms_group_extra(const struct pms_group *group);

#endif
