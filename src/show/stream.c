/* SPDX-License-Identifier: MIT */
/* Print intervals as they come, a line each. The first interval decides the columns. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/memstream.h"
#include "base/status.h"
#include "base/utf8.h"
#include "show/formats.h"
#include "show/label.h"
#include "show/shares.h"
#include "show/text.h"

enum { TIME_WIDTH = 10, LABEL_WIDTH = 12, LEAST_WIDTH = 12, MOST_COLUMNS = PMS_MOST_SHARES };
enum { NAME_MOST = 256 }; /* bytes of a column's event or metric name */

struct pms_stream {
	struct pms_show_options options;
	size_t results[MOST_COLUMNS], events[MOST_COLUMNS]; /* one of the two is in use */
	unsigned widths[MOST_COLUMNS];
	size_t n;
	int are_events, are_shares, has_heading;
	int label_width; /* columns of labels, 0: none */
	size_t drawn;	 /* lines of the last interval, when redrawing */
	int is_broken;	 /* the terminal's width has changed since: lines may be broken or joined */
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

void pms_stream_fit(struct pms_stream *stream, unsigned width, unsigned rows, int anew)
{
	if (!stream->options.redraw)
		return;
	if (width != stream->options.width) {
		stream->has_heading = 0; /* the columns must be chosen anew */
		stream->is_broken = stream->drawn > 0;
	}
	stream->options.width = width;
	stream->options.redraw = rows;
	if (anew)
		stream->drawn = 0;
}

/* Copy as much of the cleaned @text as fits. */
static void copy_clean(char *out, size_t size, const char *text, int ascii)
{
	char one[PMS_TEXT_ONE];
	*out = 0;
	while (*text) {
		text += pms_text_one(one, text, ascii);
		size_t n = strlen(one);
		if (n >= size)
			return;
		memcpy(out, one, n + 1);
		out += n;
		size -= n;
	}
}

static void name_of(const struct pms_stream *s, const struct pms_report *report, size_t i,
		    char name[NAME_MOST])
{
	const struct pms_catalog *catalog = report->counts->catalog;
	copy_clean(
		name, NAME_MOST,
		s->are_events
			? pms_catalog_event(catalog, s->events[i])->name
			: pms_catalog_metric(catalog, report->results[s->results[i]].metric)->name,
		s->options.ascii);
}

/* Choose shares of Level 1, else the first metrics, else the first counts; as many as fit a
 * line. */
static void choose(struct pms_stream *s, const struct pms_report *report)
{
	struct pms_shares shares;
	size_t next = 0, event, n = 0;
	size_t used = TIME_WIDTH + (s->label_width ? 2 + (size_t)s->label_width : 0);
	pms_shares_find(&shares, report);
	s->are_shares = shares.n > 0;
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
		char name[NAME_MOST];
		name_of(s, report, s->n, name);
		size_t width = pms_text_width(name);
		width = width < LEAST_WIDTH ? LEAST_WIDTH : width;
		if (s->n && used + width + 2 > s->options.width)
			break;
		s->widths[s->n] = (unsigned)width;
		used += width + 2;
	}
}

/* Pad by columns: printf's width counts bytes. */
static void put_right(FILE *out, const char *text, unsigned width)
{
	size_t columns = pms_text_width(text);
	fprintf(out, "  %*s%s", (int)(columns < width ? width - columns : 0), "", text);
}

static void put_left(FILE *out, const char *text, unsigned width)
{
	size_t columns = pms_text_width(text);
	fprintf(out, "%s%*s", text, (int)(columns < width ? width - columns : 0), "");
}

static void put_heading(const struct pms_stream *s, FILE *out, const struct pms_report *report)
{
	fprintf(out, "%*s", TIME_WIDTH, "time s");
	if (s->label_width)
		fprintf(out, "  %-*s", s->label_width,
			report->counts->n_scopes ? pms_label_scope(report->counts->scopes[0].kind)
						 : "cpu");
	for (size_t i = 0; i < s->n; i++) {
		char name[NAME_MOST];
		name_of(s, report, i, name);
		put_right(out, name, s->widths[i]);
	}
	fputc('\n', out);
}

