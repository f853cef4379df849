/* SPDX-License-Identifier: MIT */
/* spe/history.h - a recording's threads and mappings, by time: who ran under which name, and
 * what an address belonged to. Flow: perf.data's records -> [history] -> samples. */
#ifndef PMS_SPE_HISTORY_H
#define PMS_SPE_HISTORY_H

#include "base/numbers.h"
#include "pmuscope/spe_samples.h"
#include "spe/maps.h"
#include "symbol/objects.h"

/** No row: of threads, spaces, lives, names. */
#define PMS_NONE PMS_NO_ROW

/** A time after all others: asks for the final state. */
#define PMS_LAST (UINT64_MAX - 1)

/** A record that waits to be put in order. */
struct pms_history_row {
	uint64_t time;
	uint32_t seq; /* in the file */
	uint8_t what;
	uint8_t flag;	 /* MAP: of the kernel; COMM: exec; FORK: inherits; ON: is a start */
	uint8_t changes; /* MAP, when played: 1: it changes the meaning of addresses */
	int32_t pid, tid;
	union {
		struct {
			uint64_t start, end, offset;
			uint32_t object;
			uint8_t executable;
			union {
				uint32_t life; /* when played; PMS_NONE: nothing is mapped */
				uint32_t map;  /* when the lives were walked through */
			};
		} map;
		const char *name;
		struct {
			int32_t pid, tid;
		} parent;
		uint32_t cpu;
	};
};

/** A thread under one name. */
struct pms_history_thread {
	struct pms_spe_thread thread;
	uint64_t from;
};

/** A process from a fork or an exec to the next. */
struct pms_history_life {
	int32_t pid;
	uint64_t from;
	uint32_t parent; /* life whose mappings it inherited, as they were at `from` */
	uint32_t first_space, n_spaces;
	uint32_t first_map, n_maps; /* of the rows, until settled */
	uint32_t moment;	    /* when its own mappings begin */
};

/** A life between two changes of its mappings: each address means one thing in it. */
struct pms_history_space {
	uint32_t life;
	uint32_t moment; /* of its end: see maps.h */
	uint64_t from, until;
};

/** The thread on a CPU from a time on; tid -1: not known. */
struct pms_history_on {
	uint32_t cpu;
	int is_start; /* tracing began: who came later is told by switches, if at all */
	int32_t pid, tid;
	uint64_t time;
};

/** Zero-initialise, except `spare`. */
struct pms_spe_history {
	/* Memory: what is known may take four times the records' bytes, and `spare` bytes, where
	 * 0 means 32 MiB. `cost` is the most it can come to once in order. */
	uint64_t spare, cost, told;
	uint64_t left_out; /* records without room */
	uint64_t names_cut;
	struct pms_objects objects;
	struct pms_history_row *rows; /* until settled */
	size_t n_rows;
	/* Until settled: what was met, and when it is played what each is now. */
	struct pms_numbers thread_of_tid, life_of_pid;
	struct pms_history_thread *threads;
	size_t n_threads, n_told; /* told: by the file; others were asked for */
	uint32_t *by_tid;	  /* those told, by tid and time */
	struct pms_history_life *lives;
	size_t n_lives;
	uint32_t *by_pid; /* lives, by pid and time */
	struct pms_maps maps;
	struct pms_history_space *spaces;
	size_t n_spaces;
	struct pms_history_on *ons;
	size_t n_ons;
	int has_switches;
	struct pms_numbers strangers; /* threads that the file does not tell of, by tid */
};

/** What a row tells, in the order of the rows' functions. */
enum pms_history_what { PMS_HISTORY_MAP, PMS_HISTORY_COMM, PMS_HISTORY_FORK, PMS_HISTORY_ON };

/** A thread or process that was met, but of which nothing is played yet. */
#define PMS_MET (PMS_NONE - 1)

/** Note a record, if it tells of threads or mappings. Errors: -PMS_ENOMEM */
int pms_history_add(struct pms_spe_history *h, const struct pms_perfdata_record *r);

/** All records were added: put them in order. Errors: -PMS_ENOMEM */
int pms_history_settle(struct pms_spe_history *h, const struct pms_perfdata_info *info);

void pms_history_release(struct pms_spe_history *h);

/** From one time up to, but not including, another. */
struct pms_window {
	uint64_t from, until;
};

/** Returns who was on @cpu at @time; NULL: nothing is recorded. @window: cut to where the answer
 * stays true */
const struct pms_history_on *pms_history_on_cpu(const struct pms_spe_history *h, uint32_t cpu,
						uint64_t time, struct pms_window *window);

/** Whether the file tells of a thread @tid. */
int pms_history_knows(const struct pms_spe_history *h, int32_t tid);

/** Find the thread @tid at @time. One that the file does not mention gets a number, with no name
 * and process @pid; beyond 64 Ki such threads: PMS_NONE. Errors: -PMS_ENOMEM. */
int pms_history_thread(struct pms_spe_history *h, int32_t tid, int32_t pid, uint64_t time,
		       uint32_t *thread, struct pms_window *window);

/** The space of process @pid at @time, PMS_NONE if nothing is known of it. */
uint32_t pms_history_space(const struct pms_spe_history *h, int32_t pid, uint64_t time,
			   struct pms_window *window);

/** Find the file whose data may be at @address: the one mapped there, or next below.
 * @above: 1: or next above
 * @place: receives the start of one of its mappings, of its code if near; without an object
 *       where there is no file */
void pms_history_image(const struct pms_spe_history *h, uint32_t space, uint64_t address, int above,
		       struct pms_place *place);

/** Whether all addresses from @first to @last have the same mapping, in any one space. */
int pms_history_is_alike(const struct pms_spe_history *h, uint64_t first, uint64_t last);

/** See pms_spe_samples_place. */
int pms_history_place(const struct pms_spe_history *h, uint32_t space, uint64_t address,
		      struct pms_place *place);

#endif
