/* SPDX-License-Identifier: MIT */
/* The Firefox Profiler's processed format: a thread for each weight. What stacks have as labels are
 * its functions, frames and strings, by the same numbers; files' names are the strings behind.
 * Source: firefox-devtools/profiler, docs-developer/processed-profile-format.md and
 * CHANGELOG-formats.md, version 47; later ones read it. */
#include "base/status.h"
#include "export/export.h"

#include <inttypes.h>
#include <stdlib.h>

/* Write "name": [ @text, @text, ... ] with @n of them. */
static void put_same(struct pms_sink *sink, const char *name, size_t n, const char *text)
{
	pms_sink_printf(sink, ",\"%s\":[", name);
	for (size_t i = 0; i < n; i++) {
		pms_sink_text(sink, i ? "," : "");
		pms_sink_text(sink, text);
	}
	pms_sink_text(sink, "]");
}

/* Write "name": [ @from, @from + 1, ... ] with @n of them. */
static void put_range(struct pms_sink *sink, const char *name, size_t from, size_t n)
{
	pms_sink_printf(sink, ",\"%s\":[", name);
	for (size_t i = 0; i < n; i++)
		pms_sink_printf(sink, i ? ",%zu" : "%zu", from + i);
	pms_sink_text(sink, "]");
}

static size_t count_labels(const struct pms_exporting *x)
{
	return x->places.n_functions + x->profile->n_threads + x->profile->n_kinds;
}

static void put_strings(struct pms_exporting *x)
{
	char buffer[64];
	const size_t labels = count_labels(x);
	pms_sink_text(&x->sink, ",\n\"stringArray\":[");
	for (size_t i = 0; i < labels; i++) {
		pms_sink_text(&x->sink, i ? ",\n" : "\n");
		pms_sink_json(&x->sink,
			      pms_export_label(&x->stacks, (uint32_t)i, buffer, sizeof(buffer)));
	}
	for (size_t i = 0; i < x->places.n_functions; i++) {
		pms_sink_text(&x->sink, ",\n");
		pms_sink_json(&x->sink, x->places.functions[i].file);
	}
	pms_sink_text(&x->sink, "]");
}

static void put_functions(struct pms_exporting *x)
{
	struct pms_sink *sink = &x->sink;
	const size_t n = count_labels(x);
	pms_sink_printf(sink, ",\n\"funcTable\":{\"length\":%zu", n);
	put_range(sink, "name", 0, n);
	put_same(sink, "isJS", n, "false");
	put_same(sink, "relevantForJS", n, "false");
	put_same(sink, "resource", n, "-1");
	pms_sink_text(sink, ",\"fileName\":[");
	for (size_t i = 0; i < n; i++) {
		pms_sink_text(sink, i ? "," : "");
		if (i < x->places.n_functions && x->places.functions[i].file[0])
			pms_sink_printf(sink, "%zu", n + i);
		else
			pms_sink_text(sink, "null");
	}
	pms_sink_text(sink, "]");
	put_same(sink, "lineNumber", n, "null");
	put_same(sink, "columnNumber", n, "null");
	pms_sink_printf(sink, "},\n\"frameTable\":{\"length\":%zu", n);
	put_range(sink, "func", 0, n);
	put_same(sink, "address", n, "-1");
	put_same(sink, "inlineDepth", n, "0");
	static const char *const none[] = { "category",	     "subcategory",    "nativeSymbol",
					    "innerWindowID", "implementation", "line",
					    "column" };
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		put_same(sink, none[i], n, "null");
	pms_sink_text(sink, "}");
}

static void put_stacks(struct pms_exporting *x)
{
	const struct pms_export_stacks *s = &x->stacks;
	pms_sink_printf(&x->sink, ",\n\"stackTable\":{\"length\":%zu,\"frame\":[", s->n_rows);
	for (size_t i = 0; i < s->n_rows; i++)
		pms_sink_printf(&x->sink, i ? ",%" PRIu32 : "%" PRIu32, s->rows[i].label);
	pms_sink_text(&x->sink, "],\"prefix\":[");
	for (size_t i = 0; i < s->n_rows; i++) {
		pms_sink_text(&x->sink, i ? "," : "");
		if (s->rows[i].parent == PMS_PROFILE_NONE)
			pms_sink_text(&x->sink, "null");
		else
			pms_sink_printf(&x->sink, "%" PRIu32, s->rows[i].parent);
	}
	pms_sink_text(&x->sink, "]");
	put_same(&x->sink, "category", s->n_rows, "0");
	put_same(&x->sink, "subcategory", s->n_rows, "0");
	pms_sink_text(&x->sink, "}");
}

