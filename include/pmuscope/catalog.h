/* SPDX-License-Identifier: MIT */
/* pmuscope/catalog.h - what a CPU can count: events, metrics, groups, decision tree, advice.
 * Flow: [catalog] -> plan -> collect -> counts -> analyse -> show.
 * A CPU is a folder of the data directory: cpus/<cpu>/telemetry.json in Arm's published layout
 * (telemetry-v1.0 schema), advice.json and core.json beside it. */
#ifndef PMUSCOPE_CATALOG_H
#define PMUSCOPE_CATALOG_H

#include <stddef.h>
#include <stdint.h>

#include "pmuscope/error.h"
#include "pmuscope/formula.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pms_catalog; /* opaque, read-only after loading: may be shared between threads */

/** The code of an event that the user named, but that only cores of another kind have. */
#define PMS_CODE_LACKING (-2)

struct pms_event {
	const char *name;	 /* vendor's name, verbatim: "BR_MIS_PRED" */
	const char *title;	 /* one line */
	const char *description; /* may hold line breaks */
	int64_t code;		 /* raw event number; -1 when the catalog has none,
				  * PMS_CODE_LACKING of an event that the CPU lacks */
	int architecture_defined, product_defined;
	int pmu_access;		     /* 1 when "PMU" is among its accesses */
	const char *const *accesses; /* what can count it: "PMU", "ETE", … n_accesses of them */
	size_t n_accesses;
	const char *const *aliases; /* older or second names, n_aliases of them */
	size_t n_aliases;
};

struct pms_metric {
	const char *name, *title, *description;
	const char *formula; /* as printed in the catalog */
	const char *units;   /* "percent of slots", "MPKI", "per branch", … */
	const struct pms_formula *program;
	const size_t *events; /* indices of events, n_events of them, in program's slot order */
	size_t n_events;
	const size_t *sample_events; /* indices of the events to sample for this metric */
	size_t n_sample_events;
	const size_t *unless; /* indices of events, n_unless of them: when one was counted, other
				 metrics show the parts of this metric, and it has no value */
	size_t n_unless;
	const char *const *aliases; /* other names of it, n_aliases of them */
	size_t n_aliases;
};

enum pms_group_kind { PMS_GROUP_FUNCTION, PMS_GROUP_METRICS };

struct pms_group {
	enum pms_group_kind kind; /* of events (by function) or of metrics */
	const char *name, *title, *description;
	const size_t *members; /* indices of events or metrics, by kind */
	size_t n_members;
	int stage; /* metric groups: 1 or 2, from the methodology; 0 when in none */
};

/** A node of the Stage 1 decision tree: a metric, and what to look at next. The catalog holds the
 * nodes in the order of a walk from the roots: each node before its descendants. */
struct pms_tree_node {
	size_t metric;		/* index */
	size_t group;		/* index of the metric group that it is shown in */
	const size_t *children; /* indices of tree nodes: metrics below this one in Stage 1 */
	size_t n_children;
	const size_t *next_groups; /* indices of Stage 2 metric groups that explain it */
	size_t n_next_groups;
	int level; /* 1 for root nodes */
};

/** A name that the formulas of advice use beside metrics. Its value is the value of its first
 * defined formula, so that advice can fall back when an event was not counted. */
struct pms_term {
	const char *name;
	const struct pms_formula *const *formulas; /* over metrics, and terms before this one */
	size_t n_formulas;
};

/** One piece of advice: shown for a finding at @node when its condition holds. From advice.json. */
struct pms_advice {
	const char *id;
	const char *node;		     /* name of a Stage 1 metric */
	const char *group;		     /* name of the Stage 2 group it belongs to, or NULL */
	const struct pms_formula *condition; /* holds when > 0; NULL: when no other advice does */
	int is_partial; /* without a condition: 1: it holds whatever other advice holds */
	const struct pms_formula *weight; /* percent of slots; the largest comes first */
	const size_t *evidence;		  /* indices of metrics: the numbers that support it */
	size_t n_evidence;
	const char *title;	/* "Conditional branches are mispredicted" */
	const char *text;	/* what a programmer can do */
	const char *source;	/* document and section */
	const char *unmodelled; /* the part whose gain a model of the core cannot show; "" */
	const char *lost;	/* measure of a profile: what the places of the finding lost; "" */
	const char *gain;	/* name of the ideal core that shows what it may gain; "" */
};

