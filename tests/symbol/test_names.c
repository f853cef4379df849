/* SPDX-License-Identifier: MIT */
/* Which symbol an address has, where symbols overlap, have no size, or are several at one place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../growth.h"
#include "../vcore/random.h"
#include "symbol/kallsyms.h"
#include "symbol/names.h"

/* Out of order, as symbol tables are. */
static const struct pms_name_at rows[] = {
	{ 0x300, 0x340, 0, "third", 13 },     { 0x100, 0x180, 0, "first", 13 },
	{ 0x100, 0x180, 0, "alias", 12 },     { 0x120, 0x120, 0, "label inside", 13 },
	{ 0x180, 0x180, 0, "no size", 13 },   { 0x200, 0x280, 0, "outer", 13 },
	{ 0x220, 0x240, 0, "nested", 11 },    { 0x400, 0x400, 0, "last", 13 },
	{ 0x300, 0x300, 0, "start mark", 3 }, { 0x300, 0x320, 0, "shorter", 13 },
};

static const struct {
	uint64_t address;
	const char *want; /* NULL: none */
} lookups[] = {
	{ 0xff, NULL },	      { 0x100, "first" },   { 0x120, "first" },	  { 0x17f, "first" },
	{ 0x180, "no size" }, { 0x1ff, "no size" }, { 0x200, "outer" },	  { 0x21f, "outer" },
	{ 0x220, "nested" },  { 0x23f, "nested" },  { 0x240, "outer" },	  { 0x27f, "outer" },
	{ 0x280, NULL },      { 0x300, "shorter" }, { 0x31f, "shorter" }, { 0x320, "third" },
	{ 0x33f, "third" },   { 0x340, NULL },	    { 0x400, "last" },	  { 0x4ff, "last" },
	{ 0x500, NULL },      { 0, NULL },	    { UINT64_MAX, NULL },
};

static void each_address_has_its_symbol(void **state)
{
	struct pms_symbol_names names = { 0 };
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(pms_names_add(&names, &rows[i]), 0);
	assert_int_equal(pms_names_settle(&names, 0x500), 0);
	for (size_t i = 0; i < sizeof(lookups) / sizeof(lookups[0]); i++) {
		const struct pms_name_at *found = pms_names_find(&names, lookups[i].address);
		const char *got = found ? found->name : NULL;
		if (!got != !lookups[i].want || (got && strcmp(got, lookups[i].want) != 0))
			fail_msg("%#llx: %s", (unsigned long long)lookups[i].address,
				 got ? got : "none");
	}
	pms_names_release(&names);
}

static void nothing_is_in_no_symbols(void **state)
{
	struct pms_symbol_names names = { 0 };
	(void)state;
	assert_int_equal(pms_names_settle(&names, 0x500), 0);
	assert_null(pms_names_find(&names, 0));
	pms_names_release(&names);
}

/* Of ranges that begin and end anywhere the one of the highest row counts. */
static void the_highest_row_counts(void **state)
{
	enum { MOST = 100 };
	uint64_t random = 31;
	(void)state;
	for (int round = 0; round < 300; round++) {
		struct pms_range drawn[MOST];
		struct pms_ranges ranges = { 0 };
		struct pms_cover cover;
		uint64_t span = 1 + random_below(&random, 60);
		size_t n = (size_t)random_below(&random, MOST);
		for (size_t i = 0; i < n; i++) {
			uint64_t low = random_below(&random, span);
			drawn[i] = (struct pms_range){ low, low + random_below(&random, span),
						       (uint32_t)random_below(&random, MOST) };
			assert_int_equal(
				pms_ranges_add(&ranges, drawn[i].low, drawn[i].high, drawn[i].row),
				0);
		}
		assert_int_equal(pms_cover_make(&cover, &ranges), 0);
		assert_null(ranges.rows);
		for (uint64_t at = 0; at < 2 * span + 2; at++) {
			uint32_t want = UINT32_MAX;
			for (size_t i = 0; i < n; i++)
				if (drawn[i].low <= at && at < drawn[i].high &&
				    (want == UINT32_MAX || drawn[i].row > want))
					want = drawn[i].row;
			assert_int_equal(pms_cover_find(&cover, at), want);
		}
		pms_cover_release(&cover);
	}
}

enum shape { BEHIND_THEIR_SECTION, ONE_OVER_ALL, NESTED, ALL_OF_ONE_NAME };

/* Symbols as no compiler writes them, and addresses that all of them may have. */
static void symbols_take_time_by_their_number(void **state)
{
	enum { N = 400000, LONG = 100000 };
	(void)state;
	growth_needs_a_fast_machine();
	char *name = malloc(LONG);
	assert_non_null(name);
	memset(name, 'n', LONG - 1);
	name[LONG - 1] = 0;
	for (enum shape shape = BEHIND_THEIR_SECTION; shape <= ALL_OF_ONE_NAME; shape++) {
		struct pms_symbol_names names = { 0 };
		size_t found = 0;
		for (uint64_t i = 0; i < N; i++) {
			struct pms_name_at row = { 0x1000 + 8 * i, 0x1001 + 8 * i, 0, name, 1 };
			if (shape == BEHIND_THEIR_SECTION)
				row = (struct pms_name_at){ 0x5000, 0x5000, 0x4000, name, 1 };
			if (shape == ALL_OF_ONE_NAME) {
				row.start = row.end = 0x1000;
				row.name = name + i % LONG;
			}
			if (shape == NESTED)
				row.end = 0x1000 + 16 * N - 8 * i;
			if (shape == ONE_OVER_ALL && !i)
				row.end = 0x1000 + 8 * N;
			assert_int_equal(pms_names_add(&names, &row), 0);
		}
		assert_int_equal(pms_names_settle(&names, 0x1000 + 16 * N), 0);
		for (uint64_t i = 0; i < N; i++) {
			uint64_t at = shape == NESTED ? 16 * N - 8 * i - 4 : 8 * i + 4;
			found += pms_names_find(&names, 0x1000 + at) != NULL;
		}
		assert_int_equal(found, shape == BEHIND_THEIR_SECTION ? 0 : N);
		pms_names_release(&names);
	}
	free(name);
}