/* A sample for each stack that has a weight; their times only tell them apart. */
static void put_samples(struct pms_exporting *x, const uint64_t *values)
{
	struct pms_sink *sink = &x->sink;
	const size_t stacks = x->stacks.n_rows;
	size_t n = 0;
	pms_sink_text(sink, ",\n\"samples\":{\"weightType\":\"samples\",\"stack\":[");
	for (size_t i = 0; i < stacks; i++)
		if (values[i])
			pms_sink_printf(sink, n++ ? ",%zu" : "%zu", i);
	pms_sink_printf(sink, "],\"length\":%zu,\"weight\":[", n);
	n = 0;
	for (size_t i = 0; i < stacks; i++)
		if (values[i])
			pms_sink_printf(sink, n++ ? ",%" PRIu64 : "%" PRIu64, values[i]);
	pms_sink_text(sink, "]");
	put_range(sink, "time", 0, n);
	pms_sink_text(sink, "}");
}

static void put_thread(struct pms_exporting *x, int number, const char *name,
		       const uint64_t *values)
{
	struct pms_sink *sink = &x->sink;
	pms_sink_text(sink, "{\"name\":");
	pms_sink_json(sink, name);
	pms_sink_printf(sink, ",\"processType\":\"default\",\"processStartupTime\":0,"
			      "\"processShutdownTime\":null,\"registerTime\":0,"
			      "\"unregisterTime\":null,\"pausedRanges\":[],\"isMainThread\":true,");
	pms_sink_printf(sink, "\"pid\":\"1\",\"tid\":%d", number);
	put_samples(x, values);
	put_stacks(x);
	put_functions(x);
	put_strings(x);
	pms_sink_text(sink,
		      ",\n\"markers\":{\"length\":0,\"data\":[],\"name\":[],\"startTime\":[],"
		      "\"endTime\":[],\"phase\":[],\"category\":[]},\n"
		      "\"resourceTable\":{\"length\":0,\"lib\":[],\"name\":[],\"host\":[],"
		      "\"type\":[]},\n"
		      "\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],\"name\":[],"
		      "\"functionSize\":[]}}");
}

int pms_export_firefox(struct pms_exporting *x)
{
	struct pms_export_weight weights[2];
	int n = pms_export_weights(x, weights), rc = 0;
	if (n < 0)
		return n;
	pms_sink_text(&x->sink,
		      "{\"meta\":{\"version\":27,\"preprocessedProfileVersion\":47,\"interval\":1,"
		      "\"startTime\":0,\"processType\":0,\"stackwalk\":1,\"symbolicated\":true,"
		      "\"markerSchema\":[],\"usesOnlyOneStackType\":true,"
		      "\"doesNotUseFrameImplementation\":true,"
		      "\"sourceCodeIsNotOnSearchfox\":true,\"importedFrom\":\"pmuscope\",\n"
		      "\"categories\":[{\"name\":\"Other\",\"color\":\"grey\","
		      "\"subcategories\":[\"Other\"]}],\n\"product\":");
	pms_sink_json(&x->sink, x->options->title ? x->options->title : "pmuscope");
	pms_sink_text(&x->sink, "},\n\"libs\":[],\"threads\":[");
	for (int i = 0; i < n && !rc; i++) {
		uint64_t *values = pms_export_weigh(&x->stacks, &weights[i]);
		pms_sink_text(&x->sink, i ? ",\n" : "\n");
		if (values)
			put_thread(x, i + 1, pms_export_weight_title(&x->stacks, &weights[i]),
				   values);
		else
			rc = pms_no_memory(x->err);
		free(values);
	}
	pms_sink_text(&x->sink, "\n]}\n");
	return rc;
}
