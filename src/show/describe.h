/* SPDX-License-Identifier: MIT */
/* show/describe.h - describe an event, a metric, a group or a CPU in full. Each fact is added
 * once, as an object's member for programs and as a paragraph for people. */
#ifndef PMS_SHOW_DESCRIBE_H
#define PMS_SHOW_DESCRIBE_H

#include "show/outline.h"
#include "show/subject.h"

/** What to describe: @n subjects of one catalog. */
struct pms_description {
	const struct pms_catalog *catalog;
	const struct pms_vcore_events *model; /* NULL: there is no model of this CPU */
	const char *const *names;	      /* the names to find subjects of, n_names */
	size_t n_names;
	struct pms_subject *subjects;
	size_t n;
};

/** A builder of show/render.h for struct pms_description. It fills in the subjects, which the
 * caller frees. Errors: as pms_show_description. */
int pms_build_description(struct pms_outline *outline, void *subject, struct pms_error *err);

/* Each function describes the subject at @index in a group of its own. */
typedef void pms_describer(struct pms_out_item *group, const struct pms_description *d,
			   size_t index);
pms_describer pms_describe_event, pms_describe_metric, pms_describe_group, pms_describe_cpu;

/* Parts of them ------------------------------------------------------------------------------- */

/** Add the heading of a description. @what: "an event" */
void pms_describe_heading(struct pms_out_item *group, const struct pms_catalog *catalog,
			  const char *name, const char *what, const char *title,
			  const char *description);
/** Add an array for programs and a comma-separated text for people; nothing where there are no
 * words. */
void pms_describe_words(struct pms_out_item *group, const char *key, const char *label,
			const struct pms_out_words *words);
/** Add the groups of one kind that have the member. */
void pms_describe_groups(struct pms_out_item *group, const struct pms_catalog *catalog,
			 enum pms_group_kind kind, size_t member);
/** Add how the core model counts an event, as "model". */
void pms_describe_model(struct pms_out_item *object, const struct pms_description *d, size_t event);
/** Add the caveats of an event, or of a metric's events. Returns how many. */
size_t pms_describe_caveats(struct pms_out_item *group, const struct pms_catalog *catalog,
			    const struct pms_metric *metric, size_t event);
/** Explain the configurations that the subject's relations and caveats name. */
void pms_describe_configurations(struct pms_out_item *group, const struct pms_catalog *catalog,
				 const struct pms_metric *metric, size_t event);
/** Add the specification's keys that the layout does not know, as they stand in the file. */
void pms_describe_extras(struct pms_out_item *group, const struct pms_catalog *catalog,
			 enum pms_extra_of of, const char *owner);
/** Name the document whose sections the paragraphs above cite. */
void pms_describe_document(struct pms_out_item *group, const struct pms_catalog *catalog,
			   size_t rows);

#endif
