/* SPDX-License-Identifier: MIT */
/* pmuscope/annotate.h - a function's instructions, or a source file's lines, with what a profile
 * counted at each. Flow: profile, symbols, objdump, source files -> [annotation] -> show. */
#ifndef PMUSCOPE_ANNOTATE_H
#define PMUSCOPE_ANNOTATE_H

#include "pmuscope/fold.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A line of source code, or an instruction. */
struct pms_annotation_line {
	int is_source;
	uint64_t address;	/* of an instruction, as in struct pms_profile_place */
	const char *file;	/* of the source; NULL: not known */
	unsigned line;		/* 0: not known */
	const char *text;	/* the line or the instruction; NULL: not known */
	const uint64_t *values; /* one for each kind; NULL: nothing was counted here, or this is a
				   line whose instructions are told one by one */
};

struct pms_annotation {
	const struct pms_profile *profile; /* borrowed */
	uint32_t object;		   /* PMS_PROFILE_NONE for a file */
	const char *function;		   /* NULL for a file */
	const char *file;		   /* the source file that was named, else NULL */
	uint64_t *totals;		   /* of the whole profile, one for each kind */
	uint64_t *sums;			   /* of what is shown, likewise */
	struct pms_annotation_line *lines; /* n_lines: each line of source before its
					      instructions, which are in the order of addresses */
	size_t n_lines;
	const char *program;   /* that disassembled; NULL: none could, or none was asked to */
	const char *because;   /* why there are no instructions' texts; NULL: there are */
	const char *no_source; /* a source file that could not be read; NULL: all were */
	struct pms_annotation_private *owned;
};

/** Annotate a function or a source file.
 * @name:    of a function; or of a file, with or without its folders. NULL: the function that
 *           has most of @sort's measure
 * @sort:    as in struct pms_fold_options; chooses among functions of the same name
 * @profile, @symbols: borrowed until pms_annotation_free
 * @out:     written only on success; free with pms_annotation_free
 * Programs called objdump are run to disassemble; none of them is needed.
 * Returns 0. Errors: -PMS_ENAME there is no such function or file, or no such measure; -PMS_EINVAL
 *         the profile has no functions; -PMS_ENOMEM. */
int pms_annotation_make(const struct pms_profile *profile, struct pms_symbols *symbols,
			const char *name, const char *sort, struct pms_annotation **out,
			struct pms_error *err);
void pms_annotation_free(struct pms_annotation *annotation);

/** A filter of rows that are of a function or a source file: for struct pms_fold_options. @context:
 * the name, a const char * */
pms_fold_pick pms_annotation_pick;

#ifdef __cplusplus
}
#endif
#endif
