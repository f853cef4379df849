/* SPDX-License-Identifier: MIT */
#include "show/manual.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/regular.h"
#include "pmuscope/error.h"

enum { LONGEST = 1 << 20 }; /* bytes of a page */
enum { DEPTH = 2 };	    /* of folders: docs/model/gallery */
#define LONGEST_PATH (4096 + 256)

struct find {
	const char *const *words;
	size_t n_words;
	struct pms_section *found;
	size_t n;
	char *text; /* room for a page and its zero */
	int failed; /* out of memory */
};

static size_t mentions_of(const char *text, const char *word)
{
	size_t n = 0;
	for (const char *at = text; word[0] && (at = strcasestr(at, word)); at += strlen(word))
		n++;
	return n;
}

static int has_all(const struct find *f, const char *text, size_t *mentions)
{
	*mentions = 0;
	for (size_t i = 0; i < f->n_words; i++) {
		size_t n = mentions_of(text, f->words[i]);
		if (!n)
			return 0;
		*mentions += n;
	}
	return 1;
}

/* Keep the section if it has all words. @text: its heading and body, ended with a zero for the
 * call */
static void look_at(struct find *f, const char *page, const char *heading, const char *text)
{
	struct pms_section section = { 0 };
	size_t in_heading;
	if (f->failed || !has_all(f, text, &section.mentions))
		return;
	section.in_heading = has_all(f, heading, &in_heading);
	struct pms_section *room = pms_array_room(f->found, f->n, sizeof(*room));
	if (room)
		f->found = room;
	section.heading = strdup(heading);
	if (!room || asprintf(&section.page, "docs/%s", page) < 0 || !section.heading) {
		free(section.heading);
		f->failed = 1;
		return;
	}
	f->found[f->n++] = section;
}

/* Whether a line begins a section, "## What is left out". Lines in code blocks, indented or
 * fenced, do not. */
static int is_heading(const char *line, int *is_fenced)
{
	if (!strncmp(line, "```", 3))
		*is_fenced = !*is_fenced;
	return !*is_fenced && line[0] == '#' && line[strspn(line, "#")] == ' ';
}

/* Split a page at its headings. */
static void look_through(struct find *f, const char *page, char *text)
{
	char heading[256] = "", *start = text, *line = text;
	int is_fenced = 0;
	while (line && *line) {
		char *next = strchr(line, '\n');
		if (is_heading(line, &is_fenced)) {
			char kept = *line;
			*line = 0;
			look_at(f, page, heading, start);
			*line = kept;
			const char *words = line + strspn(line, "# ");
			snprintf(heading, sizeof(heading), "%.*s", (int)strcspn(words, "\r\n"),
				 words);
			start = line;
		}
		line = next ? next + 1 : NULL;
	}
	look_at(f, page, heading, start);
}

/* Read and search one page. @page: path below the folder, "use/live.md" */
static void read_page(struct find *f, const char *folder, const char *page)
{
	char path[LONGEST_PATH];
	int n = snprintf(path, sizeof(path), "%s/%s", folder, page);
	int fd = n < (int)sizeof(path) ? pms_regular_open(path) : -1;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	if (!file && fd >= 0)
		f->failed = 1;
	if (!file)
		return;
	f->text[fread(f->text, 1, LONGEST, file)] = 0;
	int is_whole = !ferror(file);
	fclose(file);
	if (is_whole)
		look_through(f, page, f->text);
}

/* Read a folder's pages and its subfolders'. @below: path below the top folder, "" or "use/" */
static void read_folder(struct find *f, const char *folder, const char *below, unsigned depth)
{
	char path[LONGEST_PATH], name[LONGEST_PATH];
	int n = snprintf(path, sizeof(path), "%s/%s", folder, below);
	DIR *dir = n < (int)sizeof(path) ? opendir(path) : NULL;
	f->failed |= !dir && errno == ENOMEM;
	for (struct dirent *entry; dir && !f->failed && (entry = readdir(dir));) {
		size_t length = strlen(entry->d_name);
		int is_page = length > 3 && !strcmp(entry->d_name + length - 3, ".md");
		n = snprintf(name, sizeof(name), "%s%s%s", below, entry->d_name,
			     is_page ? "" : "/");
		if (n >= (int)sizeof(name))
			continue;
		if (is_page)
			read_page(f, folder, name);
		else if (depth && entry->d_name[0] != '.')
			read_folder(f, folder, name, depth - 1);
	}
	if (dir)
		closedir(dir);
}

static int best_first(const void *a, const void *b)
{
	const struct pms_section *x = a, *y = b;
	if (x->in_heading != y->in_heading)
		return y->in_heading - x->in_heading;
	if (x->mentions != y->mentions)
		return x->mentions < y->mentions ? 1 : -1;
	int order = strcmp(x->page, y->page);
	return order ? order : strcmp(x->heading, y->heading);
}

int pms_manual_find(const char *folder, const char *const *words, size_t n_words, size_t most,
		    struct pms_section **out)
{
	struct find f = { .words = words, .n_words = n_words };
	f.text = malloc(LONGEST + 1);
	f.failed = !f.text;
	if (f.text)
		read_folder(&f, folder, "", DEPTH);
	free(f.text);
	if (f.failed) {
		pms_sections_free(f.found, f.n);
		return -PMS_ENOMEM;
	}
	if (f.n)
		qsort(f.found, f.n, sizeof(f.found[0]), best_first);
	for (; f.n > most; f.n--) {
		free(f.found[f.n - 1].page);
		free(f.found[f.n - 1].heading);
	}
	*out = f.found;
	return (int)f.n;
}

void pms_sections_free(struct pms_section *sections, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(sections[i].page);
		free(sections[i].heading);
	}
	free(sections);
}
