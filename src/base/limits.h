/* SPDX-License-Identifier: MIT */
/* base/limits.h - the most that a file from outside can make pmuscope do.
 *
 * Each limit says what it bounds, what reaching it costs in bytes, and why it is no lower. A
 * reader that meets more refuses the file, or says that it leaves out the rest; the message
 * names the limit's number. The aim is memory below 4 times the file plus 64 MiB;
 * docs/status.md lists the exceptions. */
#ifndef PMS_BASE_LIMITS_H
#define PMS_BASE_LIMITS_H

#include <stdint.h>

/* Specifications and core parameters, in JSON. */
enum {
	/* Twelve times the largest published file. A parsed value takes up to 300 bytes, and lint
	 * takes as much again. */
	PMS_MOST_JSON_BYTES = 4 << 20,
	PMS_MOST_JSON_VALUES = 1 << 18, /* of a file; of a core.json and its bases together */
	PMS_MOST_CATALOG_EVENTS = 65536,
	PMS_MOST_CATALOG_METRICS = 16384,
	PMS_MOST_CATALOG_GROUPS = 4096,
	PMS_MOST_TREE_NODES = 1024,   /* they are compared one by one */
	PMS_MOST_TREE_LEVELS = 32,    /* bounds the recursion; published trees have four at most */
	PMS_MOST_FORMULA_NAMES = 256, /* they are compared one by one */
	PMS_MOST_CORE_BASES = 4,      /* of a chain: a core and its family, no more */
	PMS_MOST_ADVICE_TERMS = 64,   /* they are compared one by one; catalogs have four */
	PMS_MOST_FLAWS = 1000,	      /* that are kept, of up to 1 KiB; nobody reads further */
	PMS_MOST_RELATIONS = 16384,   /* a hundred times what a document states */
	PMS_MOST_LINT_FINDINGS = 10000,	 /* nobody reads further */
	PMS_MOST_LINT_GUESSES = 1 << 20, /* names compared with unknown ones */
};

enum {
	PMS_MOST_BUDGET_BYTES = 1 << 20, /* of a budget file */
};

/* Output of `perf stat`, as text or as perf.data. */
enum {
	PMS_MOST_STAT_BYTES = 64 << 20,	 /* of a text */
	PMS_MOST_STAT_NAMES = 4096,	 /* of events, of text and of perf.data */
	PMS_MOST_STAT_SCOPES = 8192,	 /* threads or CPUs, 300 bytes each */
	PMS_MOST_STAT_RECORDS = 1 << 21, /* counts, 56 bytes each, and no more than */
	PMS_FREE_STAT_COUNTS = 1 << 18,	 /* this many, plus */
	PMS_STAT_COUNT_BYTES = 24,	 /* one for this many bytes of the file */
	/* Bytes of the counts and of separate threads and CPUs, beside 3 times the file. Each
	 * column takes 80 bytes for each event of the catalog, however few were counted. */
	PMS_FREE_STAT_BYTES = 46 << 20,
	PMS_MOST_STAT_FIELDS = 48, /* of a line */
};

/* perf.data files. */
enum {
	/* Bytes of a file's description in memory, beside twice the file. While AUX records are
	 * searched for, there are two descriptions. An id takes 8 bytes in the file and up to 72
	 * here. */
	PMS_MOST_DESCRIPTION_BYTES = 12 << 20,
	PMS_MOST_SECTION_BYTES = 16 << 20, /* of a header section, while it is read */
	PMS_MOST_PMUS = 4096, /* ten times a large server's; they are compared one by one */
	/* AUX records kept, 64 bytes each, plus one for each 64 bytes of the file. */
	PMS_MOST_SPANS = 1 << 16,
	PMS_SPAN_FILE_BYTES = 64,
	/* zstd's window, as a power of two: 8 MiB, as perf record -z 19 has it. */
	PMS_MOST_WINDOW_BITS = 23,
	/* What compressed records may expand to. Nearly constant stacks shrink 900 times, in
	 * records of 32 KiB; zstd can do 30,000 times. */
	PMS_MOST_INFLATION = 4096,	     /* bytes for each compressed byte, plus */
	PMS_FREE_INFLATED = 64 << 20,	     /* this many for any file */
	PMS_MOST_INFLATED_RECORDS = 4,	     /* records for each compressed byte, plus */
	PMS_FREE_INFLATED_RECORDS = 1 << 20, /* this many for any file */
};

