/* SPDX-License-Identifier: MIT */
#include "machine/elf.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/regular.h"
#include "base/status.h"

enum { FIRST_LINE = 4096 }; /* Linux reads 256 bytes of a script's first line */

/* Read a field byte by byte, so that neither alignment nor the host's byte order matters. */
static uint64_t little(const uint8_t *at, size_t size)
{
	uint64_t value = 0;
	for (size_t i = size; i > 0; i--)
		value = value << 8 | at[i - 1];
	return value;
}

/* Read one of the two fields that are needed of big-endian files too. */
static uint16_t half(const uint8_t *at, bool big_endian)
{
	return (uint16_t)(big_endian ? at[0] << 8 | at[1] : at[1] << 8 | at[0]);
}

#define FIELD(at, type, member)                                                                    \
	little((at) + offsetof(type, member), sizeof(((const type *)0)->member))

static bool inside(uint64_t size, uint64_t offset, uint64_t length)
{
	return offset <= size && length <= size - offset;
}

/* Copy bytes. Returns false where some lie outside of the file, or cannot be read because the
 * file was truncated meanwhile. */
static bool fetch(const struct pms_file *file, uint64_t offset, void *into, size_t size)
{
	if (!inside(file->size, offset, size))
		return false;
	if (file->fd < 0) {
		memcpy(into, file->bytes + offset, size);
		return true;
	}
	for (size_t got = 0; got < size;) {
		ssize_t n = pread(file->fd, (char *)into + got, size - got, (off_t)(offset + got));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		got += (size_t)n;
	}
	return true;
}

/* A table of headers in the file: `count` entries `step` bytes apart. */
struct table {
	uint64_t offset;
	size_t step, count;
};

static bool table_find(const struct pms_file *file, uint64_t offset, uint64_t step, uint64_t count,
		       size_t least, struct table *out)
{
	if (count && (step < least || !inside(file->size, offset, step * count)))
		return false;
	*out = (struct table){ offset, (size_t)step, (size_t)count };
	return true;
}

static bool entry_fetch(const struct pms_file *file, const struct table *table, size_t i,
			void *into, size_t size)
{
	return fetch(file, table->offset + i * table->step, into, size);
}

static int interp_read(const struct pms_file *file, const uint8_t *header, struct pms_elf *out,
		       struct pms_error *err)
{
	uint64_t offset = FIELD(header, Elf64_Phdr, p_offset);
	uint64_t length = FIELD(header, Elf64_Phdr, p_filesz);
	char interp[sizeof(out->interp)];
	if (!inside(file->size, offset, length))
		return pms_fail(err, PMS_EPARSE, "its PT_INTERP segment lies outside of the file");
	if (!length || length > sizeof(interp) || !fetch(file, offset, interp, (size_t)length) ||
	    interp[length - 1])
		return pms_fail(err, PMS_EPARSE,
				"its interpreter's path is empty, too long or not terminated");
	memcpy(out->interp, interp, (size_t)length);
	return 0;
}

/* Refuse a segment whose bytes are missing: Linux maps such a file, and kills the program that
 * touches the gap. A segment of only zeros, .bss, needs no bytes in the file. */
static int load_check(uint64_t size, const uint8_t *header, struct pms_error *err)
{
	uint64_t offset = FIELD(header, Elf64_Phdr, p_offset);
	uint64_t length = FIELD(header, Elf64_Phdr, p_filesz);
	return !length || inside(size, offset, length)
		       ? 0
		       : pms_fail(err, PMS_EPARSE,
				  "it is cut short: a segment lies outside of its %" PRIu64
				  " bytes",
				  size);
}

static int cut_short(const struct pms_file *file, struct pms_error *err)
{
	return pms_fail(err, PMS_EPARSE, "it is cut short: %" PRIu64 " bytes", file->size);
}

/* Walk the program headers, to refuse a truncated file and to find the interpreter. */
static int segments_read(const struct pms_file *file, struct pms_elf *out, struct pms_error *err)
{
	struct table segments;
	uint8_t elf[sizeof(Elf64_Ehdr)], header[sizeof(Elf64_Phdr)];
	if (!fetch(file, 0, elf, sizeof(elf)))
		return cut_short(file, err);
	if (!table_find(file, FIELD(elf, Elf64_Ehdr, e_phoff), FIELD(elf, Elf64_Ehdr, e_phentsize),
			FIELD(elf, Elf64_Ehdr, e_phnum), sizeof(Elf64_Phdr), &segments))
		return pms_fail(err, PMS_EPARSE, "its program headers lie outside of the file");
	int rc = 0;
	for (size_t i = 0; i < segments.count && !rc; i++) {
		if (!entry_fetch(file, &segments, i, header, sizeof(header)))
			return cut_short(file, err);
		if (FIELD(header, Elf64_Phdr, p_type) == PT_LOAD)
			rc = load_check(file->size, header, err);
		else if (FIELD(header, Elf64_Phdr, p_type) == PT_INTERP && !out->interp[0])
			rc = interp_read(file, header, out, err);
	}
	return rc;
}

/* Find the program named by a script's first line, without its argument. */
static void script_read(const uint8_t *bytes, size_t size, struct pms_elf *out)
{
	size_t from = 2, n = 0;
	while (from < size && (bytes[from] == ' ' || bytes[from] == '\t'))
		from++;
	while (from + n < size && n + 1 < sizeof(out->interp) && bytes[from + n] > ' ')
		n++;
	memcpy(out->interp, bytes + from, n);
}

