/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Options without a letter have a value beyond the letters. */
enum {
	OPT_MCPU = 256,
	OPT_CPU,
	OPT_SOURCE,
	OPT_PER_THREAD,
	OPT_QEMU,
	OPT_QEMU_CPU,
	OPT_ENV,
	OPT_NO_WRONG_PATH,
	OPT_CORE_SET,
	OPT_FAST_FORWARD,
	OPT_ROI,
	OPT_SAMPLE,
	OPT_FORMAT,
	OPT_ALL,
	OPT_PER_CORE,
	OPT_SPEC,
	OPT_NODE,
	OPT_MULTIRUN,
	OPT_MULTIPLEX,
	OPT_SAVE,
	OPT_NAMES,
	OPT_QUICK,
	OPT_COUNTERS,
	OPT_BUDGET,
	OPT_ASSUME,
	OPT_REVISION,
	OPT_TIMEOUT,
	OPT_CONTROL,
	OPT_ALL_USER,
	OPT_ALL_KERNEL
};

#define MEASURE (CLI_TAKES_TOPDOWN | CLI_TAKES_STAT)
#define REPORTS (MEASURE | CLI_TAKES_REPORT)
#define NAMES	(CLI_TAKES_LIST | CLI_TAKES_SEARCH | CLI_TAKES_DESCRIBE)
#define EVERY                                                                                      \
	(CLI_TAKES_LINT | REPORTS | NAMES | CLI_TAKES_PLAN | CLI_TAKES_DOCTOR | CLI_TAKES_CHECK |  \
	 CLI_TAKES_VALIDATE | CLI_TAKES_CORE)

static const char later[] = "that is not in this version";

/* Names and letters as perf has them, else toplev or topdown-tool. */
static const struct row {
	const char *name; /* NULL: a letter alone */
	int value;	  /* the letter, or OPT_… */
	int argument;	  /* 1: takes one */
	unsigned takes;	  /* subcommands */
	const char *why;  /* known, but refused for this reason; NULL: taken */
} rows[] = {
	{ "help", 'h', 0, EVERY, NULL },
	{ "mcpu", OPT_MCPU, 1,
	  REPORTS | NAMES | CLI_TAKES_PLAN | CLI_TAKES_CHECK | CLI_TAKES_VALIDATE | CLI_TAKES_CORE,
	  NULL },
	{ "cpu", OPT_CPU, 1, EVERY, NULL },
	{ "spec", OPT_SPEC, 1, REPORTS | NAMES | CLI_TAKES_PLAN | CLI_TAKES_CHECK, NULL },
	{ "source", OPT_SOURCE, 1, MEASURE | CLI_TAKES_VALIDATE, NULL },
	{ "event", 'e', 1, CLI_TAKES_STAT, NULL },
	{ "metrics", 'M', 1, REPORTS | CLI_TAKES_PLAN, NULL },
	{ "counters", OPT_COUNTERS, 1, CLI_TAKES_PLAN, NULL },
	{ "level", 'l', 1, REPORTS, NULL },
	{ "per-thread", OPT_PER_THREAD, 0, REPORTS, NULL },
	{ "all", OPT_ALL, 0,
	  CLI_TAKES_TOPDOWN | CLI_TAKES_REPORT | CLI_TAKES_CHECK | CLI_TAKES_VALIDATE, NULL },
	{ "sysroot", 'L', 1, MEASURE, NULL },
	{ "qemu", OPT_QEMU, 1, MEASURE | CLI_TAKES_DOCTOR | CLI_TAKES_VALIDATE, NULL },
	{ "qemu-cpu", OPT_QEMU_CPU, 1, MEASURE | CLI_TAKES_VALIDATE, NULL },
	{ "env", OPT_ENV, 1, MEASURE, NULL },
	{ "core-set", OPT_CORE_SET, 1, MEASURE | CLI_TAKES_VALIDATE | CLI_TAKES_CORE, NULL },
	{ "no-wrong-path", OPT_NO_WRONG_PATH, 0, MEASURE, NULL },
	{ "fast-forward", OPT_FAST_FORWARD, 1, MEASURE, NULL },
	{ "roi", OPT_ROI, 1, MEASURE, NULL },
	{ "sample", OPT_SAMPLE, 1, MEASURE, NULL },
	{ "field-separator", 'x', 1, EVERY & ~CLI_TAKES_DESCRIBE, NULL },
	{ "json", 'j', 0, EVERY, NULL },
	{ "format", OPT_FORMAT, 1, EVERY, NULL },
	{ "output", 'o', 1, EVERY, NULL },
	{ "names", OPT_NAMES, 0, CLI_TAKES_LIST | CLI_TAKES_VALIDATE, NULL },
	{ "quick", OPT_QUICK, 0, CLI_TAKES_VALIDATE, NULL },
	{ "all-cpus", 'a', 0, MEASURE, NULL },
	{ NULL, 'C', 1, MEASURE, NULL },
	{ "pid", 'p', 1, MEASURE, NULL },
	{ "tid", 't', 1, MEASURE, NULL },
	{ "cgroup", 'G', 1, MEASURE, NULL },
	{ "no-aggr", 'A', 0, MEASURE, NULL },
	{ "per-core", OPT_PER_CORE, 0, MEASURE, NULL },
	{ "interval-print", 'I', 1, MEASURE, NULL },
	{ "repeat", 'r', 1, MEASURE, NULL },
	{ "delay", 'D', 1, MEASURE, NULL },
	{ "timeout", OPT_TIMEOUT, 1, MEASURE, NULL },
	{ "control", OPT_CONTROL, 1, MEASURE, NULL },
	{ "all-user", OPT_ALL_USER, 0, MEASURE, NULL },
	{ "all-kernel", OPT_ALL_KERNEL, 0, MEASURE, NULL },
	{ "multirun", OPT_MULTIRUN, 0, MEASURE, NULL },
	{ "multiplex", OPT_MULTIPLEX, 0, MEASURE, NULL },
	{ "node", OPT_NODE, 1, MEASURE, later },
	{ "budget", OPT_BUDGET, 1, CLI_TAKES_CHECK, NULL },
	{ "assume", OPT_ASSUME, 1, CLI_TAKES_CHECK, NULL },
	{ "revision", OPT_REVISION, 1, CLI_TAKES_CHECK, NULL },
	{ "save", OPT_SAVE, 1, REPORTS, NULL },
};

