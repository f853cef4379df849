/* SPDX-License-Identifier: MIT */
#include "symbol/kallsyms.h"
#include "pmuscope/error.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/regular.h"

enum { TEXT_MAX = 256 << 20 };

/* A list comes from a file, or through a pipe that the user made of it. A device is not opened. */
static FILE *open_list(const char *path)
{
	struct stat st;
	int fd = pms_regular_open(path);
	if (fd < 0 && errno == EINVAL && !stat(path, &st) && S_ISFIFO(st.st_mode))
		fd = open(path, O_RDONLY | O_CLOEXEC);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	if (!file && fd >= 0)
		close(fd);
	return file;
}

/* A whole file that may not say how long it is, with a 0 behind it. NULL: not there, too long, no
 * memory. */
static char *slurp(const char *path, size_t *size)
{
	FILE *file = open_list(path);
	char *text = NULL;
	size_t room = 1 << 16;
	*size = 0;
	if (!file)
		return NULL;
	for (;;) {
		char *more = realloc(text, room);
		if (!more)
			break;
		text = more;
		*size += fread(text + *size, 1, room - 1 - *size, file);
		text[*size] = 0;
		if (*size < room - 1 || room >= TEXT_MAX) {
			int whole = *size < room - 1 && !ferror(file);
			fclose(file);
			if (!whole)
				free(text);
			return whole ? text : NULL;
		}
		room *= 2;
	}
	fclose(file);
	free(text);
	return NULL;
}

/* "ffff800008000000 T _text", and "\t[module]" behind it or not. Returns 1 with a row. */
static int line_read(char *line, struct pms_name_at *row)
{
	char *end;
	row->start = row->end = strtoull(line, &end, 16);
	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ' || !row->start)
		return 0;
	char type = end[1];
	row->name = end + 3;
	row->name = strtok_r(end + 3, "\t ", &end);
	row->rank = strchr("Tt", type) ? 3 : strchr("WwVv", type) ? 2 : 1;
	/* Numbers that are no addresses, and marks of the assembler. */
	return row->name && !strchr("Aa", type) && row->name[0] != '$';
}

int pms_kallsyms_read(struct pms_kallsyms *k, const char *path)
{
	size_t size;
	char *rest, *line;
	k->text = slurp(path, &size);
	if (!k->text)
		return 0;
	for (line = strtok_r(k->text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		struct pms_name_at row = { 0 };
		if (line_read(line, &row) && pms_names_add(&k->names, &row))
			return -PMS_ENOMEM;
	}
	return pms_names_settle(&k->names, UINT64_MAX);
}

int pms_kallsyms_is_running(const struct pms_object *kernel, const char *notes)
{
	size_t size, at = 0;
	char *bytes = slurp(notes, &size);
	int same = 0;
	while (bytes && size - at >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr n;
		memcpy(&n, bytes + at, sizeof(n));
		at += sizeof(n);
		uint64_t name = ((uint64_t)n.n_namesz + 3) & ~UINT64_C(3);
		uint64_t whole = name + (((uint64_t)n.n_descsz + 3) & ~UINT64_C(3));
		if (whole > size - at)
			break;
		same |= n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 &&
			!memcmp(bytes + at, "GNU", 4) && n.n_descsz == kernel->build_id_size &&
			!memcmp(bytes + at + name, kernel->build_id, n.n_descsz);
		at += (size_t)whole;
	}
	free(bytes);
	return same;
}

void pms_kallsyms_release(struct pms_kallsyms *k)
{
	pms_names_release(&k->names);
	free(k->text);
	*k = (struct pms_kallsyms){ 0 };
}
