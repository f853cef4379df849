/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "elf_image.h"
#include "machine/elf.h"

/* A copy of exactly @size bytes, so that a sanitizer sees a read past its end. */
static int parse(const struct image *image, size_t size, struct pms_elf *out, struct pms_error *err)
{
	uint8_t *copy = test_malloc(size ? size : 1);
	memcpy(copy, image->bytes, size);
	int rc = pms_elf_parse(copy, size, out, err);
	test_free(copy);
	return rc;
}

static int defines(const struct image *image, size_t size, const char *symbol)
{
	uint8_t *copy = test_malloc(size ? size : 1);
	memcpy(copy, image->bytes, size);
	int rc = pms_elf_defines(copy, size, symbol);
	test_free(copy);
	return rc;
}

static void static_program(void **state)
{
	(void)state;
	struct image image;
	struct pms_elf elf;
	image_header(&image, 2, 183);
	assert_int_equal(parse(&image, 64, &elf, NULL), 0);
	assert_int_equal(elf.kind, PMS_FILE_ELF);
	assert_int_equal(elf.bits, 64);
	assert_false(elf.big_endian);
	assert_int_equal(elf.machine, 183);
	assert_int_equal(elf.type, 2);
	assert_string_equal(elf.interp, "");
}

static void dynamic_program(void **state)
{
	(void)state;
	struct image image;
	struct pms_elf elf;
	image_header(&image, 3, 183);
	image_interp(&image, "/lib/ld.so", 11);
	assert_int_equal(parse(&image, 139, &elf, NULL), 0);
	assert_int_equal(elf.type, 3);
	assert_string_equal(elf.interp, "/lib/ld.so");
}

static void segments_are_in_the_file(void **state)
{
	(void)state;
	struct image image;
	struct pms_elf elf;
	struct pms_error err = { 0 };
	image_header(&image, 2, 183);
	image_interp(&image, "/lib/ld.so", 11);
	put(&image, 64, 1, 4); /* PT_LOAD, of bytes 128 to 138 */
	assert_int_equal(parse(&image, 139, &elf, NULL), 0);
	assert_int_equal(parse(&image, 138, &elf, &err), -PMS_EPARSE);
	assert_non_null(strstr(err.text, "cut short"));
	put(&image, 64 + 8, UINT64_MAX, 8);
	assert_int_equal(parse(&image, 139, &elf, NULL), -PMS_EPARSE);
	put(&image, 64 + 32, 0, 8); /* no bytes, as of .bss alone */
	assert_int_equal(parse(&image, 139, &elf, NULL), 0);
}

static void other_machines(void **state)
{
	(void)state;
	struct image image;
	struct pms_elf elf;
	image_header(&image, 2, 62);
	assert_int_equal(parse(&image, 64, &elf, NULL), 0);
	assert_string_equal(pms_elf_machine_name(elf.machine), "x86-64");
	image.bytes[5] = 2; /* big-endian: the machine's bytes the other way round */
	image.bytes[18] = 0;
	image.bytes[19] = 183;
	assert_int_equal(parse(&image, 64, &elf, NULL), 0);
	assert_true(elf.big_endian);
	assert_int_equal(elf.machine, 183);
	image_header(&image, 2, 40);
	image.bytes[4] = 1; /* 32 bits: no further than the machine */
	assert_int_equal(parse(&image, 20, &elf, NULL), 0);
	assert_int_equal(elf.bits, 32);
	assert_string_equal(pms_elf_machine_name(elf.machine), "32-bit Arm");
	assert_null(pms_elf_machine_name(9999));
}

