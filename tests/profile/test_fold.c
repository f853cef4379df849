/* SPDX-License-Identifier: MIT */
/* A program is compiled, each of its instructions gets a value of its own, and what they are put
 * together by is compared with binutils' addr2line and nm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "pmuscope/fold.h"

static char scratch[] = "/tmp/pmuscope-fold-XXXXXX";

static const struct pms_profile_kind kinds[] = {
	{ "cycles", "Cycles", PMS_PROFILE_CYCLES, PMS_PROFILE_NO_SHARE, NULL, PMS_PROFILE_NONE },
	{ "slots_retired", "Slots that retired", PMS_PROFILE_SLOTS, PMS_PROFILE_RETIRING, NULL,
	  PMS_PROFILE_NONE },
	{ "slots_fe_icache", "Slots", PMS_PROFILE_SLOTS, PMS_PROFILE_FRONTEND, "L1I misses",
	  PMS_PROFILE_NONE },
	{ "slots_be_rob", "Slots", PMS_PROFILE_SLOTS, PMS_PROFILE_BACKEND, "reorder buffer full",
	  PMS_PROFILE_NONE },
	{ "l1d_refill", "L1D misses", PMS_PROFILE_EVENTS, PMS_PROFILE_NO_SHARE, NULL,
	  PMS_PROFILE_NONE },
};

enum { CYCLES, RETIRED, ICACHE, ROB, REFILL, KINDS };

static struct pms_profile *profile_new(void)
{
	struct pms_profile *p = pms_profile_new(PMS_PROFILE_MODELLED);
	assert_non_null(p);
	for (int i = 0; i < KINDS; i++)
		assert_int_equal(pms_profile_add_kind(p, &kinds[i]), i);
	return p;
}

static void put(struct pms_profile *p, uint32_t object, uint64_t address, uint32_t thread, int kind,
		uint64_t value)
{
	const struct pms_profile_place place = { object, address, thread, PMS_PROFILE_NONE };
	assert_int_equal(pms_profile_add(p, pms_profile_add_row(p, &place), kind, value), 0);
}

static struct pms_fold *fold_by(const struct pms_profile *p, struct pms_symbols *symbols,
				enum pms_fold_by by, const char *sort)
{
	const struct pms_fold_options options = { .by = by, .sort = sort };
	struct pms_error err = { 0 };
	struct pms_fold *fold = NULL;
	if (pms_fold_make(p, symbols, &options, &fold, &err))
		fail_msg("%s", err.text);
	return fold;
}

/* By hand -------------------------------------------------------------------------------------- */

/* Three instructions of two objects, two threads, and cycles that no instruction answers for. */
static struct pms_profile *small(void)
{
	struct pms_profile *p = profile_new();
	const struct pms_object a = { .kind = PMS_OBJECT_FILE, .path = "/nowhere/a" };
	const struct pms_object jit = { .kind = PMS_OBJECT_JIT, .path = "//anon" };
	const struct pms_profile_thread one = { 1, 1, "one" }, two = { 1, 2, "two" };
	pms_profile_add_object(p, &a);
	pms_profile_add_object(p, &jit);
	pms_profile_add_thread(p, &one);
	pms_profile_add_thread(p, &two);
	put(p, 0, 0x10, 0, CYCLES, 5);
	put(p, 0, 0x10, 1, CYCLES, 7);
	put(p, 0, 0x14, 1, CYCLES, 1);
	put(p, 0, 0x14, 1, ICACHE, 30);
	put(p, 1, 0x10, 0, CYCLES, 20);
	put(p, 1, 0x10, 0, RETIRED, 9);
	put(p, 1, 0x10, 0, ROB, 29);
	put(p, PMS_PROFILE_NONE, 0, 0, CYCLES, 2);
	return p;
}

static void rows_are_put_together(void **state)
{
	(void)state;
	struct pms_profile *p = small();
	struct pms_fold *f = fold_by(p, NULL, PMS_FOLD_INSTRUCTION, NULL);
	assert_int_equal(f->n_rows, 4);
	assert_int_equal(f->rows[0].object, 1);
	assert_int_equal(f->rows[1].values[CYCLES], 12);
	assert_int_equal(f->rows[1].instructions, 2);
	assert_int_equal(f->rows[2].object, PMS_PROFILE_NONE);
	assert_int_equal(f->rows[3].address, 0x14);
	assert_string_equal(f->rows[3].function, "[unknown]");
	assert_null(f->rows[2].function);
	pms_fold_free(f);
	f = fold_by(p, NULL, PMS_FOLD_OBJECT, "lost");
	assert_int_equal(f->n_rows, 3);
	assert_int_equal(f->rows[0].object, 0);
	assert_int_equal(f->rows[0].values[CYCLES], 13);
	pms_fold_free(f);
	f = fold_by(p, NULL, PMS_FOLD_THREAD, NULL);
	assert_int_equal(f->n_rows, 2);
	assert_int_equal(f->rows[0].thread, 0);
	assert_int_equal(f->rows[0].values[CYCLES], 27);
	assert_int_equal(f->rows[1].values[CYCLES], 8);
	pms_fold_free(f);
	pms_profile_free(p);
}

