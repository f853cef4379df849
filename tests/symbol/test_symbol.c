/* SPDX-License-Identifier: MIT */
/* Programs are compiled here, for this machine and for arm64, and every instruction of theirs is
 * looked up: the same functions, files, lines and inlined calls as binutils' addr2line gives. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/limits.h"
#include "pmuscope/symbol.h"
#include "symbol/function.h"

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

/* Where a symbol of a build is: offset in the file of code. */
static uint64_t offset_of(const struct build *b, const char *name)
{
	char command[512];
	unsigned long long address;
	snprintf(command, sizeof(command), "%snm %s/%s | awk '$3 == \"%s\"{ print $1 }'", b->prefix,
		 scratch, b->name, name);
	char *text = output_of(command);
	assert_int_equal(sscanf(text, "%llx", &address), 1);
	free(text);
	return address - (uint64_t)text_bias(b);
}

static struct pms_symbol find(struct pms_symbols *symbols, const struct pms_object *object,
			      uint64_t offset)
{
	struct pms_place place = { .object = object, .offset = offset, .address = offset };
	struct pms_symbol symbol;
	assert_int_equal(pms_symbols_find(symbols, &place, &symbol), 0);
	return symbol;
}

static const struct build *arm64(void)
{
	for (size_t i = 0; i < BUILDS; i++)
		if (!strcmp(builds[i].name, "arm64"))
			return &builds[i];
	return NULL;
}

static void set_build_id(struct pms_object *object, const char *path)
{
	char command[512];
	snprintf(command, sizeof(command), "readelf -n %s | awk '/Build ID/{ print $3 }'", path);
	char *text = output_of(command);
	object->build_id_size = 20;
	for (size_t i = 0; i < 20; i++) {
		unsigned byte;
		assert_int_equal(sscanf(text + 2 * i, "%2x", &byte), 1);
		object->build_id[i] = (uint8_t)byte;
	}
	free(text);
}

static void names_are_shown_as_written(void **state)
{
	const struct build *b = arm64();
	char path[512];
	struct pms_symbols *symbols;
	(void)state;
	assert_true(build(b));
	snprintf(path, sizeof(path), "%s/%s", scratch, b->name);
	struct pms_object object = { .kind = PMS_OBJECT_FILE, .path = path };
	uint64_t offset = offset_of(b, "_ZN5space7writtenEi");
	assert_int_equal(pms_symbols_open(NULL, &symbols, NULL), 0);
	struct pms_symbol s = find(symbols, &object, offset + 4);
	/* Where there is no C++ library the name stays as it is. */
	if (strcmp(s.function, "_ZN5space7writtenEi") != 0)
		assert_string_equal(s.function, "space::written(int)");
	assert_int_equal(s.offset, 4);
	assert_int_equal(s.start, offset + (uint64_t)text_bias(b));
	assert_true(s.known);
	/* What was found is kept. */
	struct pms_symbol again = find(symbols, &object, offset + 4);
	assert_ptr_equal(again.frames, s.frames);
	pms_symbols_close(symbols);
}

static void linkage_stubs_and_what_is_nothing_are_said(void **state)
{
	const struct build *b = arm64();
	char path[512], command[600];
	unsigned long long stubs;
	struct pms_symbols *symbols;
	(void)state;
	assert_true(build(b));
	snprintf(path, sizeof(path), "%s/%s", scratch, b->name);
	snprintf(command, sizeof(command),
		 "%sreadelf -SW %s | sed 's/\\[ *//' | awk '$2 == \".plt\"{ print $5 }'", b->prefix,
		 path);
	char *text = output_of(command);
	assert_int_equal(sscanf(text, "%llx", &stubs), 1);
	free(text);
	struct pms_object object = { .kind = PMS_OBJECT_FILE, .path = path };
	assert_int_equal(pms_symbols_open(NULL, &symbols, NULL), 0);
	struct pms_symbol s = find(symbols, &object, stubs + 0x10);
	assert_string_equal(s.function, "[plt]");
	assert_false(s.known);
	s = find(symbols, &object, 1 << 30); /* behind the file's end */
	assert_string_equal(s.function, "[unknown]");
	assert_int_equal(s.n_frames, 0);
	pms_symbols_close(symbols);
}

