/* SPDX-License-Identifier: MIT */
/* The places are those that libdwfl looks into: by build-id, beside the program, in .debug there,
 * and in /usr/lib/debug by the program's folder. */
#include "symbol/separate.h"
#include "base/regular.h"
#include "symbol/binary.h"
#include "symbol/inflated.h"
#include "symbol/lacked.h"
#include "symbol/snapshot.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ID_MOST = 64, PATH_ROOM = 2 * PATH_MAX + 2 * ID_MOST + 64 };

static const char debug_root[] = "/usr/lib/debug";

/* How a file has to be. */
struct wanted {
	const void *id; /* its build-id, if size is not 0; else */
	size_t size;
	bool is_summed; /* its checksum, */
	uint32_t crc;	/* which is this */
	const char *program;
	struct pms_debug_room *room; /* that it takes of; NULL: it takes none yet */
};

/* The checksum of .gnu_debuglink: CRC-32 as in zlib. Returns whether all could be read. */
static bool sum_up(int fd, uint32_t *sum)
{
	uint32_t table[256], crc = UINT32_MAX;
	unsigned char block[1 << 14];
	off_t at = 0;
	ssize_t n;
	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? UINT32_C(0xedb88320) : 0);
	}
	while ((n = pread(fd, block, sizeof(block), at)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			crc = table[(crc ^ block[i]) & 0xff] ^ crc >> 8;
		at += n;
	}
	*sum = ~crc;
	return n == 0;
}

/* Whether it is ELF with the build-id, if one is wanted, and not too much once it is unpacked. */
static bool is_fit(int fd, const struct wanted *wanted)
{
	const void *id;
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	bool fits = elf && elf_kind(elf) == ELF_K_ELF;
	if (fits && wanted->size)
		fits = dwelf_elf_gnu_build_id(elf, &id) == (ssize_t)wanted->size &&
		       !memcmp(id, wanted->id, wanted->size);
	fits = fits && pms_elf_is_bounded(elf, fd, wanted->room);
	pms_lacked_note();
	elf_end(elf);
	return fits;
}

/* A program is not its own debug information, though its build-id is the same. */
static bool is_itself(int fd, const struct wanted *wanted)
{
	struct stat own, program;
	return wanted->program && !fstat(fd, &own) && !stat(wanted->program, &program) &&
	       own.st_dev == program.st_dev && own.st_ino == program.st_ino;
}

/* A copy of the file at @path, if it is as it has to be; or -1. */
static int copy_of(const char *path, const struct wanted *wanted, char **found)
{
	uint32_t crc;
	int fd = pms_regular_open(path);
	if (fd < 0)
		return -1;
	bool is_right =
		!is_itself(fd, wanted) &&
		(wanted->size || !wanted->is_summed || (sum_up(fd, &crc) && crc == wanted->crc)) &&
		is_fit(fd, wanted);
	*found = is_right ? strdup(path) : NULL;
	if (*found)
		return pms_snapshot_take(fd);
	close(fd);
	return -1;
}

/* The folder of all debug information: of symfs, then this machine's. NULL: no more. */
static const char *root_of(const struct pms_symbol_search *search, int i, char root[PATH_MAX])
{
	if (i == (search->symfs ? 2 : 1))
		return NULL;
	const char *below = search->symfs && i == 0 ? search->symfs : "";
	int n = snprintf(root, PATH_MAX, "%s%s", below, debug_root);
	return n < PATH_MAX ? root : debug_root;
}

static int by_id(const struct pms_symbol_search *search, const struct wanted *wanted,
		 const char *suffix, char **found)
{
	char path[PATH_ROOM], name[2 * ID_MOST + 1], room[PATH_MAX];
	const char *root;
	int fd = -1;
	if (wanted->size < 2 || wanted->size > ID_MOST)
		return -1;
	for (size_t i = 0; i < wanted->size; i++)
		snprintf(name + 2 * i, 3, "%02x", ((const unsigned char *)wanted->id)[i]);
	for (int i = 0; fd < 0 && (root = root_of(search, i, room)); i++) {
		snprintf(path, sizeof(path), "%s/.build-id/%.2s/%s%s", root, name, name + 2,
			 suffix);
		fd = copy_of(path, wanted, found);
	}
	return fd;
}

