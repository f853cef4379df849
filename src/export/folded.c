/* SPDX-License-Identifier: MIT */
/* Folded stacks: a line each, functions from the outermost on, with ';' between them, a blank and
 * the value. Source: flamegraph.pl, which splits a line at its last blank. */
#include "base/status.h"
#include "export/export.h"

#include <inttypes.h>
#include <stdlib.h>

/* @path: room for as many as the stack is deep */
static void put_stack(struct pms_exporting *x, uint32_t stack, uint32_t *path)
{
	char buffer[64];
	uint32_t n = 0;
	for (uint32_t at = stack; at != PMS_PROFILE_NONE; at = x->stacks.rows[at].parent)
		path[n++] = x->stacks.rows[at].label;
	while (n-- > 0) {
		const char *label = pms_export_label(&x->stacks, path[n], buffer, sizeof(buffer));
		pms_sink_line(&x->sink, label, ";");
		pms_sink_text(&x->sink, n ? ";" : " ");
	}
}

int pms_export_folded(struct pms_exporting *x)
{
	struct pms_export_weight weights[2];
	int n = pms_export_weights(x, weights);
	if (n < 0)
		return n;
	const struct pms_export_stacks *s = &x->stacks;
	uint64_t *values = pms_export_weigh(s, &weights[n - 1]);
	uint32_t *path = calloc(pms_export_deepest(s) + 1, sizeof(*path));
	for (size_t i = 0; values && path && i < s->n_rows; i++) {
		if (!values[i])
			continue;
		put_stack(x, (uint32_t)i, path);
		pms_sink_printf(&x->sink, "%" PRIu64 "\n", values[i]);
	}
	int rc = values && path ? 0 : pms_no_memory(x->err);
	free(values);
	free(path);
	return rc;
}
