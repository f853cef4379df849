/* SPDX-License-Identifier: MIT */
/* speedscope's own JSON: a profile of type "sampled" for each weight.
 * Source: speedscope, "Importing from custom sources" and src/lib/file-format-spec.ts, 1.x. */
#include "base/status.h"
#include "export/export.h"
#include "pmuscope/fold.h"

#include <inttypes.h>
#include <stdlib.h>

/* A frame for each label that stacks have: frames and labels have the same numbers. */
static void put_frames(struct pms_exporting *x)
{
	const struct pms_export_places *p = &x->places;
	const size_t n = p->n_functions + x->profile->n_threads + x->profile->n_kinds;
	char buffer[64];
	pms_sink_text(&x->sink, ",\n\"shared\": { \"frames\": [");
	for (size_t i = 0; i < n; i++) {
		pms_sink_text(&x->sink, i ? ",\n{ \"name\": " : "\n{ \"name\": ");
		pms_sink_json(&x->sink,
			      pms_export_label(&x->stacks, (uint32_t)i, buffer, sizeof(buffer)));
		if (i < p->n_functions && p->functions[i].file[0]) {
			pms_sink_text(&x->sink, ", \"file\": ");
			pms_sink_json(&x->sink, p->functions[i].file);
		}
		pms_sink_text(&x->sink, " }");
	}
	pms_sink_text(&x->sink, "\n] }");
}

/* Write the frames of a stack, the outermost first. @path: room for as many as it is deep */
static void put_sample(struct pms_exporting *x, uint32_t stack, uint32_t *path)
{
	uint32_t n = 0;
	for (uint32_t at = stack; at != PMS_PROFILE_NONE; at = x->stacks.rows[at].parent)
		path[n++] = x->stacks.rows[at].label;
	pms_sink_text(&x->sink, "[");
	while (n-- > 0)
		pms_sink_printf(&x->sink, n ? "%" PRIu32 "," : "%" PRIu32, path[n]);
	pms_sink_text(&x->sink, "]");
}

static void put_profile(struct pms_exporting *x, const struct pms_export_weight *weight,
			const uint64_t *values, uint32_t *path)
{
	const char *between = "\n";
	uint64_t total = 0;
	pms_sink_text(&x->sink, "{ \"type\": \"sampled\", \"name\": ");
	pms_sink_json(&x->sink, pms_export_weight_title(&x->stacks, weight));
	pms_sink_text(&x->sink, ", \"unit\": \"none\",\n\"samples\": [");
	for (size_t i = 0; i < x->stacks.n_rows; i++) {
		if (!values[i])
			continue;
		pms_sink_text(&x->sink, between);
		put_sample(x, (uint32_t)i, path);
		between = ",\n";
	}
	between = "";
	pms_sink_text(&x->sink, "],\n\"weights\": [");
	for (size_t i = 0; i < x->stacks.n_rows; i++) {
		if (!values[i])
			continue;
		pms_sink_printf(&x->sink, "%s%" PRIu64, between, values[i]);
		total += values[i];
		between = ",";
	}
	pms_sink_printf(&x->sink, "],\n\"startValue\": 0, \"endValue\": %" PRIu64 " }", total);
}

int pms_export_speedscope(struct pms_exporting *x)
{
	struct pms_export_weight weights[2];
	int n = pms_export_weights(x, weights), rc = 0;
	if (n < 0)
		return n;
	uint32_t *path = calloc(pms_export_deepest(&x->stacks) + 1, sizeof(*path));
	if (!path)
		return pms_no_memory(x->err);
	pms_sink_text(&x->sink,
		      "{ \"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n"
		      "\"exporter\": \"pmuscope\", \"name\": ");
	pms_sink_json(&x->sink, x->options->title ? x->options->title : "pmuscope");
	put_frames(x);
	pms_sink_text(&x->sink, ",\n\"profiles\": [");
	for (int i = 0; i < n && !rc; i++) {
		uint64_t *values = pms_export_weigh(&x->stacks, &weights[i]);
		pms_sink_text(&x->sink, i ? ",\n" : "\n");
		if (values)
			put_profile(x, &weights[i], values, path);
		else
			rc = pms_no_memory(x->err);
		free(values);
	}
	pms_sink_text(&x->sink, "\n] }\n");
	free(path);
	return rc;
}