/* Profiles: values by instruction. */
enum {
	PMS_MOST_SOURCE_BYTES = 16 << 20,      /* of a file of source code that is shown */
	PMS_MOST_DISASSEMBLY_BYTES = 16 << 20, /* of objdump's output, for one function */
	PMS_MOST_DISASSEMBLY_SECONDS = 20,     /* that objdump may take */
	PMS_MOST_FUNCTION_BYTES = 1 << 20,     /* of a function whose code is shown */
	PMS_MOST_PROFILE_KINDS = 128,	  /* they are searched one by one; the model has ninety */
	PMS_MOST_PROFILE_OBJECTS = 65536, /* files, of up to PMS_MOST_OBJECT_PATH bytes each */
	/* Bytes that each takes in memory, with its slot in a table. What a session's profile
	 * takes stays within what the counts left, plus once the file. */
	PMS_PROFILE_ROW_BYTES = 128,
	PMS_PROFILE_CELL_BYTES = 24,
	PMS_PROFILE_EDGE_BYTES = 144,
	PMS_PROFILE_FRAME_BYTES = 112,
};

/* Exports of profiles. */
enum {
	PMS_MOST_EXPORT_DEPTH = 1024, /* calls of a stack; inner ones are left out: each stack is
				       * written as a whole */
};

/* Sessions. */
enum {
	PMS_MOST_SESSION_TEXT = 1 << 20,  /* bytes of a text or a row */
	PMS_MOST_SESSION_NAMES = 4096,	  /* of -e or -M */
	PMS_MOST_SESSION_EVENTS = 65536,  /* as in a catalog */
	PMS_MOST_SESSION_SCOPES = 16384,  /* threads or CPUs in an interval */
	PMS_MOST_SESSION_RUNS = 1 << 20,  /* of the command, for each pass */
	PMS_MOST_SESSION_WORDS = 1 << 20, /* of the command */
	PMS_MOST_SESSION_REASONS = 16384, /* different ones */
	PMS_MOST_SESSION_WARNINGS = 16384,
	PMS_MOST_SESSION_GROUPS = 256, /* that samples' windows are assigned to */
	/* Bytes of a set of counts and its reports, beside twice the file. Each thread, CPU and
	 * pass takes 80 bytes for each event of the catalog, however few were counted. Its
	 * report takes as much for each metric. The rest is left out. */
	PMS_MOST_SESSION_COUNTS = 44 << 20,
	PMS_MOST_SESSION_METRIC = 448,
	PMS_MOST_SESSION_TABLES = 64, /* tables, views and indices, ours among them; with */
	PMS_MOST_SESSION_SQL = 8192,  /* bytes of the SQL that creates each: SQLite takes 100
				       * times as much */
};
/* Bytes of a session that its writer did not finish: it is read into memory as a whole. */
#define PMS_MOST_SESSION_COPY ((int64_t)4 << 30)

/* C++ names. Those beyond the limits are shown as they stand in the file. */
enum {
	/* Bytes of one: libstdc++ reads no longer names, and needs 100 bytes of stack for each
	 * byte. */
	PMS_MOST_MANGLED = 1024,
	PMS_MOST_DEMANGLED = 1 << 20,  /* of one written-out name: 60 times the longest real one */
	PMS_FREE_DEMANGLED = 16 << 20, /* of all, plus */
	PMS_MOST_DEMANGLED_TIMES = 4,  /* bytes for each mangled byte; real names have 3 */
	PMS_DEMANGLED_PARTS_BYTE = 64, /* this many parts walked count as one byte */
};