int pms_file_identify(const struct pms_file *file, struct pms_elf *out, struct pms_error *err)
{
	uint8_t start[FIRST_LINE] = { 0 };
	size_t size = file->size < sizeof(start) ? (size_t)file->size : sizeof(start);
	*out = (struct pms_elf){ .kind = PMS_FILE_OTHER };
	if (!fetch(file, 0, start, size))
		return cut_short(file, err);
	if (size >= 2 && start[0] == '#' && start[1] == '!') {
		out->kind = PMS_FILE_SCRIPT;
		script_read(start, size, out);
		return 0;
	}
	if (size < SELFMAG || memcmp(start, ELFMAG, SELFMAG) != 0)
		return 0;
	out->kind = PMS_FILE_ELF;
	if (size < offsetof(Elf64_Ehdr, e_version))
		return cut_short(file, err);
	out->bits = start[EI_CLASS] == ELFCLASS64 ? 64 : 32;
	out->big_endian = start[EI_DATA] == ELFDATA2MSB;
	out->machine = half(start + offsetof(Elf64_Ehdr, e_machine), out->big_endian);
	out->type = half(start + offsetof(Elf64_Ehdr, e_type), out->big_endian);
	if (out->bits != 64 || out->big_endian)
		return 0;
	return segments_read(file, out, err);
}

int pms_elf_parse(const uint8_t *bytes, size_t size, struct pms_elf *out, struct pms_error *err)
{
	return pms_file_identify(&(struct pms_file){ -1, bytes, size }, out, err);
}

int pms_file_open(const char *path, struct pms_file *out, struct pms_error *err)
{
	struct stat st;
	*out = (struct pms_file){ .fd = pms_regular_open(path) };
	if (out->fd < 0)
		return pms_fail_at(err, PMS_EIO, path, 0, 0,
				   errno == EINVAL ? "%s" : "cannot be opened: %s",
				   pms_regular_reason(errno));
	if (fstat(out->fd, &st)) {
		int rc = pms_fail_at(err, PMS_EIO, path, 0, 0, "%s", strerror(errno));
		pms_file_close(out);
		return rc;
	}
	out->size = (uint64_t)st.st_size;
	return 0;
}

void pms_file_close(struct pms_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	*file = (struct pms_file){ .fd = -1 };
}

int pms_elf_read(const char *path, struct pms_elf *out, struct pms_error *err)
{
	struct pms_file file;
	struct pms_error why = { 0 };
	*out = (struct pms_elf){ .kind = PMS_FILE_OTHER };
	int rc = pms_file_open(path, &file, err);
	if (rc)
		return rc;
	rc = pms_file_identify(&file, out, &why);
	if (rc)
		pms_fail_at(err, why.status, path, 0, 0, "%s", why.text);
	pms_file_close(&file);
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

/* Returns a section's bytes, to be freed; NULL where some are missing. */
static uint8_t *section_load(const struct pms_file *file, const uint8_t *header, size_t *size)
{
	uint64_t offset = FIELD(header, Elf64_Shdr, sh_offset);
	uint64_t length = FIELD(header, Elf64_Shdr, sh_size);
	uint8_t *bytes = inside(file->size, offset, length) ? malloc((size_t)length + 1) : NULL;
	if (bytes && !fetch(file, offset, bytes, (size_t)length)) {
		free(bytes);
		return NULL;
	}
	*size = (size_t)length;
	return bytes;
}

static bool symbols_have(const struct pms_file *file, const struct table *sections,
			 const uint8_t *header, const char *symbol)
{
	uint8_t link[sizeof(Elf64_Shdr)];
	size_t size = 0, strings_size = 0;
	bool found = false;
	uint64_t number = FIELD(header, Elf64_Shdr, sh_link);
	if (number >= sections->count ||
	    !entry_fetch(file, sections, (size_t)number, link, sizeof(link)))
		return false;
	uint8_t *symbols = section_load(file, header, &size);
	uint8_t *strings = section_load(file, link, &strings_size);
	for (size_t i = 0; symbols && strings && !found && i < size / sizeof(Elf64_Sym); i++)
		found = symbol_is(strings, strings_size, symbols + i * sizeof(Elf64_Sym), symbol);
	free(symbols);
	free(strings);
	return found;
}

int pms_file_defines(const struct pms_file *file, const char *symbol)
{
	struct table sections;
	uint8_t elf[sizeof(Elf64_Ehdr)], header[sizeof(Elf64_Shdr)];
	if (!fetch(file, 0, elf, sizeof(elf)) || memcmp(elf, ELFMAG, SELFMAG) != 0 ||
	    elf[EI_CLASS] != ELFCLASS64 || elf[EI_DATA] != ELFDATA2LSB ||
	    !table_find(file, FIELD(elf, Elf64_Ehdr, e_shoff), FIELD(elf, Elf64_Ehdr, e_shentsize),
			FIELD(elf, Elf64_Ehdr, e_shnum), sizeof(Elf64_Shdr), &sections))
		return 0;
	for (size_t i = 0; i < sections.count; i++) {
		if (!entry_fetch(file, &sections, i, header, sizeof(header)))
			return 0;
		if (FIELD(header, Elf64_Shdr, sh_type) == SHT_DYNSYM) /* a file has at most one */
			return symbols_have(file, &sections, header, symbol);
	}
	return 0;
}

int pms_elf_defines(const uint8_t *bytes, size_t size, const char *symbol)
{
	return pms_file_defines(&(struct pms_file){ -1, bytes, size }, symbol);
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
