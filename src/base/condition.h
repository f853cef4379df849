/* SPDX-License-Identifier: MIT */
/* base/condition.h - the language of conditions over columns, such as
 *     op==load && total_lat>=100 && !(data_source==dram || cpu==3)
 * docs/use/spe-report.md, section "Filters", explains it. Who uses it knows the columns: it parses
 * a comparison with the words below, and keeps a postfix program of comparisons and joints.
 * Flow: text -> [condition] -> filters of SPE samples and of profiles. */
#ifndef PMS_BASE_CONDITION_H
#define PMS_BASE_CONDITION_H

#include <stddef.h>
#include <stdint.h>

#include "pmuscope/error.h"

enum {
	PMS_CONDITION_NESTING = 32, /* nesting of parentheses and ! */
	/* Answers that wait on the stack of who evaluates: one for || and one for && at each
	 * level, and one for each of two texts that are joined. */
	PMS_CONDITION_DEPTH = 2 * PMS_CONDITION_NESTING + 4
};

enum pms_condition_op {
	PMS_CONDITION_HAS, /* no operator: the column itself */
	PMS_CONDITION_EQUAL,
	PMS_CONDITION_UNEQUAL,
	PMS_CONDITION_LIKE,
	PMS_CONDITION_LESS,
	PMS_CONDITION_LESS_OR_EQUAL,
	PMS_CONDITION_GREATER,
	PMS_CONDITION_GREATER_OR_EQUAL,
	PMS_CONDITION_NOT, /* the others join what was parsed before */
	PMS_CONDITION_AND,
	PMS_CONDITION_OR
};

struct pms_condition_parser {
	const char *text, *at; /* what is parsed, and how far */
	size_t longest;	       /* bytes of a text */
	unsigned nesting;
	struct pms_error *err;
	/** Parse the comparison at .at, go behind it, and keep it. */
	int (*compare)(struct pms_condition_parser *condition);
	/** Keep a joint: NOT, AND, OR. */
	int (*join)(struct pms_condition_parser *condition, enum pms_condition_op op);
	void *context; /* the caller's */
};

/** Parse all of .text, which begins at .at.
 * Errors: -PMS_EPARSE with the column in the text, those of the callbacks. */
int pms_condition_parse(struct pms_condition_parser *condition);

/** Fail at @at in the text. Returns -PMS_EPARSE. */
__attribute__((format(printf, 3, 4))) int
pms_condition_fail(const struct pms_condition_parser *condition, const char *at, const char *format,
		   ...);

/** Parse an operator, and the blanks around it; HAS where there is none. */
enum pms_condition_op pms_condition_operator(struct pms_condition_parser *condition);

/** Parse 123 or 0x7b. */
int pms_condition_number(struct pms_condition_parser *condition, uint64_t *value);

/** Parse a text: quoted, with \ before a quote or a \ in it, or a word without operators.
 * @of: the column, for messages. @text: out, owned by the caller */
int pms_condition_text(struct pms_condition_parser *condition, const char *of, char **text);

/** Returns the length of the word, of letters, digits and _, at @text. */
size_t pms_condition_word(const char *text);

/** Returns whether @value compares with @want as @op says, of EQUAL to GREATER_OR_EQUAL. */
int pms_condition_holds(enum pms_condition_op op, uint64_t value, uint64_t want);

/** Returns whether @text is like @want, or its last part where @want has no folders and @is_path.
 * @op: EQUAL, UNEQUAL or LIKE */
int pms_condition_matches(enum pms_condition_op op, const char *text, const char *want,
			  int is_path);

#endif