int pms_separate_by_id(const struct pms_symbol_search *search, const void *id, size_t size,
		       const char *suffix, char **found)
{
	const struct wanted wanted = { .id = id, .size = size };
	return by_id(search, &wanted, suffix, found);
}

/* In the root of all debug information, by the program's folder or a part of its end. */
static int below_root(const char *root, const char *program, int folder, const char *name,
		      const struct wanted *wanted, char **found)
{
	char path[PATH_ROOM];
	int fd = -1;
	for (int from = 0; fd < 0 && from < folder; from++) {
		if (program[from] != '/')
			continue;
		int n = snprintf(path, sizeof(path), "%s%.*s%s", root, folder - from,
				 program + from, name);
		if (n < (int)sizeof(path))
			fd = copy_of(path, wanted, found);
	}
	return fd;
}

/* By a name, in the places where a program's debug information may be. */
static int by_name(const struct pms_symbol_search *search, const char *program, const char *name,
		   const struct wanted *wanted, char **found)
{
	static const char *const beside[] = { "", ".debug/" };
	char path[PATH_ROOM], room[PATH_MAX];
	const char *slash = strrchr(program, '/'), *root;
	int folder = slash ? (int)(slash + 1 - program) : 0, fd = -1;
	for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]) && fd < 0; i++) {
		int n = snprintf(path, sizeof(path), "%.*s%s%s", folder, program, beside[i], name);
		if (n < (int)sizeof(path))
			fd = copy_of(path, wanted, found);
	}
	for (int i = 0; fd < 0 && program[0] == '/' && (root = root_of(search, i, room)); i++)
		fd = below_root(root, program, folder, name, wanted, found);
	return fd;
}

/* By what the program names, else by its own name. What it names is a file's name, and no way to
 * anywhere. */
static int of_program(const struct pms_symbol_search *search, const char *program, const char *link,
		      const struct wanted *wanted, char **found)
{
	char name[PATH_MAX + 8];
	const char *slash = strrchr(program, '/'), *own = slash ? slash + 1 : program;
	if (link && !strchr(link, '/'))
		return by_name(search, program, link, wanted, found);
	snprintf(name, sizeof(name), "%.*s.debug", PATH_MAX, own);
	return by_name(search, program, name, wanted, found);
}

/* As of_program(), for the file that @program is a link to. */
static int of_target(const struct pms_symbol_search *search, const char *program, const char *link,
		     const struct wanted *wanted, char **found)
{
	char *target = realpath(program, NULL);
	int fd = target && strcmp(target, program) != 0
			 ? of_program(search, target, link, wanted, found)
			 : -1;
	free(target);
	return fd;
}

/* Supplementary files -------------------------------------------------------------------------- */

/* ELF that libdw takes for debug information, and that has none. */
static int empty_file(void)
{
	static const char names[] = "\0.shstrtab\0.debug_frame";
	struct {
		Elf64_Ehdr header;
		Elf64_Shdr sections[3];
		char names[sizeof(names)];
	} file = { .header = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB
										      : ELFDATA2MSB,
					    EV_CURRENT },
			       .e_type = ET_EXEC,
			       .e_version = EV_CURRENT,
			       .e_ehsize = sizeof(Elf64_Ehdr),
			       .e_shentsize = sizeof(Elf64_Shdr),
			       .e_shnum = 3,
			       .e_shstrndx = 1 } };
	memcpy(file.names, names, sizeof(names));
	file.header.e_shoff = offsetof(__typeof__(file), sections);
	file.sections[1] = (Elf64_Shdr){ .sh_name = 1,
					 .sh_type = SHT_STRTAB,
					 .sh_offset = offsetof(__typeof__(file), names),
					 .sh_size = sizeof(names) };
	file.sections[2] = (Elf64_Shdr){ .sh_name = 11,
					 .sh_type = SHT_PROGBITS,
					 .sh_offset = offsetof(__typeof__(file), names),
					 .sh_size = 1 };
	int fd = memfd_create("pmuscope", MFD_CLOEXEC);
	if (fd >= 0 && write(fd, &file, sizeof(file)) == (ssize_t)sizeof(file))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* The supplementary file that the debug information in @of names, by its build-id or as @link. */