struct pms_cpu {
	const char *name;    /* as compilers name it: "neoverse-v1"; with a core of an architecture,
			      * "riscv:sifive-p550" */
	const char *folder;  /* the name without a core; for a file, the same as name */
	const char *core;    /* "SiFive P550", the core that was asked for by name; else NULL */
	const char *product; /* "Neoverse V1"; when a processor was named, both: "Neoverse V1 (AWS
				Graviton3)" */
	const char *version; /* of the specification: its revision, timestamp or sha1 */
	unsigned slots;	     /* per cycle at rename; 0 when the core has no slot events */
	unsigned counters;   /* programmable counters, the fixed cycle counter not among them */
	const char *file;    /* the specification file that was loaded; NULL: a CPU's folder was */
	const char *products; /* processors made of it, "graviton3, graviton3e"; NULL or "": none
			       * is known */
};

/** Returns 1 when @word is a processor's name in a CPU's products.json, in any case. Returns 0 also
 * where the data directory is not found or cannot be read. */
int pms_catalog_is_product(const char *data, const char *word);

/**
 * Load a CPU's folder.
 * @data: the data directory (holds cpus/), NULL: found by $PMUSCOPE_DATA, else beside the build
 *        tree's binary, else under the installed prefix
 * @cpu:  "neoverse-v1", or the name of a processor made of it, as its products.json has it:
 * "graviton3"; or a core of an architecture whose codes are known: "riscv:sifive-p550"
 * @out:  written only on success; free with pms_catalog_free
 * Returns 0. Errors: -PMS_ENAME no such CPU (the hint lists those there are), -PMS_EIO,
 *         -PMS_EPARSE with file, line, column: not JSON, a key missing or of the wrong type, a
 *         formula that does not compile or names an unknown event, -PMS_ENOMEM.
 */
int pms_catalog_load(const char *data, const char *cpu, struct pms_catalog **out,
		     struct pms_error *err);
/**
 * Load a CPU's folder without relations between events and without configurations. Only checks and
 * descriptions need these, and they can be half of the reading. Returns and errors: as
 * pms_catalog_load.
 */
int pms_catalog_load_lean(const char *data, const char *cpu, struct pms_catalog **out,
			  struct pms_error *err);
/**
 * Add the relations and configurations that pms_catalog_load_lean left out. Does nothing when the
 * catalog has them already.
 * Returns 0. Errors: as pms_catalog_load, but for -PMS_ENAME.
 */
int pms_catalog_add_relations(const char *data, struct pms_catalog *catalog, struct pms_error *err);
/**
 * Load a specification in the published layout, from anywhere: Arm's own among them.
 * The CPU's name is made of the product's: "Neoverse N2" is "neoverse-n2". There is no advice.
 * Bounds: 4 MiB, 262144 values in JSON, 65536 events, 16384 metrics, 4096 groups, 1024 tree nodes
 * on 32 levels. Returns 0. Errors: as pms_catalog_load.
 */
int pms_catalog_load_file(const char *path, struct pms_catalog **out, struct pms_error *err);
/** The name of the kernel's catalog, where a CPU's name is asked for. */
#define PMS_KERNEL_CPU "linux"
/**
 * Make the catalog of the events that Linux names itself (task-clock, page-faults, cycles, ...),
 * for machines whose CPU has no catalog. It has no metrics.
 * Returns 0. Errors: -PMS_ENOMEM.
 */
int pms_catalog_load_kernel(struct pms_catalog **out, struct pms_error *err);
void pms_catalog_free(struct pms_catalog *catalog);

/** Where a key stands that the layout does not have. */
enum pms_extra_of {
	PMS_EXTRA_ELSEWHERE,
	PMS_EXTRA_EVENT,
	PMS_EXTRA_METRIC,
	PMS_EXTRA_EVENT_GROUP,
	PMS_EXTRA_METRIC_GROUP
};

/** A key of the file that the layout does not have: kept as it is. */
struct pms_extra {
	enum pms_extra_of of;
	const char *owner; /* the event's, metric's or group's name; else "" */
	const char *key;   /* "colour" */
	const char *path;  /* "events.CPU_CYCLES.colour" */
	const char *value; /* JSON: "\"red\"" */
};

