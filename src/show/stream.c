/* SPDX-License-Identifier: MIT */
/* Intervals while they come: a line each, whose columns are those of the first. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "show/formats.h"
#include "show/label.h"
#include "show/shares.h"
#include "show/text.h"

enum { TIME_WIDTH = 10, LEAST_WIDTH = 12, MOST_COLUMNS = PMS_MOST_SHARES };

struct pms_stream {
	struct pms_show_options options;
	size_t results[MOST_COLUMNS], events[MOST_COLUMNS]; /* one of the two */
	unsigned widths[MOST_COLUMNS];
	size_t n;
	int are_events, has_heading;
};

struct pms_stream *pms_stream_new(const struct pms_show_options *options)
{
	struct pms_stream *stream = calloc(1, sizeof(*stream));
	if (stream)
		stream->options = pms_show_complete(options);
	return stream;
}

void pms_stream_free(struct pms_stream *stream)
{
	free(stream);
}

static const char *name_of(const struct pms_stream *s, const struct pms_report *report, size_t i)
{
	const struct pms_catalog *catalog = report->counts->catalog;
	return s->are_events
		       ? pms_catalog_event(catalog, s->events[i])->name
		       : pms_catalog_metric(catalog, report->results[s->results[i]].metric)->name;
}

/* Shares of Level 1, else the first metrics, else the first counts; as many as a line holds. */
static void choose(struct pms_stream *s, const struct pms_report *report)
{
	struct pms_shares shares;
	size_t next = 0, event, used = TIME_WIDTH, n = 0;
	pms_shares_find(&shares, report);
	s->are_events =
		!report->n_results || (s->options.view == PMS_VIEW_STAT && s->options.n_events);
	if (s->are_events)
		while (n < MOST_COLUMNS && pms_label_next_event(report, &s->options, &next, &event))
			s->events[n++] = event;
	else if (shares.n)
		for (; n < shares.n; n++)
			s->results[n] = shares.results[n];
	else
		for (; n < MOST_COLUMNS && n < report->n_results; n++)
			s->results[n] = n;
	for (s->n = 0; s->n < n; s->n++) {
		size_t width = strlen(name_of(s, report, s->n));
		width = width < LEAST_WIDTH ? LEAST_WIDTH : width;
		if (s->n && used + width + 2 > s->options.width)
			break;
		s->widths[s->n] = (unsigned)width;
		used += width + 2;
	}
}

static void put_heading(struct pms_stream *s, FILE *out, const struct pms_report *report)
{
	fprintf(out, "%*s", TIME_WIDTH, "time s");
	for (size_t i = 0; i < s->n; i++)
		fprintf(out, "  %*s", (int)s->widths[i], name_of(s, report, i));
	fputc('\n', out);
}

static void put_value(const struct pms_stream *s, FILE *out, const struct pms_report *report,
		      size_t i)
{
	char text[PMS_NUMBER_MAX] = "-";
	if (s->are_events) {
		const struct pms_count *count = &report->scope->counts[s->events[i]];
		if (count->state == PMS_COUNTED)
			pms_text_count(text, (uint64_t)(pms_count_scaled(count) + 0.5));
	} else {
		const struct pms_result *r = &report->results[s->results[i]];
		if (r->value.state != PMS_VALUE_UNDEFINED)
			pms_text_value(
				text, r->value.value,
				pms_catalog_metric(report->counts->catalog, r->metric)->units);
	}
	fprintf(out, "  %*s", (int)s->widths[i], text);
}

int pms_stream_put(struct pms_stream *s, FILE *out, const struct pms_report *report,
		   struct pms_error *err)
{
	locale_t numbers, old = pms_show_enter(&numbers);
	if (!s->has_heading) {
		choose(s, report);
		put_heading(s, out, report);
		s->has_heading = 1;
	}
	fprintf(out, "%*.3f", TIME_WIDTH, report->counts->time);
	for (size_t i = 0; i < s->n; i++)
		put_value(s, out, report, i);
	fputc('\n', out);
	return pms_show_leave(old, numbers, out, 0, err);
}