#define N_ROWS (sizeof(rows) / sizeof(rows[0]))

static const struct row *find_row(int value)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (rows[i].value == value)
			return &rows[i];
	return NULL;
}

/* What getopt_long(3) wants of the table. Leading +: options end at the first other word, which is
 * the program to run; leading colon: it prints nothing itself. */
static void make_tables(unsigned takes, char *letters, struct option *longs)
{
	if (takes & MEASURE)
		*letters++ = '+';
	*letters++ = ':';
	for (size_t i = 0; i < N_ROWS; i++) {
		if (!(rows[i].takes & takes))
			continue;
		if (rows[i].value < 256) {
			*letters++ = (char)rows[i].value;
			if (rows[i].argument)
				*letters++ = ':';
		}
		if (rows[i].name)
			*longs++ = (struct option){ rows[i].name, rows[i].argument, NULL,
						    rows[i].value };
	}
	*letters = 0;
	*longs = (struct option){ 0 };
}

/* An option that getopt_long(3) does not know here: of another subcommand, or of none. */
static int unknown(const char *command, unsigned takes, const char *word)
{
	const char *names[N_ROWS + 1];
	size_t n = 0, length = strcspn(word, "=");
	for (size_t i = 0; i < N_ROWS; i++) {
		if (!rows[i].name)
			continue;
		if (rows[i].takes & takes)
			names[n++] = rows[i].name;
		else if (!strncmp(rows[i].name, word, length) && !rows[i].name[length])
			return cli_usage(command, "%s has no option --%s", command, rows[i].name);
	}
	names[n] = NULL;
	const char *nearest = pms_name_nearest(word, names);
	if (nearest)
		return cli_usage(command, "unknown option --%s; did you mean --%s?", word, nearest);
	return cli_usage(command, "unknown option --%s", word);
}

static int no_value(const char *command, int option)
{
	const struct row *row = find_row(option);
	if (option < 256)
		return cli_usage(command, "-%c needs a value", option);
	return cli_usage(command, "--%s needs a value", row->name);
}

static int refuse(const char *command, unsigned takes, int missing, char *word)
{
	const struct row *row = find_row(optopt);
	int is_long = !strncmp(word, "--", 2);
	if (missing)
		return no_value(command, optopt);
	if (is_long && row)
		return cli_usage(command, "--%s takes no value", row->name);
	if (is_long)
		return unknown(command, takes, word + 2);
	if (row)
		return cli_usage(command, "%s has no option -%c", command, optopt);
	return cli_usage(command, "unknown option -%c", optopt);
}