/* Debug information that is in a file of its own, beside the stripped program. */
static void debug_information_is_found_elsewhere(void **state)
{
	const struct build *b = arm64();
	char path[512], symfs[512];
	struct pms_symbols *symbols;
	(void)state;
	assert_true(build(b));
	uint64_t offset = offset_of(b, "work");
	snprintf(path, sizeof(path), "%s/stripped", scratch);
	snprintf(symfs, sizeof(symfs), "%s/symfs", scratch);
	struct pms_object object = { .kind = PMS_OBJECT_FILE, .path = path };
	assert_true(shell("%sobjcopy --only-keep-debug arm64 apart.debug && "
			  "%sobjcopy -S arm64 stripped",
			  b->prefix, b->prefix));
	assert_int_equal(pms_symbols_open(NULL, &symbols, NULL), 0);
	assert_int_equal(find(symbols, &object, offset).n_frames, 0);
	assert_int_not_equal(pms_symbols_state(symbols, &object), PMS_SYMBOLS_LINES);
	pms_symbols_close(symbols);

	assert_true(shell("%sobjcopy --add-gnu-debuglink=apart.debug stripped", b->prefix));
	assert_int_equal(pms_symbols_open(NULL, &symbols, NULL), 0);
	assert_string_equal(find(symbols, &object, offset).function, "work");
	assert_int_equal(pms_symbols_state(symbols, &object), PMS_SYMBOLS_LINES);
	pms_symbols_close(symbols);

	/* By build-id, below symfs; the program as well, which is not where it was. */
	set_build_id(&object, path);
	char id[41];
	for (size_t i = 0; i < 20; i++)
		snprintf(id + 2 * i, 3, "%02x", object.build_id[i]);
	assert_true(shell("d=symfs/usr/lib/debug/.build-id/%.2s && mkdir -p $d && "
			  "mv apart.debug $d/%s.debug && mv stripped $d/%s",
			  id, id + 2, id + 2));
	const struct pms_symbols_options options = { .symfs = symfs };
	assert_int_equal(pms_symbols_open(&options, &symbols, NULL), 0);
	struct pms_symbol s = find(symbols, &object, offset);
	assert_string_equal(s.function, "work");
	assert_string_equal(s.frames[s.n_frames - 1].function, "work");
	assert_int_equal(pms_symbols_state(symbols, &object), PMS_SYMBOLS_LINES);
	pms_symbols_close(symbols);
}

/* Its function has a name that is in the supplementary file, by its offset there. */
static const char supplemented[] =
	".text\n.globl work, _start\n.type work, STT_FUNC\nwork: _start: .fill 16, 1, 0\n"
	".size work, 16\n"
	".section .debug_abbrev\n"
	".uleb128 1, 0x11\n.byte 1\n.uleb128 0x11, 1, 0x12, 7, 0, 0\n"
	".uleb128 2, 0x2e\n.byte 0\n.uleb128 3, 0x1f21, 0x11, 1, 0x12, 7, 0, 0, 0\n"
	".section .debug_info\n"
	".long 2f - 1f\n1: .short 4\n.long 0\n.byte 8\n"
	".uleb128 1\n.quad work, 16\n.uleb128 2\n.long 5\n.quad work, 16\n.byte 0\n2:\n"
	".section .gnu_debugaltlink\n.asciz \"%s\"\n.byte 1, 2, 3, 4\n";

static const char supplement[] = ".section .debug_str\n.asciz \"none\"\n.asciz \"aside\"\n"
				 ".section .debug_frame\n.byte 0\n";

static void write_text(const char *name, const char *text, const char *link)
{
	char path[512];
	snprintf(path, sizeof(path), "%s/%s", scratch, name);
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	fprintf(out, text, link);
	assert_int_equal(fclose(out), 0);
}

