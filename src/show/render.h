/* SPDX-License-Identifier: MIT */
/* show/render.h - an outline in a format. Flow: outline -> [a renderer] -> a stream.
 *
 * To add a format, write its file here, name it in enum pms_format, and give it a place (PMS_IN_*
 * of show/outline.h). The compiler then asks for its cases in render.c. */
#ifndef PMS_SHOW_RENDER_H
#define PMS_SHOW_RENDER_H

#include <stdio.h>

#include "show/outline.h"

/** Fill an outline with the facts about @subject. Returns 0 or an error, after which nothing is
 * written. Running out of memory needs no error: the outline remembers it. */
typedef int pms_builder(struct pms_outline *outline, void *subject, struct pms_error *err);

/** Check options->format, have @build make an outline, and write the outline. Returns 0. Errors:
 * as @build, -PMS_EINVAL there is no such format, -PMS_EIO writing failed, -PMS_ENOMEM. */
int pms_show_built(FILE *out, const struct pms_show_options *options, pms_builder *build,
		   void *subject, struct pms_error *err);

/* Write an outline that was made for the renderer's format. Writing errors are left in the
 * stream. Errors: -PMS_ENOMEM, and as the makers of items. */
typedef int pms_renderer(FILE *out, const struct pms_outline *outline, struct pms_error *err);

pms_renderer pms_render_table, pms_render_json, pms_render_csv;

/** Returns the words of a datum with blanks between, to be freed; NULL when out of memory. */
char *pms_render_words(const struct pms_out_datum *datum);

/** Write what is below @piece, a list. Returns 0, or an error which is in the renderer's @err. */
typedef int pms_piece_writer(void *context, const struct pms_out_item *piece);

/** Make each item of @each in an outline of its own and have @write write it, one at a time.
 * Returns 0. Errors: as the maker and the writer. */
int pms_render_each(const struct pms_out_item *each, pms_piece_writer *write, void *context,
		    struct pms_error *err);

#endif
