/* SPDX-License-Identifier: MIT */
#include "machine/elf.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"

/* Fields are read byte by byte, so that neither alignment nor the host's byte order matters. */
static uint64_t little(const uint8_t *at, size_t size)
{
	uint64_t value = 0;
	for (size_t i = size; i > 0; i--)
		value = value << 8 | at[i - 1];
	return value;
}

/* The two fields that are read of big-endian files too. */
static uint16_t half(const uint8_t *at, bool big_endian)
{
	return (uint16_t)(big_endian ? at[0] << 8 | at[1] : at[1] << 8 | at[0]);
}

#define FIELD(at, type, member)                                                                    \
	little((at) + offsetof(type, member), sizeof(((const type *)0)->member))

static bool inside(size_t size, uint64_t offset, uint64_t length)
{
	return offset <= size && length <= size - offset;
}

/* A table of headers in the file: `count` entries `step` bytes apart. */
struct table {
	const uint8_t *at;
	size_t step, count;
};

static bool table_find(const uint8_t *bytes, size_t size, uint64_t offset, uint64_t step,
		       uint64_t count, size_t least, struct table *out)
{
	if (count && (step < least || !inside(size, offset, step * count)))
		return false;
	*out = (struct table){ bytes + (count ? offset : 0), (size_t)step, (size_t)count };
	return true;
}

static int interp_read(const uint8_t *bytes, size_t size, const uint8_t *header,
		       struct pms_elf *out, struct pms_error *err)
{
	uint64_t offset = FIELD(header, Elf64_Phdr, p_offset);
	uint64_t length = FIELD(header, Elf64_Phdr, p_filesz);
	if (!inside(size, offset, length))
		return pms_fail(err, PMS_EPARSE, "its PT_INTERP segment lies outside of the file");
	if (!length || length > sizeof(out->interp) || bytes[offset + length - 1])
		return pms_fail(err, PMS_EPARSE,
				"its interpreter's path is empty, too long or not terminated");
	memcpy(out->interp, bytes + offset, (size_t)length);
	return 0;
}

/* Linux maps such a file and kills the program that touches what is missing. A segment of zeros
 * alone, .bss, has no bytes in the file, wherever they would be. */
static int load_check(size_t size, const uint8_t *header, struct pms_error *err)
{
	uint64_t offset = FIELD(header, Elf64_Phdr, p_offset);
	uint64_t length = FIELD(header, Elf64_Phdr, p_filesz);
	return !length || inside(size, offset, length)
		       ? 0
		       : pms_fail(err, PMS_EPARSE,
				  "it is cut short: a segment lies outside of its %zu bytes", size);
}

static int segments_read(const uint8_t *bytes, size_t size, struct pms_elf *out,
			 struct pms_error *err)
{
	struct table segments;
	if (size < sizeof(Elf64_Ehdr))
		return pms_fail(err, PMS_EPARSE, "it is cut short: %zu bytes", size);
	if (!table_find(bytes, size, FIELD(bytes, Elf64_Ehdr, e_phoff),
			FIELD(bytes, Elf64_Ehdr, e_phentsize), FIELD(bytes, Elf64_Ehdr, e_phnum),
			sizeof(Elf64_Phdr), &segments))
		return pms_fail(err, PMS_EPARSE, "its program headers lie outside of the file");
	int rc = 0;
	for (size_t i = 0; i < segments.count && !rc; i++) {
		const uint8_t *header = segments.at + i * segments.step;
		if (FIELD(header, Elf64_Phdr, p_type) == PT_LOAD)
			rc = load_check(size, header, err);
		else if (FIELD(header, Elf64_Phdr, p_type) == PT_INTERP && !out->interp[0])
			rc = interp_read(bytes, size, header, out, err);
	}
	return rc;
}

/* The program that a script's first line names, without its argument. */
static void script_read(const uint8_t *bytes, size_t size, struct pms_elf *out)
{
	size_t from = 2, n = 0;
	while (from < size && (bytes[from] == ' ' || bytes[from] == '\t'))
		from++;
	while (from + n < size && n + 1 < sizeof(out->interp) && bytes[from + n] > ' ')
		n++;
	memcpy(out->interp, bytes + from, n);
}

int pms_elf_parse(const uint8_t *bytes, size_t size, struct pms_elf *out, struct pms_error *err)
{
	*out = (struct pms_elf){ .kind = PMS_FILE_OTHER };
	if (size >= 2 && bytes[0] == '#' && bytes[1] == '!') {
		out->kind = PMS_FILE_SCRIPT;
		script_read(bytes, size, out);
		return 0;
	}
	if (size < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0)
		return 0;
	out->kind = PMS_FILE_ELF;
	if (size < offsetof(Elf64_Ehdr, e_version))
		return pms_fail(err, PMS_EPARSE, "it is cut short: %zu bytes", size);
	out->bits = bytes[EI_CLASS] == ELFCLASS64 ? 64 : 32;
	out->big_endian = bytes[EI_DATA] == ELFDATA2MSB;
	out->machine = half(bytes + offsetof(Elf64_Ehdr, e_machine), out->big_endian);
	out->type = half(bytes + offsetof(Elf64_Ehdr, e_type), out->big_endian);
	if (out->bits != 64 || out->big_endian)
		return 0;
	return segments_read(bytes, size, out, err);
}

