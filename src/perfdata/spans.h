/* SPDX-License-Identifier: MIT */
/* perfdata/spans.h - what AUX records say of the trace buffers' bytes.
 * Flow: reader -> [spans] -> reader, when it cuts an AUXTRACE record's data to pieces. */
#ifndef PMS_PERFDATA_SPANS_H
#define PMS_PERFDATA_SPANS_H

#include <stdbool.h>

#include "pmuscope/perfdata.h"

/** One AUX record's bytes in the buffer of a CPU, or of a thread. */
struct pms_span {
	uint64_t start, end;
	uint64_t flags;
	uint64_t time; /* this and what follows: of the AUX record's trailer */
	uint32_t have; /* TID, TIME, CPU */
	uint32_t cpu;
	int32_t pid, tid;
};

enum pms_span_order { PMS_SPANS_BY_CPU, PMS_SPANS_BY_TID, PMS_SPAN_ORDERS };

/** Zero-initialise before use. */
struct pms_spans {
	struct pms_span *rows;
	uint32_t *order[PMS_SPAN_ORDERS]; /* rows by owner, and of one owner by where they begin */
	size_t count;
	bool sorted;
	bool stream;	    /* only the newest are kept */
	uint64_t file_size; /* of what is no stream */
};

/** Note an AUX record. More than PMS_MOST_SPANS and what the file's size allows are not, which no
 * AUX records with bytes of their own come to; of a stream 4096 are. Errors: -PMS_ENOMEM. */
int pms_spans_add(struct pms_spans *spans, const struct pms_perfdata_record *aux);

/**
 * Cut a piece where what is known of it changes. described, flags and ends_aux are set, and size is
 * made smaller if need be.
 */
void pms_spans_cut(struct pms_spans *spans, struct pms_perfdata_auxtrace *piece);

void pms_spans_release(struct pms_spans *spans);

#endif