/* Debug information. Compressed sections of real programs become 3 to 8 times as long. */
enum {
	/* Segments of a program, one after the other for each variable that is looked for; linkers
	 * make four. Variables in further ones have no names. */
	PMS_MOST_LOADS = 32,
	PMS_MOST_DEBUG_TIMES = 16,	 /* bytes for each byte of the file, plus */
	PMS_FREE_DEBUG_BYTES = 16 << 20, /* this many for all files; those that need more are not
					  * read */
	/* Bytes of symbols and debug information that are copied, so that truncating the file
	 * does no harm; larger files are only mapped. */
	PMS_MOST_SNAPSHOT_BYTES = 1 << 30,
	/* Bytes of line tables in memory: 100 for each row, which takes 3 in real files; 40
	 * later. Larger tables are not read. clang's tables take as much as its file. */
	PMS_LINE_TIMES = 3,	       /* for each byte of the file, plus */
	PMS_FREE_LINE_BYTES = 40 << 20 /* this many for all files together */
};

/* Arm SPE. */
enum {
	PMS_MOST_SPE_STREAMS = 1 << 18, /* CPU and thread buffers, 300 bytes each: 75 MiB. Linux
					 * has at most 8192 CPUs, and a buffer takes pages */
	/* Memory for threads and mappings: four times the bytes of their records plus SPARE, up
	 * to MOST, which is what compressed records can expand to. */
	PMS_SPARE_HISTORY_BYTES = 32 << 20,
	PMS_MOST_HISTORY_BYTES = 512 << 20,
	PMS_MOST_THREAD_NAME = 16,   /* bytes with the final zero, as in the kernel; longer names
				      * are cut */
	PMS_MOST_OBJECT_PATH = 4096, /* likewise, as PATH_MAX of Linux */
};

/* What one thread decodes of a long file of several streams while another works on what was
 * decoded. */
enum {
	PMS_SPE_AHEAD = 32,	      /* batches of 256 records, 30 KB each: 1 MiB */
	PMS_LEAST_SPE_AHEAD = 4 << 20 /* bytes of the shortest file for which this is done */
};

/* Reports of Arm SPE. Every ten bytes of a recording can ask for a row and a place, so their
 * memory grows with the file, unless the caller limits the rows. */
enum {
	PMS_FREE_SPE_ROWS = 40 << 20,	 /* bytes for rows, places and touches, plus */
	PMS_SPE_ROWS_TIMES = 2,		 /* for each byte of the file. The most that each takes: */
	PMS_SPE_ROW_BYTES = 320,	 /* with its key, its slot, and a source of data */
	PMS_SPE_PLACE_BYTES = 110,	 /* with the slots of two addresses */
	PMS_SPE_TOUCH_BYTES = 210,	 /* with its slot */
	PMS_FREE_SPE_BUCKETS = 16 << 20, /* bytes for latency distributions, plus */
	PMS_SPE_BUCKETS_PART = 2,	 /* one for this many bytes of the file */
	PMS_MOST_SPE_GROUPS = 1 << 18,	 /* rows of a report */
	PMS_MOST_SPE_BUCKETS = 1 << 28,	 /* of latencies, over all rows */
	PMS_MOST_SPE_TOUCHES = 1 << 20,	 /* pairs of a thread and a place, at cache lines */
	PMS_MOST_SPE_PLACES = 1 << 20,	 /* different functions and lines */
	/* Data pages whose file is remembered, 200 bytes each: 50 MiB; others are searched each
	 * time. */
	PMS_MOST_SPE_DATA_PAGES = 1 << 18,
	/* Address ranges below a data address that are searched for its file. A file has few
	 * between its code and its data; more belong to other processes. */
	PMS_MOST_IMAGE_STRETCHES = 64,
};

#endif
