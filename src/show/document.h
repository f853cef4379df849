/* SPDX-License-Identifier: MIT */
/* show/document.h - JSON by jansson, with one error to check at the end, and numbers as short as
 * they can be read back exactly. */
#ifndef PMS_SHOW_DOCUMENT_H
#define PMS_SHOW_DOCUMENT_H

#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "pmuscope/error.h"

struct pms_document {
	json_t *root; /* NULL when out of memory */
	int failed;
};

/** Start a document with @root, which it takes. */
void pms_document_init(struct pms_document *document, json_t *root);
/** Write it, with a line break at the end, and release it. Errors: -PMS_ENOMEM. */
int pms_document_finish(struct pms_document *document, FILE *out, struct pms_error *err);
/** The same, all on one line. */
int pms_document_finish_line(struct pms_document *document, FILE *out, struct pms_error *err);

typedef json_t *pms_document_maker(void *context, size_t i);

/** What is in an array: what @next makes of the numbers from 0 to @n. */
struct pms_document_array {
	pms_document_maker *next;
	void *context;
	size_t n;
};

/**
 * The same for a document whose last members are @n_arrays empty arrays. What is in them follows
 * one after the other, so that no more than one is in memory. @is_line: all is on one line.
 */
int pms_document_finish_arrays(struct pms_document *document,
			       const struct pms_document_array *arrays, size_t n_arrays,
			       int is_line, FILE *out, struct pms_error *err);

/* Both take @value; NULL, which every json_… call gives without memory, marks the document. */
void pms_document_set(struct pms_document *document, json_t *object, const char *key,
		      json_t *value);
void pms_document_append(struct pms_document *document, json_t *array, json_t *value);

/** Any bytes: what is no UTF-8 becomes \xNN. NULL becomes null. */
json_t *pms_document_string(const char *text);
/** null for what is no finite number. */
json_t *pms_document_real(double value);
json_t *pms_document_count(uint64_t value);

#endif