/* A file that libdw would map, below the scratch directory, and the program that it belongs to. */
static const struct {
	const char *program, *cut, *make;
	const char *like;     /* a program with the same code, and symbols */
	const char *function; /* of the frame */
} cuts[] = {
	{ "whole", "whole", "cp native whole", "native", "work" },
	{ "near", "near",
	  "objcopy --only-keep-debug native near.debug && "
	  "objcopy -S --add-gnu-debuglink=near.debug native near",
	  "native", "work" },
	{ "near", "near.debug",
	  "objcopy --only-keep-debug native near.debug && "
	  "objcopy -S --add-gnu-debuglink=near.debug native near",
	  "native", "work" },
	{ "summed", "summed.debug",
	  "gcc -O2 -g -fno-ipa-icf -Wl,--build-id=none -o all " PMS_SOURCE
	  "/tests/symbol/program.c && objcopy --only-keep-debug all summed.debug && "
	  "objcopy -S --add-gnu-debuglink=summed.debug all summed",
	  "all", "work" },
	{ "far", "tree/usr/lib/debug/far.debug",
	  "mkdir -p tree/usr/lib/debug && "
	  "objcopy --only-keep-debug native tree/usr/lib/debug/far.debug && "
	  "objcopy -S --add-gnu-debuglink=tree/usr/lib/debug/far.debug native far && "
	  "mkdir -p tree/$PWD && cp far tree/$PWD",
	  "native", "work" },
	{ "beside", "beside.alt",
	  "gcc -nostdlib -shared -Wl,--build-id=0x01020304 -o beside.alt supplement.s && "
	  "gcc -nostdlib -static -o beside beside.s",
	  "beside", "aside" },
	{ "native-split", "native-split-program.dwo", "true", "native-split", "work" },
};

/* What is cut while libdw reads, or afterwards, does no harm and is still known. */
static void a_file_may_be_cut_while_it_is_read(void **state)
{
	char path[512], name[512], tree[512];
	(void)state;
	assert_true(build(&builds[0]) && build(&builds[2]));
	write_text("supplement.s", supplement, "");
	write_text("beside.s", supplemented, "beside.alt");
	snprintf(tree, sizeof(tree), "%s/tree", scratch);
	for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
		int is_far = !strncmp(cuts[i].cut, "tree/", 5);
		const struct pms_symbols_options options = { .symfs = is_far ? tree : NULL };
		struct pms_symbols *symbols;
		assert_true(shell("%s", cuts[i].make));
		const struct build like = { cuts[i].like, "", "", "", 0 };
		uint64_t offset = offset_of(&like, "work");
		snprintf(path, sizeof(path), "%s/%s", scratch, cuts[i].program);
		snprintf(name, sizeof(name), "%s/%s", scratch, cuts[i].cut);
		struct pms_object object = { .kind = PMS_OBJECT_FILE, .path = path };
		assert_int_equal(pms_symbols_open(&options, &symbols, NULL), 0);
		if (pms_symbols_state(symbols, &object) != PMS_SYMBOLS_LINES)
			fail_msg("%s: not found", cuts[i].cut);
		assert_int_equal(truncate(name, 0), 0);
		struct pms_symbol found = find(symbols, &object, offset);
		assert_string_equal(found.function, "work");
		if (!found.n_frames ||
		    strcmp(found.frames[found.n_frames - 1].function, cuts[i].function) != 0)
			fail_msg("%s: %s", cuts[i].cut,
				 found.n_frames ? found.frames[0].function : "no frames");
		pms_symbols_close(symbols);
	}
}

/* ELF with so many segments, each with a variable at its beginning, and no other code or data. */
enum { SEGMENTS = PMS_MOST_LOADS + 1, SEGMENT = 0x1000 };

static uint64_t address_of_segment(size_t i)
{
	return 0x400000 + SEGMENT * (uint64_t)i;
}

