/* SPDX-License-Identifier: MIT */
/* A name refers back to parts of itself, and those refer back too, so that 300 bytes can stand for
 * gigabytes. Here the name is read as the C++ library reads it, but of each part only the size is
 * kept. A reference then costs an addition, however large the part that it stands for.
 *
 * What the reader does not know it refuses: most expressions (libstdc++ of GCC 12 never returns
 * from
 * "_Z1fIXsr3stdU"), modules, constraints. What it accepts it must number as the library does, or a
 * reference would get the size of another part. */
#include "symbol/mangled.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

enum {
	PARTS = 1024,  /* that can be referred to */
	DEPTH = 200,   /* of parts within parts */
	EACH = 32,     /* characters of a builtin type, an operator, a qualifier, and more */
	STANDARD = 80, /* of the longest standard abbreviation, std::basic_string<...> */
};
#define MOST ((uint64_t)1 << 40) /* sizes end here */

/* Of a part: characters, and how often a template's argument stands in it. */
struct size {
	uint64_t characters, arguments;
};

struct reader {
	const char *at;
	int failed;
	int in_conversion;
	unsigned depth;
	struct size parts[PARTS];
	size_t n_parts;
	size_t n_lambdas; /* that some versions of the library number as parts too */
	uint64_t longest_name;
	struct size largest; /* argument of a template: the most of each */
	uint64_t longest_list,
		pack; /* arguments of one template: so far, and as was found before */
	unsigned n_encodings;
};

static struct size read_type(struct reader *r);
static struct size read_encoding(struct reader *r);
static struct size read_name(struct reader *r, int is_type);

static uint64_t sum_of(uint64_t a, uint64_t b)
{
	return a + b < MOST ? a + b : MOST;
}

static uint64_t product_of(uint64_t a, uint64_t b)
{
	uint64_t product;
	return __builtin_mul_overflow(a, b, &product) || product > MOST ? MOST : product;
}

static struct size plus(struct size a, struct size b)
{
	return (struct size){ sum_of(a.characters, b.characters),
			      sum_of(a.arguments, b.arguments) };
}

static struct size times(struct size a, uint64_t n)
{
	return (struct size){ product_of(a.characters, n), product_of(a.arguments, n) };
}

