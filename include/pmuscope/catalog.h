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

/** The code of an event that was asked for, and that only cores of another kind have. */
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
	const size_t *unless; /* indices of events, n_unless of them: where one was counted other
			       * metrics tell this one's parts apart, and it has no value */
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

/** A node of the decision tree of Stage 1: a metric, and what to look at next. The catalog has the
 * nodes in the order of a walk from the roots: each before all that is below it. */
struct pms_tree_node {
	size_t metric;		/* index */
	size_t group;		/* index of the metric group that it is shown in */
	const size_t *children; /* indices of tree nodes: metrics below this one in Stage 1 */
	size_t n_children;
	const size_t *next_groups; /* indices of Stage 2 metric groups that explain it */
	size_t n_next_groups;
	int level; /* 1 for root nodes */
};

/** A name that advice's formulas use for what is not a metric: the value of the first of its
 * formulas that is defined. So they can say what to take where an event was not counted. */
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
	const struct pms_formula *condition; /* holds when > 0; NULL: when nothing else does */
	int is_partial; /* of one without a condition: it is so whatever else might hold */
	const struct pms_formula *weight; /* the larger, the earlier; in percent of slots */
	const size_t *evidence;		  /* indices of metrics: the numbers that led there */
	size_t n_evidence;
	const char *title;	/* "Conditional branches are mispredicted" */
	const char *text;	/* what a programmer can do */
	const char *source;	/* document and section */
	const char *unmodelled; /* what of it a model of the core cannot show the gain of; "" */
};

struct pms_cpu {
	const char *name;    /* as compilers name it: "neoverse-v1"; with a core of an architecture,
			      * "riscv:sifive-p550" */
	const char *folder;  /* the name without a core; of a file, the same as name */
	const char *core;    /* "SiFive P550", the core that was asked for by name; else NULL */
	const char *product; /* "Neoverse V1"; of a core that was asked for by a processor's name,
			      * both: "Neoverse V1 (AWS Graviton3)" */
	const char *version; /* of the specification: its revision, timestamp or sha1 */
	unsigned slots;	     /* per cycle at rename; 0 when the core has no slot events */
	unsigned counters;   /* programmable counters, the fixed cycle counter not among them */
	const char *file;    /* specification that was loaded by itself; NULL: the CPU's folder */
	const char *products; /* processors made of it, "graviton3, graviton3e"; NULL or "": none
			       * is known */
};

/** Whether @word is a processor's name, as of cpus/products.json, in any case. 0 also where the
 * data directory is not found, or cannot be read. */
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
 * The same without the relations between events and their configurations, which only checks and
 * descriptions need: where there are many, they are half of what there is to read.
 */
int pms_catalog_load_lean(const char *data, const char *cpu, struct pms_catalog **out,
			  struct pms_error *err);
/**
 * Add what pms_catalog_load_lean has left out; nothing where that did not make the catalog, or it
 * has been added.
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
/** What PMS_KERNEL_CPU's catalog is called where a CPU's name is asked for. */
#define PMS_KERNEL_CPU "linux"
/**
 * Make the catalog of what Linux has names of its own for (task-clock, page-faults, cycles, ...),
 * for machines of whose CPU there is none. It has no metrics.
 * Returns 0. Errors: -PMS_ENOMEM.
 */
int pms_catalog_load_kernel(struct pms_catalog **out, struct pms_error *err);
void pms_catalog_free(struct pms_catalog *catalog);

/** What a key that is not of the layout stands in. */
enum pms_extra_of {
	PMS_EXTRA_ELSEWHERE,
	PMS_EXTRA_EVENT,
	PMS_EXTRA_METRIC,
	PMS_EXTRA_EVENT_GROUP,
	PMS_EXTRA_METRIC_GROUP
};

/** A key of the file that is not of the layout: kept as it is. */
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

/** What the file says of its groups, stages or tree, and what cannot be so: it is passed over,
 * since no number depends on it. pms_lint_files says where it stands. */
struct pms_flaw {
	const char *path; /* "methodologies.m.decision_tree.metrics[3].name" */
	const char *text; /* "\"ipc\" is listed twice" */
};

/* Beyond a thousand, none is kept. */
size_t pms_catalog_flaws(const struct pms_catalog *catalog);
const struct pms_flaw *pms_catalog_flaw(const struct pms_catalog *catalog, size_t i);

/**
 * The CPU of this host, by MIDR_EL1 or by mvendorid and marchid.
 * @root: before /sys and /proc; NULL: none
 * @cpu:  receives its name, of @size bytes
 * Returns 0. Errors: -PMS_EHOST the host does not tell, as on other architectures; -PMS_ENAME there
 *         is no catalog of it (the hint lists those there are), or it has CPUs of several kinds;
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

/** Look up by name, without regard to case; an event also by its aliases, where no event has that
 * name. Returns an index, or -PMS_ENAME. */
int64_t pms_catalog_find_event(const struct pms_catalog *catalog, const char *name);
/** A core of the catalog's architecture, whose codes of the architecture's events are known. */
struct pms_code_core {
	const char *name;  /* "sifive-p550": of the CPU's name "riscv:sifive-p550" */
	const char *title; /* "SiFive P550" */
	const char *about; /* how its codes come about, and what they leave out; "" */
	int is_any;	   /* 1: what is counted beside every core, by the firmware */
};

/** How one core counts an event of its architecture's catalog, which has no numbers itself. */
struct pms_core_code {
	const struct pms_code_core *core;
	size_t event; /* index */
	int64_t code; /* the core's raw code, of the firmware with bit 63 set; -1: none, but a
		       * name of the kernel's own */
	const char *generic; /* that name, "cycles"; NULL where there is a code */
	const char *note;    /* what the code counts where that differs; NULL: nothing to say */
};

/** What perf calls a code of a core. */
struct pms_core_name {
	const struct pms_code_core *core;
	const char *name; /* "BRANCH_DIRECTION_MISPREDICTION" */
	int64_t code;	  /* which need not be that of an event */
};

/* Of every core whose codes are known, or the one that was asked for; a core's rows stand together.
 */
size_t pms_catalog_code_cores(const struct pms_catalog *catalog);
const struct pms_code_core *pms_catalog_code_core(const struct pms_catalog *catalog, size_t i);
size_t pms_catalog_core_codes(const struct pms_catalog *catalog);
const struct pms_core_code *pms_catalog_core_code(const struct pms_catalog *catalog, size_t i);
size_t pms_catalog_core_names(const struct pms_catalog *catalog);
const struct pms_core_name *pms_catalog_core_name(const struct pms_catalog *catalog, size_t i);

/** Look up an event by its number: the catalog's, or that of the core that was asked for, or of the
 * firmware. Codes of cores that were not asked for say nothing. Returns an index, or -PMS_ENAME. */
int64_t pms_catalog_find_code(const struct pms_catalog *catalog, int64_t code);
/** Look up an event by what perf calls it on a core, in any case: where several cores have the
 * name, they have to mean the same by it. Returns as above. */
int64_t pms_catalog_find_core_name(const struct pms_catalog *catalog, const char *name);
/** Look up an event as users write it: by name, as "0x11", or as perf's "r11". Returns as above. */
int64_t pms_catalog_find_event_word(const struct pms_catalog *catalog, const char *word);
/** A metric also by its aliases, where no metric has that name. */
int64_t pms_catalog_find_metric(const struct pms_catalog *catalog, const char *name);
int64_t pms_catalog_find_group(const struct pms_catalog *catalog, enum pms_group_kind kind,
			       const char *name);

#ifdef __cplusplus
}
#endif
#endif
