/* SPDX-License-Identifier: MIT */
/* perfdata/spans.h - what AUX records say of the trace buffers' bytes.
 * Flow: reader -> [spans] -> reader, when it cuts an AUXTRACE record's data to pieces. */
#ifndef PMS_PERFDATA_SPANS_H
#define PMS_PERFDATA_SPANS_H

#include <stdbool.h>

#include "pmuscope/perfdata.h"

/** One AUX record's bytes in the buffer of a CPU, or of a thread. */
struct pms_span {
	int64_t owner; /* the CPU, or the thread; -1: not known */
	uint64_t start, end;
	uint64_t flags;
	uint64_t time; /* this and what follows: of the AUX record's trailer */
	uint32_t have; /* TID, TIME, CPU */
	uint32_t cpu;
	int32_t pid, tid;
};

/** The same spans in the order of their owners, and for one owner of where they begin. */
struct pms_span_list {
	struct pms_span *rows;
	bool sorted;
};

/** Zero-initialise before use. */
struct pms_spans {
	struct pms_span_list by_cpu, by_tid;
	size_t count;
	bool stream; /* only the newest are kept */
};

/** Note an AUX record; more than a million are not, of a stream 4096 at a time. Errors:
 * -PMS_ENOMEM. */
int pms_spans_add(struct pms_spans *spans, const struct pms_perfdata_record *aux);

/**
 * Cut a piece where what is known of it changes. described, flags and ends_aux are set, and size is
 * made smaller if need be.
 */
void pms_spans_cut(struct pms_spans *spans, struct pms_perfdata_auxtrace *piece);

void pms_spans_release(struct pms_spans *spans);

#endif
