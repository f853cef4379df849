/* SPDX-License-Identifier: MIT */
/* spe/data.h - what data an address is of: a variable, or the kind of memory.
 * Flow: samples, symbols -> [data] -> aggregate, filter, export, report. */
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
	uint64_t start;			 /* of the variable, the file's own address */
	uint64_t offset;		 /* of the address in the variable */
	const struct pms_object *object; /* that it lies in; NULL: not known */
	uint32_t index;			 /* the object's; UINT32_MAX: not known */
};

/** Looks them up. Zero-initialise; samples and symbols are borrowed. */
struct pms_data {
	const struct pms_spe_samples *samples;
	struct pms_symbols *symbols; /* NULL: variables are not looked for */
	/* Of each space and 4 KiB: where mappings of the files begin that the data can be of, the
	 * one below and the one above. */
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
