/* SPDX-License-Identifier: MIT */
#include "collect/vrun/object_file.h"

#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "base/regular.h"

static void segments_read(Elf *elf, struct pms_object_file *out)
{
	size_t n = 0;
	if (elf_getphdrnum(elf, &n))
		return;
	for (size_t i = 0; i < n && i < 256 && out->n_segments < PMS_OBJECT_SEGMENTS; i++) {
		GElf_Phdr segment;
		if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_LOAD ||
		    !(segment.p_flags & PF_X))
			continue;
		out->segments[out->n_segments].offset = segment.p_offset;
		out->segments[out->n_segments].size = segment.p_filesz;
		out->segments[out->n_segments++].address = segment.p_vaddr;
	}
}

static void build_id_read(Elf *elf, struct pms_object *out)
{
	const void *bits = NULL;
	ssize_t n = dwelf_elf_gnu_build_id(elf, &bits);
	if (n <= 0 || (size_t)n > sizeof(out->build_id))
		return;
	memcpy(out->build_id, bits, (size_t)n);
	out->build_id_size = (uint8_t)n;
}

void pms_object_file_read(const char *path, struct pms_object_file *out)
{
	*out = (struct pms_object_file){ .object = { .kind = PMS_OBJECT_FILE, .path = path } };
	int fd = pms_regular_open(path);
	if (fd < 0)
		return;
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF) {
		segments_read(elf, out);
		build_id_read(elf, &out->object);
	}
	elf_end(elf);
	close(fd);
}

uint64_t pms_object_file_address(const struct pms_object_file *file, uint64_t offset)
{
	for (size_t i = 0; i < file->n_segments; i++)
		if (offset - file->segments[i].offset < file->segments[i].size)
			return offset - file->segments[i].offset + file->segments[i].address;
	return offset;
}