static void put_value(const struct pms_stream *s, FILE *out, const struct pms_report *report,
		      size_t i)
{
	char text[PMS_NUMBER_MAX] = "-";
	if (s->are_events) {
		const struct pms_count *count = &report->scope->counts[s->events[i]];
		if (count->state == PMS_COUNTED)
			pms_text_count(text, pms_label_count(count));
	} else {
		const struct pms_result *r = &report->results[s->results[i]];
		if (r->value.state != PMS_VALUE_UNDEFINED)
			pms_text_value(
				text, r->value.value,
				pms_catalog_metric(report->counts->catalog, r->metric)->units);
	}
	fprintf(out, "  %*s", (int)s->widths[i], text);
}

/* Write what a line is about. @kind: 1: prefix an id with its kind ("cpu 3"), because a bare
 * number is ambiguous */
static void write_label(const struct pms_stream *s, const struct pms_scope *scope, int kind,
			char label[LABEL_WIDTH + 1])
{
	if (scope->kind == PMS_SCOPE_TOTAL)
		copy_clean(label, LABEL_WIDTH + 1, s->options.label ? s->options.label : "total",
			   s->options.ascii);
	else if (scope->kind != PMS_SCOPE_THREAD && scope->name[0])
		copy_clean(label, LABEL_WIDTH + 1, scope->name, s->options.ascii);
	else if (kind)
		snprintf(label, LABEL_WIDTH + 1, "%.6s %lld", pms_label_scope(scope->kind),
			 (long long)scope->id);
	else
		snprintf(label, LABEL_WIDTH + 1, "%lld", (long long)scope->id);
}

/* Size the labels of plain lines by the first interval's longest. */
static void choose_labels(struct pms_stream *s, const struct pms_report *report,
			  struct pms_report *const *scopes)
{
	char label[LABEL_WIDTH + 1];
	size_t width = 0, n = scopes ? report->counts->n_scopes : 0;
	if (s->options.redraw || !(s->options.label || n))
		return;
	for (size_t i = 0; i <= n; i++) {
		write_label(s, i ? scopes[i - 1]->scope : report->scope, 0, label);
		width = pms_text_width(label) > width ? pms_text_width(label) : width;
	}
	if (n && strlen(pms_label_scope(scopes[0]->scope->kind)) > width)
		width = strlen(pms_label_scope(scopes[0]->scope->kind));
	s->label_width = (int)width;
}

/* Redrawn */

enum { SHARE_WIDTH = 7 };

static const char *glyph(const struct pms_stream *s, size_t i)
{
	static const char *const blocks[] = { "█", "▓", "▒", "░" };
	static const char *const ascii[] = { "#", "=", "+", "." };
	size_t n = sizeof(blocks) / sizeof(blocks[0]);
	return s->options.ascii ? ascii[i % n] : blocks[i % n];
}

/* Keep a line within the terminal's width. A line of exactly that width needs no erasing, and on
 * some terminals erasing would delete its last column. */
static void put_drawn(struct pms_stream *s, FILE *out, const char *line)
{
	unsigned columns = 0;
	for (; *line && columns < s->options.width; columns++) {
		size_t bytes = pms_utf8_length(line);
		fwrite(line, 1, bytes ? bytes : 1, out);
		line += bytes ? bytes : 1;
	}
	fputs(columns < s->options.width ? "\033[K\n" : "\n", out);
	s->drawn++;
}

static void draw_heading(const struct pms_stream *s, FILE *out, const struct pms_report *report)
{
	char time[PMS_NUMBER_MAX];
	snprintf(time, sizeof(time), "%.1f s", report->counts->time);
	fprintf(out, "%-*s", LABEL_WIDTH, time);
	for (size_t i = 0; i < s->n; i++) {
		char name[NAME_MOST];
		name_of(s, report, i, name);
		if (s->are_shares && !s->are_events)
			fprintf(out, "%s%s %s", i ? "  " : "", glyph(s, i), name);
		else
			put_right(out, name, s->widths[i]);
	}
	fputc('\n', out);
}

/* Draw the shares one after another; the bar's full width is 100 %. */
static void draw_bar(const struct pms_stream *s, FILE *out, const struct pms_report *report)
{
	size_t room = LABEL_WIDTH + SHARE_WIDTH * s->n + 1, drawn = 0;
	size_t width = s->options.width > room + 10 ? s->options.width - room : 10;
	double end = 0;
	for (size_t i = 0; i < s->n; i++) {
		const struct pms_value *v = &report->results[s->results[i]].value;
		if (v->state != PMS_VALUE_UNDEFINED && v->value > 0)
			end += v->value;
		for (; drawn < width && (double)drawn + 0.5 < end * (double)width / 100; drawn++)
			fputs(glyph(s, i), out);
	}
	fprintf(out, "%*s ", (int)(width - drawn), "");
}

