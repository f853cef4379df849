/* SPDX-License-Identifier: MIT */
/* A trace of slices, in the JSON that Chrome's tracing began and Perfetto imports: stacks are laid
 * side by side, and a slice's length is what it and its callees cost, a microsecond a unit. Each
 * weight is a process of its own.
 * Source: "Trace Event Format" (Google), complete and metadata events. */
#include "base/status.h"
#include "export/export.h"

#include <inttypes.h>
#include <stdlib.h>

/* Where each stack begins, and what it costs with what it calls. */
struct layout {
	uint64_t *total; /* replaces the weight without callees */
	uint64_t *begin, *next;
	uint64_t end; /* of the roots so far */
};

static void lay_out(const struct pms_export_stacks *s, struct layout *l)
{
	for (size_t i = s->n_rows; i-- > 0;)
		if (s->rows[i].parent != PMS_PROFILE_NONE)
			l->total[s->rows[i].parent] += l->total[i];
	l->end = 0;
	for (size_t i = 0; i < s->n_rows; i++) {
		uint32_t parent = s->rows[i].parent;
		uint64_t *at = parent == PMS_PROFILE_NONE ? &l->end : &l->next[parent];
		l->begin[i] = l->next[i] = *at;
		*at += l->total[i];
	}
}

static void put_process(struct pms_exporting *x, int number, const char *name)
{
	pms_sink_printf(
		&x->sink,
		"{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":", number);
	pms_sink_json(&x->sink, name);
	pms_sink_text(&x->sink, "}}");
}

static void put_slices(struct pms_exporting *x, int number, const struct layout *l)
{
	char buffer[64];
	for (size_t i = 0; i < x->stacks.n_rows; i++) {
		uint32_t label = x->stacks.rows[i].label;
		if (!l->total[i])
			continue;
		pms_sink_printf(&x->sink,
				",\n{\"ph\":\"X\",\"pid\":%d,\"tid\":1,\"ts\":%" PRIu64
				",\"dur\":%" PRIu64 ",\"name\":",
				number, l->begin[i], l->total[i]);
		pms_sink_json(&x->sink,
			      pms_export_label(&x->stacks, label, buffer, sizeof(buffer)));
		if (label < x->places.n_functions && x->places.functions[label].file[0]) {
			pms_sink_text(&x->sink, ",\"args\":{\"file\":");
			pms_sink_json(&x->sink, x->places.functions[label].file);
			pms_sink_text(&x->sink, "}");
		}
		pms_sink_text(&x->sink, "}");
	}
}

int pms_export_perfetto(struct pms_exporting *x)
{
	const size_t size = x->stacks.n_rows + 1;
	struct pms_export_weight weights[2];
	int n = pms_export_weights(x, weights), rc = 0;
	if (n < 0)
		return n;
	struct layout l = { .begin = calloc(size, sizeof(*l.begin)),
			    .next = calloc(size, sizeof(*l.next)) };
	pms_sink_text(&x->sink, "{\"traceEvents\":[\n");
	for (int i = 0; i < n && !rc; i++) {
		l.total = pms_export_weigh(&x->stacks, &weights[i]);
		pms_sink_text(&x->sink, i ? ",\n" : "");
		if (l.total && l.begin && l.next) {
			lay_out(&x->stacks, &l);
			put_process(x, i + 1, pms_export_weight_title(&x->stacks, &weights[i]));
			put_slices(x, i + 1, &l);
		} else {
			rc = pms_no_memory(x->err);
		}
		free(l.total);
	}
	pms_sink_text(&x->sink, "\n]}\n");
	free(l.begin);
	free(l.next);
	return rc;
}
