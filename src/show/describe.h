/* SPDX-License-Identifier: MIT */
/* show/describe.h - all that is known of an event, a metric, a group or a CPU. Each fact is added
 * once, as a member of an object for programs and as a paragraph for people. */
#ifndef PMS_SHOW_DESCRIBE_H
#define PMS_SHOW_DESCRIBE_H

#include "show/outline.h"
#include "show/subject.h"

/** What is described: @n subjects of one catalog. */
struct pms_description {
	const struct pms_catalog *catalog;
	const struct pms_vcore_events *model; /* NULL: there is no model of this CPU */
	const char *const *names;	      /* that name the subjects, n_names */
	size_t n_names;
	struct pms_subject *subjects;
	size_t n;
};

/** A builder of show/render.h, of struct pms_description, which it fills: free the subjects.
 * Errors: as pms_show_description. */
int pms_build_description(struct pms_outline *outline, void *subject, struct pms_error *err);

/* Each describes a subject, by its index, in a group of its own. */
typedef void pms_describer(struct pms_out_item *group, const struct pms_description *d,
			   size_t index);
pms_describer pms_describe_event, pms_describe_metric, pms_describe_group, pms_describe_cpu;

/* Parts of them ------------------------------------------------------------------------------- */

/** What stands above a description. @what: "an event" */
void pms_describe_heading(struct pms_out_item *group, const struct pms_catalog *catalog,
			  const char *name, const char *what, const char *title,
			  const char *description);
/** An array for programs, and for people its texts with commas, unless there are none. */
void pms_describe_words(struct pms_out_item *group, const char *key, const char *label,
			const struct pms_out_words *words);
/** The groups of a kind that have a member. */
void pms_describe_groups(struct pms_out_item *group, const struct pms_catalog *catalog,
			 enum pms_group_kind kind, size_t member);
/** How the core model counts an event: "model". */
void pms_describe_model(struct pms_out_item *object, const struct pms_description *d, size_t event);
/** Caveats of an event, or of a metric's events; returns how many there are. */
size_t pms_describe_caveats(struct pms_out_item *group, const struct pms_catalog *catalog,
			    const struct pms_metric *metric, size_t event);
/** What the configurations mean that relations and caveats of the subject name. */
void pms_describe_configurations(struct pms_out_item *group, const struct pms_catalog *catalog,
				 const struct pms_metric *metric, size_t event);
/** Keys of the specification that are not of its layout, as they stand there. */
void pms_describe_extras(struct pms_out_item *group, const struct pms_catalog *catalog,
			 enum pms_extra_of of, const char *owner);
/** Whose sections the @rows above name. */
void pms_describe_document(struct pms_out_item *group, const struct pms_catalog *catalog,
			   size_t rows);

#endif
