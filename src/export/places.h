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
	const char *name;    /* as it was written, or a word in brackets */
	const char *file;    /* of its lines; "": not known */
	uint32_t object;     /* PMS_PROFILE_NONE: none */
	const char *linkage; /* its name for linkers; "": not known */
};

/** A line of a function. */
struct pms_export_line {
	uint32_t function;
	unsigned line;	   /* 0: not known */
	unsigned declared; /* line of the function itself, 0: not known */
};

/** An instruction: its line, and the calls that it was inlined by. */
struct pms_export_spot {
	uint32_t object;       /* PMS_PROFILE_NONE: no instruction */
	uint32_t first, count; /* lines, the innermost first; one at least */
	uint64_t address;
	const char *symbol; /* that it lies in, as the symbol table has it; "": not known */
	uint64_t start;	    /* of that symbol */
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
	uint32_t *edge_spots;		   /* of both ends of each edge */
};

/** Find all places of @profile. @symbols: NULL: none are known; else they must outlive *out.
 * @edges: 1: those of edges as well.
 * Release it even after an error. Returns 0. Errors: -PMS_ENOMEM. */
int pms_export_places_init(struct pms_export_places *out, const struct pms_profile *profile,
			   struct pms_symbols *symbols, int edges, struct pms_error *err);
/** Returns 1 if @name is what compilers make: letters, digits, '_', '.', '$' and '@', and no digit
 * at its start. Formats of compilers have no way to write others. */
int pms_export_is_identifier(const char *name);
void pms_export_places_release(struct pms_export_places *places);

#endif