static void files_that_are_no_elf(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		enum pms_file_kind kind;
		const char *interp;
	} cases[] = {
		{ "", PMS_FILE_OTHER, "" },
		{ "\177EL", PMS_FILE_OTHER, "" },
		{ "hello", PMS_FILE_OTHER, "" },
		{ "#", PMS_FILE_OTHER, "" },
		{ "#!", PMS_FILE_SCRIPT, "" },
		{ "#!/bin/sh\n", PMS_FILE_SCRIPT, "/bin/sh" },
		{ "#! \t/usr/bin/env python3\n", PMS_FILE_SCRIPT, "/usr/bin/env" },
		{ "#!/bin/sh", PMS_FILE_SCRIPT, "/bin/sh" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct image image = { { 0 } };
		struct pms_elf elf;
		size_t size = strlen(cases[i].bytes);
		memcpy(image.bytes, cases[i].bytes, size);
		assert_int_equal(parse(&image, size, &elf, NULL), 0);
		assert_int_equal(elf.kind, cases[i].kind);
		assert_string_equal(elf.interp, cases[i].interp);
	}
	struct image script;
	struct pms_elf elf;
	memset(script.bytes, 'x', sizeof(script.bytes));
	memcpy(script.bytes, "#!", 2);
	assert_int_equal(parse(&script, IMAGE_SIZE, &elf, NULL), 0);
	assert_int_equal(strlen(elf.interp), sizeof(elf.interp) - 1);
}

/* Change one field of a dynamic program, or cut it, and see what is said. */
static void hostile_headers(void **state)
{
	(void)state;
	static const struct {
		size_t at, width;
		uint64_t value;
		size_t size;
		const char *text;
	} cases[] = {
		{ 0, 0, 0, 4, "cut short" },
		{ 0, 0, 0, 19, "cut short" },
		{ 0, 0, 0, 63, "cut short" },
		{ 0, 0, 0, 119, "program headers" },	       /* last byte of the header gone */
		{ 32, 8, UINT64_MAX, 139, "program headers" }, /* e_phoff */
		{ 32, 8, UINT64_MAX - 55, 139, "program headers" }, /* wraps to 0 with the size */
		{ 54, 2, 55, 139, "program headers" },		    /* e_phentsize too small */
		{ 54, 2, 0, 139, "program headers" },
		{ 56, 2, 0xffff, 139, "program headers" },   /* e_phnum */
		{ 64 + 8, 8, UINT64_MAX, 139, "PT_INTERP" }, /* p_offset */
		{ 64 + 8, 8, UINT64_MAX - 10, 139, "PT_INTERP" },
		{ 64 + 32, 8, UINT64_MAX, 139, "PT_INTERP" }, /* p_filesz */
		{ 0, 0, 0, 138, "PT_INTERP" },
		{ 64 + 32, 8, 0, 139, "interpreter" },
		{ 64 + 32, 8, 10, 139, "interpreter" },		/* without its terminator */
		{ 64 + 32, 8, 257, IMAGE_SIZE, "interpreter" }, /* one too long */
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct image image;
		struct pms_elf elf;
		struct pms_error err = { 0 };
		image_header(&image, 3, 183);
		image_interp(&image, "/lib/ld.so", 11);
		put(&image, cases[i].at, cases[i].value, cases[i].width);
		int rc = parse(&image, cases[i].size, &elf, &err);
		if (rc != -PMS_EPARSE || !strstr(err.text, cases[i].text))
			fail_msg("case %zu: rc %d, \"%s\"", i, rc, err.text);
	}
}

static void longest_interpreter(void **state)
{
	(void)state;
	struct image image;
	struct pms_elf elf;
	image_header(&image, 3, 183);
	image_interp(&image, "x", 256);
	memset(image.bytes + 128, 'i', 255);
	assert_int_equal(parse(&image, 128 + 256, &elf, NULL), 0);
	assert_int_equal(strlen(elf.interp), 255);
}

static void symbols_are_found(void **state)
{
	(void)state;
	struct image image;
	image_header(&image, 3, 62);
	image_symbol(&image, "plugin", 7);
	assert_int_equal(defines(&image, IMAGE_SIZE, "plugin"), 1);
	assert_int_equal(defines(&image, IMAGE_SIZE, "plugi"), 0);
	assert_int_equal(defines(&image, IMAGE_SIZE, "plugins"), 0);
	/* Up to the terminator of the name and no byte more. */
	assert_int_equal(defines(&image, 769 + 7, "plugin"), 1);
	image_symbol(&image, "plugin", 0); /* wanted from elsewhere */
	assert_int_equal(defines(&image, IMAGE_SIZE, "plugin"), 0);
}

