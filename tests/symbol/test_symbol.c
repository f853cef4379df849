/* SPDX-License-Identifier: MIT */
/* Programs are compiled here, for this machine and for arm64, and every instruction of theirs is
 * looked up: the same functions, files, lines and inlined calls as binutils' addr2line gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "pmuscope/symbol.h"

static char scratch[] = "/tmp/pmuscope-symbol-XXXXXX";

/* Runs a command of the shell in the scratch directory; whether it ended well. */
__attribute__((format(printf, 1, 2))) static int shell(const char *format, ...)
{
	char command[4096];
	int n = snprintf(command, sizeof(command), "cd %s && ", scratch);
	va_list args;
	va_start(args, format);
	vsnprintf(command + n, sizeof(command) - (size_t)n, format, args);
	va_end(args);
	return !system(command);
}

/* What a command prints, up to 4 MiB. */
static char *output_of(const char *command)
{
	enum { MOST = 4 << 20 };
	FILE *pipe = popen(command, "r");
	char *text = malloc(MOST);
	assert_non_null(pipe);
	assert_non_null(text);
	size_t n = fread(text, 1, MOST - 1, pipe);
	text[n] = 0;
	pclose(pipe);
	return text;
}

/* Tools of one architecture, and how the program is to be built. */
static const struct build {
	const char *name, *compiler, *prefix, *flags;
	int as; /* index of a build of the same code that addr2line reads, if it cannot this one */
} builds[] = {
	{ "native", "gcc", "", "-O2 -g", 0 },
	{ "native-dwarf4", "gcc", "", "-O2 -gdwarf-4 -no-pie", 1 },
	{ "native-split", "gcc", "", "-O2 -g -gsplit-dwarf", 0 },
	{ "arm64", "aarch64-linux-gnu-gcc", "aarch64-linux-gnu-", "-O2 -g", 3 },
	{ "arm64-static", "aarch64-linux-gnu-gcc", "aarch64-linux-gnu-",
	  "-O2 -g -static -nostdlib -Wl,-emain", 4 },
	{ "arm64-O0", "aarch64-linux-gnu-gcc", "aarch64-linux-gnu-", "-O0 -g", 5 },
	/* Without .debug_aranges. */
	{ "clang", "clang", "", "-O2 -g", 6 },
};

enum { BUILDS = sizeof(builds) / sizeof(builds[0]) };

static int build(const struct build *b)
{
	return shell(
		"command -v %s >/dev/null && %s %s -fno-ipa-icf -o %s %s/tests/symbol/program.c "
		"2>log",
		b->compiler, b->compiler, b->flags, b->name, PMS_SOURCE);
}

/* Offset in the file of the address: by the first segment that has code, as objdump prints it. */
static int64_t text_bias(const struct build *b)
{
	char command[512];
	snprintf(command, sizeof(command),
		 "%sreadelf -lW %s/%s | awk '$1 == \"LOAD\" && / R E /{ print $2, $3; exit }'",
		 b->prefix, scratch, b->name);
	char *text = output_of(command);
	unsigned long long offset, address;
	assert_int_equal(sscanf(text, "%llx %llx", &offset, &address), 2);
	free(text);
	return (int64_t)(address - offset);
}

static void append_frame(char *text, size_t size, const char *function, const char *file,
			 unsigned line)
{
	size_t n = strlen(text);
	const char *name = strrchr(file, '/');
	name = name ? name + 1 : file;
	if (line)
		snprintf(text + n, size - n, "%s %s:%u\n", function, name, line);
	else
		snprintf(text + n, size - n, "%s %s:?\n", function, name);
}

/* What addr2line says of an address: "function file:line" for each frame. */
static void their_frames(const struct build *b, uint64_t address, char *out, size_t size)
{
	char command[512], function[256], place[1024];
	snprintf(command, sizeof(command), "%saddr2line -i -f -e %s/%s 0x%llx", b->prefix, scratch,
		 b->name, (unsigned long long)address);
	char *text = output_of(command), *at = text;
	int n;
	out[0] = 0;
	while (sscanf(at, "%255[^\n]\n%1023[^\n]\n%n", function, place, &n) == 2) {
		char *colon = strrchr(place, ':');
		assert_non_null(colon);
		*colon = 0;
		append_frame(out, size, function, place, (unsigned)strtoul(colon + 1, NULL, 10));
		at += n;
	}
	free(text);
}

static void our_frames(struct pms_symbols *symbols, const struct pms_object *object,
		       uint64_t offset, char *out, size_t size)
{
	struct pms_place place = { .object = object, .offset = offset };
	struct pms_symbol symbol;
	assert_int_equal(pms_symbols_find(symbols, &place, &symbol), 0);
	out[0] = 0;
	for (size_t i = 0; i < symbol.n_frames; i++)
		append_frame(out, size, symbol.frames[i].function, symbol.frames[i].file,
			     symbol.frames[i].line);
}

/* The beginnings and sizes of the functions that are the program's own, in its file. */
static size_t own_functions(const struct build *b, uint64_t (*ranges)[2], size_t most)
{
	char command[512];
	unsigned long long start, length;
	size_t n = 0;
	snprintf(command, sizeof(command),
		 "%snm -S %s/%s | awk '/ [tT] (main|work|hidden)$/{ print $1, $2 }'", b->prefix,
		 scratch, b->name);
	char *text = output_of(command), *line, *rest;
	for (line = strtok_r(text, "\n", &rest); line && n < most;
	     line = strtok_r(NULL, "\n", &rest), n++) {
		assert_int_equal(sscanf(line, "%llx %llx", &start, &length), 2);
		ranges[n][0] = start;
		ranges[n][1] = length;
	}
	free(text);
	return n;
}

static void every_instruction_is_where_addr2line_finds_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < BUILDS; i++) {
		const struct build *b = &builds[i];
		char path[512], theirs[4096], ours[4096];
		uint64_t ranges[3][2], as[3][2];
		struct pms_symbols *symbols;
		unsigned inlined = 0;
		if (!build(b)) {
			assert_string_equal(b->name, "clang"); /* the others are always there */
			continue;
		}
		snprintf(path, sizeof(path), "%s/%s", scratch, b->name);
		struct pms_object object = { .kind = PMS_OBJECT_FILE, .path = path };
		int64_t bias = text_bias(b);
		size_t n = own_functions(b, ranges, 3);
		assert_true(n >= 2);
		assert_int_equal(own_functions(&builds[b->as], as, 3), n);
		assert_int_equal(pms_symbols_open(NULL, &symbols, NULL), 0);
		for (size_t f = 0; f < n; f++)
			for (uint64_t at = 0; at < ranges[f][1]; at += 4) {
				uint64_t address = ranges[f][0] + at;
				their_frames(&builds[b->as], as[f][0] + at, theirs, sizeof(theirs));
				our_frames(symbols, &object, address - (uint64_t)bias, ours,
					   sizeof(ours));
				if (strcmp(theirs, ours))
					fail_msg("%s at %#llx:\n%s---\n%s", b->name,
						 (unsigned long long)address, theirs, ours);
				inlined += strchr(ours, '\n')[1] != 0;
			}
		assert_true(inlined > 5);
		assert_int_equal(pms_symbols_state(symbols, &object), PMS_SYMBOLS_LINES);
		pms_symbols_close(symbols);
	}
}

static int make_scratch(void **state)
{
	(void)state;
	return mkdtemp(scratch) ? 0 : -1;
}

static int remove_scratch(void **state)
{
	char command[128];
	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", scratch);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_instruction_is_where_addr2line_finds_it),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
