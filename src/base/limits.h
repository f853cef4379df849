/* SPDX-License-Identifier: MIT */
/* base/limits.h - the most that a file from outside can make pmuscope do.
 *
 * Each limit says what it bounds, what reaching it costs in bytes, and why it is no lower. A reader
 * that meets more refuses the file, or goes on without the rest and says so; the message names the
 * limit's number. The aim is memory below 4 times the
 * file and 64 MiB; docs/status.md says where it is missed.
 */
#ifndef PMS_BASE_LIMITS_H
#define PMS_BASE_LIMITS_H

#include <stdint.h>

/* Specifications and core parameters, in JSON. */
enum {
	/* Twelve times the largest published file. A parsed value takes up to 300 bytes, and lint
	 * takes as much again. */
	PMS_MOST_JSON_BYTES = 4 << 20,
	PMS_MOST_JSON_VALUES = 1 << 18,
	PMS_MOST_CATALOG_EVENTS = 65536,
	PMS_MOST_CATALOG_METRICS = 16384,
	PMS_MOST_CATALOG_GROUPS = 4096,
	PMS_MOST_TREE_NODES = 1024,   /* they are compared one by one */
	PMS_MOST_TREE_LEVELS = 32,    /* bounds the recursion; published trees have four at most */
	PMS_MOST_FORMULA_NAMES = 256, /* they are compared one by one */
	PMS_MOST_CORE_BASES = 4,      /* in a row, of a core.json: a core, its family, no more */
	PMS_MOST_ADVICE_TERMS = 64,   /* they are compared one by one; catalogs have four */
	PMS_MOST_FLAWS = 1000,	      /* that are kept, of up to 1 KiB; nobody reads further */
	PMS_MOST_RELATIONS = 16384,   /* a hundred times what a document states */
	PMS_MOST_LINT_FINDINGS = 10000,	 /* nobody reads further */
	PMS_MOST_LINT_GUESSES = 1 << 20, /* names that unknown ones are held against */
};

enum {
	PMS_MOST_BUDGET_BYTES = 1 << 20, /* of a budget */
};

/* Output of `perf stat`, as text or as perf.data. */
enum {
	PMS_MOST_STAT_BYTES = 64 << 20,	 /* of a text */
	PMS_MOST_STAT_NAMES = 4096,	 /* of events, of text and of perf.data */
	PMS_MOST_STAT_SCOPES = 8192,	 /* threads or CPUs, 300 bytes each */
	PMS_MOST_STAT_RECORDS = 1 << 21, /* counts, 56 bytes each, and no more than */
	PMS_FREE_STAT_COUNTS = 1 << 18,	 /* so many, and */
	PMS_STAT_COUNT_BYTES = 24,	 /* one more for so many bytes of the file */
	/* Bytes of the counts, and of threads and CPUs that are told apart, beside 3 times the
	 * file. Each takes 80 for each event of the catalog, however few were counted. */
	PMS_FREE_STAT_BYTES = 46 << 20,
	PMS_MOST_STAT_FIELDS = 48, /* of a line */
};

/* perf.data, whatever it holds. */
enum {
	/* All that a file's description takes in memory, and twice the file: while AUX records are
	 * looked for, there are two. An id takes 8 bytes in the file and up to 72 here. */
	PMS_MOST_DESCRIPTION_BYTES = 12 << 20,
	PMS_MOST_SECTION_BYTES = 16 << 20, /* of a section of the header, while it is read */
	PMS_MOST_PMUS = 4096, /* ten times a large server's; they are compared one by one */
	/* AUX records that are kept, 64 bytes each, and one more for each 64 bytes of the file. */
	PMS_MOST_SPANS = 1 << 16,
	PMS_SPAN_FILE_BYTES = 64,
	/* zstd's window, as a power of two: 8 MiB, as perf record -z 19 has it. */
	PMS_MOST_WINDOW_BITS = 23,
	/* What compressed records may become. Stacks that hardly change are packed 900 times
	 * smaller, in records of 32 KiB; zstd can do 30,000 times. */
	PMS_MOST_INFLATION = 4096,	     /* bytes for each compressed one, and */
	PMS_FREE_INFLATED = 64 << 20,	     /* so many whatever there is */
	PMS_MOST_INFLATED_RECORDS = 4,	     /* records for each compressed byte, and */
	PMS_FREE_INFLATED_RECORDS = 1 << 20, /* so many whatever there is */
};

