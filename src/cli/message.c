/* SPDX-License-Identifier: MIT */
#include "cli.h"

#include <stdarg.h>

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