static void write_segments(const char *path)
{
	static const char names[] = "\0variable\0.shstrtab";
	static struct {
		Elf64_Ehdr header;
		Elf64_Phdr segments[SEGMENTS];
		Elf64_Shdr sections[4];
		Elf64_Sym symbols[SEGMENTS + 1];
		char names[sizeof(names)];
	} file;
	const size_t at_names = offsetof(__typeof__(file), names);
	file.header = (Elf64_Ehdr){
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB,
			     EV_CURRENT },
		.e_type = ET_EXEC,
		.e_machine = EM_AARCH64,
		.e_version = EV_CURRENT,
		.e_phoff = offsetof(__typeof__(file), segments),
		.e_shoff = offsetof(__typeof__(file), sections),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = SEGMENTS,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 4,
		.e_shstrndx = 3
	};
	memcpy(file.names, names, sizeof(names));
	for (size_t i = 0; i < SEGMENTS; i++) {
		file.segments[i] = (Elf64_Phdr){ .p_type = PT_LOAD,
						 .p_flags = PF_R | PF_W,
						 .p_offset = SEGMENT * i,
						 .p_vaddr = address_of_segment(i),
						 .p_filesz = 16,
						 .p_memsz = 16,
						 .p_align = SEGMENT };
		file.symbols[i + 1] = (Elf64_Sym){ .st_name = 1,
						   .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
						   .st_shndx = 1,
						   .st_value = address_of_segment(i),
						   .st_size = 8 };
	}
	file.sections[1] = (Elf64_Shdr){ .sh_name = 1,
					 .sh_type = SHT_NOBITS,
					 .sh_flags = SHF_ALLOC,
					 .sh_addr = address_of_segment(0),
					 .sh_size = SEGMENT * SEGMENTS };
	file.sections[2] = (Elf64_Shdr){ .sh_name = 1,
					 .sh_type = SHT_SYMTAB,
					 .sh_offset = offsetof(__typeof__(file), symbols),
					 .sh_size = sizeof(file.symbols),
					 .sh_link = 3,
					 .sh_info = 1,
					 .sh_entsize = sizeof(Elf64_Sym) };
	file.sections[3] = (Elf64_Shdr){ .sh_name = 10,
					 .sh_type = SHT_STRTAB,
					 .sh_offset = at_names,
					 .sh_size = sizeof(names) };
	FILE *out = fopen(path, "wb");
	assert_non_null(out);
	assert_int_equal(fwrite(&file, sizeof(file), 1, out), 1);
	assert_int_equal(fclose(out), 0);
}

static void variables_of_the_first_segments_have_names(void **state)
{
	char path[512];
	struct pms_object object = { .kind = PMS_OBJECT_FILE, .path = path };
	struct pms_symbols *symbols;
	(void)state;
	snprintf(path, sizeof(path), "%s/segments", scratch);
	write_segments(path);
	assert_int_equal(pms_symbols_open(NULL, &symbols, NULL), 0);
	for (size_t i = 0; i < SEGMENTS; i++) {
		uint64_t address = address_of_segment(i);
		struct pms_place mapping = { .object = &object,
					     .address = address,
					     .start = address,
					     .offset = SEGMENT * i };
		struct pms_variable variable;
		int found = pms_symbols_variable(symbols, &mapping, address + 4, &variable);
		if (found != (i < PMS_MOST_LOADS))
			fail_msg("segment %zu: %d", i, found);
		if (found)
			assert_int_equal(variable.offset, 4);
	}
	pms_symbols_close(symbols);
}