/* Sessions. */
enum {
	PMS_MOST_SESSION_TEXT = 1 << 20,  /* bytes of a text or a row */
	PMS_MOST_SESSION_NAMES = 4096,	  /* of -e or -M */
	PMS_MOST_SESSION_EVENTS = 65536,  /* as a catalog */
	PMS_MOST_SESSION_SCOPES = 16384,  /* threads or CPUs in an interval */
	PMS_MOST_SESSION_RUNS = 1 << 20,  /* of the command, for each pass */
	PMS_MOST_SESSION_WORDS = 1 << 20, /* of the command */
	PMS_MOST_SESSION_REASONS = 16384, /* different ones */
	PMS_MOST_SESSION_WARNINGS = 16384,
	PMS_MOST_SESSION_GROUPS = 256, /* that windows are dealt to */
	/* Bytes of a set of counts and of reports of them, beside twice the file. Each thread, CPU
	 * and pass takes 80 for each event of the catalog, however few were counted, and a report
	 * of it as many as below for each metric. What is more is left out. */
	PMS_MOST_SESSION_COUNTS = 44 << 20,
	PMS_MOST_SESSION_METRIC = 448,
	PMS_MOST_SESSION_TABLES = 64, /* tables, views and indices, ours among them; with */
	PMS_MOST_SESSION_SQL = 8192,  /* bytes of what creates each: SQLite takes 100 times that */
};
/* Bytes of a session that its writer did not finish, which is read into memory as a whole. */
#define PMS_MOST_SESSION_COPY ((int64_t)4 << 30)

/* Names of C++, which are shown as they are in the file where this is exceeded. */
enum {
	/* Bytes of one: libstdc++ reads none that are longer, and needs 100 bytes of stack for
	   each. */
	PMS_MOST_MANGLED = 1024,
	PMS_MOST_DEMANGLED = 1 << 20,  /* of one, once written out: 60 times the longest real one */
	PMS_FREE_DEMANGLED = 16 << 20, /* of all, and */
	PMS_MOST_DEMANGLED_TIMES = 4,  /* bytes for each mangled one; real ones have 3 */
	PMS_DEMANGLED_PARTS_BYTE = 64, /* so many parts gone through count as a byte */
};

/* Debug information. Compressed sections of real programs become 3 to 8 times as long. */
enum {
	PMS_MOST_LOADS = 32, /* segments of a program that are told apart; linkers make four */
	PMS_MOST_DEBUG_TIMES = 16,	 /* bytes for each one of the file, and */
	PMS_FREE_DEBUG_BYTES = 16 << 20, /* so many; files with more are not read */
	/* Bytes of symbols and debug information that are copied, so that cutting the file does no
	 * harm; files with more are mapped as they are. */
	PMS_MOST_SNAPSHOT_BYTES = 1 << 30,
	/* Bytes that line tables become: 100 a row, which is 3 bytes in real files, and 40 later.
	 * Tables that take more are not read. clang's take as much as its file. */
	PMS_LINE_TIMES = 3,	       /* for each one of the file, and */
	PMS_FREE_LINE_BYTES = 40 << 20 /* so many of all files together */
};

/* Arm SPE. */
enum {
	PMS_MOST_SPE_STREAMS = 1 << 18, /* buffers of CPUs and threads, 300 bytes each: 75 MiB.
					   Linux has 8192 CPUs at most, and a buffer takes pages */
	/* What is known of threads and mappings: four times the bytes of the records that tell of
	 * them and SPARE, up to MOST, for as many as compressed records can be. */
	PMS_SPARE_HISTORY_BYTES = 32 << 20,
	PMS_MOST_HISTORY_BYTES = 512 << 20,
	PMS_MOST_THREAD_NAME = 16, /* bytes with the final zero, as the kernel's; others are cut */
	PMS_MOST_OBJECT_PATH = 4096, /* likewise, as Linux' PATH_MAX */
};

/* Reports of Arm SPE. A recording can ask for a row and a place with every ten bytes: what they
 * take grows with the file, unless who calls names a number of rows. */
enum {
	PMS_FREE_SPE_ROWS = 40 << 20,	 /* bytes for rows, places and touches, and */
	PMS_SPE_ROWS_TIMES = 2,		 /* for each byte of the file; what they take at most: */
	PMS_SPE_ROW_BYTES = 320,	 /* with its key, its slot, and a source of data */
	PMS_SPE_PLACE_BYTES = 110,	 /* with slots for two addresses */
	PMS_SPE_TOUCH_BYTES = 210,	 /* with its slot */
	PMS_FREE_SPE_BUCKETS = 16 << 20, /* bytes for distributions of latencies, and */
	PMS_SPE_BUCKETS_PART = 2,	 /* one for so many bytes of the file */
	PMS_MOST_SPE_GROUPS = 1 << 18,	 /* rows of a report */
	PMS_MOST_SPE_BUCKETS = 1 << 28,	 /* of latencies, of all rows */
	PMS_MOST_SPE_TOUCHES = 1 << 20,	 /* threads and places at cache lines */
	PMS_MOST_SPE_PLACES = 1 << 20,	 /* functions and lines told apart */
	/* Pages of data whose file is remembered, 200 bytes each: 50 MiB; others are looked up each
	 * time. */
	PMS_MOST_SPE_DATA_PAGES = 1 << 18,
	/* Stretches of addresses below one of data that are looked at for the file that it is of.
	 * Between a file's code and its data are a few; more come of other processes. */
	PMS_MOST_IMAGE_STRETCHES = 64,
};

#endif