static int find_supplement(const struct pms_symbol_search *search, Dwfl_Module *module,
			   const char *of, const char *link, char **found)
{
	char path[PATH_ROOM];
	const char *name, *slash = of ? strrchr(of, '/') : NULL;
	Dwarf_Addr bias;
	const void *id;
	ssize_t size =
		dwelf_dwarf_gnu_debugaltlink(dwfl_module_getdwarf(module, &bias), &name, &id);
	if (size <= 0)
		return -1;
	const struct wanted wanted = {
		.id = id, .size = (size_t)size, .program = of, .room = search->room
	};
	int fd = by_id(search, &wanted, ".debug", found);
	for (int i = !search->symfs || link[0] != '/'; i < 2 && fd < 0; i++) {
		int folder = link[0] != '/' && slash ? (int)(slash + 1 - of) : 0;
		int n = snprintf(path, sizeof(path), "%s%.*s%s", i ? "" : search->symfs, folder,
				 folder ? of : "", link);
		if (n < (int)sizeof(path))
			fd = copy_of(path, &wanted, found);
	}
	return fd;
}

/* libdwfl asks for the supplementary file as for what the program names. */
static bool is_supplement(Dwfl_Module *module, const char *link)
{
	GElf_Addr bias;
	GElf_Word crc;
	Elf *elf = dwfl_module_getelf(module, &bias);
	return link && elf && dwelf_elf_gnu_debuglink(elf, &crc) != link;
}

/* From the servers of DEBUGINFOD_URLS, in libdwfl's way: it finds nothing in the folders that
 * pms_search_init() names to it. */
static int from_servers(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			const char *program, const char *link, GElf_Word crc, char **found)
{
	const struct pms_symbol_search *search = *data;
	const struct wanted any = { .room = search->room };
	pms_lacked_note();
	int fd = dwfl_standard_find_debuginfo(module, data, name, base, program, link, crc, found);
	if (fd < 0 || is_fit(fd, &any))
		return fd < 0 ? fd : pms_snapshot_take(fd);
	close(fd);
	free(*found);
	*found = NULL;
	return -1;
}

int pms_separate_find(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		      const char *program, const char *link, GElf_Word crc, char **found)
{
	const struct pms_symbol_search *search = *data;
	const unsigned char *id = NULL;
	GElf_Addr at;
	pms_lacked_note();
	if (!search || !program)
		return -1;
	if (is_supplement(module, link)) {
		int fd = find_supplement(search, module, program, link, found);
		if (fd < 0)
			fd = from_servers(module, data, name, base, program, link, crc, found);
		return fd < 0 ? empty_file() : fd;
	}
	int size = dwfl_module_build_id(module, &id, &at);
	const struct wanted wanted = { .id = id,
				       .size = size > 0 ? (size_t)size : 0,
				       .is_summed = link && !search->symfs,
				       .crc = crc,
				       .program = program,
				       .room = search->room };
	int fd = by_id(search, &wanted, ".debug", found);
	if (fd < 0)
		fd = of_program(search, program, link, &wanted, found);
	if (fd < 0)
		fd = of_target(search, program, link, &wanted, found);
	return fd < 0 ? from_servers(module, data, name, base, program, link, crc, found) : fd;
}
