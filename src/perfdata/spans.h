/* SPDX-License-Identifier: MIT */
/* perfdata/spans.h - what AUX records say of the trace buffers' bytes. Flow: reader -> [spans]
 * -> reader, which cuts an AUXTRACE record's data into pieces. */
#ifndef PMS_PERFDATA_SPANS_H
#define PMS_PERFDATA_SPANS_H

#include <stdbool.h>

#include "pmuscope/perfdata.h"

/** The bytes that one AUX record announces in the buffer of a CPU or a thread. */
struct pms_span {
	uint64_t start, end;
	uint64_t flags;
	uint64_t time; /* this and the members below: from the AUX record's trailer */
	uint32_t have; /* bits: TID, TIME, CPU */
	uint32_t cpu;
	int32_t pid, tid;
};

enum pms_span_order { PMS_SPANS_BY_CPU, PMS_SPANS_BY_TID, PMS_SPAN_ORDERS };

/** Zero-initialise before use. */
struct pms_spans {
	struct pms_span *rows;
	uint32_t *order[PMS_SPAN_ORDERS]; /* rows sorted by owner, then by where they begin */
	size_t count;
	bool sorted;
	bool stream;	    /* 1: keep only the newest */
	uint64_t file_size; /* bytes; unused for a stream */
};

/** Note an AUX record. Ignore those beyond PMS_MOST_SPANS plus an allowance by the file's size,
 * which AUX records with bytes of their own never reach. A stream keeps 4096. Returns 0. Errors:
 * -PMS_ENOMEM. */
int pms_spans_add(struct pms_spans *spans, const struct pms_perfdata_record *aux);

/** Shorten a piece so that one AUX record, or none, describes all of it. Sets described, flags,
 * aux_id and ends_aux. */
void pms_spans_cut(struct pms_spans *spans, struct pms_perfdata_auxtrace *piece);

void pms_spans_release(struct pms_spans *spans);

#endif