static void hostile_sections(void **state)
{
	(void)state;
	static const struct {
		size_t at, width;
		uint64_t value;
		size_t size;
	} cases[] = {
		{ 0, 0, 0, 0 },
		{ 0, 0, 0, 63 },
		{ 0, 0, 0, 383 },			/* section headers cut */
		{ 0, 0, 0, 559 },			/* symbols cut */
		{ 0, 0, 0, 775 },			/* strings cut */
		{ 40, 8, UINT64_MAX - 63, IMAGE_SIZE }, /* e_shoff */
		{ 58, 2, 63, IMAGE_SIZE },		/* e_shentsize */
		{ 60, 2, 0xffff, IMAGE_SIZE },		/* e_shnum */
		{ 60, 2, 0, IMAGE_SIZE },
		{ 256 + 32, 8, UINT64_MAX, IMAGE_SIZE }, /* sh_size of the symbols */
		{ 256 + 32, 8, 47, IMAGE_SIZE },	 /* the second symbol is cut */
		{ 256 + 40, 4, 2, IMAGE_SIZE },		 /* sh_link */
		{ 320 + 24, 8, UINT64_MAX, IMAGE_SIZE }, /* sh_offset of the strings */
		{ 320 + 32, 8, 7, IMAGE_SIZE },		 /* the name's terminator is outside */
		{ 512 + 24, 4, UINT32_MAX, IMAGE_SIZE }, /* st_name */
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct image image;
		image_header(&image, 3, 62);
		image_symbol(&image, "plugin", 7);
		put(&image, cases[i].at, cases[i].value, cases[i].width);
		if (defines(&image, cases[i].size, "plugin") != 0)
			fail_msg("case %zu", i);
	}
}

static void files_on_disk(void **state)
{
	(void)state;
	struct pms_elf elf;
	struct pms_error err = { 0 };
	assert_int_equal(pms_elf_read("/no/such/file", &elf, &err), -PMS_EIO);
	assert_string_equal(err.source, "/no/such/file");
	err = (struct pms_error){ 0 };
	assert_int_equal(pms_elf_read("/", &elf, &err), -PMS_EIO);
	assert_non_null(strstr(err.text, "regular"));
	assert_int_equal(pms_elf_read("/dev/null", &elf, NULL), -PMS_EIO);
	assert_int_equal(pms_elf_read("/proc/self/exe", &elf, NULL), 0);
	assert_int_equal(elf.kind, PMS_FILE_ELF);
}

/* Somebody may shorten the file when it is open: what is not there any more is not read. */
static void a_file_that_is_shortened(void **state)
{
	(void)state;
	struct image image;
	struct pms_elf elf;
	struct pms_file file;
	struct pms_error err = { 0 };
	char path[] = "/tmp/pmuscope-elf-XXXXXX";
	image_header(&image, 3, 62);
	image_symbol(&image, "plugin", 7);
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, image.bytes, sizeof(image.bytes)), sizeof(image.bytes));
	assert_int_equal(pms_file_open(path, &file, &err), 0);
	assert_int_equal(pms_file_identify(&file, &elf, &err), 0);
	assert_int_equal(elf.machine, 62);
	assert_int_equal(pms_file_defines(&file, "plugin"), 1);
	assert_int_equal(ftruncate(fd, 20), 0);
	assert_int_equal(pms_file_identify(&file, &elf, &err), -PMS_EPARSE);
	assert_non_null(strstr(err.text, "cut short"));
	assert_int_equal(pms_file_defines(&file, "plugin"), 0);
	pms_file_close(&file);
	close(fd);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(static_program),	    cmocka_unit_test(dynamic_program),
		cmocka_unit_test(segments_are_in_the_file), cmocka_unit_test(other_machines),
		cmocka_unit_test(files_that_are_no_elf),    cmocka_unit_test(hostile_headers),
		cmocka_unit_test(longest_interpreter),	    cmocka_unit_test(symbols_are_found),
		cmocka_unit_test(hostile_sections),	    cmocka_unit_test(files_on_disk),
		cmocka_unit_test(a_file_that_is_shortened),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
