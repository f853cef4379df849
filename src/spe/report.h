/* SPDX-License-Identifier: MIT */
/* spe/report.h - a report's inside, for the files that make it. */
#ifndef PMS_SPE_REPORT_H
#define PMS_SPE_REPORT_H

#include "base/arena.h"
#include "spe/aggregate.h"

struct pms_spe_report {
	struct pms_spe_samples *samples;
	struct pms_symbols *symbols; /* NULL: of no use */
	struct pms_data data;
	struct pms_aggregate aggregate;
	struct pms_aggregate *of; /* whose group is being labelled, */
	const char **keys;	  /* and where its keys go, in row */
	size_t n_keys;		  /* of two keys: all; 0: those of aggregate.by */
	struct pms_spe_key all_keys[PMS_SPE_KEYS_MOST];
	char second_names[PMS_SPE_KEYS_MOST / 2][32];
	enum pms_spe_encoding encoding; /* of the names of data sources */
	char *only;			/* filter made of the options' pick; NULL: none */
	size_t sort;			/* measure */
	int histogram;			/* 1: tables show it */
	int targets;			/* likewise, of all that branches go to */
	uint8_t *sharing;		/* of each group: enum pms_spe_sharing */
	uint32_t *threads;		/* of each group: how many */
	uint32_t *order;		/* groups in the order of rows */
	size_t n_rows;
	struct pms_spe_quality quality;
	struct pms_spe_accounts accounts;
	struct pms_spe_row total;
	struct pms_spe_row row; /* the one last asked for, with its strings: */
	struct pms_arena strings;
	int failed;			  /* 1: out of memory */
	const struct pms_place **objects; /* of instructions: a place in each */
	size_t n_objects;
};

/** A text that lasts as long as the row; NULL when out of memory. */
__attribute__((format(printf, 2, 3))) char *pms_spe_label_text(struct pms_spe_report *report,
							       const char *format, ...);

/** What is known of the instruction at the place of that number; PMS_TABLE_NONE: nothing. */
struct pms_spe_code pms_spe_label_code(struct pms_spe_report *report, uint32_t place);

/** Fill a row's touches. @group: its number. */
void pms_spe_label_touches(struct pms_spe_report *report, uint32_t group);

/** Fill the places in a cache line. @group: its number. */
void pms_spe_label_spots(struct pms_spe_report *report, uint32_t group);

/** Fill what a row says of whom it is about: keys and touches. @group: its number. */
void pms_spe_label_row(struct pms_spe_report *report, uint32_t group);

#endif
