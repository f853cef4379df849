/* SPDX-License-Identifier: MIT */
/* export/places.h - functions and lines of all instructions of a profile, each once.
 * Flow: profile, symbols -> [places] -> stacks, formats. */
#ifndef PMS_EXPORT_PLACES_H
#define PMS_EXPORT_PLACES_H

#include "pmuscope/error.h"
#include "pmuscope/profile.h"
#include "pmuscope/symbol.h"

/** A function, as far as formats tell functions apart. Texts are the symbols'. */
struct pms_export_function {
	const char *name; /* as it was written, or a word in brackets */
	const char *file; /* of its lines; "": not known */
	uint32_t object;  /* PMS_PROFILE_NONE: none */
};

/** A line of a function. */
struct pms_export_line {
	uint32_t function;
	unsigned line; /* 0: not known */
};

/** An instruction: its line, and the calls that it was inlined by. */
struct pms_export_spot {
	uint32_t object;       /* PMS_PROFILE_NONE: no instruction */
	uint32_t first, count; /* lines, the innermost first; one at least */
	uint64_t address;
};

struct pms_export_places {
	const struct pms_profile *profile; /* borrowed */
	struct pms_export_function *functions;
	size_t n_functions;
	struct pms_export_line *lines;
	size_t n_lines;
	struct pms_export_spot *spots;
	size_t n_spots;
	uint32_t *row_spots, *frame_spots; /* of each row and frame of the profile */
};

/** Find all places of @profile. @symbols: NULL: none are known; else they must outlive *out.
 * Release it even after an error. Returns 0. Errors: -PMS_ENOMEM. */
int pms_export_places_init(struct pms_export_places *out, const struct pms_profile *profile,
			   struct pms_symbols *symbols, struct pms_error *err);
void pms_export_places_release(struct pms_export_places *places);

#endif