static void a_file_that_is_not_right_is_not_used(void **state)
{
	static const struct {
		const char *name, *make;
		enum pms_symbols_state state;
	} files[] = {
		{ "none", "rm -f none", PMS_SYMBOLS_MISSING },
		{ "text", "echo text >text", PMS_SYMBOLS_DAMAGED },
		{ "empty", ": >empty", PMS_SYMBOLS_DAMAGED },
		{ "half", "head -c 20 native >half", PMS_SYMBOLS_DAMAGED },
		{ "folder", "mkdir folder", PMS_SYMBOLS_MISSING },
		{ "fifo", "mkfifo fifo", PMS_SYMBOLS_MISSING },
		{ "other", "cp native other", PMS_SYMBOLS_MISMATCH },
		/* 60 MB of zeros, compressed in both ways. */
		{ "bomb",
		  "head -c 60000000 /dev/zero >zeros && objcopy --update-section .debug_str=zeros "
		  "native bomb.big 2>/dev/null && objcopy --compress-debug-sections bomb.big bomb",
		  PMS_SYMBOLS_DAMAGED },
		{ "zbomb",
		  "objcopy --compress-debug-sections=zlib-gnu bomb.big zbomb && rm bomb.big zeros",
		  PMS_SYMBOLS_DAMAGED },
	};
	struct pms_symbols *symbols;
	(void)state;
	assert_true(build(&builds[0]));
	assert_int_equal(pms_symbols_open(NULL, &symbols, NULL), 0);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char path[512];
		snprintf(path, sizeof(path), "%s/%s", scratch, files[i].name);
		assert_true(shell("%s", files[i].make));
		struct pms_object object = { .kind = PMS_OBJECT_FILE, .path = path };
		if (files[i].state == PMS_SYMBOLS_MISMATCH) {
			set_build_id(&object, path);
			object.build_id[19] ^= 1;
		}
		assert_string_equal(find(symbols, &object, 0x1000).function, "[unknown]");
		if (pms_symbols_state(symbols, &object) != files[i].state)
			fail_msg("%s: %s", files[i].name,
				 pms_symbols_state_name(pms_symbols_state(symbols, &object)));
	}
	pms_symbols_close(symbols);
}

/* A recording may name a device that does something when it is opened: a FIFO stands for it. */
static void what_is_no_regular_file_is_not_opened(void **state)
{
	char path[512], event[4096];
	struct pms_object object = { .kind = PMS_OBJECT_FILE, .path = path };
	struct pms_function function;
	struct pms_symbols *symbols;
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	(void)state;
	snprintf(path, sizeof(path), "%s/device", scratch);
	assert_true(watch >= 0 && shell("mkfifo device"));
	assert_true(inotify_add_watch(watch, path, IN_OPEN) >= 0);
	assert_int_equal(pms_symbols_open(NULL, &symbols, NULL), 0);
	assert_int_equal(pms_symbols_state(symbols, &object), PMS_SYMBOLS_MISSING);
	pms_symbols_close(symbols);
	assert_int_equal(pms_function_find(path, "main", &function, NULL), -PMS_EIO);
	assert_int_equal(read(watch, event, sizeof(event)), -1); /* it was not */
	close(watch);
}

static void what_is_no_file_is_named_for_what_it_is(void **state)
{
	static const struct {
		const char *path;
		int kernel;
		const char *kind, *function;
	} rows[] = {
		{ "[kernel.kallsyms]_text", 1, "kernel", "do_idle" },
		{ "[ext4]", 1, "module", "[module]" },
		{ "/lib/modules/6.1.0/kernel/fs/ext4.ko", 1, "module", "[module]" },
		{ "[vdso]", 0, "vdso", "[vdso]" },
		{ "//anon", 0, "jit", "[jit]" },
		{ "", 0, "jit", "[jit]" },
		{ "/memfd:jit (deleted)", 0, "jit", "[jit]" },
		{ "[stack]", 0, "stack", "[stack]" },
		{ "[heap]", 0, "heap", "[heap]" },
		{ "[uprobes]", 0, "other", "[other]" },
	};
	char list[512];
	struct pms_symbols *symbols;
	(void)state;
	snprintf(list, sizeof(list), "%s/kallsyms", scratch);
	assert_true(
		shell("printf 'ffff800008010000 T do_idle\nffff800008020000 T end\n' >kallsyms"));
	const struct pms_symbols_options options = { .kallsyms = list };
	assert_int_equal(pms_symbols_open(&options, &symbols, NULL), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pms_object object = { .path = rows[i].path };
		object.kind = pms_object_kind_of(rows[i].path, rows[i].kernel);
		assert_string_equal(pms_object_kind_name(object.kind), rows[i].kind);
		uint64_t address = object.kind == PMS_OBJECT_KERNEL ? 0xffff800008010040 : 0x1000;
		struct pms_symbol s = find(symbols, &object, address);
		assert_string_equal(s.function, rows[i].function);
		assert_int_equal(s.offset, s.known ? 0x40 : 0);
	}
	struct pms_symbol s = find(symbols, NULL, 0x1000);
	assert_string_equal(s.function, "[unknown]");
	pms_symbols_close(symbols);
}