static struct size text(uint64_t characters)
{
	return (struct size){ characters, 0 };
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* All that comes reads the end of the name from then on. */
static struct size refuse(struct reader *r)
{
	r->failed = 1;
	r->at = "";
	return text(0);
}

static int accept(struct reader *r, char c)
{
	if (*r->at != c)
		return 0;
	r->at++;
	return 1;
}

static int accept_word(struct reader *r, const char *word)
{
	size_t length = strlen(word);
	if (strncmp(r->at, word, length) != 0)
		return 0;
	r->at += length;
	return 1;
}

static void expect(struct reader *r, char c)
{
	if (!accept(r, c))
		refuse(r);
}

/* Whether the next byte is one of @set. */
static int next_is(const struct reader *r, const char *set)
{
	return *r->at && strchr(set, *r->at);
}

static void add_part(struct reader *r, struct size size)
{
	if (r->n_parts < PARTS)
		r->parts[r->n_parts++] = size;
	else
		refuse(r);
}

static uint64_t read_number(struct reader *r)
{
	uint64_t number = 0;
	accept(r, 'n');
	while (isdigit((unsigned char)*r->at))
		number = sum_of(product_of(number, 10), (uint64_t)(*r->at++ - '0'));
	return number;
}

/* A number and "_", or "_" alone. */
static void read_compact_number(struct reader *r)
{
	read_number(r);
	expect(r, '_');
}

static struct size read_source_name(struct reader *r)
{
	uint64_t length = isdigit((unsigned char)*r->at) ? read_number(r) : 0;
	if (!length || strnlen(r->at, length) < length)
		return refuse(r);
	r->at += length;
	r->longest_name = larger(r->longest_name, length);
	return text(length + EACH);
}

static void read_discriminator(struct reader *r)
{
	if (!accept(r, '_'))
		return;
	int is_long = accept(r, '_');
	uint64_t number = read_number(r);
	if (is_long && number >= 10)
		expect(r, '_');
}

/* References ----------------------------------------------------------------------------------- */

static struct size read_standard(struct reader *r)
{
	if (!next_is(r, "tabsiod"))
		return refuse(r);
	r->at++;
	/* With a tag some versions of the library number it. */
	return next_is(r, "B") ? refuse(r) : text(STANDARD);
}

/* Where lambdas may have numbers or not, it is the largest of those that are meant. */
static struct size read_reference(struct reader *r)
{
	uint64_t number = 0;
	struct size largest = text(0);
	expect(r, 'S');
	if (*r->at != '_' && !isdigit((unsigned char)*r->at) && !isupper((unsigned char)*r->at))
		return read_standard(r);
	if (*r->at != '_') {
		for (; isdigit((unsigned char)*r->at) || isupper((unsigned char)*r->at); r->at++)
			number = sum_of(product_of(number, 36),
					(uint64_t)(isdigit((unsigned char)*r->at)
							   ? *r->at - '0'
							   : *r->at - 'A' + 10));
		number++;
	}
	expect(r, '_');
	if (number >= r->n_parts)
		return refuse(r);
	for (uint64_t i = number < r->n_lambdas ? 0 : number - r->n_lambdas; i <= number; i++) {
		largest.characters = larger(largest.characters, r->parts[i].characters);
		largest.arguments = larger(largest.arguments, r->parts[i].arguments);
	}
	return largest;
}

static struct size read_template_param(struct reader *r)
{
	expect(r, 'T');
	read_compact_number(r);
	return (struct size){ EACH, 1 };
}

/* Templates ------------------------------------------------------------------------------------ */

/* L type value E, or L_Z encoding E. */
static struct size read_literal(struct reader *r)
{
	struct size size;
	expect(r, 'L');
	if (accept_word(r, "_Z")) {
		size = read_encoding(r);
	} else if (next_is(r, "Z_")) {
		return refuse(r);
	} else {
		size = plus(read_type(r), text(EACH));
		for (; *r->at && *r->at != 'E'; r->at++)
			size = plus(size, text(1));
	}
	expect(r, 'E');
	return size;
}

static struct size read_template_args(struct reader *r);

/* X expression E, where it is a value, an address or an argument. */
static struct size read_expression(struct reader *r)
{
	struct size size;
	expect(r, 'X');
	if (next_is(r, "T"))
		size = read_template_param(r);
	else if (accept_word(r, "ad"))
		size = plus(text(EACH), read_literal(r));
	else
		size = read_literal(r);
	expect(r, 'E');
	return size;
}

static struct size read_template_arg(struct reader *r)
{
	if (next_is(r, "L"))
		return read_literal(r);
	if (next_is(r, "IJ"))
		return read_template_args(r);
	return next_is(r, "X") ? read_expression(r) : read_type(r);
}

static struct size read_template_args(struct reader *r)
{
	struct size size = text(EACH);
	uint64_t count = 0;
	if (!accept(r, 'I') && !accept(r, 'J'))
		return refuse(r);
	while (!r->failed && !accept(r, 'E')) {
		struct size argument = read_template_arg(r);
		r->largest.characters = larger(r->largest.characters, argument.characters);
		r->largest.arguments = larger(r->largest.arguments, argument.arguments);
		size = plus(size, plus(argument, text(2)));
		count++;
	}
	r->longest_list = larger(r->longest_list, count);
	return size;
}

/* Types ---------------------------------------------------------------------------------------- */

/* Those that stand before a type or a member function. Returns how many. */
static uint64_t read_qualifiers(struct reader *r)
{
	uint64_t n = 0;
	while (next_is(r, "rVK") || !strncmp(r->at, "Dx", 2) || !strncmp(r->at, "Do", 2)) {
		r->at += *r->at == 'D' ? 2 : 1;
		n++;
	}
	return n;
}

static int ends_parameters(const struct reader *r)
{
	return !*r->at || next_is(r, "E.") || (next_is(r, "RO") && r->at[1] == 'E');
}

static struct size read_parameters(struct reader *r)
{
	struct size size = text(EACH);
	while (!ends_parameters(r))
		size = plus(size, plus(read_type(r), text(2)));
	return size;
}

static struct size read_function_type(struct reader *r)
{
	expect(r, 'F');
	accept(r, 'Y');
	accept(r, 'J');
	struct size size = read_parameters(r);
	if (next_is(r, "RO"))
		r->at++;
	expect(r, 'E');
	return plus(size, text(EACH));
}

static struct size read_array_type(struct reader *r)
{
	struct size size = text(EACH);
	expect(r, 'A');
	for (; isdigit((unsigned char)*r->at); r->at++)
		size = plus(size, text(1));
	expect(r, '_');
	return plus(size, read_type(r));
}

static struct size read_param_type(struct reader *r)
{
	struct size size = read_template_param(r);
	if (!next_is(r, "I"))
		return size;
	/* Whose arguments these are is told only behind them: the library tries both. */
	if (r->in_conversion)
		return refuse(r);
	add_part(r, size);
	return plus(size, read_template_args(r));
}

static struct size read_wrapped(struct reader *r)
{
	r->at++;
	return plus(text(EACH), read_type(r));
}

static struct size read_vendor_qualified(struct reader *r)
{
	expect(r, 'U');
	struct size size = read_source_name(r);
	if (next_is(r, "I"))
		size = plus(size, read_template_args(r));
	return plus(size, read_type(r));
}

/* The library looks through what is repeated for a pack, and writes it once for each element. */
static struct size read_d_type(struct reader *r)
{
	struct size size;
	if (accept_word(r, "Dp")) {
		size = times(plus(read_type(r), text(EACH)), r->pack + 2);
	} else if (accept_word(r, "Dv") && isdigit((unsigned char)*r->at)) {
		read_compact_number(r);
		size = plus(read_type(r), text(EACH));
	} else {
		return refuse(r);
	}
	add_part(r, size);
	return size;
}

static int is_builtin(struct reader *r)
{
	if (next_is(r, "abcdefghijlmnostvwxyz")) {
		r->at++;
		return 1;
	}
	if (*r->at != 'D' || !r->at[1] || !strchr("acfdehusin", r->at[1]))
		return 0;
	r->at += 2;
	return 1;
}

/* One that can be referred to afterwards. */
static struct size read_new_type(struct reader *r)
{
	switch (*r->at) {
	case 'u':
		r->at++;
		struct size vendor = read_source_name(r);
		return next_is(r, "I") ? refuse(r) : vendor;
	case 'F':
		return read_function_type(r);
	case 'A':
		return read_array_type(r);
	case 'M':
		r->at++;
		struct size class_type = read_type(r);
		return plus(class_type, plus(read_type(r), text(EACH)));
	case 'T':
		return read_param_type(r);
	case 'U':
		return read_vendor_qualified(r);
	default:
		return read_wrapped(r);
	}
}

/* Qualifiers count as one, and with a function's as none beside it. */
static struct size read_qualified_type(struct reader *r)
{
	struct size size = text(read_qualifiers(r) * EACH);
	size = plus(size, next_is(r, "F") ? read_function_type(r) : read_type(r));
	add_part(r, size);
	return size;
}

static struct size read_type_inside(struct reader *r)
{
	if (next_is(r, "rVK") || !strncmp(r->at, "Dx", 2) || !strncmp(r->at, "Do", 2))
		return read_qualified_type(r);
	if (is_builtin(r))
		return text(EACH);
	if (next_is(r, "D"))
		return read_d_type(r);
	/* Lambdas and other types without a name are names to the grammar. */
	if (!next_is(r, "uFAMTOPRCGU") || !strncmp(r->at, "Ul", 2) || !strncmp(r->at, "Ut", 2))
		return *r->at == 'U' ? refuse(r) : read_name(r, 1);
	struct size size = read_new_type(r);
	add_part(r, size);
	return size;
}

static struct size read_type(struct reader *r)
{
	if (r->depth >= DEPTH)
		return refuse(r);
	r->depth++;
	struct size size = read_type_inside(r);
	r->depth--;
	return size;
}

/* Names ---------------------------------------------------------------------------------------- */

static struct size read_operator(struct reader *r)
{
	if (accept_word(r, "cv")) {
		int before = r->in_conversion;
		r->in_conversion = 1;
		struct size size = read_type(r);
		r->in_conversion = before;
		return plus(times(size, 2), text(EACH));
	}
	if (accept_word(r, "li"))
		return plus(read_source_name(r), text(EACH));
	if (accept_word(r, "on") || !isalpha((unsigned char)r->at[1]))
		return refuse(r);
	r->at += 2;
	return text(EACH);
}

static struct size read_unnamed(struct reader *r)
{
	struct size size = text(EACH);
	if (accept_word(r, "Ul")) {
		size = plus(size, read_parameters(r));
		expect(r, 'E');
		read_compact_number(r);
		r->n_lambdas++;
	} else if (accept_word(r, "Ut")) {
		read_compact_number(r);
		add_part(r, size);
	} else {
		return refuse(r);
	}
	return size;
}

static struct size read_unqualified(struct reader *r)
{
	struct size size;
	if (isdigit((unsigned char)*r->at)) {
		size = read_source_name(r);
	} else if (islower((unsigned char)*r->at)) {
		size = read_operator(r);
	} else if (next_is(r, "CD") && isdigit((unsigned char)r->at[1])) {
		r->at += 2;
		size = text(r->longest_name + EACH);
	} else if (accept(r, 'L')) {
		size = read_source_name(r);
		read_discriminator(r);
	} else {
		size = read_unnamed(r);
	}
	while (accept(r, 'B'))
		size = plus(size, read_source_name(r));
	return size;
}

/* A::B<...>::C, each longer part with a number but the whole, which the caller gives one. */
static struct size read_prefix(struct reader *r)
{
	struct size size = text(0);
	int is_first = 1, is_reference;
	do {
		is_reference = next_is(r, "S");
		if ((is_reference || next_is(r, "T")) && !is_first)
			return refuse(r);
		if (is_reference)
			size = read_reference(r);
		else if (next_is(r, "T"))
			size = read_template_param(r);
		else if (next_is(r, "I"))
			size = is_first ? refuse(r) : plus(size, read_template_args(r));
		else
			size = plus(size, read_unqualified(r));
		is_first = 0;
		if (!is_reference && !next_is(r, "E"))
			add_part(r, size);
	} while (!r->failed && (is_reference || !next_is(r, "E")));
	return size;
}

static struct size read_nested_name(struct reader *r)
{
	expect(r, 'N');
	struct size size = text(read_qualifiers(r) * EACH);
	if (next_is(r, "RO"))
		r->at++;
	size = plus(size, read_prefix(r));
	expect(r, 'E');
	return plus(size, text(EACH));
}

static struct size read_local_name(struct reader *r)
{
	expect(r, 'Z');
	struct size size = plus(read_encoding(r), text(EACH));
	expect(r, 'E');
	if (accept(r, 's')) {
		read_discriminator(r);
		return size;
	}
	if (accept(r, 'd'))
		read_compact_number(r);
	int is_unnamed = next_is(r, "U");
	size = plus(size, read_name(r, 0));
	if (!is_unnamed)
		read_discriminator(r);
	return size;
}

static struct size read_unscoped_name(struct reader *r, int *is_old)
{
	struct size size;
	*is_old = 0;
	if (accept_word(r, "St")) {
		size = next_is(r, "S") ? refuse(r) : plus(text(EACH), read_unqualified(r));
	} else if (next_is(r, "S")) {
		size = read_reference(r);
		*is_old = 1;
	} else {
		size = read_unqualified(r);
	}
	if (!next_is(r, "I"))
		return size;
	if (!*is_old)
		add_part(r, size);
	*is_old = 0;
	return plus(size, read_template_args(r));
}

static struct size read_name_inside(struct reader *r, int is_type)
{
	struct size size;
	int is_old = 0;
	if (next_is(r, "N"))
		size = read_nested_name(r);
	else if (next_is(r, "Z"))
		size = read_local_name(r);
	else if (next_is(r, "U"))
		size = read_unqualified(r);
	else
		size = read_unscoped_name(r, &is_old);
	if (is_type && !is_old)
		add_part(r, size);
	return size;
}

static struct size read_name(struct reader *r, int is_type)
{
	if (r->depth >= DEPTH)
		return refuse(r);
	r->depth++;
	struct size size = read_name_inside(r, is_type);
	r->depth--;
	return size;
}

/* The whole ------------------------------------------------------------------------------------ */

static void read_offset(struct reader *r)
{
	int is_virtual = next_is(r, "v");
	if (!next_is(r, "hv"))
		refuse(r);
	else
		r->at++;
	read_number(r);
	if (is_virtual) {
		expect(r, '_');
		read_number(r);
	}
	expect(r, '_');
}

/* Tables of virtual functions, thunks and the like. */
static struct size read_special(struct reader *r)
{
	struct size size = text(2 * EACH);
	if (accept_word(r, "TC")) {
		size = plus(size, read_type(r));
		read_compact_number(r);
		return plus(size, read_type(r));
	}
	if (accept_word(r, "TV") || accept_word(r, "TT") || accept_word(r, "TI") ||
	    accept_word(r, "TS"))
		return plus(size, read_type(r));
	if (accept_word(r, "GTt") || accept_word(r, "GTn"))
		return plus(size, read_encoding(r));
	if (accept_word(r, "GV") || accept_word(r, "TH") || accept_word(r, "TW"))
		return plus(size, read_name(r, 0));
	if (accept_word(r, "Tc"))
		read_offset(r);
	else
		expect(r, 'T');
	read_offset(r);
	return plus(size, read_encoding(r));
}

static struct size read_encoding(struct reader *r)
{
	if (r->depth >= DEPTH)
		return refuse(r);
	r->depth++;
	r->n_encodings++;
	struct size size;
	if (next_is(r, "GT")) {
		size = read_special(r);
	} else {
		size = read_name(r, 0);
		if (*r->at && !next_is(r, "E.")) {
			accept(r, 'J');
			size = plus(size, read_parameters(r));
		}
	}
	r->depth--;
	return size;
}

/* What stands for an argument is written as the largest of them, in which other arguments may
 * stand, those of the function around. */
static uint64_t settle(const struct reader *r, struct size size)
{
	uint64_t argument = r->largest.characters;
	for (unsigned i = 1; i < r->n_encodings && argument < MOST; i++)
		argument =
			sum_of(r->largest.characters, product_of(r->largest.arguments, argument));
	return sum_of(size.characters, product_of(size.arguments, argument));
}

static uint64_t read_whole(struct reader *r, const char *name, uint64_t pack)
{
	*r = (struct reader){ .at = name + 2, .pack = pack };
	struct size size = read_encoding(r);
	/* What compilers append to the names of clones. */
	size = plus(size, text(EACH * (uint64_t)strlen(r->at)));
	return r->failed || (*r->at && *r->at != '.') ? PMS_MANGLED_UNREAD : settle(r, size);
}

uint64_t pms_mangled_cost(const char *name)
{
	struct reader r;
	uint64_t cost = read_whole(&r, name, 0);
	return cost == PMS_MANGLED_UNREAD ? cost : read_whole(&r, name, r.longest_list);
}
