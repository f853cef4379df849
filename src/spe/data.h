/* SPDX-License-Identifier: MIT */
/* spe/data.h - find what an address of data is: a variable, or a kind of memory. Flow: samples,
 * symbols -> [data] -> aggregate, filter, export, report. */
#ifndef PMS_SPE_DATA_H
#define PMS_SPE_DATA_H

#include "pmuscope/symbol.h"
#include "spe/table.h"

struct pms_spe_samples;

/** What is at an address of data. */
struct pms_datum {
	const char *name; /* of the variable; else "[heap]", "[stack]" and so on, where a mapping
			     says so, or "[unknown]" */
	int is_variable;
	int is_told;			 /* 0: the name is "[unknown]" */
	uint64_t start;			 /* the variable's own address in its file */
	uint64_t offset;		 /* the address's offset in the variable */
	const struct pms_object *object; /* the object it lies in; NULL: not known */
	uint32_t index;			 /* the object's; UINT32_MAX: not known */
};

/** Looks up data. Zero-initialise; samples and symbols are borrowed. */
struct pms_data {
	const struct pms_spe_samples *samples;
	struct pms_symbols *symbols; /* NULL: do not look for variables */
	/* For each space and 4 KiB: the nearest mappings of files below and above, one of which
	 * may have the data. */
	struct pms_table table;
	struct pms_images {
		struct pms_place below, above;
	} * images;
	size_t n_images;
};

/**
 * Find what is at an address.
 * @address: canonical
 * @datum:   its name lasts as long as the symbols
 * Errors: -PMS_ENOMEM
 */
int pms_data_find(struct pms_data *data, uint32_t space, uint64_t address, struct pms_datum *datum);

void pms_data_release(struct pms_data *data);

#endif