static int refuse_known(const char *command, const struct row *row)
{
	if (row->name && row->value < 256)
		return cli_usage(command, "-%c, --%s: %s", row->value, row->name, row->why);
	if (row->name)
		return cli_usage(command, "--%s: %s", row->name, row->why);
	return cli_usage(command, "-%c: %s", row->value, row->why);
}

/* A CPU where perf takes a list of CPUs. */
static int read_cpu(struct cli_options *o, const char *command, const char *argument)
{
	if (strspn(argument, "0123456789,-") != strlen(argument))
		return cli_usage(command,
				 "--cpu takes a list of CPUs, as in perf; for a core use --mcpu %s",
				 argument);
	if (!(find_row('C')->takes & o->subcommand))
		return cli_usage(command, "%s measures nothing, so --cpu does not fit", command);
	o->live.cpus = argument;
	o->live.given = 1;
	return -1;
}

static int add_word(struct cli_words *words, const char *text, size_t length)
{
	char **grown = reallocarray(words->words, words->count + 2, sizeof(*grown));
	char *word = strndup(text, length);
	if (grown)
		words->words = grown;
	if (!grown || !word) {
		free(word);
		return -1;
	}
	grown[words->count++] = word;
	grown[words->count] = NULL;
	return 0;
}

int cli_words_add(struct cli_words *words, const char *word)
{
	return add_word(words, word, strlen(word));
}

void cli_words_release(struct cli_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->words[i]);
	free(words->words);
}

static int read_words(const char *command, struct cli_words *words, const char *option,
		      const char *text)
{
	for (;;) {
		size_t length = strcspn(text, ",");
		if (!length)
			return cli_usage(command, "%s: an empty name", option);
		if (add_word(words, text, length))
			return cli_usage(command, "out of memory");
		text += length;
		if (!*text++)
			return -1;
	}
}

static int read_env(const char *command, struct cli_words *env, const char *text)
{
	if (!strchr(text, '=') || *text == '=')
		return cli_usage(command, "--env %s: not NAME=VALUE", text);
	if (add_word(env, text, strlen(text)))
		return cli_usage(command, "out of memory");
	return -1;
}

static int read_level(const char *command, int *level, const char *text)
{
	char *end;
	errno = 0;
	long value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < 1 || value > 99)
		return cli_usage(command, "-l %s: not a level, 1 or more", text);
	*level = (int)value;
	return -1;
}

static int read_counters(const char *command, int *counters, const char *text)
{
	char *end;
	errno = 0;
	long value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < 1 || value > PMS_MOST_COUNTERS)
		return cli_usage(command, "--counters %s: not a number of counters, 1 to %d", text,
				 PMS_MOST_COUNTERS);
	*counters = (int)value;
	return -1;
}

/* A whole number from @least to INT_MAX. */
static int read_number(const char *command, const char *option, const char *what, long least,
		       int *number, const char *text)
{
	char *end;
	errno = 0;
	long value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < least || value > INT_MAX)
		return cli_usage(command, "%s %s: not %s", option, text, what);
	*number = (int)value;
	return -1;
}

/* A number of instructions, "20000000" or "20M", that ends at *end. Returns 0 when it is none. */
static int take_instructions(const char *text, const char **end, uint64_t *number)
{
	static const struct {
		char letter;
		uint64_t factor;
	} units[] = { { 'k', 1000 }, { 'K', 1000 }, { 'M', 1000000 }, { 'G', 1000000000 } };
	char *rest;
	uint64_t factor = 1;
	errno = 0;
	unsigned long long value = strtoull(text, &rest, 10);
	if (errno || *text < '0' || *text > '9')
		return 0;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]) && factor == 1; i++)
		if (*rest == units[i].letter)
			factor = units[i].factor;
	*end = rest + (factor > 1);
	*number = value * factor;
	return value <= PMS_SAMPLE_MOST / factor;
}

static int read_forward(const char *command, struct cli_options *o, const char *text)
{
	const char *end;
	if (!take_instructions(text, &end, &o->forward) || *end || !o->forward)
		return cli_usage(
			command,
			"--fast-forward %s: not a number of instructions, as 2000000 or 2M", text);
	return -1;
}