/* A file of the test's, in /tmp until it is removed. */
static void write_file(char *path, const void *bytes, size_t size)
{
	strcpy(path, "/tmp/pmuscope-names-XXXXXX");
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	close(fd);
}

static void the_kernel_lists_its_symbols(void **state)
{
	static const char list[] = "0000000000000000 A fixed_percpu_data\n"
				   "ffff800008000000 T _text\n"
				   "ffff800008010000 t do_idle\n"
				   "ffff800008010000 t $x\n"
				   "ffff800008010400 W schedule\n"
				   "\n"
				   "not a line\n"
				   "ffff800009000000 D jiffies\n"
				   "ffff800001000000 t probe\t[some_module]\n";
	static const struct {
		uint64_t address;
		const char *want;
	} where[] = {
		{ 0xffff800008010004, "do_idle" }, { 0xffff800008010404, "schedule" },
		{ 0xffff800009000010, "jiffies" }, { 0xffff800001000010, "probe" },
		{ 0xffff800008000010, "_text" },
	};
	struct pms_kallsyms k = { 0 };
	char path[64];
	(void)state;
	write_file(path, list, sizeof(list) - 1);
	assert_int_equal(pms_kallsyms_read(&k, path), 0);
	unlink(path);
	for (size_t i = 0; i < sizeof(where) / sizeof(where[0]); i++) {
		const struct pms_name_at *found = pms_names_find(&k.names, where[i].address);
		assert_non_null(found);
		assert_string_equal(found->name, where[i].want);
	}
	assert_null(pms_names_find(&k.names, 0x1000));
	pms_kallsyms_release(&k);
}

/* As "--kallsyms <(ssh HOST cat /proc/kallsyms)" gives it. */
static void a_list_may_come_through_a_pipe(void **state)
{
	struct pms_kallsyms k = { 0 };
	char path[64];
	int ends[2];
	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "ffff800008010000 T do_idle\n", 27), 27);
	close(ends[1]);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	assert_int_equal(pms_kallsyms_read(&k, path), 0);
	assert_non_null(pms_names_find(&k.names, 0xffff800008010000));
	pms_kallsyms_release(&k);
	close(ends[0]);
	assert_int_equal(pms_kallsyms_read(&k, "/dev/zero"), 0); /* a device */
	assert_int_equal(k.names.count, 0);
}

static void a_list_that_hides_its_addresses_has_none(void **state)
{
	static const char list[] = "0000000000000000 T _text\n0000000000000000 t do_idle\n";
	struct pms_kallsyms k = { 0 };
	char path[64];
	(void)state;
	write_file(path, list, sizeof(list) - 1);
	assert_int_equal(pms_kallsyms_read(&k, path), 0);
	assert_int_equal(k.names.count, 0);
	unlink(path);
	pms_kallsyms_release(&k);
	assert_int_equal(pms_kallsyms_read(&k, path), 0); /* not there */
	assert_int_equal(k.names.count, 0);
	pms_kallsyms_release(&k);
}

static void the_running_kernel_is_known_by_its_build_id(void **state)
{
	/* Two notes: Linux' own (type 0x100) and the build-id (type 3), of 20 bytes. */
	static const uint8_t notes[] = { 6,   0,   0,	0,   1,	  0,  0,  0,  0,  1,  0,  0,
					 'L', 'i', 'n', 'u', 'x', 0,  0,  0,  9,  0,  0,  0,
					 4,   0,   0,	0,   20,  0,  0,  0,  3,  0,  0,  0,
					 'G', 'N', 'U', 0,   1,	  2,  3,  4,  5,  6,  7,  8,
					 9,   10,  11,	12,  13,  14, 15, 16, 17, 18, 19, 20 };
	struct pms_object kernel = { .kind = PMS_OBJECT_KERNEL, .path = "[kernel.kallsyms]_text" };
	char path[64];
	(void)state;
	kernel.build_id_size = 20;
	for (uint8_t i = 0; i < 20; i++)
		kernel.build_id[i] = (uint8_t)(i + 1);
	write_file(path, notes, sizeof(notes));
	assert_true(pms_kallsyms_is_running(&kernel, path));
	kernel.build_id[19] ^= 1;
	assert_false(pms_kallsyms_is_running(&kernel, path));
	kernel.build_id[19] ^= 1;
	assert_int_equal(truncate(path, sizeof(notes) - 1), 0);
	assert_false(pms_kallsyms_is_running(&kernel, path));
	unlink(path);
	assert_false(pms_kallsyms_is_running(&kernel, path));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_address_has_its_symbol),
		cmocka_unit_test(nothing_is_in_no_symbols),
		cmocka_unit_test(the_highest_row_counts),
		cmocka_unit_test(symbols_take_time_by_their_number),
		cmocka_unit_test(the_kernel_lists_its_symbols),
		cmocka_unit_test(a_list_may_come_through_a_pipe),
		cmocka_unit_test(a_list_that_hides_its_addresses_has_none),
		cmocka_unit_test(the_running_kernel_is_known_by_its_build_id),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