static void draw_row(const struct pms_stream *s, FILE *out, const struct pms_report *report)
{
	char label[LABEL_WIDTH + 1], text[PMS_NUMBER_MAX];
	write_label(s, report->scope, 1, label);
	put_left(out, label, LABEL_WIDTH);
	int bars = s->are_shares && !s->are_events;
	if (bars)
		draw_bar(s, out, report);
	for (size_t i = 0; i < s->n; i++) {
		if (!bars) {
			put_value(s, out, report, i);
			continue;
		}
		const struct pms_value *v = &report->results[s->results[i]].value;
		snprintf(text, sizeof(text), "%.1f", v->value);
		fprintf(out, "%*s", SHARE_WIDTH, v->state == PMS_VALUE_UNDEFINED ? "-" : text);
	}
	fputc('\n', out);
}

static void draw(const struct pms_stream *s, FILE *out, const struct pms_report *report,
		 struct pms_report *const *scopes)
{
	size_t n = scopes ? report->counts->n_scopes : 0, rows = s->options.redraw;
	size_t most =
		rows > 4 ? rows - 4 : 0; /* the heading, the total, how many more, the prompt */
	draw_heading(s, out, report);
	draw_row(s, out, report);
	for (size_t i = 0; i < n && i < most; i++)
		draw_row(s, out, scopes[i]);
	if (n > most)
		fprintf(out, "and %zu more\n", n - most);
}

/* Scroll everything off the screen after a change of width. Terminals differ in whether they
 * break or cut old lines, so nobody knows how many rows these take. The old lines stay readable
 * above. */
static void leave_screen(const struct pms_stream *s, FILE *out)
{
	fprintf(out, "\033[%u;1H", s->options.redraw);
	for (unsigned i = 0; i < s->options.redraw; i++)
		fputc('\n', out);
	fputs("\033[H", out);
}

/* Draw over the last interval, starting at column one: a pressed key may have moved the cursor.
 * Erase what is below. @text: lines, modified */
static void draw_over(struct pms_stream *s, FILE *out, char *text)
{
	if (s->is_broken)
		leave_screen(s, out);
	else if (s->drawn)
		fprintf(out, "\r\033[%zuA", s->drawn);
	else
		fputc('\r', out);
	s->is_broken = 0;
	s->drawn = 0;
	for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = 0;
		put_drawn(s, out, line);
	}
	fputs("\033[J", out);
}

static int redraw(struct pms_stream *s, FILE *out, const struct pms_report *report,
		  struct pms_report *const *scopes, struct pms_error *err)
{
	char *text = NULL;
	size_t size;
	FILE *lines = pms_memstream_open(&text, &size);
	if (lines)
		draw(s, lines, report, scopes);
	int failed = !lines || pms_memstream_close(lines);
	if (!failed)
		draw_over(s, out, text);
	free(text);
	return failed ? pms_no_memory(err) : 0;
}

static void put_line(const struct pms_stream *s, FILE *out, const struct pms_report *report)
{
	char label[LABEL_WIDTH + 1];
	fprintf(out, "%*.3f", TIME_WIDTH, report->counts->time);
	write_label(s, report->scope, 0, label);
	if (s->label_width) {
		fputs("  ", out);
		put_left(out, label, (unsigned)s->label_width);
	}
	for (size_t i = 0; i < s->n; i++)
		put_value(s, out, report, i);
	fputc('\n', out);
}

static void put_lines(const struct pms_stream *s, FILE *out, const struct pms_report *report,
		      struct pms_report *const *scopes)
{
	if (!s->has_heading)
		put_heading(s, out, report);
	put_line(s, out, report);
	for (size_t i = 0; scopes && i < report->counts->n_scopes; i++)
		put_line(s, out, scopes[i]);
}

int pms_stream_put(struct pms_stream *s, FILE *out, const struct pms_report *report,
		   struct pms_report *const *scopes, struct pms_error *err)
{
	locale_t numbers, old = pms_show_enter(&numbers);
	if (!s->has_heading) {
		choose_labels(s, report, scopes);
		choose(s, report);
	}
	int rc = 0;
	if (s->options.redraw)
		rc = redraw(s, out, report, scopes, err);
	else
		put_lines(s, out, report, scopes);
	s->has_heading = 1;
	return pms_show_leave(old, numbers, out, rc, err);
}
