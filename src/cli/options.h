/* SPDX-License-Identifier: MIT */
/* cli/options.h - the options of topdown, stat, report, list and doctor. */
#ifndef PMS_CLI_OPTIONS_H
#define PMS_CLI_OPTIONS_H

#include "cli.h"
#include "parse.h"

enum cli_source { CLI_SOURCE_DEFAULT, CLI_SOURCE_VCORE, CLI_SOURCE_PERF };

/** Words of comma-separated lists, from all uses of an option. */
struct cli_words {
	char **words;
	size_t count;
};

/** Options of a measurement by the PMU; times in ms. */
struct cli_live_options {
	int given; /* 1: at least one was given */
	struct cli_words pids, tids;
	int all_cpus, no_aggr, per_core;
	const char *cpus, *cgroup; /* NULL: not given */
	int interval, repeat, delay, timeout;
	int has_control, control, ack;
	unsigned modes; /* PMS_LIVE_USER, …; 0: not given */
	enum pms_live_passes passes;
};

struct cli_options {
	unsigned subcommand; /* of enum cli_takes: the subcommand that reads them */
	const char *mcpu;    /* NULL: not given */
	const char *spec;    /* --spec, a file; NULL: not given */
	enum cli_source source;
	struct cli_words events;   /* -e */
	struct cli_words metrics;  /* -M */
	struct cli_words assumed;  /* --assume */
	struct cli_words env;	   /* --env, one word each */
	struct cli_words core_set; /* --core-set */
	int level;		   /* -l, 0: all */
	int counters;		   /* --counters, 0: as the catalog says */
	int per_thread, all, no_wrong_path, where;
	const char *sysroot, *qemu, *qemu_cpu;
	uint64_t forward, warm, detail, skip; /* --fast-forward, --sample; instructions */
	const char *region;		      /* --roi; NULL: not given */
	int names;			      /* of a list: only the names */
	int quick;			      /* --quick, for workloads */
	int why;			      /* --why */
	enum pms_format format;
	int format_given;
	char separator;	    /* 0: the format's default */
	const char *output; /* -o; NULL: standard error for commands that run a program, else
			     * standard output */
	const char *save;   /* --save; NULL: save nothing */
	const char *budget, *revision; /* --budget, a file; --revision; NULL: not given */
	struct cli_live_options live;
	char **command; /* the words after the options, NULL-terminated, borrowed from argv */
};

/** The options that a subcommand takes: one bit for each subcommand. */
#define CLI_NUMBER(name, bit) CLI_NUMBER_##bit,
enum cli_number { CLI_COMMANDS(CLI_NUMBER) CLI_N_COMMANDS };
#undef CLI_NUMBER
#define CLI_BIT(name, bit) CLI_TAKES_##bit = 1 << CLI_NUMBER_##bit,
enum cli_takes { CLI_COMMANDS(CLI_BIT) CLI_TAKES_ANY = (1 << CLI_N_COMMANDS) - 1 };
#undef CLI_BIT

/**
 * Read the options of the subcommand argv[0], up to -- or the first word that is no option.
 * @options: always release with cli_options_release
 * Returns -1 to go on, else the exit status: help was printed, or a message.
 */
int cli_options_read(struct cli_options *options, enum cli_takes subcommand, int argc, char **argv);
void cli_options_release(struct cli_options *options);

/* Take the value of one option. Commands with rows of their own use these on struct cli_options. */
cli_take cli_take_json, cli_take_format, cli_take_separator;

/** Append a copy of @word. Returns 0, or -1 when out of memory. */
int cli_words_add(struct cli_words *words, const char *word);
void cli_words_release(struct cli_words *words);

/** Returns what the options ask for, borrowed from them. @counts: as in struct pms_wanted */
struct pms_wanted cli_wanted(const struct cli_options *options, int counts);

/** Show a file of counts as it was saved, unless the options say otherwise. @view: of a session;
 * NULL: no session */
void cli_options_adopt(struct cli_options *options, const struct pms_wanted *wanted,
		       const struct pms_session_view *view);

/** Returns the options for showing on the stream @fd: its width, colours and character set. */
struct pms_show_options cli_show_options(const struct cli_options *options, int fd);

/** Returns the options with @patterns that rows must match. @patterns: NULL-terminated, borrowed;
 * empty: all */
struct pms_show_options cli_show_only(const struct pms_show_options *options,
				      const char *const *patterns);

/** Returns the rows of the terminal @fd that can be redrawn; 0: no terminal, or a dumb one.
 * @columns: its width, written only for a terminal */
unsigned cli_terminal(int fd, unsigned *columns);

#endif
