/* SPDX-License-Identifier: MIT */
/* pmuscope/core.h - the numbers of a modelled core, each with where it comes from.
 * From cpus/<cpu>/core.json; docs/model/core-neoverse-v1.md is the same for people. */
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
	PMS_CERTAINTY_CHOSEN,	  /* nobody has published it: the source argues for it */
	PMS_CERTAINTY_UNVERIFIED, /* known from a text that was not at hand: look it up first */
	PMS_CERTAINTY_LOW,	  /* as the source itself says … */
	PMS_CERTAINTY_MEDIUM,	  /* … or for a close relative */
	PMS_CERTAINTY_HIGH,	  /* Arm's own figure, or several sources agree */
	PMS_CERTAINTY_PUBLISHED	  /* of a document that is cited without such a word */
};

/** A parameter, or one number of a class of operations. */
struct pms_core_number {
	const char *name;    /* as --core-set takes it: "rob_entries", "mul32.latency" */
	const char *meaning; /* "" where the name says it */
	uint32_t value;
	uint32_t least, most; /* that the model takes */
	const char *source;
	enum pms_certainty certainty;
	int changed; /* 1: a setting put it in place of the file's */
};

/** Something the model does, which can be left out to see what it is good for. */
struct pms_core_mechanism {
	const char *name;    /* as --core-set NAME=off takes it: "tage" */
	const char *without; /* what is so then */
	int on;		     /* 0: a setting left it out */
};

/** Opaque; owned by the caller of pms_core_open. */
struct pms_core_data;

/**
 * Load the core that models @catalog's CPU.
 * @data:     data directory; NULL: as pms_catalog_load finds it
 * @settings: "NAME=NUMBER", NULL-terminated, as struct pms_vcore_options has them; may be NULL
 * @out:      written only on success; free with pms_core_close
 * Returns 0. Errors: -PMS_ENAME there is no model of this CPU, or a setting names nothing;
 *         -PMS_EINVAL a setting's number; -PMS_EIO, -PMS_EPARSE, -PMS_ENOMEM.
 */
int pms_core_open(const struct pms_catalog *catalog, const char *data, char *const *settings,
		  struct pms_core_data **out, struct pms_error *err);
void pms_core_close(struct pms_core_data *core);

/** Returns how many numbers there are: parameters first, then classes of operations. */
size_t pms_core_numbers(const struct pms_core_data *core);
/** The @i-th, borrowed until the core is closed; NULL when @i is out of range. */
const struct pms_core_number *pms_core_number(const struct pms_core_data *core, size_t i);

/** Returns how many mechanisms there are. */
size_t pms_core_mechanisms(const struct pms_core_data *core);
/** The @i-th, borrowed until the core is closed; NULL when @i is out of range. */
const struct pms_core_mechanism *pms_core_mechanism(const struct pms_core_data *core, size_t i);

/** "chosen", "not verified", "low", "medium", "high", "published". */
const char *pms_certainty_name(enum pms_certainty certainty);

#ifdef __cplusplus
}
#endif
#endif
