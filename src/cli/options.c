/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define MEASURE (CLI_TAKES_TOPDOWN | CLI_TAKES_STAT)
#define REPORTS (MEASURE | CLI_TAKES_REPORT)
#define NAMES	(CLI_TAKES_LIST | CLI_TAKES_SEARCH | CLI_TAKES_DESCRIBE)

static const char later[] = "that is not in this version";

/* Take --cpu, which is a list of CPUs as in perf; refuse a CPU's name, which --mcpu takes. */
static int take_cpu(void *options, const char *command, const char *argument)
{
	struct cli_options *o = options;
	if (strspn(argument, "0123456789,-") != strlen(argument))
		return cli_usage(command,
				 "--cpu takes a list of CPUs, as in perf; for a core use --mcpu %s",
				 argument);
	if (!(o->subcommand & MEASURE))
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

static int take_env(void *options, const char *command, const char *text)
{
	struct cli_words *env = &((struct cli_options *)options)->env;
	if (!strchr(text, '=') || *text == '=')
		return cli_usage(command, "--env %s: not NAME=VALUE", text);
	if (add_word(env, text, strlen(text)))
		return cli_usage(command, "out of memory");
	return -1;
}

static int take_level(void *options, const char *command, const char *text)
{
	struct cli_options *o = options;
	char *end;
	errno = 0;
	long value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < 1 || value > 99)
		return cli_usage(command, "-l %s: not a level, 1 or more", text);
	o->level = (int)value;
	return -1;
}

static int take_counters(void *options, const char *command, const char *text)
{
	struct cli_options *o = options;
	char *end;
	errno = 0;
	long value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < 1 || value > PMS_MOST_COUNTERS)
		return cli_usage(command, "--counters %s: not a number of counters, 1 to %d", text,
				 PMS_MOST_COUNTERS);
	o->counters = (int)value;
	return -1;
}

/* Read a whole number from @least to INT_MAX. */
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

/* Read a number of instructions, "20000000" or "20M", that ends at *end. Returns 0 for no
 * number. */
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

static int take_forward(void *options, const char *command, const char *text)
{
	struct cli_options *o = options;
	const char *end;
	if (!take_instructions(text, &end, &o->forward) || *end || !o->forward)
		return cli_usage(
			command,
			"--fast-forward %s: not a number of instructions, as 2000000 or 2M", text);
	return -1;
}

