/* SPDX-License-Identifier: MIT */
/* show/subject.h - find what users name: events, metrics, groups, the CPU. */
#ifndef PMS_SHOW_SUBJECT_H
#define PMS_SHOW_SUBJECT_H

#include "pmuscope/relation.h"

enum pms_subject_kind { PMS_SUBJECT_EVENT, PMS_SUBJECT_METRIC, PMS_SUBJECT_GROUP, PMS_SUBJECT_CPU };

struct pms_subject {
	enum pms_subject_kind kind;
	size_t index; /* index of the event, metric or group in the catalog; 0 for the CPU */
};

/* Most subjects of one name: an event, a metric, a group of each kind and the CPU. A code can
 * also name other events on other cores. */
enum { PMS_SUBJECTS_OF_CORES = 8, PMS_SUBJECTS_MAX = PMS_SUBJECTS_OF_CORES + 4 };

/** Find everything that @word names in @catalog. Returns how many. */
size_t pms_subjects_find(const struct pms_catalog *catalog, const char *word,
			 struct pms_subject found[PMS_SUBJECTS_MAX]);

/** Returns the name in @catalog that is most like @word; NULL when none is. */
const char *pms_subjects_nearest(const struct pms_catalog *catalog, const char *word);

/** Returns whether a metric uses an event; whether a group has a member (of the group's kind). */
int pms_metric_uses(const struct pms_metric *metric, size_t event);
int pms_group_has(const struct pms_group *group, size_t member);
/** Returns the owner kind that a group's keys outside the layout are filed under. */
enum pms_extra_of pms_group_extra(const struct pms_group *group);

#endif