static void whatever_rows_are_put_together_by_the_sums_stay(void **state)
{
	(void)state;
	struct pms_profile *p = small();
	for (int by = 0; by < PMS_FOLDS; by++) {
		struct pms_fold *f = fold_by(p, NULL, (enum pms_fold_by)by, NULL);
		for (size_t k = 0; k < KINDS; k++) {
			uint64_t sum = 0;
			for (size_t i = 0; i < f->n_rows; i++)
				sum += f->rows[i].values[k];
			assert_int_equal(sum, pms_profile_sum(p, k));
			assert_int_equal(f->totals[k], sum);
			assert_int_equal(f->kept[k], sum);
		}
		pms_fold_free(f);
	}
	pms_profile_free(p);
}

static int only_first_thread(void *context, const struct pms_profile *p, size_t row,
			     const struct pms_symbol *symbol)
{
	(void)context;
	(void)symbol;
	return p->rows[row].place.thread == 0;
}

static void rows_that_are_not_picked_stay_in_the_totals(void **state)
{
	(void)state;
	struct pms_profile *p = small();
	const struct pms_fold_options options = { .by = PMS_FOLD_OBJECT,
						  .pick = only_first_thread };
	struct pms_fold *f = NULL;
	assert_int_equal(pms_fold_make(p, NULL, &options, &f, NULL), 0);
	assert_int_equal(f->totals[CYCLES], 35);
	assert_int_equal(f->kept[CYCLES], 27);
	assert_int_equal(f->rows[1].values[CYCLES], 5);
	pms_fold_free(f);
	pms_profile_free(p);
}

static void measures_are_kinds_and_sums_of_slots(void **state)
{
	(void)state;
	struct pms_profile *p = small();
	struct pms_error err = { 0 };
	const uint64_t values[KINDS] = { 10, 4, 8, 16, 3 };
	assert_int_equal(pms_profile_measures(p), KINDS + 6);
	const struct {
		const char *name;
		uint64_t value;
	} want[] = { { "l1d_refill", 3 },    { "slots", 28 },	       { "lost", 24 },
		     { "retiring", 4 },	     { "bad_speculation", 0 }, { "frontend_bound", 8 },
		     { "backend_bound", 16 } };
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		int m = pms_profile_measure_find(p, want[i].name, NULL);
		assert_true(m >= 0);
		assert_int_equal(pms_profile_measure_get(p, values, (size_t)m), want[i].value);
	}
	assert_int_equal(pms_profile_slots(p, values, PMS_PROFILE_FRONTEND), 8);
	assert_int_equal(pms_profile_lost(p, values), 24);
	assert_int_equal(pms_profile_worst(p, values), ROB);
	const uint64_t none[KINDS] = { 1, 1 };
	assert_int_equal(pms_profile_worst(p, none), PMS_PROFILE_NONE);
	assert_int_equal(pms_profile_measure_find(p, "cycle", &err), -PMS_ENAME);
	assert_string_equal(err.hint, "did you mean cycles?");
	pms_profile_free(p);
}

static void names_are_found(void **state)
{
	(void)state;
	enum pms_fold_by by;
	for (int i = 0; i < PMS_FOLDS; i++) {
		assert_true(pms_fold_by_find(pms_fold_by_name((enum pms_fold_by)i), &by));
		assert_int_equal(by, i);
	}
	assert_false(pms_fold_by_find("pc", &by));
}

/* Beside binutils ------------------------------------------------------------------------------ */

enum { MOST = 4096 };

/* What is expected of a group. */
struct want {
	char name[512];
	uint64_t sum;
};

static void add_want(struct want *want, size_t *n, const char *name, uint64_t value)
{
	size_t i = 0;
	while (i < *n && strcmp(want[i].name, name) != 0)
		i++;
	assert_true(i < MOST);
	if (i == *n)
		snprintf(want[(*n)++].name, sizeof(want[0].name), "%s", name);
	want[i].sum += value;
}

__attribute__((format(printf, 1, 2))) static FILE *run(const char *format, ...)
{
	char command[4096];
	va_list args;
	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	FILE *pipe = popen(command, "r");
	assert_non_null(pipe);
	return pipe;
}

static const char *short_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Give the instruction at each 4 bytes of the program's own functions its number as a value; say
 * what the functions come to, by nm. */
static size_t fill(struct pms_profile *p, const char *prefix, struct want *want)
{
	unsigned long long start, size;
	char name[256], letter;
	size_t n = 0;
	uint64_t number = 0;
	FILE *nm = run("%snm -C -S %s/program", prefix, scratch);
	char line[512];
	while (fgets(line, sizeof(line), nm)) {
		if (sscanf(line, "%llx %llx %c %255s", &start, &size, &letter, name) != 4 ||
		    (letter | 32) != 't' || !strncmp(name, "__", 2) || strchr(name, 0x2e) ||
		    !strcmp(name, "_start"))
			continue;
		for (uint64_t at = start; at < start + size; at += 4) {
			put(p, 0, at, PMS_PROFILE_NONE, CYCLES, ++number);
			add_want(want, &n, name, number);
		}
	}
	pclose(nm);
	assert_true(n >= 3);
	return n;
}