/* In the order of the file. */
size_t pms_catalog_extras(const struct pms_catalog *catalog);
const struct pms_extra *pms_catalog_extra(const struct pms_catalog *catalog, size_t i);

/** A contradiction in the file's groups, stages or tree. The loader ignores it, since no number
 * depends on it. pms_lint_files says where it stands. */
struct pms_flaw {
	const char *path; /* "methodologies.m.decision_tree.metrics[3].name" */
	const char *text; /* "\"ipc\" is listed twice" */
};

/* Beyond a thousand, none is kept. */
size_t pms_catalog_flaws(const struct pms_catalog *catalog);
const struct pms_flaw *pms_catalog_flaw(const struct pms_catalog *catalog, size_t i);

/**
 * Name the CPU of this host, by MIDR_EL1 or by mvendorid and marchid.
 * @root: a folder to put before /sys and /proc; NULL: none
 * @cpu:  receives its name, of @size bytes
 * Returns 0. Errors: -PMS_EHOST the host does not tell, as on other architectures; -PMS_ENAME the
 *         CPU has no catalog (the hint lists the catalogs), or the host has several kinds of CPU;
 *         -PMS_EIO no data directory.
 */
int pms_catalog_host_cpu(const char *data, const char *root, char *cpu, size_t size,
			 struct pms_error *err);

/** The same of one CPU of the host, by its number; those of other kinds do not matter. */
int pms_catalog_host_cpu_at(const char *data, const char *root, int number, char *cpu, size_t size,
			    struct pms_error *err);

/** Whether a CPU that was found out is the catalog's: the same, or a core of an architecture whose
 * catalog is of no core in particular. */
int pms_catalog_is_of(const struct pms_catalog *catalog, const char *cpu);

/** Which core it is among those whose codes a catalog of an architecture has: the title of its
 * pms_code_core. Returns 0. Errors: -PMS_ENAME none of them. */
int pms_catalog_host_core(const struct pms_catalog *catalog, const char *root, int number,
			  char *core, size_t size);

/**
 * The CPU that a perf.data was recorded on.
 * @cpuid: as its header has it: MIDR_EL1 as a number, or mvendorid, marchid and mimpid joined by
 * "-" Returns 0. Errors: -PMS_EHOST it is neither, as of other architectures; -PMS_ENAME and
 * -PMS_EIO as pms_catalog_host_cpu.
 */
int pms_catalog_recorded_cpu(const char *data, const char *cpuid, char *cpu, size_t size,
			     struct pms_error *err);

/** Path of the data directory, as pms_catalog_load finds it. @path of @size bytes receives it.
 * Returns 0. Errors: -PMS_EIO none found. */
int pms_data_dir(char *path, size_t size, struct pms_error *err);

/** Names of the CPUs in the data directory, sorted; each borrowed until pms_names_free. */
struct pms_names {
	char **names;
	size_t count;
};
int pms_catalog_cpus(const char *data, struct pms_names *out, struct pms_error *err);
void pms_names_free(struct pms_names *names);

const struct pms_cpu *pms_catalog_cpu(const struct pms_catalog *catalog);

/* Everything got from a catalog is borrowed until the catalog is freed. Indices are dense from 0;
 * an index out of range gives NULL. Order is the file's. */
size_t pms_catalog_events(const struct pms_catalog *catalog);
const struct pms_event *pms_catalog_event(const struct pms_catalog *catalog, size_t i);
size_t pms_catalog_metrics(const struct pms_catalog *catalog);
const struct pms_metric *pms_catalog_metric(const struct pms_catalog *catalog, size_t i);
size_t pms_catalog_groups(const struct pms_catalog *catalog);
const struct pms_group *pms_catalog_group(const struct pms_catalog *catalog, size_t i);
size_t pms_catalog_nodes(const struct pms_catalog *catalog);
const struct pms_tree_node *pms_catalog_node(const struct pms_catalog *catalog, size_t i);
size_t pms_catalog_terms(const struct pms_catalog *catalog);
const struct pms_term *pms_catalog_term(const struct pms_catalog *catalog, size_t i);
size_t pms_catalog_advices(const struct pms_catalog *catalog);
const struct pms_advice *pms_catalog_advice(const struct pms_catalog *catalog, size_t i);

