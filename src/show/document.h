/* SPDX-License-Identifier: MIT */
/* show/document.h - JSON by jansson. Errors are checked once, at the end; numbers are as short
 * as they can be and still read back exactly. */
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

/** Start a document with @root, and take the reference to it. */
void pms_document_init(struct pms_document *document, json_t *root);
/** Write the document and a line break, and release the document. Errors: -PMS_ENOMEM. */
int pms_document_finish(struct pms_document *document, FILE *out, struct pms_error *err);
/** As pms_document_finish, but all on one line. */
int pms_document_finish_line(struct pms_document *document, FILE *out, struct pms_error *err);

typedef json_t *pms_document_maker(void *context, size_t i);

/** An array's elements: @next makes elements 0 to @n - 1, one at a time. */
struct pms_document_array {
	pms_document_maker *next;
	void *context;
	size_t n;
};

/**
 * Write a document whose last members are @n_arrays empty arrays, and fill the arrays while
 * writing, so that memory holds one element. @is_line: 1: write all on one line. Errors:
 * -PMS_ENOMEM.
 */
int pms_document_finish_arrays(struct pms_document *document,
			       const struct pms_document_array *arrays, size_t n_arrays,
			       int is_line, FILE *out, struct pms_error *err);

/* Both take the reference to @value. A NULL @value, as json_… functions return without memory,
 * marks the document as failed. */
void pms_document_set(struct pms_document *document, json_t *object, const char *key,
		      json_t *value);
void pms_document_append(struct pms_document *document, json_t *array, json_t *value);

/** Returns a string of any bytes: a byte that is not UTF-8 becomes \xNN. NULL becomes null. */
json_t *pms_document_string(const char *text);
/** Returns a real; null where @value is not finite. */
json_t *pms_document_real(double value);
json_t *pms_document_count(uint64_t value);

#endif
