/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "input.h"
#include "output.h"

static const char command[] = "export";

struct export_options {
	struct pms_export_options export;
	struct pms_symbols_options symbols;
	struct cli_options common; /* --mcpu, --spec and the file */
	const char *output;
	int has_format;
};

static int take_to(void *options, const char *unused, const char *value)
{
	struct export_options *o = options;
	const char *names[PMS_EXPORT_FORMATS + 1] = { NULL };
	char list[256] = "";
	(void)unused;
	o->has_format = 1;
	if (pms_export_format_find(value, &o->export.format))
		return -1;
	for (int i = 0; i < PMS_EXPORT_FORMATS; i++) {
		names[i] = pms_export_format_name((enum pms_export_format)i);
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s", i ? ", " : "",
			 names[i]);
	}
	const char *nearest = pms_name_nearest(value, names);
	return nearest ? cli_usage(command, "--to %s: did you mean %s?", value, nearest)
		       : cli_usage(command, "--to %s: none of %s", value, list);
}

#define AT(member)   offsetof(struct export_options, member)
#define TEXT(member) 1, CLI_TEXT, AT(member), NULL, 0

static const struct cli_row rows[] = {
	{ "to", 0, 1, CLI_VALUE, 0, take_to, 0 },
	{ "value", 0, TEXT(export.value) },
	{ "causes", 0, 1, CLI_FLAG, AT(export.causes), NULL, 0 },
	{ "symfs", 0, TEXT(symbols.symfs) },
	{ "mcpu", 0, TEXT(common.mcpu) },
	{ "spec", 0, TEXT(common.spec) },
	{ "output", 'o', TEXT(output) },
};

/* Check the options against each other. Returns -1 to go on, else the exit status. */
static int check_options(const struct export_options *o)
{
	const char *name = pms_export_format_name(o->export.format);
	if (!o->has_format)
		return cli_usage(command, "--to FORMAT is missing: which program is it for?");
	if ((o->export.value || o->export.causes) && !pms_export_format_single(o->export.format))
		return cli_usage(command,
				 "--to %s has all values: --value and --causes are of --to folded",
				 name);
	if (o->export.value && o->export.causes)
		return cli_usage(command, "--causes is of slots: it does not go with --value");
	return -1;
}

/* Returns -1 to go on, else the exit status. */
static int read_options(struct export_options *o, int argc, char **argv)
{
	const struct cli_parser parser = {
		.command = command,
		.tables = { { rows, sizeof(rows) / sizeof(rows[0]), o } },
		.takes = 1,
	};
	int status = cli_parse(&parser, argc, argv);
	if (status >= 0)
		return status;
	if (optind == argc)
		return cli_usage(command, "export what? A session is missing");
	if (optind + 1 < argc)
		return cli_usage(command, "%s is too much: one file at a time", argv[optind + 1]);
	o->common.command = argv + optind;
	return check_options(o);
}

static int write_bytes(void *context, const void *bytes, size_t length)
{
	return cli_output_write(context, bytes, length);
}

static int run(struct cli_output *output, struct export_options *o,
	       const struct pms_profile *profile)
{
	struct pms_error err = { 0 };
	int rc = pms_symbols_open(&o->symbols, &o->export.symbols, &err);
	if (!rc)
		rc = pms_export(profile, &o->export, &err);
	if (!rc && cli_output_flush(output))
		rc = -PMS_EIO;
	pms_symbols_close(o->export.symbols);
	if (output->error)
		return cli_cannot_write(o->output, output->error);
	return rc ? cli_error(&err) : CLI_DONE;
}

static int export_to_output(struct export_options *o, const struct pms_profile *profile)
{
	struct cli_output output;
	o->export.write = write_bytes;
	o->export.context = &output;
	int status = cli_output_open(&output, o->output, stdout);
	if (status)
		return status;
	if (pms_export_format_binary(o->export.format) && isatty(fileno(output.stream)))
		status = cli_usage(command,
				   "--to %s is not for terminals: add -o FILE, or pipe it on",
				   pms_export_format_name(o->export.format));
	else
		status = run(&output, o, profile);
	int closed = cli_output_close(&output, !status);
	return status ? status : closed;
}

/* The words of the command that was measured, with blanks between. */
static void write_title(char *title, size_t size, char *const *words)
{
	size_t used = 0;
	for (size_t i = 0; words && words[i] && used < size; i++) {
		int n = snprintf(title + used, size - used, "%s%s", i ? " " : "", words[i]);
		used += n > 0 ? (size_t)n : 0;
	}
}

static int export_file(struct export_options *o, struct pms_measurement *input)
{
	char title[512] = "";
	struct pms_counts *counts = NULL;
	struct pms_error err = { .status = PMS_EINVAL };
	int status = cli_input_total(input, &counts);
	if (status)
		return status;
	write_title(title, sizeof(title), counts->provenance.command);
	o->export.title = title[0] ? title : NULL;
	if (counts->profile) {
		status = export_to_output(o, counts->profile);
	} else {
		snprintf(err.source, sizeof(err.source), "%s", o->common.command[0]);
		snprintf(err.text, sizeof(err.text),
			 "the file does not say where in the program its counts are");
		snprintf(err.hint, sizeof(err.hint),
			 "measure on the core model with places, and --save");
		status = cli_error(&err);
	}
	pms_counts_free(counts);
	return status;
}

int cli_export(int argc, char **argv)
{
	struct export_options o = { 0 };
	struct pms_measurement *input = NULL;
	int status = read_options(&o, argc, argv);
	if (status >= 0)
		return status;
	status = cli_output_check(o.output);
	if (!status)
		status = cli_input_open(&o.common, command, &input);
	if (!status)
		status = export_file(&o, input);
	pms_measurement_close(input);
	return status;
}
