/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input.h"
#include "output.h"

static const char command[] = "annotate";

struct annotate_options {
	struct cli_options show;
	enum pms_fold_by by;
	int has_by, limited;
	const char *sort, *filter;
	size_t limit;
	struct pms_symbols_options symbols;
	const char *name; /* of a function or file; NULL: none was given */
};

static int take_by(void *options, const char *unused, const char *value)
{
	struct annotate_options *o = options;
	const char *names[PMS_FOLDS + 1] = { NULL };
	(void)unused;
	o->has_by = 1;
	if (pms_fold_by_find(value, &o->by))
		return -1;
	for (int i = 0; i < PMS_FOLDS; i++)
		names[i] = pms_fold_by_name((enum pms_fold_by)i);
	const char *nearest = pms_name_nearest(value, names);
	return nearest ? cli_usage(command, "--by %s: did you mean %s?", value, nearest)
		       : cli_usage(command,
				   "--by %s: rows are by function, line, instruction, object or "
				   "thread",
				   value);
}

static int take_limit(void *options, const char *unused, const char *value)
{
	struct annotate_options *o = options;
	char *end;
	(void)unused;
	errno = 0;
	unsigned long long number = strtoull(value, &end, 10);
	if (*value < '0' || *value > '9' || *end || errno)
		return cli_usage(command, "--limit %s: not a whole number", value);
	o->limited = 1;
	o->limit = (size_t)number;
	return -1;
}

static int take_format(void *options, const char *name, const char *value)
{
	return cli_take_format(&((struct annotate_options *)options)->show, name, value);
}

static int take_json(void *options, const char *name, const char *value)
{
	return cli_take_json(&((struct annotate_options *)options)->show, name, value);
}

static int take_separator(void *options, const char *name, const char *value)
{
	return cli_take_separator(&((struct annotate_options *)options)->show, name, value);
}

#define AT(member)   offsetof(struct annotate_options, member)
#define TEXT(member) 1, CLI_TEXT, AT(member), NULL, 0

static const struct cli_row rows[] = {
	{ "by", 0, 1, CLI_VALUE, 0, take_by, 0 },
	{ "sort", 0, TEXT(sort) },
	{ "filter", 0, TEXT(filter) },
	{ "limit", 0, 1, CLI_VALUE, 0, take_limit, 0 },
	{ "symfs", 0, TEXT(symbols.symfs) },
	{ "mcpu", 0, TEXT(show.mcpu) },
	{ "spec", 0, TEXT(show.spec) },
	{ "format", 0, 1, CLI_VALUE, 0, take_format, 0 },
	{ "json", 'j', 1, CLI_CALL, 0, take_json, 0 },
	{ "output", 'o', TEXT(show.output) },
	{ "field-separator", 'x', 1, CLI_VALUE, 0, take_separator, 0 },
};

/* Returns -1 to go on, else the exit status. */
static int read_options(struct annotate_options *o, int argc, char **argv)
{
	const struct cli_parser parser = {
		.command = command,
		.tables = { { rows, sizeof(rows) / sizeof(rows[0]), o } },
		.takes = 1,
	};
	enum { ROWS = 20 };
	int status = cli_parse(&parser, argc, argv);
	if (status >= 0)
		return status;
	if (optind == argc)
		return cli_usage(command, "annotate what? A session is missing");
	if (optind + 2 < argc)
		return cli_usage(command, "%s is too much: one function or file at a time",
				 argv[optind + 2]);
	o->name = argv[optind + 1]; /* argv ends with a NULL */
	if (o->name && (o->by == PMS_FOLD_OBJECT || o->by == PMS_FOLD_THREAD))
		return cli_usage(command,
				 "%s: a function or file is by function, line or "
				 "instruction",
				 o->name);
	if (o->filter && !o->has_by)
		return cli_usage(command, "--filter is of tables: say --by what as well");
	if (!o->limited && o->show.format == PMS_FORMAT_TABLE)
		o->limit = ROWS;
	return -1;
}

/* What is written. */
struct shown {
	const struct pms_counts *counts;
	const struct pms_fold *fold; /* NULL: the annotation */
	const struct pms_annotation *annotation;
	size_t limit;
};

static int put(FILE *out, const void *what, const struct pms_show_options *options,
	       struct pms_error *err)
{
	const struct shown *s = what;
	return s->fold ? pms_show_profile(out, s->counts, s->fold, s->limit, options, err)
		       : pms_show_annotation(out, s->counts, s->annotation, options, err);
}

static int show_table(const struct annotate_options *o, const struct pms_counts *counts,
		      struct pms_symbols *symbols)
{
	struct pms_error err = { 0 };
	struct pms_fold *fold = NULL;
	const struct pms_fold_options options = { .by = o->by,
						  .sort = o->sort,
						  .filter = o->filter,
						  .pick = o->name ? pms_annotation_pick : NULL,
						  .context = (char *)o->name };
	if (pms_fold_make(counts->profile, symbols, &options, &fold, &err))
		return cli_error(&err);
	const struct shown shown = { counts, fold, NULL, o->limit };
	int status = cli_output_put(&o->show, put, &shown);
	pms_fold_free(fold);
	return status;
}

static int show_code(const struct annotate_options *o, const struct pms_counts *counts,
		     struct pms_symbols *symbols)
{
	struct pms_error err = { 0 };
	struct pms_annotation *annotation = NULL;
	if (pms_annotation_make(counts->profile, symbols, o->name, o->sort, &annotation, &err))
		return cli_error(&err);
	const struct shown shown = { counts, NULL, annotation, 0 };
	int status = cli_output_put(&o->show, put, &shown);
	pms_annotation_free(annotation);
	return status;
}

static int show(const struct annotate_options *o, const char *file, const struct pms_counts *counts)
{
	struct pms_error err = { 0 };
	struct pms_symbols *symbols = NULL;
	if (!counts->profile) {
		err.status = PMS_EINVAL;
		snprintf(err.source, sizeof(err.source), "%s", file);
		snprintf(err.text, sizeof(err.text),
			 "the session does not say where in the program its counts are");
		snprintf(err.hint, sizeof(err.hint),
			 "pmuscope topdown --where --save FILE records it, on the modelled core");
		return cli_error(&err);
	}
	if (o->symbols.symfs && access(o->symbols.symfs, R_OK)) {
		err.status = PMS_EIO;
		snprintf(err.source, sizeof(err.source), "%s", o->symbols.symfs);
		snprintf(err.text, sizeof(err.text), "cannot read: %s", strerror(errno));
		return cli_error(&err);
	}
	if (pms_symbols_open(&o->symbols, &symbols, &err))
		return cli_error(&err);
	int status = o->has_by ? show_table(o, counts, symbols) : show_code(o, counts, symbols);
	pms_symbols_close(symbols);
	return status;
}

int cli_annotate(int argc, char **argv)
{
	struct annotate_options o = { 0 };
	struct pms_measurement *input = NULL;
	struct pms_counts *counts = NULL;
	int status = read_options(&o, argc, argv);
	if (status >= 0)
		return status;
	char *words[] = { argv[optind], NULL };
	o.show.command = words;
	status = cli_output_check(o.show.output);
	if (!status)
		status = cli_input_open(&o.show, command, &input);
	if (!status)
		status = cli_input_total(input, &counts);
	if (!status)
		status = show(&o, words[0], counts);
	pms_counts_free(counts);
	pms_measurement_close(input);
	return status;
}