/** Look up an event by name, without regard to case; by its aliases, where no event has that name.
 * Returns an index, or -PMS_ENAME. */
int64_t pms_catalog_find_event(const struct pms_catalog *catalog, const char *name);
/** A core of the catalog's architecture whose event codes are known. */
struct pms_code_core {
	const char *name;  /* "sifive-p550": of the CPU's name "riscv:sifive-p550" */
	const char *title; /* "SiFive P550" */
	const char *about; /* where its codes come from, and what they leave out; "" */
	int is_any;	   /* 1: the firmware's events, which every core has */
};

/** How one core counts an event of its architecture's catalog, which has no codes itself. */
struct pms_core_code {
	const struct pms_code_core *core;
	size_t event;	     /* index */
	int64_t code;	     /* the core's raw code, with bit 63 set for the firmware; -1: only the
				kernel's generic name */
	const char *generic; /* the kernel's name, "cycles"; NULL where there is a code */
	const char *note;    /* what the code counts where that differs; NULL: nothing to say */
};

/** perf's name for a code of a core. */
struct pms_core_name {
	const struct pms_code_core *core;
	const char *name; /* "BRANCH_DIRECTION_MISPREDICTION" */
	int64_t code;	  /* may be a code that no event of the catalog has */
};

/* Codes of every core, or of the one that was asked for. The rows of a core stand together.
 */
size_t pms_catalog_code_cores(const struct pms_catalog *catalog);
const struct pms_code_core *pms_catalog_code_core(const struct pms_catalog *catalog, size_t i);
size_t pms_catalog_core_codes(const struct pms_catalog *catalog);
const struct pms_core_code *pms_catalog_core_code(const struct pms_catalog *catalog, size_t i);
size_t pms_catalog_core_names(const struct pms_catalog *catalog);
const struct pms_core_name *pms_catalog_core_name(const struct pms_catalog *catalog, size_t i);

/** Look up an event by its code: of the catalog, of the core that was asked for, or of the
 * firmware. Codes of other cores are ignored. Returns an index, or -PMS_ENAME. */
int64_t pms_catalog_find_code(const struct pms_catalog *catalog, int64_t code);
/** Look up an event by perf's name on a core, in any case. Where several cores use the name, they
 * must mean the same event. Returns an index, or -PMS_ENAME. */
int64_t pms_catalog_find_core_name(const struct pms_catalog *catalog, const char *name);
/** Look up an event as users write it: by name, as "0x11", or as perf's "r11". Returns an index, or
 * -PMS_ENAME. */
int64_t pms_catalog_find_event_word(const struct pms_catalog *catalog, const char *word);
/** Look up a metric by name; by its aliases, where no metric has that name. Returns an index, or
 * -PMS_ENAME. */
int64_t pms_catalog_find_metric(const struct pms_catalog *catalog, const char *name);
int64_t pms_catalog_find_group(const struct pms_catalog *catalog, enum pms_group_kind kind,
			       const char *name);

/** What an event or a metric is to reports, whatever a catalog calls it: of roles.json. Of a
 * catalog without that file it is the names that the architectures prescribe. */
enum pms_catalog_role {
	PMS_CATALOG_CYCLES,	    /* event: the core's cycles */
	PMS_CATALOG_INSTRUCTIONS,   /* event: instructions retired */
	PMS_CATALOG_MISPREDICTIONS, /* event: branches that were predicted wrong */
	PMS_CATALOG_RETIRING,	    /* metric: the share of slots that did useful work */
	PMS_CATALOG_ROLES
};

/** Returns the index of the event or the metric that has the role, or -PMS_ENAME: the catalog has
 * none. */
int64_t pms_catalog_find_role(const struct pms_catalog *catalog, enum pms_catalog_role role);

/**
 * Whether an event has a counter of its own, which takes up none of the others: cycles on Arm
 * (PMCCNTR_EL0), cycles and instructions retired on RISC-V (mcycle, minstret).
 * @event: index; out of range: 0
 */
int pms_catalog_is_fixed(const struct pms_catalog *catalog, size_t event);

#ifdef __cplusplus
}
#endif
#endif