static int read_sample(const char *command, struct cli_options *o, const char *text)
{
	uint64_t *parts[] = { &o->warm, &o->detail, &o->skip };
	const char *at = text;
	for (size_t i = 0; i < 3; i++, at++)
		if (!take_instructions(at, &at, parts[i]) || *at != (i < 2 ? ',' : 0))
			return cli_usage(command,
					 "--sample %s: not WARM,DETAIL,SKIP, three numbers of "
					 "instructions, as 2M,200k,20M",
					 text);
	if (o->detail < PMS_SAMPLE_LEAST)
		return cli_usage(command,
				 "--sample %s: windows (DETAIL) have at least %d instructions, or "
				 "what is in flight at their ends counts too much",
				 text, PMS_SAMPLE_LEAST);
	return -1;
}

/* The number of a descriptor, which ends at *end. Returns 0 when it is none. */
static int take_descriptor(const char *text, const char **end, int *fd)
{
	char *rest;
	errno = 0;
	long value = strtol(text, &rest, 10);
	*end = rest;
	*fd = (int)value;
	return !errno && *text >= '0' && *text <= '9' && value <= INT_MAX;
}

/* A path alone is what stands for a standard stream that is closed. */
static int is_open(int fd)
{
	int flags = fd < 0 ? 0 : fcntl(fd, F_GETFL);
	return flags >= 0 && !(flags & O_PATH);
}

/* "fd:N" or "fd:N,M". */
static int read_control(const char *command, struct cli_live_options *live, const char *text)
{
	const char *at = text + strlen("fd:");
	live->has_control = 1;
	live->ack = -1;
	if (strncmp(text, "fd:", strlen("fd:")) != 0 || !take_descriptor(at, &at, &live->control) ||
	    (*at == ',' && !take_descriptor(at + 1, &at, &live->ack)) || *at)
		return cli_usage(command, "--control %s: not fd:N or fd:N,M, two open descriptors",
				 text);
	if (!is_open(live->control) || !is_open(live->ack))
		return cli_usage(command, "--control %s: descriptor %d is not open", text,
				 is_open(live->control) ? live->ack : live->control);
	return -1;
}

static int read_source(const char *command, enum cli_source *source, const char *text)
{
	if (!strcmp(text, "vcore"))
		*source = CLI_SOURCE_VCORE;
	else if (!strcmp(text, "perf"))
		*source = CLI_SOURCE_PERF;
	else
		return cli_usage(command, "--source %s: neither vcore nor perf", text);
	return -1;
}

int cli_options_set_format(struct cli_options *options, const char *command, enum pms_format format)
{
	if (options->format_given && options->format != format)
		return cli_usage(command, "two formats at once; choose one of -j, -x and --format");
	options->format = format;
	options->format_given = 1;
	return -1;
}

int cli_options_format(struct cli_options *options, const char *command, const char *text)
{
	static const char *const names[] = {
		[PMS_FORMAT_TABLE] = "table", [PMS_FORMAT_JSON] = "json", [PMS_FORMAT_CSV] = "csv"
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(text, names[i]))
			return cli_options_set_format(options, command, (enum pms_format)i);
	if (!strcmp(text, "html"))
		return cli_usage(command, "--format html: %s", later);
	return cli_usage(command, "--format %s: not one of table, json and csv", text);
}

int cli_options_separator(struct cli_options *options, const char *command, const char *text)
{
	char separator = *text;
	if (!strcmp(text, "\\t"))
		separator = '\t';
	int plain = separator == '\t' || (text[0] > ' ' && !text[1] && text[0] < 0x7f);
	if (separator == ' ' && !text[1])
		plain = 1;
	if (!plain || strchr("\"#.-+", separator))
		return cli_usage(command, "-x %s: not a separator, one character such as ; or \\t",
				 text);
	options->separator = separator;
	return cli_options_set_format(options, command, PMS_FORMAT_CSV);
}

