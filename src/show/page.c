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

static void drop_notes(struct pms_notes *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		free(notes->texts[i]);
	free(notes->texts);
	*notes = (struct pms_notes){ 0 };
}

void pms_page_release(struct pms_page *page)
{
	drop_notes(&page->notes);
	drop_notes(&page->footnotes);
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

/* Returns the index of @text, which is added if it is new; -1 when out of memory. */
static int64_t find_or_add(struct pms_notes *notes, const char *text)
{
	for (size_t i = 0; i < notes->count; i++)
		if (!strcmp(notes->texts[i], text))
			return (int64_t)i;
	char **texts = reallocarray(notes->texts, notes->count + 1, sizeof(*texts));
	char *copy = strdup(text);
	if (texts)
		notes->texts = texts;
	if (!texts || !copy) {
		free(copy);
		return -1;
	}
	texts[notes->count] = copy;
	return (int64_t)notes->count++;
}

size_t pms_page_note(struct pms_page *page, const char *text)
{
	int64_t i = find_or_add(&page->notes, text);
	page->failed |= i < 0;
	return (size_t)(i + 1);
}

size_t pms_page_footnote(struct pms_page *page, const char *text)
{
	int64_t i = find_or_add(&page->footnotes, text);
	page->failed |= i < 0;
	return i < 0 ? 0 : (size_t)i;
}

void pms_page_letters(char text[PMS_LETTERS_MAX], size_t i)
{
	char letters[PMS_LETTERS_MAX];
	size_t n = 0;
	/* Count in 26 digits without a zero, the lowest digit first. */
	for (i++; i && n + 1 < PMS_LETTERS_MAX; i = (i - 1) / 26)
		letters[n++] = (char)('a' + (i - 1) % 26);
	for (size_t k = 0; k < n; k++)
		text[k] = letters[n - 1 - k];
	text[n] = 0;
}

static void put_notes(struct pms_page *page, struct pms_notes *notes, int lettered)
{
	if (notes->count)
		fputc('\n', page->out);
	for (size_t i = 0; i < notes->count; i++) {
		char letters[PMS_LETTERS_MAX], first[32];
		pms_page_letters(letters, i);
		if (lettered)
			snprintf(first, sizeof(first), "[%s] ", letters);
		else
			snprintf(first, sizeof(first), "[%zu] ", i + 1);
		pms_page_text(page, first, "%s", notes->texts[i]);
	}
	drop_notes(notes);
}

void pms_page_put_notes(struct pms_page *page)
{
	put_notes(page, &page->notes, 0);
}

void pms_page_put_footnotes(struct pms_page *page)
{
	put_notes(page, &page->footnotes, 1);
}
