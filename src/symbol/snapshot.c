/* SPDX-License-Identifier: MIT */
#include "symbol/snapshot.h"
#include "symbol/lacked.h"
#include "base/array.h"
#include "base/limits.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	BLOCK = 1 << 16,
	SPARE = 64, /* bytes behind the file, for pms_split_find() */
};

/* Bytes of the file. */
struct part {
	uint64_t start, end;
};

struct parts {
	struct part *rows;
	size_t n;
	uint64_t file_size;
};

static bool add(struct parts *parts, uint64_t start, uint64_t size)
{
	if (start >= parts->file_size || !size)
		return true;
	uint64_t left = parts->file_size - start;
	struct part *rows = pms_array_room(parts->rows, parts->n, sizeof(rows[0]));
	if (!rows)
		return false;
	parts->rows = rows;
	rows[parts->n++] = (struct part){ start, start + (size < left ? size : left) };
	return true;
}

static int by_start(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	return x->start < y->start ? -1 : x->start > y->start;
}

/* Make one of those that touch: a file may say that all of its sections are the same bytes. Returns
 * how many bytes there are. */
static uint64_t merge(struct parts *parts)
{
	uint64_t sum = 0;
	size_t n = 0;
	if (parts->n)
		qsort(parts->rows, parts->n, sizeof(parts->rows[0]), by_start);
	for (size_t i = 0; i < parts->n; i++) {
		struct part *last = n ? &parts->rows[n - 1] : NULL, *part = &parts->rows[i];
		if (last && part->start <= last->end)
			last->end = part->end > last->end ? part->end : last->end;
		else
			parts->rows[n++] = *part;
	}
	parts->n = n;
	for (size_t i = 0; i < n; i++)
		sum += parts->rows[i].end - parts->rows[i].start;
	return sum;
}

/* What is read of a file: nobody asks for the bytes of its code and data. */
static bool find_parts(struct parts *parts, Elf *elf)
{
	GElf_Ehdr header;
	size_t n_sections, n_segments;
	if (!gelf_getehdr(elf, &header) || elf_getshdrnum(elf, &n_sections) ||
	    elf_getphdrnum(elf, &n_segments))
		return false;
	if (!n_sections)
		return add(parts, 0, UINT64_MAX);
	bool fits = add(parts, 0, header.e_ehsize) &&
		    add(parts, header.e_phoff, n_segments * (uint64_t)header.e_phentsize) &&
		    add(parts, header.e_shoff, n_sections * (uint64_t)header.e_shentsize);
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s && fits; s = elf_nextscn(elf, s)) {
		GElf_Shdr section;
		bool is_program = gelf_getshdr(s, &section) && section.sh_type == SHT_PROGBITS &&
				  (section.sh_flags & SHF_ALLOC);
		if (!is_program && section.sh_type != SHT_NOBITS)
			fits = add(parts, section.sh_offset, section.sh_size);
	}
	return fits;
}

static bool is_zero(const char *bytes, size_t n)
{
	return !n || (!bytes[0] && !memcmp(bytes, bytes + 1, n - 1));
}

/* Zeros stay holes, which take no memory: a file may be one. What is cut off while it is read is
 * zeros, too. */
static bool copy_part(int from, int to, const struct part *part, char *block)
{
	for (uint64_t at = part->start; at < part->end;) {
		size_t want = part->end - at < BLOCK ? (size_t)(part->end - at) : BLOCK;
		ssize_t n = pread(from, block, want, (off_t)at);
		if (n <= 0)
			return n == 0;
		if (!is_zero(block, (size_t)n) && pwrite(to, block, (size_t)n, (off_t)at) != n)
			return false;
		at += (uint64_t)n;
	}
	return true;
}

/* Returns the copy, or -1. */
static int copy(int fd, const struct parts *parts)
{
	int to = memfd_create("pmuscope", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	char *block = malloc(BLOCK);
	bool done = to >= 0 && block && !ftruncate(to, (off_t)parts->file_size + SPARE);
	for (size_t i = 0; i < parts->n && done; i++)
		done = copy_part(fd, to, &parts->rows[i], block);
	done = done && !fcntl(to, F_ADD_SEALS, F_SEAL_SHRINK);
	free(block);
	if (!done && to >= 0)
		close(to);
	return done ? to : -1;
}

int pms_snapshot_take(int fd)
{
	struct stat st;
	struct parts parts = { 0 };
	int taken = -1, seals = fcntl(fd, F_GET_SEALS);
	if (seals >= 0 && seals & F_SEAL_SHRINK)
		return fd; /* it is a copy */
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF && !fstat(fd, &st) && st.st_size > 0) {
		parts.file_size = (uint64_t)st.st_size;
		if (find_parts(&parts, elf) && merge(&parts) <= PMS_MOST_SNAPSHOT_BYTES)
			taken = copy(fd, &parts);
	}
	elf_end(elf);
	free(parts.rows);
	pms_lacked_note();
	if (taken < 0)
		return fd;
	close(fd);
	return taken;
}