/* What only a measurement by the PMU has. Returns as take. */
static int take_live(struct cli_options *o, const char *command, int option, const char *value)
{
	struct cli_live_options *live = &o->live;
	live->given = 1;
	switch (option) {
	case 'a':
		live->all_cpus = 1;
		return -1;
	case 'C':
		live->cpus = value;
		return -1;
	case 'p':
		return read_words(command, &live->pids, "-p", value);
	case 't':
		return read_words(command, &live->tids, "-t", value);
	case 'G':
		live->cgroup = value;
		return -1;
	case 'A':
		live->no_aggr = 1;
		return -1;
	case OPT_PER_CORE:
		live->per_core = 1;
		return -1;
	case 'I':
		return read_number(command, "-I", "a number of milliseconds, 1 or more", 1,
				   &live->interval, value);
	case 'r':
		return read_number(command, "-r", "a number of runs, 1 or more", 1, &live->repeat,
				   value);
	case 'D':
		return read_number(command, "-D", "a number of milliseconds, or -1", -1,
				   &live->delay, value);
	case OPT_TIMEOUT:
		return read_number(command, "--timeout", "a number of milliseconds, 1 or more", 1,
				   &live->timeout, value);
	case OPT_CONTROL:
		return read_control(command, live, value);
	case OPT_ALL_USER:
		live->modes = PMS_LIVE_USER;
		return -1;
	case OPT_ALL_KERNEL:
		live->modes = PMS_LIVE_KERNEL;
		return -1;
	case OPT_MULTIRUN:
		live->passes = PMS_PASSES_MULTIRUN;
		return -1;
	case OPT_MULTIPLEX:
		live->passes = PMS_PASSES_MULTIPLEX;
		return -1;
	default:
		return refuse_known(command, find_row(option));
	}
}

/* @value: of an option that has none, empty. Returns -1 to go on, else the exit status. */
static int take(struct cli_options *o, const char *command, int option, const char *value)
{
	switch (option) {
	case 'h':
		cli_help_print(stdout, command);
		return CLI_DONE;
	case 'e':
		return read_words(command, &o->events, "-e", value);
	case 'M':
		return read_words(command, &o->metrics, "-M", value);
	case 'l':
		return read_level(command, &o->level, value);
	case OPT_COUNTERS:
		return read_counters(command, &o->counters, value);
	case 'L':
		o->sysroot = value;
		return -1;
	case 'o':
		o->output = value;
		return -1;
	case 'j':
		return cli_options_set_format(o, command, PMS_FORMAT_JSON);
	case 'x':
		return cli_options_separator(o, command, value);
	case OPT_FORMAT:
		return cli_options_format(o, command, value);
	case OPT_SOURCE:
		return read_source(command, &o->source, value);
	case OPT_ENV:
		return read_env(command, &o->env, value);
	case OPT_CPU:
		return read_cpu(o, command, value);
	case OPT_MCPU:
		o->mcpu = value;
		return -1;
	case OPT_NAMES:
		o->names = 1;
		return -1;
	case OPT_QUICK:
		o->quick = 1;
		return -1;
	case OPT_SPEC:
		o->spec = value;
		return -1;
	case OPT_QEMU:
		o->qemu = value;
		return -1;
	case OPT_QEMU_CPU:
		o->qemu_cpu = value;
		return -1;
	case OPT_PER_THREAD:
		o->per_thread = 1;
		return -1;
	case OPT_ASSUME:
		return read_words(command, &o->assumed, "--assume", value);
	case OPT_BUDGET:
		o->budget = value;
		return -1;
	case OPT_REVISION:
		o->revision = value;
		return -1;
	case OPT_SAVE:
		o->save = value;
		return -1;
	case OPT_ALL:
		o->all = 1;
		return -1;
	case OPT_CORE_SET:
		return read_words(command, &o->core_set, "--core-set", value);
	case OPT_NO_WRONG_PATH:
		o->no_wrong_path = 1;
		return -1;
	case OPT_FAST_FORWARD:
		return read_forward(command, o, value);
	case OPT_ROI:
		o->region = value;
		return -1;
	case OPT_SAMPLE:
		return read_sample(command, o, value);
	default:
		return take_live(o, command, option, value);
	}
}

/* The row of the table that a word stands for as it is: "-o", "--all", "--save=x"; NULL: none. */
static const struct row *row_of(const char *word, unsigned takes)
{
	size_t length = strcspn(word, "=");
	for (size_t i = 0; i < N_ROWS; i++) {
		const struct row *row = &rows[i];
		if (!(row->takes & takes) || word[0] != '-')
			continue;
		if (word[1] == row->value && !word[2])
			return row;
		if (word[1] == '-' && row->name && length == strlen(row->name) + 2 &&
		    !strncmp(word + 2, row->name, length - 2))
			return row;
	}
	return NULL;
}

