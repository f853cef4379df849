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
	struct pms_names names = { 0 };
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(pms_names_add(&names, &rows[i]), 0);
	pms_names_settle(&names, 0x500);
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
	struct pms_names names = { 0 };
	(void)state;
	pms_names_settle(&names, 0x500);
	assert_null(pms_names_find(&names, 0));
	pms_names_release(&names);
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
		cmocka_unit_test(the_kernel_lists_its_symbols),
		cmocka_unit_test(a_list_that_hides_its_addresses_has_none),
		cmocka_unit_test(the_running_kernel_is_known_by_its_build_id),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