static int take_sample(void *options, const char *command, const char *text)
{
	struct cli_options *o = options;
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

/* Read the number of a descriptor, which ends at *end. Returns 0 for no number. */
static int take_descriptor(const char *text, const char **end, int *fd)
{
	char *rest;
	errno = 0;
	long value = strtol(text, &rest, 10);
	*end = rest;
	*fd = (int)value;
	return !errno && *text >= '0' && *text <= '9' && value <= INT_MAX;
}

/* Returns whether a descriptor is open. A closed standard stream was replaced by an O_PATH one. */
static int is_open(int fd)
{
	int flags = fd < 0 ? 0 : fcntl(fd, F_GETFL);
	return flags >= 0 && !(flags & O_PATH);
}

/* Read "fd:N" or "fd:N,M". */
static int take_control(void *options, const char *command, const char *text)
{
	struct cli_live_options *live = &((struct cli_options *)options)->live;
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

static int take_source(void *options, const char *command, const char *text)
{
	enum cli_source *source = &((struct cli_options *)options)->source;
	if (!strcmp(text, "vcore"))
		*source = CLI_SOURCE_VCORE;
	else if (!strcmp(text, "perf"))
		*source = CLI_SOURCE_PERF;
	else
		return cli_usage(command, "--source %s: neither vcore nor perf", text);
	return -1;
}

static int set_format(struct cli_options *options, const char *command, enum pms_format format)
{
	if (options->format_given && options->format != format)
		return cli_usage(command, "two formats at once; choose one of -j, -x and --format");
	options->format = format;
	options->format_given = 1;
	return -1;
}

int cli_take_format(void *options, const char *command, const char *text)
{
	static const char *const names[] = {
		[PMS_FORMAT_TABLE] = "table", [PMS_FORMAT_JSON] = "json", [PMS_FORMAT_CSV] = "csv"
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(text, names[i]))
			return set_format(options, command, (enum pms_format)i);
	if (!strcmp(text, "html"))
		return cli_usage(command, "--format html: %s", later);
	return cli_usage(command, "--format %s: not one of table, json and csv", text);
}

int cli_take_separator(void *options, const char *command, const char *text)
{
	struct cli_options *o = options;
	char separator = *text;
	if (!strcmp(text, "\\t"))
		separator = '\t';
	int plain = separator == '\t' || (text[0] > ' ' && !text[1] && text[0] < 0x7f);
	if (separator == ' ' && !text[1])
		plain = 1;
	if (!plain || strchr("\"#.-+", separator))
		return cli_usage(command, "-x %s: not a separator, one character such as ; or \\t",
				 text);
	o->separator = separator;
	return set_format(o, command, PMS_FORMAT_CSV);
}

int cli_take_json(void *options, const char *command, const char *value)
{
	(void)value;
	return set_format(options, command, PMS_FORMAT_JSON);
}

/* Lists of words, and numbers. */

#define WORDS(name, member, option)                                                                \
	static int take_##name(void *options, const char *command, const char *value)              \
	{                                                                                          \
		struct cli_options *o = options;                                                   \
		return read_words(command, &o->member, option, value);                             \
	}
WORDS(events, events, "-e")
WORDS(metrics, metrics, "-M")
WORDS(assumed, assumed, "--assume")
WORDS(core_set, core_set, "--core-set")
WORDS(pids, live.pids, "-p")
WORDS(tids, live.tids, "-t")
#undef WORDS

#define NUMBER(name, option, what, least)                                                          \
	static int take_##name(void *options, const char *command, const char *value)              \
	{                                                                                          \
		struct cli_options *o = options;                                                   \
		return read_number(command, option, what, least, &o->live.name, value);            \
	}
NUMBER(interval, "-I", "a number of milliseconds, 1 or more", 1)
NUMBER(repeat, "-r", "a number of runs, 1 or more", 1)
NUMBER(delay, "-D", "a number of milliseconds, or -1", -1)
NUMBER(timeout, "--timeout", "a number of milliseconds, 1 or more", 1)
#undef NUMBER

/* An option without a value that sets a member. */
#define SETTING(name, member, to)                                                                  \
	static int take_##name(void *options, const char *command, const char *value)              \
	{                                                                                          \
		struct cli_options *o = options;                                                   \
		(void)command;                                                                     \
		(void)value;                                                                       \
		o->live.member = to;                                                               \
		return -1;                                                                         \
	}
SETTING(user, modes, PMS_LIVE_USER)
SETTING(kernel, modes, PMS_LIVE_KERNEL)
SETTING(multirun, passes, PMS_PASSES_MULTIRUN)
SETTING(multiplex, passes, PMS_PASSES_MULTIPLEX)
#undef SETTING

static int take_node(void *options, const char *command, const char *value)
{
	(void)options;
	(void)value;
	return cli_usage(command, "--node: %s", later);
}

/* Names and letters are perf's, else those of toplev or topdown-tool. */
#define AT(member)	offsetof(struct cli_options, member)
#define FLAG(member)	CLI_FLAG, AT(member), NULL
#define TEXT(member)	CLI_TEXT, AT(member), NULL
#define VALUE(function) CLI_VALUE, 0, function
#define CALL(function)	CLI_CALL, 0, function
#define ROW(name, letter, takes, what)                                                             \
	{                                                                                          \
		name, letter, takes, what, 0                                                       \
	}
#define LIVE(name, letter, takes, what)                                                            \
	{                                                                                          \
		name, letter, takes, what, AT(live.given)                                          \
	}

static const struct cli_row rows[] = {
	ROW("mcpu", 0,
	    REPORTS | NAMES | CLI_TAKES_PLAN | CLI_TAKES_CHECK | CLI_TAKES_VALIDATE |
		    CLI_TAKES_CORE,
	    TEXT(mcpu)),
	ROW("cpu", 0, CLI_TAKES_ANY, VALUE(take_cpu)),
	ROW("spec", 0, REPORTS | NAMES | CLI_TAKES_PLAN | CLI_TAKES_CHECK, TEXT(spec)),
	ROW("source", 0, MEASURE | CLI_TAKES_VALIDATE, VALUE(take_source)),
	ROW("event", 'e', CLI_TAKES_STAT, VALUE(take_events)),
	ROW("metrics", 'M', REPORTS | CLI_TAKES_PLAN, VALUE(take_metrics)),
	ROW("counters", 0, CLI_TAKES_PLAN, VALUE(take_counters)),
	ROW("level", 'l', REPORTS, VALUE(take_level)),
	ROW("per-thread", 0, REPORTS, FLAG(per_thread)),
	ROW("all", 0, CLI_TAKES_TOPDOWN | CLI_TAKES_REPORT | CLI_TAKES_CHECK | CLI_TAKES_VALIDATE,
	    FLAG(all)),
	ROW("sysroot", 'L', MEASURE, TEXT(sysroot)),
	ROW("qemu", 0, MEASURE | CLI_TAKES_DOCTOR | CLI_TAKES_VALIDATE, TEXT(qemu)),
	ROW("qemu-cpu", 0, MEASURE | CLI_TAKES_VALIDATE, TEXT(qemu_cpu)),
	ROW("env", 0, MEASURE, VALUE(take_env)),
	ROW("core-set", 0, MEASURE | CLI_TAKES_VALIDATE | CLI_TAKES_CORE, VALUE(take_core_set)),
	ROW("no-wrong-path", 0, MEASURE, FLAG(no_wrong_path)),
	ROW("fast-forward", 0, MEASURE, VALUE(take_forward)),
	ROW("where", 0, MEASURE, FLAG(where)),
	ROW("roi", 0, MEASURE, TEXT(region)),
	ROW("sample", 0, MEASURE, VALUE(take_sample)),
	ROW("why", 0, CLI_TAKES_TOPDOWN, FLAG(why)),
	ROW("field-separator", 'x', CLI_TAKES_ANY & ~CLI_TAKES_DESCRIBE, VALUE(cli_take_separator)),
	ROW("json", 'j', CLI_TAKES_ANY, CALL(cli_take_json)),
	ROW("format", 0, CLI_TAKES_ANY, VALUE(cli_take_format)),
	ROW("output", 'o', CLI_TAKES_ANY, TEXT(output)),
	ROW("names", 0, CLI_TAKES_LIST | CLI_TAKES_VALIDATE, FLAG(names)),
	ROW("quick", 0, CLI_TAKES_VALIDATE, FLAG(quick)),
	LIVE("all-cpus", 'a', MEASURE, FLAG(live.all_cpus)),
	LIVE(NULL, 'C', MEASURE, TEXT(live.cpus)),
	LIVE("pid", 'p', MEASURE, VALUE(take_pids)),
	LIVE("tid", 't', MEASURE, VALUE(take_tids)),
	LIVE("cgroup", 'G', MEASURE, TEXT(live.cgroup)),
	LIVE("no-aggr", 'A', MEASURE, FLAG(live.no_aggr)),
	LIVE("per-core", 0, MEASURE, FLAG(live.per_core)),
	LIVE("interval-print", 'I', MEASURE, VALUE(take_interval)),
	LIVE("repeat", 'r', MEASURE, VALUE(take_repeat)),
	LIVE("delay", 'D', MEASURE, VALUE(take_delay)),
	LIVE("timeout", 0, MEASURE, VALUE(take_timeout)),
	LIVE("control", 0, MEASURE, VALUE(take_control)),
	LIVE("all-user", 0, MEASURE, CALL(take_user)),
	LIVE("all-kernel", 0, MEASURE, CALL(take_kernel)),
	LIVE("multirun", 0, MEASURE, CALL(take_multirun)),
	LIVE("multiplex", 0, MEASURE, CALL(take_multiplex)),
	LIVE("node", 0, MEASURE, VALUE(take_node)),
	ROW("budget", 0, CLI_TAKES_CHECK, TEXT(budget)),
	ROW("assume", 0, CLI_TAKES_CHECK, VALUE(take_assumed)),
	ROW("revision", 0, CLI_TAKES_CHECK, TEXT(revision)),
	ROW("save", 0, REPORTS, TEXT(save)),
};

#define N_ROWS (sizeof(rows) / sizeof(rows[0]))

/* Warn that an option which looks like ours goes to the program. `--` before the program
 * silences this. */
static void note_behind(const struct cli_parser *parser, const struct cli_options *o, char **argv)
{
	if (!parser->stops || !o->command[0] || !strcmp(o->command[-1], "--"))
		return;
	for (char **word = o->command + 1; *word && strcmp(*word, "--") != 0; word++)
		if (cli_row_of(parser, *word)) {
			cli_note("note: %s stands behind the program and goes to it; options of "
				 "%s go before it",
				 *word, argv[0]);
			return;
		}
}

int cli_options_read(struct cli_options *options, enum cli_takes subcommand, int argc, char **argv)
{
	const struct cli_parser parser = { .command = argv[0],
					   .tables = { { rows, N_ROWS, options } },
					   .takes = subcommand,
					   .stops = (subcommand & MEASURE) != 0 };
	*options = (struct cli_options){ .subcommand = subcommand };
	int status = cli_parse(&parser, argc, argv);
	options->command = argv + optind;
	if (status < 0 && options->region && options->detail)
		status = cli_usage(argv[0], "--roi counts a function whole: --sample does not go "
					    "with it; --fast-forward does");
	if (status < 0 && options->mcpu && options->spec)
		status = cli_usage(argv[0], "--mcpu and --spec name two CPUs; give one of them");
	if (status < 0)
		note_behind(&parser, options, argv);
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

/* Follow no-color.org: any value that is not empty turns colours off. */
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
