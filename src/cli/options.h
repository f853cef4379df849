/* SPDX-License-Identifier: MIT */
/* cli/options.h - the options of topdown, stat, report, list and doctor. */
#ifndef PMS_CLI_OPTIONS_H
#define PMS_CLI_OPTIONS_H

#include "cli.h"
#include "parse.h"

enum cli_source { CLI_SOURCE_DEFAULT, CLI_SOURCE_VCORE, CLI_SOURCE_PERF };

/** Words of comma-separated lists, over all uses of an option. */
struct cli_words {
	char **words;
	size_t count;
};

/** Of a measurement by the PMU; times in ms. */
struct cli_live_options {
	int given; /* 1: any of these was */
	struct cli_words pids, tids;
	int all_cpus, no_aggr, per_core;
	const char *cpus, *cgroup; /* NULL: not given */
	int interval, repeat, delay, timeout;
	int has_control, control, ack;
	unsigned modes; /* PMS_LIVE_USER, …; 0: not given */
	enum pms_live_passes passes;
};

struct cli_options {
	unsigned subcommand; /* of enum cli_takes: what they were read for */
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
	int per_thread, all, no_wrong_path;
	const char *sysroot, *qemu, *qemu_cpu;
	uint64_t forward, warm, detail, skip; /* --fast-forward, --sample; instructions */
	const char *region;		      /* --roi; NULL: not given */
	int names;			      /* of a list: the names alone */
	int quick;			      /* --quick, of workloads */
	enum pms_format format;
	int format_given;
	char separator;	    /* 0: the format's own */
	const char *output; /* -o, NULL: standard error, or standard output where nothing is run */
	const char *save;   /* --save, NULL: nothing is saved */
	const char *budget, *revision; /* --budget, a file; --revision; NULL: not given */
	struct cli_live_options live;
	char **command; /* what follows the options, NULL-terminated, borrowed from argv */
};

/** Which options a subcommand takes: a bit each. */
#define CLI_NUMBER(name, bit) CLI_NUMBER_##bit,
enum cli_number { CLI_COMMANDS(CLI_NUMBER) CLI_N_COMMANDS };
#undef CLI_NUMBER
#define CLI_BIT(name, bit) CLI_TAKES_##bit = 1 << CLI_NUMBER_##bit,
enum cli_takes { CLI_COMMANDS(CLI_BIT) CLI_TAKES_ANY = (1 << CLI_N_COMMANDS) - 1 };
#undef CLI_BIT

/**
 * Read the options of argv[0], a subcommand, up to -- or the first word that is no option.
 * @options: release with cli_options_release, whatever is returned
 * Returns -1 to go on, else the exit status: help was printed, or a message.
 */
int cli_options_read(struct cli_options *options, enum cli_takes subcommand, int argc, char **argv);
void cli_options_release(struct cli_options *options);

/* Values of one option each, for commands that have rows of their own: they are about struct
 * cli_options. */
cli_take cli_take_json, cli_take_format, cli_take_separator;

/** Append a copy of @word. Returns 0, or -1 for want of memory. */
int cli_words_add(struct cli_words *words, const char *word);
void cli_words_release(struct cli_words *words);

/** What the options ask for, borrowed from them. @counts: as of struct pms_wanted */
struct pms_wanted cli_wanted(const struct cli_options *options, int counts);

/** Show what a file of counts was made to show, where the options do not say otherwise.
 * @view: of a session; NULL: it is none */
void cli_options_adopt(struct cli_options *options, const struct pms_wanted *wanted,
		       const struct pms_session_view *view);

/** How to show on the stream @fd: its width, and colours and characters that it can take. */
struct pms_show_options cli_show_options(const struct cli_options *options, int fd);

/** The same for what fits one of these. @patterns: NULL-terminated, borrowed; none: all. */
struct pms_show_options cli_show_only(const struct pms_show_options *options,
				      const char *const *patterns);

/** Rows of the terminal @fd that can be drawn over; 0: it is none, or a dumb one. @columns: of it,
 * written only then. */
unsigned cli_terminal(int fd, unsigned *columns);

#endif
