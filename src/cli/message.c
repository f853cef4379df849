/* SPDX-License-Identifier: MIT */
#include "cli.h"

#include <stdarg.h>
#include <string.h>
#include <strings.h>

static int exit_status(enum pms_status status)
{
	switch (status) {
	case PMS_EHOST:
		return CLI_HOST;
	case PMS_EEXEC:
		return CLI_NOT_RUNNABLE;
	case PMS_ENOEXEC:
		return CLI_NOT_FOUND;
	default:
		return CLI_USAGE;
	}
}

int cli_error(const struct pms_error *err)
{
	fputs("pmuscope: ", stderr);
	if (err->source[0]) {
		fprintf(stderr, "%s:", err->source);
		if (err->line)
			fprintf(stderr, "%u:", err->line);
		if (err->column)
			fprintf(stderr, "%u:", err->column);
		fputc(' ', stderr);
	}
	fprintf(stderr, "%s\n", err->text[0] ? err->text : pms_status_name(err->status));
	if (err->hint[0])
		fprintf(stderr, "  %s\n", err->hint);
	return exit_status(err->status);
}

int cli_out_of_memory(void)
{
	return cli_error(&(struct pms_error){ .status = PMS_ENOMEM, .text = "out of memory" });
}

int cli_usage(const char *command, const char *format, ...)
{
	char text[1024]; /* a longer word is cut: it is only named */
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fprintf(stderr, "pmuscope: %s\n", text);
	fprintf(stderr, "  pmuscope %s%s--help shows the usage\n", command ? command : "",
		command ? " " : "");
	return CLI_USAGE;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Letters to insert, drop or change to make @a of @b, without regard to case. */
static size_t distance(const char *a, const char *b)
{
	enum { LONGEST = 63 };
	size_t row[LONGEST + 1], n = strlen(b);
	if (strlen(a) > LONGEST || n > LONGEST)
		return LONGEST;
	for (size_t i = 0; i <= n; i++)
		row[i] = i;
	for (size_t k = 1; *a; a++, k++) {
		size_t corner = row[0];
		row[0] = k;
		for (size_t i = 1; i <= n; i++) {
			size_t changed = corner + (strncasecmp(a, b + i - 1, 1) != 0);
			corner = row[i];
			row[i] = least(changed, least(row[i], row[i - 1]) + 1);
		}
	}
	return row[n];
}

const char *cli_nearest(const char *word, const char *const *names)
{
	const char *nearest = NULL;
	size_t best = strlen(word) / 3 + 1; /* farther than that is another word */
	for (; *names; names++) {
		size_t letters = distance(word, *names);
		if (letters <= best && (!nearest || letters < best)) {
			best = letters;
			nearest = *names;
		}
	}
	return nearest;
}
