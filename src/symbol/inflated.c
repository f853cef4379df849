/* SPDX-License-Identifier: MIT */
#include "symbol/inflated.h"
#include "base/limits.h"

#include <gelf.h>
#include <string.h>
#include <sys/stat.h>

/* Bytes that a section becomes when libdw reads it, beside those that it has. */
static uint64_t inflated_size(Elf *elf, Elf_Scn *section, size_t names)
{
	enum { MAGIC = 4, HEADER = 12 }; /* "ZLIB", and the size in big-endian order */
	GElf_Shdr header;
	GElf_Chdr compressed;
	uint64_t size = 0;
	if (!gelf_getshdr(section, &header))
		return 0;
	if (header.sh_flags & SHF_COMPRESSED)
		return gelf_getchdr(section, &compressed) ? compressed.ch_size : 0;
	const char *name = elf_strptr(elf, names, header.sh_name);
	if (!name || strncmp(name, ".zdebug", 7) != 0)
		return 0;
	Elf_Data *data = elf_rawdata(section, NULL);
	for (int i = MAGIC; data && data->d_size >= HEADER && i < HEADER; i++)
		size = size << 8 | ((const unsigned char *)data->d_buf)[i];
	return size;
}

/* A megabyte of compressed zeros is a gigabyte, and libdw makes room for whatever a section says.
 */
int pms_elf_is_bounded(Elf *elf, int fd, struct pms_debug_room *room)
{
	struct stat st;
	uint64_t sum = 0, alone = PMS_FREE_DEBUG_BYTES;
	uint64_t *left = room ? &room->unpacked : &alone;
	size_t names;
	if (fstat(fd, &st))
		return 0;
	if (elf_getshdrstrndx(elf, &names))
		return 1;
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s))
		if (__builtin_add_overflow(sum, inflated_size(elf, s, names), &sum))
			return 0;
	uint64_t own = PMS_MOST_DEBUG_TIMES * (uint64_t)st.st_size;
	uint64_t more = sum > own ? sum - own : 0;
	if (more > *left)
		return 0;
	*left -= more;
	return 1;
}
