/* SPDX-License-Identifier: MIT */
#include "show/page.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "show/text.h"

void pms_page_init(struct pms_page *page, FILE *out, const struct pms_show_options *options)
{
	*page = (struct pms_page){ .out = out, .options = options };
}

static void drop_notes(struct pms_page *page)
{
	for (size_t i = 0; i < page->n_notes; i++)
		free(page->notes[i]);
	free(page->notes);
	page->notes = NULL;
	page->n_notes = 0;
}

void pms_page_release(struct pms_page *page)
{
	drop_notes(page);
}

__attribute__((format(printf, 2, 0))) static char *make(struct pms_page *page, const char *format,
							va_list args)
{
	char *text = pms_text_format("", page->options->ascii, format, args);
	if (!text)
		page->failed = 1;
	return text;
}

void pms_page_heading(struct pms_page *page, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = make(page, format, args);
	va_end(args);
	if (text) {
		fputs(page->options->colour ? "\033[1m" : "", page->out);
		pms_text_wrap(page->out, "", text, page->options->width);
		fputs(page->options->colour ? "\033[0m\n" : "\n", page->out);
	}
	free(text);
}

void pms_page_line(struct pms_page *page, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = make(page, format, args);
	va_end(args);
	if (text)
		fprintf(page->out, "%s\n", text);
	free(text);
}

void pms_page_text(struct pms_page *page, const char *first, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = make(page, format, args);
	va_end(args);
	if (text) {
		pms_text_wrap(page->out, first, text, page->options->width);
		fputc('\n', page->out);
	}
	free(text);
}

size_t pms_page_note(struct pms_page *page, const char *text)
{
	for (size_t i = 0; i < page->n_notes; i++)
		if (!strcmp(page->notes[i], text))
			return i + 1;
	char **notes = reallocarray(page->notes, page->n_notes + 1, sizeof(*notes));
	char *copy = strdup(text);
	if (notes)
		page->notes = notes;
	if (!notes || !copy) {
		free(copy);
		page->failed = 1;
		return 0;
	}
	notes[page->n_notes++] = copy;
	return page->n_notes;
}

void pms_page_put_notes(struct pms_page *page)
{
	if (page->n_notes)
		fputc('\n', page->out);
	for (size_t i = 0; i < page->n_notes; i++) {
		char first[32];
		snprintf(first, sizeof(first), "[%zu] ", i + 1);
		pms_page_text(page, first, "%s", page->notes[i]);
	}
	drop_notes(page);
}
