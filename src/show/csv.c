/* SPDX-License-Identifier: MIT */
#include "show/csv.h"

#include "base/field.h"
#include "base/utf8.h"
#include "show/text.h"

/* Returns the first character that must be quoted or replaced, else the end of the text. */
static const char *find_special(const char *text, const struct pms_show_options *options)
{
	size_t n = 1;
	while (*text && *text != '"' && *text != '\r' && *text != '\n' &&
	       *text != options->separator && (!options->terminal || (n = pms_utf8_plain(text))))
		text += n;
	return text;
}

/* Quote only what needs it, and make formulas harmless, so that spreadsheets read the plain
 * text. */
static void put_field(FILE *out, const char *text, const struct pms_show_options *options)
{
	const char *special = find_special(text, options);
	const char *guard = pms_field_is_formula(text) ? "'" : "";
	if (*text != '#' && !*special) {
		fputs_unlocked(guard, out);
		fwrite_unlocked(text, 1, (size_t)(special - text), out);
		return;
	}
	putc_unlocked('"', out);
	fputs_unlocked(guard, out);
	while (*text) {
		if (*text == '"')
			putc_unlocked('"', out);
		if (options->terminal)
			text += pms_text_put(out, text, 0);
		else
			putc_unlocked(*text++, out);
	}
	putc_unlocked('"', out);
}

/* Lock the stream once a row, not once a field: intervals are frequent and have hundreds of
 * fields. */
void pms_csv_row(FILE *out, const char *const *fields, size_t n,
		 const struct pms_show_options *options)
{
	flockfile(out);
	for (size_t i = 0; i < n; i++) {
		if (i)
			putc_unlocked(options->separator, out);
		put_field(out, fields[i], options);
	}
	putc_unlocked('\n', out);
	funlockfile(out);
}

void pms_csv_comment(FILE *out, const char *key, const char *text)
{
	fputs("# ", out);
	if (key)
		fprintf(out, "%s: ", key);
	while (*text)
		text += pms_text_put(out, text, 0);
	fputc('\n', out);
}
