/* SPDX-License-Identifier: MIT */
#include "profile/source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/regular.h"

/* Returns the file's text with a final zero, to be freed; NULL: it cannot be read. */
static char *read_text(const char *path)
{
	struct stat st;
	size_t n = 0;
	ssize_t got = 1;
	int fd = pms_regular_open(path);
	if (fd < 0)
		return NULL;
	int fits = !fstat(fd, &st) && st.st_size >= 0 && st.st_size <= PMS_MOST_SOURCE_BYTES;
	size_t size = fits ? (size_t)st.st_size : 0;
	char *text = fits ? malloc(size + 1) : NULL;
	while (text && n < size && got > 0) {
		got = read(fd, text + n, size - n);
		n += got > 0 ? (size_t)got : 0;
	}
	if (text)
		text[n] = 0;
	close(fd);
	return text;
}

/* Split the text into lines, which the arena keeps. */
static void split(struct pms_source_files *s, struct pms_source_file *file, const char *text)
{
	size_t n = 0;
	for (const char *at = text; *at; n++) {
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	file->lines = pms_arena_alloc(&s->arena, n, sizeof(*file->lines));
	for (const char *at = text; file->lines && *at;) {
		size_t length = strcspn(at, "\n");
		char *line = pms_arena_alloc(&s->arena, length + 1, 1);
		if (!line)
			return;
		memcpy(line, at, length);
		file->lines[file->n_lines++] = line;
		at += length + (at[length] == '\n');
	}
}

static const struct pms_source_file *find(struct pms_source_files *s, const char *path)
{
	for (size_t i = 0; i < s->n_files; i++)
		if (!strcmp(s->files[i].path, path))
			return &s->files[i];
	struct pms_source_file *files = pms_array_room(s->files, s->n_files, sizeof(*files));
	if (!files)
		return NULL;
	s->files = files;
	struct pms_source_file *file = &files[s->n_files++];
	*file = (struct pms_source_file){ .path = path };
	char *text = read_text(path);
	if (text)
		split(s, file, text);
	free(text);
	return file;
}

const char *pms_source_line(struct pms_source_files *s, const char *path, unsigned line)
{
	const struct pms_source_file *file = find(s, path);
	return file && line && line <= file->n_lines ? file->lines[line - 1] : NULL;
}

size_t pms_source_lines(struct pms_source_files *s, const char *path)
{
	const struct pms_source_file *file = find(s, path);
	return file ? file->n_lines : 0;
}

void pms_sources_release(struct pms_source_files *s)
{
	pms_arena_release(&s->arena);
	free(s->files);
	*s = (struct pms_source_files){ 0 };
}