/* A kernel that ran somewhere else than it is linked to: an arm64 program stands for it. */
static void the_kernels_file_is_found_by_its_build_id(void **state)
{
	const uint64_t slide = 0x2a0000;
	struct pms_object kernel = { .kind = PMS_OBJECT_KERNEL, .path = "[kernel.kallsyms]_text" };
	const struct build like = { "vmlinux", "", "aarch64-linux-gnu-", "", 0 };
	char path[512], symfs[512], id[41];
	struct pms_symbols *symbols;
	uint64_t ranges[3][2];
	(void)state;
	snprintf(path, sizeof(path), "%s/vmlinux", scratch);
	snprintf(symfs, sizeof(symfs), "%s/kernel", scratch);
	assert_true(shell("aarch64-linux-gnu-gcc -O2 -g -nostdlib -static -Wl,--build-id,-emain "
			  "-Wl,-Ttext=0xffff800008010000 -Wl,--defsym=_text=0xffff800008000000 "
			  "-o vmlinux %s/tests/symbol/program.c",
			  PMS_SOURCE));
	set_build_id(&kernel, path);
	for (size_t i = 0; i < 20; i++)
		snprintf(id + 2 * i, 3, "%02x", kernel.build_id[i]);
	assert_int_equal(own_functions(&like, ranges, 3), 3);
	assert_true(shell("d=kernel/usr/lib/debug/.build-id/%.2s && mkdir -p $d && "
			  "cp vmlinux $d/%s.debug",
			  id, id + 2));
	const struct pms_symbols_options options = { .symfs = symfs };
	assert_int_equal(pms_symbols_open(&options, &symbols, NULL), 0);
	uint64_t text = 0xffff800008000000;
	unsigned inlined = 0;
	for (size_t f = 0; f < 3; f++)
		for (uint64_t at = 0; at < ranges[f][1]; at += 4) {
			struct pms_place place = { .object = &kernel,
						   .offset = ranges[f][0] + at - text,
						   .address = ranges[f][0] + at + slide };
			struct pms_symbol s;
			char theirs[4096], ours[4096] = "";
			assert_int_equal(pms_symbols_find(symbols, &place, &s), 0);
			assert_int_equal(s.offset, at);
			for (size_t i = 0; i < s.n_frames; i++)
				append_frame(ours, sizeof(ours), s.frames[i].function,
					     s.frames[i].file, s.frames[i].line);
			their_frames(&like, ranges[f][0] + at, theirs, sizeof(theirs));
			assert_string_equal(ours, theirs);
			inlined += s.n_frames > 1;
		}
	assert_true(inlined > 5);
	assert_int_equal(pms_symbols_state(symbols, &kernel), PMS_SYMBOLS_LINES);
	pms_symbols_close(symbols);
	/* Another kernel than that. */
	kernel.build_id[3] ^= 1;
	assert_int_equal(pms_symbols_open(&options, &symbols, NULL), 0);
	assert_string_equal(find(symbols, &kernel, 0).function, "[kernel]");
	assert_int_equal(pms_symbols_state(symbols, &kernel), PMS_SYMBOLS_MISSING);
	pms_symbols_close(symbols);
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
		cmocka_unit_test(names_are_shown_as_written),
		cmocka_unit_test(linkage_stubs_and_what_is_nothing_are_said),
		cmocka_unit_test(debug_information_is_found_elsewhere),
		cmocka_unit_test(a_file_may_be_cut_while_it_is_read),
		cmocka_unit_test(variables_of_the_first_segments_have_names),
		cmocka_unit_test(a_file_that_is_not_right_is_not_used),
		cmocka_unit_test(what_is_no_regular_file_is_not_opened),
		cmocka_unit_test(what_is_no_file_is_named_for_what_it_is),
		cmocka_unit_test(the_kernels_file_is_found_by_its_build_id),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
