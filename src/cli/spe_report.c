/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "spe_options.h"

struct report_options {
	struct pms_spe_report_options make;
	struct cli_options show;
	struct cli_spe_options common;
	int limited; /* 1: --limit was given */
};

static const char command[] = "spe report";

static int read_one_by(const char *name, enum pms_spe_by *by)
{
	const char *names[PMS_SPE_BYS + 1] = { NULL };
	if (pms_spe_by_find(name, by))
		return -1;
	for (int i = 0; i < PMS_SPE_BYS; i++)
		names[i] = pms_spe_by_name((enum pms_spe_by)i);
	const char *nearest = pms_name_nearest(name, names);
	if (nearest)
		return cli_usage(command, "--by %s: did you mean %s?", name, nearest);
	return cli_usage(command, "--by %s: there is no such report", name);
}

/* Take one key, or two with a comma between. */
static int take_by(void *options, const char *unused, const char *text)
{
	struct report_options *o = options;
	(void)unused;
	const char *comma = strchr(text, ',');
	char first[32];
	snprintf(first, sizeof(first), "%.*s", comma ? (int)(comma - text) : (int)strlen(text),
		 text);
	int status = read_one_by(comma ? first : text, &o->make.by);
	o->make.has_also = comma != NULL;
	if (status >= 0 || !comma)
		return status;
	status = read_one_by(comma + 1, &o->make.also);
	if (status < 0 && o->make.also == o->make.by)
		return cli_usage(command, "--by %s: the same twice", text);
	return status;
}

static int read_number(const char *option, const char *text, uint64_t least, uint64_t *value)
{
	char *end;
	errno = 0;
	unsigned long long number = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno || number < least)
		return cli_usage(command, "%s %s: not a whole number%s", option, text,
				 least ? " above 0" : "");
	*value = number;
	return -1;
}

static int read_size(const char *option, const char *text, uint64_t least, size_t *value)
{
	uint64_t number = 0;
	int status = read_number(option, text, least, &number);
	*value = number;
	return status;
}

static int take_format(void *options, const char *name, const char *value)
{
	return cli_take_format(&((struct report_options *)options)->show, name, value);
}

static int take_json(void *options, const char *name, const char *value)
{
	return cli_take_json(&((struct report_options *)options)->show, name, value);
}

static int take_separator(void *options, const char *name, const char *value)
{
	return cli_take_separator(&((struct report_options *)options)->show, name, value);
}

static int take_limit(void *options, const char *unused, const char *value)
{
	struct report_options *o = options;
	(void)unused;
	o->limited = 1;
	return read_size("--limit", value, 0, &o->make.limit);
}

static int take_period(void *options, const char *unused, const char *value)
{
	struct report_options *o = options;
	(void)unused;
	return read_number("--period", value, 1, &o->make.period);
}

static int take_most(void *options, const char *unused, const char *value)
{
	struct report_options *o = options;
	(void)unused;
	return read_size("--max-groups", value, 1, &o->make.most_groups);
}

#define AT(member)   offsetof(struct report_options, member)
#define TEXT(member) 1, CLI_TEXT, AT(member), NULL, 0

static const struct cli_row rows[] = {
	{ "by", 0, 1, CLI_VALUE, 0, take_by, 0 },
	{ "filter", 0, TEXT(make.filter) },
	{ "sort", 0, TEXT(make.sort) },
	{ "limit", 0, 1, CLI_VALUE, 0, take_limit, 0 },
	{ "period", 0, 1, CLI_VALUE, 0, take_period, 0 },
	{ "max-groups", 0, 1, CLI_VALUE, 0, take_most, 0 },
	{ "symfs", 0, TEXT(make.symbols.symfs) },
	{ "kallsyms", 0, TEXT(make.symbols.kallsyms) },
	{ "histogram", 0, 1, CLI_FLAG, AT(make.histogram), NULL, 0 },
	{ "targets", 0, 1, CLI_FLAG, AT(make.targets), NULL, 0 },
	{ "format", 0, 1, CLI_VALUE, 0, take_format, 0 },
	{ "json", 'j', 1, CLI_CALL, 0, take_json, 0 },
	{ "output", 'o', TEXT(show.output) },
	{ "field-separator", 'x', 1, CLI_VALUE, 0, take_separator, 0 },
};

/* Returns the default number of rows: a table must be readable; other formats have all. */
static size_t usual_limit(const struct report_options *o)
{
	enum { ROWS = 20, LINES = 5 };
	if (o->show.format != PMS_FORMAT_TABLE)
		return 0;
	return o->make.by == PMS_SPE_BY_CACHELINE && !o->make.has_also ? LINES : ROWS;
}

/* Returns -1 to go on, else the exit status. */
static int read_options(struct report_options *o, int argc, char **argv)
{
	const struct cli_spe_command how = { command,
					     1,
					     { rows, sizeof(rows) / sizeof(rows[0]), o } };
	int status = cli_spe_options_read(&how, &o->common, argc, argv);
	if (status >= 0)
		return status;
	if (!o->common.file)
		return cli_usage(command, "report of what? A file is missing");
	if (o->make.targets && (o->make.has_also ||
				(o->make.by != PMS_SPE_BY_LINE && o->make.by != PMS_SPE_BY_SYMBOL &&
				 o->make.by != PMS_SPE_BY_PC && o->make.by != PMS_SPE_BY_BRANCH)))
		return cli_usage(command, "--targets is of --by line, symbol, pc or branch alone");
	o->make.raw = o->common.raw;
	o->make.pick = o->common.pick;
	o->make.encoding = o->common.encoding;
	if (!o->limited)
		o->make.limit = usual_limit(o);
	return -1;
}

static int show_progress(void *context, uint64_t done, uint64_t total)
{
	cli_progress_show(context, done, total);
	return 0;
}

static int make(struct report_options *o, struct pms_spe_report **report)
{
	struct cli_progress progress;
	struct pms_error err = { 0 };
	cli_progress_begin(&progress, "reading", 0);
	o->make.progress = show_progress;
	o->make.context = &progress;
	o->make.no_latencies = pms_show_spe_report_unused(o->show.format, &o->make);
	int rc = pms_spe_report_make(o->common.file, &o->make, report, &err);
	cli_progress_end(&progress);
	return rc ? cli_error(&err) : CLI_DONE;
}

/* A report and its options. */
struct shown {
	struct pms_spe_report *report;
	const char *file;
};

static int put(FILE *out, const void *what, const struct pms_show_options *options,
	       struct pms_error *err)
{
	const struct shown *shown = what;
	const char *name = strcmp(shown->file, "-") ? shown->file : "standard input";
	return pms_show_spe_report(out, shown->report, name, options, err);
}

int cli_spe_report(int argc, char **argv)
{
	struct report_options o = { .make = { .by = PMS_SPE_BY_LINE } };
	struct pms_spe_report *report = NULL;
	int status = read_options(&o, argc, argv);
	if (status < 0)
		status = cli_output_check(o.show.output);
	else
		return status;
	if (!status)
		status = make(&o, &report);
	struct shown shown = { report, o.common.file };
	if (!status)
		status = cli_output_put(&o.show, put, &shown);
	if (!status)
		status = cli_spe_damage(pms_spe_report_quality(report));
	pms_spe_report_free(report);
	return status;
}