/* Say that an option which looks like one of ours goes to the program; `--` before the program says
 * that this is meant. */
static void note_behind(const struct cli_options *o, char **argv)
{
	if (!(o->subcommand & MEASURE) || !o->command[0] || !strcmp(o->command[-1], "--"))
		return;
	for (char **word = o->command + 1; *word && strcmp(*word, "--") != 0; word++)
		if (row_of(*word, o->subcommand)) {
			cli_note("note: %s stands behind the program and goes to it; options of "
				 "%s go before it",
				 *word, argv[0]);
			return;
		}
}

int cli_options_read(struct cli_options *options, enum cli_takes subcommand, int argc, char **argv)
{
	char letters[2 + 2 * N_ROWS + 1];
	struct option longs[N_ROWS + 1];
	int option, status = -1;
	*options = (struct cli_options){ .subcommand = subcommand };
	make_tables(subcommand, letters, longs);
	opterr = 0;
	while (status < 0 && (option = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		if (option == '?' || option == ':')
			status = refuse(argv[0], subcommand, option == ':', argv[optind - 1]);
		else if (optarg && !*optarg)
			status = no_value(argv[0], option);
		else
			status = take(options, argv[0], option, optarg ? optarg : "");
	}
	options->command = argv + optind;
	if (status < 0 && options->region && options->detail)
		status = cli_usage(argv[0], "--roi counts a function whole: --sample does not go "
					    "with it; --fast-forward does");
	if (status < 0 && options->mcpu && options->spec)
		status = cli_usage(argv[0], "--mcpu and --spec name two CPUs; give one of them");
	if (status < 0)
		note_behind(options, argv);
	return status;
}

struct pms_wanted cli_wanted(const struct cli_options *o, int counts)
{
	return (struct pms_wanted){ .events = (const char *const *)o->events.words,
				    .n_events = o->events.count,
				    .metrics = (const char *const *)o->metrics.words,
				    .n_metrics = o->metrics.count,
				    .level = o->level,
				    .all = o->all,
				    .counts = counts };
}

void cli_options_adopt(struct cli_options *o, const struct pms_wanted *wanted,
		       const struct pms_session_view *view)
{
	o->level = wanted->level;
	o->all = wanted->all;
	o->per_thread |= view && view->per_thread;
}

void cli_options_release(struct cli_options *options)
{
	cli_words_release(&options->events);
	cli_words_release(&options->metrics);
	cli_words_release(&options->env);
	cli_words_release(&options->core_set);
	cli_words_release(&options->assumed);
	cli_words_release(&options->live.pids);
	cli_words_release(&options->live.tids);
}

/* Of the stream, unless $COLUMNS says otherwise; 80 where there is none. */
static unsigned width_of(int fd)
{
	const char *columns = getenv("COLUMNS");
	char *end;
	struct winsize size;
	unsigned long width = columns ? strtoul(columns, &end, 10) : 0;
	if (columns && *columns && !*end && width >= 40 && width <= 1000)
		return (unsigned)width;
	return isatty(fd) && !ioctl(fd, TIOCGWINSZ, &size) && size.ws_col >= 40 ? size.ws_col : 80;
}

/* As no-color.org has it: any value that is not empty. */
static int wants_colour(int fd)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
	return isatty(fd) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

struct pms_show_options cli_show_options(const struct cli_options *options, int fd)
{
	return (struct pms_show_options){ .format = options->format,
					  .width = width_of(fd),
					  .terminal = isatty(fd),
					  .colour = wants_colour(fd),
					  .separator = options->separator,
					  .scopes = options->per_thread || options->live.no_aggr ||
						    options->live.per_core,
					  .all = options->all,
					  .names = options->names };
}

struct pms_show_options cli_show_only(const struct pms_show_options *options,
				      const char *const *patterns)
{
	struct pms_show_options only = *options;
	only.filter = patterns;
	while (only.filter[only.n_filter])
		only.n_filter++;
	return only;
}

unsigned cli_terminal(int fd, unsigned *columns)
{
	const char *term = getenv("TERM");
	struct winsize size = { 0 };
	if (!isatty(fd) || !term || !strcmp(term, "dumb"))
		return 0;
	if (ioctl(fd, TIOCGWINSZ, &size))
		size = (struct winsize){ 0 };
	*columns = size.ws_col ? size.ws_col : 80;
	return size.ws_row ? size.ws_row : 24;
}
