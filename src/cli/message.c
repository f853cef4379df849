/* SPDX-License-Identifier: MIT */
#include "cli.h"

#include <langinfo.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Print a line, cleaned: names from files and command lines must not control the terminal. A
 * terminal without UTF-8 would take some of its bytes for control characters. */
static void put_line(FILE *out, const char *before, const char *text)
{
	int ascii = isatty(fileno(out)) && strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	char *clean = pms_text_clean(text, ascii);
	fprintf(out, "%s%s\n", before, clean ? clean : "out of memory");
	free(clean);
}

int cli_error(const struct pms_error *err)
{
	char place[32] = "", text[sizeof(err->source) + sizeof(place) + sizeof(err->text) + 2];
	if (err->source[0] && err->line && err->column)
		snprintf(place, sizeof(place), "%u:%u:", err->line, err->column);
	else if (err->source[0] && (err->line || err->column))
		snprintf(place, sizeof(place), "%u:", err->line + err->column);
	snprintf(text, sizeof(text), "%s%s%s%s%s", err->source, err->source[0] ? ":" : "", place,
		 err->source[0] ? " " : "",
		 err->text[0] ? err->text : pms_status_name(err->status));
	put_line(stderr, "pmuscope: ", text);
	if (err->hint[0])
		put_line(stderr, "  ", err->hint);
	return exit_status(err->status);
}

static void put_note(FILE *out, const char *format, va_list args)
{
	char *text = NULL;
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	put_line(out, "pmuscope: ", text ? text : "out of memory");
	free(text);
}

void cli_note(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	put_note(stderr, format, args);
	va_end(args);
}

void cli_note_to(FILE *out, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	put_note(out, format, args);
	va_end(args);
}

void cli_take_note(void *context, const char *text)
{
	(void)context;
	cli_note("%s", text);
}

int cli_cannot_write(const char *path, int number)
{
	struct pms_error err = { .status = PMS_EIO };
	snprintf(err.source, sizeof(err.source), "%s", path ? path : "");
	snprintf(err.text, sizeof(err.text), "cannot write: %s", strerror(number));
	return cli_error(&err);
}

int cli_out_of_memory(void)
{
	return cli_error(&(struct pms_error){ .status = PMS_ENOMEM, .text = "out of memory" });
}

int cli_usage(const char *command, const char *format, ...)
{
	char text[1024]; /* a longer word is cut: it is only shown */
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	put_line(stderr, "pmuscope: ", text);
	fprintf(stderr, "  pmuscope %s%s--help shows the usage\n", command ? command : "",
		command ? " " : "");
	return CLI_USAGE;
}

/* Commands of other profilers, and the equivalent here. */
static const struct other {
	const char *command, *instead;
} others[] = {
	{ "diff", "to compare two runs take pmuscope report -j of each file" },
	{ "compare", "to compare two runs take pmuscope report -j of each file" },
	{ "record",
	  "pmuscope topdown --save FILE -- PROGRAM keeps a run; samples are perf record's, "
	  "and pmuscope spe report reads those of Arm SPE" },
};

int cli_unknown_command(const char *word)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(word, others[i].command))
			return cli_usage(NULL, "there is no command %s: %s", word,
					 others[i].instead);
	const char *nearest = pms_name_nearest(word, cli_command_names());
	if (nearest)
		return cli_usage(NULL, "there is no command %s; did you mean %s?", word, nearest);
	return cli_usage(NULL, "there is no command %s", word);
}
