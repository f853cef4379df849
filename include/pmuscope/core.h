/* SPDX-License-Identifier: MIT */
/* pmuscope/core.h - the numbers of a modelled core, each with its source. They come from
 * cpus/<cpu>/core.json; docs/model/core-neoverse-v1.md explains them. */
#ifndef PMUSCOPE_CORE_H
#define PMUSCOPE_CORE_H

#include <stddef.h>
#include <stdint.h>

#include "pmuscope/catalog.h"
#include "pmuscope/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How sure a number is, by what its source says. */
enum pms_certainty {
	PMS_CERTAINTY_CHOSEN,	  /* nobody has published it: the source gives reasons */
	PMS_CERTAINTY_UNVERIFIED, /* known from a text that was not available: check it first */
	PMS_CERTAINTY_LOW,	  /* the source itself calls it uncertain … */
	PMS_CERTAINTY_MEDIUM,	  /* … or gives it for a closely related core */
	PMS_CERTAINTY_HIGH,	  /* Arm's own figure, or several sources agree */
	PMS_CERTAINTY_PUBLISHED	  /* from a cited document that states no certainty */
};

/** A parameter, or one number of a class of operations. */
struct pms_core_number {
	const char *name;    /* as --core-set takes it: "rob_entries", "mul32.latency" */
	const char *meaning; /* "" where the name says enough */
	uint32_t value;
	uint32_t least, most; /* range that the model accepts */
	const char *source;
	enum pms_certainty certainty;
	int changed; /* 1: a setting replaced the file's number */
};

/** A mechanism of the model that can be switched off to see its effect. */
struct pms_core_mechanism {
	const char *name;    /* as --core-set NAME=off takes it: "tage" */
	const char *without; /* how the model behaves when it is off */
	int on;		     /* 0: a setting switched it off */
};

/** A core that is perfect in one thing, or in a group of things: what would be gained if that thing
 * cost nothing. --core-set NAME=ideal makes the modelled core so. */
struct pms_core_ideal {
	const char *name;     /* "l1d" */
	const char *title;    /* "L1D" */
	const char *meaning;  /* "it has each line of data" */
	const char *settings; /* what it is made of, as --core-set takes it, with blanks between */
	const char *groups;   /* names of the groups that it belongs to; NULL: it is a group */
	const char *within;   /* another ideal core whose perfection includes this one's; NULL */
};

/** Returns how many ideal cores there are. */
size_t pms_core_ideals(void);
/** Returns ideal core @i, groups first; NULL when @i is out of range. Static storage. */
const struct pms_core_ideal *pms_core_ideal(size_t i);

/** Opaque; owned by the caller of pms_core_open. */
struct pms_core_data;

/**
 * Load the core that models @catalog's CPU.
 * @data:     data directory; NULL: as pms_catalog_load finds it
 * @settings: "NAME=NUMBER", NULL-terminated, as in core_set of struct pms_vcore_options; may be
 *            NULL
 * @out:      written only on success; free with pms_core_close
 * Returns 0. Errors: -PMS_ENAME there is no model of this CPU, or a setting names nothing;
 *         -PMS_EINVAL a setting's number; -PMS_EIO, -PMS_EPARSE, -PMS_ENOMEM.
 */
int pms_core_open(const struct pms_catalog *catalog, const char *data, char *const *settings,
		  struct pms_core_data **out, struct pms_error *err);
void pms_core_close(struct pms_core_data *core);

/** Returns how many numbers there are: parameters first, then classes of operations. */
size_t pms_core_numbers(const struct pms_core_data *core);
/** Returns number @i, borrowed until the core is closed; NULL when @i is out of range. */
const struct pms_core_number *pms_core_number(const struct pms_core_data *core, size_t i);

/** Returns how many mechanisms there are. */
size_t pms_core_mechanisms(const struct pms_core_data *core);
/** Returns mechanism @i, borrowed until the core is closed; NULL when @i is out of range. */
const struct pms_core_mechanism *pms_core_mechanism(const struct pms_core_data *core, size_t i);

/** Returns "chosen", "not verified", "low", "medium", "high" or "published". Static storage. */
const char *pms_certainty_name(enum pms_certainty certainty);

#ifdef __cplusplus
}
#endif
#endif
