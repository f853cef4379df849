/* SPDX-License-Identifier: MIT */
#include "cli.h"

#include <stdarg.h>
#include <string.h>

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

int cli_refuse(const char *command, const struct option *options, int missing, const char *word)
{
	const char *names[CLI_OPTIONS_MOST + 1] = { NULL };
	if (missing && !strncmp(word, "--", 2))
		return cli_usage(command, "%s needs a value", word);
	if (missing)
		return cli_usage(command, "-%c needs a value", optopt);
	if (strncmp(word, "--", 2) != 0)
		return cli_usage(command, "unknown option -%c", optopt);
	for (size_t i = 0; options[i].name && i < CLI_OPTIONS_MOST; i++) {
		names[i] = options[i].name;
		if (optopt && options[i].val == optopt)
			return cli_usage(command, "--%s takes no value", options[i].name);
	}
	const char *nearest = pms_name_nearest(word + 2, names);
	if (nearest)
		return cli_usage(command, "unknown option %s; did you mean --%s?", word, nearest);
	return cli_usage(command, "unknown option %s", word);
}
