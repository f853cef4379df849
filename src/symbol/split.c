/* SPDX-License-Identifier: MIT */
/* libdw opens a .dwo file by the name that the skeleton has, and nobody can hand it one that is
 * open. So while it does, the name is another: that of a copy. It is written into the program's
 * copy, where libdw reads it, and taken back. */
#include "symbol/split.h"
#include "base/regular.h"
#include "pmuscope/error.h"
#include "symbol/inflated.h"
#include "symbol/lacked.h"
#include "symbol/snapshot.h"

#include <dwarf.h>
#include <gelf.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME = 32 }; /* "/proc/self/fd/" and a number */

/* What tells a file apart. */
static uint64_t identity(const struct stat *st)
{
	return (uint64_t)st->st_dev << 48 ^ (uint64_t)st->st_ino;
}

static int is_fit(int fd, struct pms_debug_room *room)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	int fits = elf && elf_kind(elf) == ELF_K_ELF && pms_elf_is_bounded(elf, fd, room);
	pms_lacked_note();
	elf_end(elf);
	return fits;
}

/* Take @fd, and keep a copy of it as the last. Returns 1; 0: it is none of debug information, or
 * was copied before. */
static int keep_copy(struct pms_splits *splits, int fd, uint64_t file)
{
	if (pms_numbers_get(&splits->opened, file) != PMS_NO_ROW || !is_fit(fd, splits->room)) {
		close(fd);
		return 0;
	}
	if (pms_numbers_set(&splits->opened, file, 0)) {
		close(fd);
		return -PMS_ENOMEM;
	}
	if (splits->copy)
		close(splits->copy - 1);
	splits->copy = pms_snapshot_take(fd) + 1;
	splits->last = file;
	return 1;
}

/* Make a copy of the file at @path, unless it is the last. Returns as keep_copy(). */
static int open_copy(struct pms_splits *splits, const char *path)
{
	struct stat st;
	int fd = pms_regular_open(path);
	if (fd < 0)
		return 0;
	if (fstat(fd, &st) || !splits->copy || identity(&st) != splits->last)
		return keep_copy(splits, fd, identity(&st));
	close(fd);
	return 1;
}

/* Make a copy of the file @name: beside the program, else in @folder. Returns as keep_copy(). */
static int find_copy(struct pms_splits *splits, const char *name, const char *folder)
{
	char full[2 * PATH_MAX];
	const char *slash = strrchr(splits->path, '/');
	if (name[0] == '/')
		return open_copy(splits, name);
	snprintf(full, sizeof(full), "%.*s%s", slash ? (int)(slash + 1 - splits->path) : 0,
		 splits->path, name);
	int found = open_copy(splits, full);
	if (found || !folder)
		return found;
	int n = snprintf(full, sizeof(full), "%s/%s", folder, name);
	return n < (int)sizeof(full) ? open_copy(splits, full) : 0;
}

/* How many bytes from @at on may be written over for a while: to the end of the file's copy or of
 * the section's own memory. */
static size_t room_at(Elf *elf, const char *at)
{
	size_t size = 0;
	const char *file = elf_rawfile(elf, &size);
	if (file && at >= file && at < file + size)
		return size - (size_t)(at - file);
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s)) {
		const Elf_Data *data = elf_rawdata(s, NULL);
		const char *start = data ? data->d_buf : NULL;
		if (start && at >= start && at < start + data->d_size)
			return data->d_size - (size_t)(at - start);
	}
	return 0;
}

/* Write over memory that may be read-only: the kernel says so. Returns whether all was written. */
static int put(char *at, const char *bytes, size_t size)
{
	int fd = memfd_create("pmuscope", MFD_CLOEXEC);
	int done = fd >= 0 && pwrite(fd, bytes, size, 0) == (ssize_t)size &&
		   pread(fd, at, size, 0) == (ssize_t)size;
	if (fd >= 0)
		close(fd);
	return done;
}

/* Let libdw look for the unit, with the name of @fd in place of @name, where there is @room. */
static int look_up(Dwarf_Die *skeleton, char *name, size_t room, int fd, Dwarf_Die *content)
{
	char copy[NAME], kept[NAME];
	size_t size = (size_t)snprintf(copy, sizeof(copy), "/proc/self/fd/%d", fd) + 1;
	if (size > room)
		return 0;
	memcpy(kept, name, size);
	if (!put(name, copy, size))
		return 0;
	memset(content, 0, sizeof(*content));
	dwarf_cu_info(skeleton->cu, NULL, NULL, NULL, content, NULL, NULL, NULL);
	pms_lacked_note();
	memcpy(name, kept, size);
	return content->cu != NULL;
}

int pms_split_find(struct pms_splits *splits, Dwarf_Die *skeleton, Dwarf_Die *content)
{
	Dwarf_Attribute attribute, folder;
	Dwarf_Attribute *named = dwarf_attr(skeleton, DW_AT_dwo_name, &attribute);
	if (!named)
		named = dwarf_attr(skeleton, DW_AT_GNU_dwo_name, &attribute);
	const char *name = dwarf_formstring(named);
	if (!name)
		return 0;
	/* In the unit itself, other attributes are behind the name. */
	size_t room = dwarf_whatform(named) == DW_FORM_string
			      ? strlen(name) + 1
			      : room_at(dwarf_getelf(dwarf_cu_getdwarf(skeleton->cu)), name);
	int found = find_copy(splits, name,
			      dwarf_formstring(dwarf_attr(skeleton, DW_AT_comp_dir, &folder)));
	return found <= 0 ? found
			  : look_up(skeleton, (char *)name, room, splits->copy - 1, content);
}

void pms_splits_release(struct pms_splits *splits)
{
	if (splits->copy)
		close(splits->copy - 1);
	pms_numbers_release(&splits->opened);
	*splits = (struct pms_splits){ 0 };
}