/* What lines come to, by addr2line: the innermost function of each, and its line. */
static size_t lines_wanted(const struct pms_profile *p, const char *prefix, struct want *want)
{
	char path[64], line[1024], function[1024] = "", name[2100];
	size_t n = 0, row = 0;
	snprintf(path, sizeof(path), "%s/addresses", scratch);
	FILE *addresses = fopen(path, "w");
	assert_non_null(addresses);
	for (size_t i = 0; i < p->n_rows; i++)
		fprintf(addresses, "0x%llx\n", (unsigned long long)p->rows[i].place.address);
	fclose(addresses);
	/* An address, then two lines for each frame: the first frame is the innermost. */
	FILE *lines = run("%saddr2line -C -a -f -i -e %s/program < %s", prefix, scratch, path);
	for (int at = 0; fgets(line, sizeof(line), lines); at++) {
		line[strcspn(line, "\n")] = 0;
		if (!strncmp(line, "0x", 2))
			at = 0;
		if (at == 1)
			snprintf(function, sizeof(function), "%s", line);
		if (at != 2)
			continue;
		line[strcspn(line, " ")] = 0; /* "(discriminator 2)" */
		int known = line[0] && line[strlen(line) - 1] != '?' &&
			    line[0] != '?'; /* "crti.o:?", "??:0" */
		snprintf(name, sizeof(name), "%s%s%s", function, known ? " " : "",
			 known ? short_name(line) : "");
		add_want(want, &n, name, pms_profile_value(p, row++, CYCLES));
	}
	pclose(lines);
	assert_int_equal(row, p->n_rows);
	return n;
}

static void compare(const struct pms_fold *f, const struct want *want, size_t n)
{
	assert_int_equal(f->n_rows, n);
	for (size_t i = 0; i < f->n_rows; i++) {
		const struct pms_fold_row *row = &f->rows[i];
		char name[512];
		size_t w = 0;
		if (f->by == PMS_FOLD_LINE && row->file)
			snprintf(name, sizeof(name), "%s %s:%u", row->function,
				 short_name(row->file), row->line);
		else
			snprintf(name, sizeof(name), "%s", row->function);
		while (w < n && strcmp(want[w].name, name) != 0)
			w++;
		if (w == n)
			fail_msg("%s is not expected", name);
		if (want[w].sum != row->values[CYCLES])
			fail_msg("%s has %llu, not %llu", name,
				 (unsigned long long)row->values[CYCLES],
				 (unsigned long long)want[w].sum);
	}
}

static void functions_and_lines_are_those_of_binutils(void **state)
{
	(void)state;
	static const struct {
		const char *compiler, *prefix, *flags;
	} builds[] = {
		{ "aarch64-linux-gnu-gcc", "aarch64-linux-gnu-", "-O2 -g" },
		{ "aarch64-linux-gnu-gcc", "aarch64-linux-gnu-",
		  "-O0 -g -static -nostdlib -emain" },
		{ "gcc", "", "-O2 -g -no-pie" },
	};
	char path[64];
	static struct want functions[MOST], lines[MOST];
	snprintf(path, sizeof(path), "%s/program", scratch);
	for (size_t b = 0; b < sizeof(builds) / sizeof(builds[0]); b++) {
		FILE *build = run("%s %s -w -o %s %s/tests/symbol/program.c", builds[b].compiler,
				  builds[b].flags, path, PMS_SOURCE);
		assert_int_equal(pclose(build), 0);
		struct pms_profile *p = profile_new();
		struct pms_symbols *symbols = NULL;
		const struct pms_object object = { .kind = PMS_OBJECT_FILE, .path = path };
		assert_int_equal(pms_profile_add_object(p, &object), 0);
		assert_int_equal(pms_symbols_open(NULL, &symbols, NULL), 0);
		memset(functions, 0, sizeof(functions));
		memset(lines, 0, sizeof(lines));
		size_t n = fill(p, builds[b].prefix, functions);
		struct pms_fold *f = fold_by(p, symbols, PMS_FOLD_FUNCTION, NULL);
		compare(f, functions, n);
		pms_fold_free(f);
		n = lines_wanted(p, builds[b].prefix, lines);
		f = fold_by(p, symbols, PMS_FOLD_LINE, NULL);
		compare(f, lines, n);
		pms_fold_free(f);
		pms_symbols_close(symbols);
		pms_profile_free(p);
	}
}

static int make_scratch(void **state)
{
	(void)state;
	return !mkdtemp(scratch);
}

static int remove_scratch(void **state)
{
	(void)state;
	FILE *rm = run("rm -r %s", scratch);
	return pclose(rm);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_put_together),
		cmocka_unit_test(whatever_rows_are_put_together_by_the_sums_stay),
		cmocka_unit_test(rows_that_are_not_picked_stay_in_the_totals),
		cmocka_unit_test(measures_are_kinds_and_sums_of_slots),
		cmocka_unit_test(names_are_found),
		cmocka_unit_test(functions_and_lines_are_those_of_binutils),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
