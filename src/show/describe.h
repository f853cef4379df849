/* SPDX-License-Identifier: MIT */
/* show/describe.h - all that is known of an event, a metric, a group or a CPU, in each format. */
#ifndef PMS_SHOW_DESCRIBE_H
#define PMS_SHOW_DESCRIBE_H

#include "pmuscope/show.h"
#include "show/subject.h"

/** What is described: @n subjects of one catalog. */
struct pms_description {
	const struct pms_catalog *catalog;
	const struct pms_vcore_events *model; /* NULL: there is no model of this CPU */
	struct pms_subject *subjects;
	size_t n;
};

/* Options are complete here (show/formats.h). Errors: -PMS_ENOMEM. */
int pms_describe_text(FILE *out, const struct pms_description *description,
		      const struct pms_show_options *options, struct pms_error *err);
int pms_describe_json(FILE *out, const struct pms_description *description, struct pms_error *err);

#endif
