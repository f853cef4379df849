/* SPDX-License-Identifier: MIT */
/* show/render.h - an outline in a format. Flow: outline -> [a renderer] -> a stream.
 *
 * A format is a file here. To add one: its name in enum pms_format and the place it stands in
 * (PMS_IN_* of show/outline.h), then the cases that the compiler asks for, in render.c and, as long
 * as reports of SPE samples have writers of their own, in show.c. */
#ifndef PMS_SHOW_RENDER_H
#define PMS_SHOW_RENDER_H

#include <stdio.h>

#include "show/outline.h"

/** Fill an outline with what is known of @subject. Returns 0 or an error: nothing is written then.
 * The outline says itself when memory ran out. */
typedef int pms_builder(struct pms_outline *outline, void *subject, struct pms_error *err);

/** Have @build make an outline and write it in options->format, which is checked first. Returns 0
 * or what @build returns. Errors: -PMS_EINVAL there is no such format, -PMS_EIO writing failed,
 * -PMS_ENOMEM. */
int pms_show_built(FILE *out, const struct pms_show_options *options, pms_builder *build,
		   void *subject, struct pms_error *err);

/* A renderer writes an outline that was made for its format. Errors in writing are left in the
 * stream. Errors: -PMS_ENOMEM, and what a maker of items returns. */
typedef int pms_renderer(FILE *out, const struct pms_outline *outline, struct pms_error *err);

pms_renderer pms_render_table, pms_render_json, pms_render_csv;

/** Make the @i-th item of @each in an outline of its own, which is always to be released. Returns
 * as a maker does. */
int pms_render_next(const struct pms_out_item *each, size_t i, struct pms_outline *piece,
		    struct pms_error *err);

#endif