int pms_file_map(const char *path, struct pms_file_map *out, struct pms_error *err)
{
	struct stat st;
	int rc = 0;
	*out = (struct pms_file_map){ 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return pms_fail_at(err, PMS_EIO, path, 0, 0, "cannot be opened: %s",
				   strerror(errno));
	if (fstat(fd, &st)) {
		rc = pms_fail_at(err, PMS_EIO, path, 0, 0, "%s", strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		rc = pms_fail_at(err, PMS_EIO, path, 0, 0, "is not a regular file");
	} else if (st.st_size > 0) {
		void *at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (at == MAP_FAILED)
			rc = pms_fail_at(err, PMS_EIO, path, 0, 0, "cannot be read: %s",
					 strerror(errno));
		else
			*out = (struct pms_file_map){ at, (size_t)st.st_size };
	}
	close(fd);
	return rc;
}

void pms_file_unmap(struct pms_file_map *map)
{
	if (map->bytes)
		munmap((void *)map->bytes, map->size);
	*map = (struct pms_file_map){ 0 };
}

int pms_elf_read(const char *path, struct pms_elf *out, struct pms_error *err)
{
	struct pms_file_map map;
	*out = (struct pms_elf){ .kind = PMS_FILE_OTHER };
	int rc = pms_file_map(path, &map, err);
	if (rc)
		return rc;
	struct pms_error why = { 0 };
	rc = pms_elf_parse(map.bytes, map.size, out, &why);
	if (rc)
		pms_fail_at(err, why.status, path, 0, 0, "%s", why.text);
	pms_file_unmap(&map);
	return rc;
}

static bool symbol_is(const uint8_t *strings, size_t strings_size, const uint8_t *entry,
		      const char *symbol)
{
	uint64_t name = FIELD(entry, Elf64_Sym, st_name);
	size_t length = strlen(symbol) + 1;
	return FIELD(entry, Elf64_Sym, st_shndx) != SHN_UNDEF &&
	       inside(strings_size, name, length) && !memcmp(strings + name, symbol, length);
}

static bool symbols_have(const uint8_t *bytes, size_t size, const struct table *sections,
			 const uint8_t *header, const char *symbol)
{
	uint64_t offset = FIELD(header, Elf64_Shdr, sh_offset);
	uint64_t length = FIELD(header, Elf64_Shdr, sh_size);
	uint64_t link = FIELD(header, Elf64_Shdr, sh_link);
	if (link >= sections->count || !inside(size, offset, length))
		return false;
	const uint8_t *strings = sections->at + link * sections->step;
	uint64_t strings_at = FIELD(strings, Elf64_Shdr, sh_offset);
	uint64_t strings_size = FIELD(strings, Elf64_Shdr, sh_size);
	if (!inside(size, strings_at, strings_size))
		return false;
	for (uint64_t i = 0; i < length / sizeof(Elf64_Sym); i++)
		if (symbol_is(bytes + strings_at, (size_t)strings_size,
			      bytes + offset + i * sizeof(Elf64_Sym), symbol))
			return true;
	return false;
}

int pms_elf_defines(const uint8_t *bytes, size_t size, const char *symbol)
{
	struct table sections;
	if (size < sizeof(Elf64_Ehdr) || memcmp(bytes, ELFMAG, SELFMAG) != 0 ||
	    bytes[EI_CLASS] != ELFCLASS64 || bytes[EI_DATA] != ELFDATA2LSB ||
	    !table_find(bytes, size, FIELD(bytes, Elf64_Ehdr, e_shoff),
			FIELD(bytes, Elf64_Ehdr, e_shentsize), FIELD(bytes, Elf64_Ehdr, e_shnum),
			sizeof(Elf64_Shdr), &sections))
		return 0;
	for (size_t i = 0; i < sections.count; i++) {
		const uint8_t *header = sections.at + i * sections.step;
		if (FIELD(header, Elf64_Shdr, sh_type) == SHT_DYNSYM &&
		    symbols_have(bytes, size, &sections, header, symbol))
			return 1;
	}
	return 0;
}

const char *pms_elf_machine_name(uint16_t machine)
{
	static const struct {
		uint16_t machine;
		const char *name;
	} rows[] = {
		{ EM_AARCH64, "AArch64" }, { EM_X86_64, "x86-64" },
		{ EM_386, "32-bit x86" },  { EM_ARM, "32-bit Arm" },
		{ EM_RISCV, "RISC-V" },	   { EM_PPC64, "64-bit POWER" },
		{ EM_S390, "s390" },	   { EM_LOONGARCH, "LoongArch" },
		{ EM_MIPS, "MIPS" },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].machine == machine)
			return rows[i].name;
	return NULL;
}
