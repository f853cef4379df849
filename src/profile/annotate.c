/* SPDX-License-Identifier: MIT */
#include "pmuscope/annotate.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/name.h"
#include "base/status.h"
#include "profile/disassembly.h"
#include "profile/source.h"

struct pms_annotation_private {
	struct pms_arena arena;
	struct pms_source_files sources;
	struct pms_disassembly disassembly;
};

/* The annotation while it is made. */
struct making {
	struct pms_annotation *a;
	struct pms_symbols *symbols;
	struct pms_fold *fold; /* instructions of the function, or lines of the file */
	const char *last_file; /* of the line of source that was added last */
	unsigned last_line;
};

/* Lines around those that counted, in a file. */
enum { AROUND = 3 };

/* Names ---------------------------------------------------------------------------------------- */

static const char *short_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

static int is_file(const char *path, const char *name)
{
	return !strcmp(strchr(name, '/') ? path : short_name(path), name);
}

/* Returns whether the function is meant: by its whole name, or as far as its parameters. */
static int is_function(const char *function, const char *name)
{
	size_t n = strlen(name);
	return !strncmp(function, name, n) && (!function[n] || function[n] == '(');
}

int pms_annotation_pick(void *context, const struct pms_profile *profile, size_t row,
			const struct pms_symbol *symbol)
{
	const char *name = context;
	if (!symbol || profile->rows[row].place.object == PMS_PROFILE_NONE)
		return 0;
	if (is_function(symbol->function, name))
		return 1;
	return symbol->n_frames && is_file(symbol->frames[0].file, name);
}

static int fold(const struct making *m, enum pms_fold_by by, const char *sort, pms_fold_pick *pick,
		void *context, struct pms_fold **out, struct pms_error *err)
{
	const struct pms_fold_options options = {
		.by = by, .sort = sort, .pick = pick, .context = context
	};
	return pms_fold_make(m->a->profile, m->symbols, &options, out, err);
}

static int no_such_name(const struct pms_fold *functions, const struct pms_fold *lines,
			const char *name, struct pms_error *err)
{
	struct pms_nearest nearest = { 0 };
	int rc = pms_fail(err, PMS_ENAME, "the profile has no function and no source file %.128s",
			  name);
	for (size_t i = 0; i < functions->n_rows; i++)
		if (functions->rows[i].function)
			pms_nearest_offer(&nearest, name, functions->rows[i].function);
	for (size_t i = 0; i < lines->n_rows; i++)
		if (lines->rows[i].file)
			pms_nearest_offer(&nearest, name, short_name(lines->rows[i].file));
	if (nearest.best)
		pms_hint(err, "did you mean %s?", nearest.best);
	else
		pms_hint(err, "--by function lists all functions");
	return rc;
}

/* Lines ---------------------------------------------------------------------------------------- */

static int add_line(struct making *m, const struct pms_annotation_line *line)
{
	struct pms_annotation *a = m->a;
	struct pms_annotation_line *lines = pms_array_room(a->lines, a->n_lines, sizeof(*lines));
	if (!lines)
		return -PMS_ENOMEM;
	a->lines = lines;
	lines[a->n_lines++] = *line;
	return 0;
}

static const char *source_of(struct making *m, const char *file, unsigned line)
{
	const char *text = pms_source_line(&m->a->owned->sources, file, line);
	if (!text && !pms_source_lines(&m->a->owned->sources, file))
		m->a->no_source = file;
	return text;
}

/* Put the line of source that an instruction is of, where it is another than the one before. */
static int add_source(struct making *m, const char *file, unsigned line)
{
	if (!file || (m->last_file && !strcmp(file, m->last_file) && line == m->last_line))
		return 0;
	m->last_file = file;
	m->last_line = line;
	const struct pms_annotation_line source = {
		.is_source = 1, .file = file, .line = line, .text = source_of(m, file, line)
	};
	return add_line(m, &source);
}

static int compare_addresses(const void *a, const void *b)
{
	const struct pms_fold_row *x = a, *y = b;
	return (x->address > y->address) - (x->address < y->address);
}

/* Find the line of an address that nothing was counted at. */
static int find_line(struct making *m, uint64_t address, const char **file, unsigned *line)
{
	struct pms_symbol symbol;
	int rc =
		pms_symbols_at(m->symbols, &m->a->profile->objects[m->a->object], address, &symbol);
	*file = NULL;
	*line = 0;
	if (!rc && symbol.n_frames && symbol.frames[0].file[0]) {
		*file = symbol.frames[0].file;
		*line = symbol.frames[0].line;
	}
	return rc;
}

static int add_instruction(struct making *m, uint64_t address, const char *text,
			   const struct pms_fold_row *row)
{
	struct pms_annotation_line line = { .address = address,
					    .text = text,
					    .values = row ? row->values : NULL };
	int rc = find_line(m, address, &line.file, &line.line);
	if (!rc)
		rc = add_source(m, line.file, line.line);
	return rc ? rc : add_line(m, &line);
}

/* Merge the disassembly with the instructions that were counted: either may lack some. */
static int add_instructions(struct making *m)
{
	const struct pms_disassembly *d = &m->a->owned->disassembly;
	const struct pms_fold *f = m->fold;
	size_t i = 0, k = 0;
	int rc = 0;
	while ((i < d->n || k < f->n_rows) && !rc) {
		uint64_t ours = k < f->n_rows ? f->rows[k].address : UINT64_MAX;
		uint64_t theirs = i < d->n ? d->rows[i].address : UINT64_MAX;
		uint64_t address = ours < theirs ? ours : theirs;
		rc = add_instruction(m, address,
				     theirs == address && i < d->n ? d->rows[i].text : NULL,
				     ours == address && k < f->n_rows ? &f->rows[k] : NULL);
		i += theirs == address;
		k += ours == address;
	}
	return rc;
}

/* Functions ------------------------------------------------------------------------------------ */

/* The function to show: several may have one name. */
struct chosen {
	uint32_t object;
	uint64_t start;
};

static int is_of_chosen(void *context, const struct pms_profile *profile, size_t row,
			const struct pms_symbol *symbol)
{
	const struct chosen *c = context;
	return profile->rows[row].place.object == c->object && symbol->known &&
	       symbol->start == c->start;
}

static int disassemble(struct making *m, const struct pms_symbol *symbol)
{
	struct pms_annotation *a = m->a;
	const struct pms_object *object = &a->profile->objects[a->object];
	const char *path = pms_symbols_file(m->symbols, object);
	uint64_t end = symbol->start + symbol->size;
	if (!path)
		a->because = object->kind == PMS_OBJECT_FILE ? "the program's file is not here"
							     : "its code is in no file";
	else if (!symbol->size)
		a->because = "where the function ends is not known";
	else if (symbol->size > PMS_MOST_FUNCTION_BYTES)
		a->because = "the function has more than 1 MiB";
	if (a->because)
		return 0;
	int rc = pms_disassemble(path, symbol->start, end, &a->owned->disassembly, &a->because);
	a->program = a->owned->disassembly.program;
	return rc;
}

static int show_function(struct making *m, const struct pms_fold_row *row, struct pms_error *err)
{
	struct pms_annotation *a = m->a;
	struct pms_symbol symbol;
	a->object = row->object;
	int rc = pms_symbols_at(m->symbols, &a->profile->objects[row->object], row->address,
				&symbol);
	struct chosen chosen = { row->object, symbol.start };
	a->function = symbol.function;
	if (!rc)
		rc = fold(m, PMS_FOLD_INSTRUCTION, NULL, is_of_chosen, &chosen, &m->fold, err);
	if (!rc)
		rc = disassemble(m, &symbol);
	if (rc)
		return rc;
	if (m->fold->n_rows)
		qsort(m->fold->rows, m->fold->n_rows, sizeof(*m->fold->rows), compare_addresses);
	return add_instructions(m);
}

/* Files ---------------------------------------------------------------------------------------- */

static int compare_lines(const void *a, const void *b)
{
	const struct pms_fold_row *x = a, *y = b;
	return (x->line > y->line) - (x->line < y->line);
}

/* Add up lines of several functions. Returns the row after those of the line of row @k. */
static size_t sum_line(struct pms_fold *f, size_t k)
{
	size_t end = k + 1;
	for (; end < f->n_rows && f->rows[end].line == f->rows[k].line; end++)
		for (size_t i = 0; i < f->profile->n_kinds; i++)
			f->rows[k].values[i] += f->rows[end].values[i];
	return end;
}

static int is_of_file(void *context, const struct pms_profile *profile, size_t row,
		      const struct pms_symbol *symbol)
{
	(void)profile;
	(void)row;
	return symbol->n_frames && !strcmp(symbol->frames[0].file, context);
}

/* Show the lines that counted, with some around them. */
static int show_file(struct making *m, const char *file, struct pms_error *err)
{
	struct pms_annotation *a = m->a;
	a->file = file;
	int rc = fold(m, PMS_FOLD_LINE, NULL, is_of_file, (char *)file, &m->fold, err);
	if (rc || !m->fold->n_rows)
		return rc;
	struct pms_fold *f = m->fold;
	qsort(f->rows, f->n_rows, sizeof(*f->rows), compare_lines);
	size_t most = pms_source_lines(&a->owned->sources, file), next = 1;
	for (size_t k = 0, end; k < f->n_rows && !rc; k = end) {
		unsigned line = f->rows[k].line;
		end = sum_line(f, k);
		for (size_t i = line > AROUND ? line - AROUND : 1; i <= line + AROUND && !rc; i++) {
			size_t until = end < f->n_rows ? f->rows[end].line : SIZE_MAX;
			if (i < next || (i != line && (i > most || i >= until)))
				continue;
			const struct pms_annotation_line shown = {
				.is_source = 1,
				.file = file,
				.line = (unsigned)i,
				.text = source_of(m, file, (unsigned)i),
				.values = i == line ? f->rows[k].values : NULL
			};
			rc = add_line(m, &shown);
			next = i + 1;
		}
	}
	return rc;
}

/* Make ----------------------------------------------------------------------------------------- */

/* Returns the first row that @name means, which has most; NULL: none does. */
static const struct pms_fold_row *find_function(const struct pms_fold *f, const char *name)
{
	for (size_t i = 0; i < f->n_rows; i++) {
		const struct pms_fold_row *row = &f->rows[i];
		if (row->function && row->function[0] != '[' &&
		    (!name || is_function(row->function, name)))
			return row;
	}
	return NULL;
}

static const char *find_file(const struct pms_fold *f, const char *name)
{
	for (size_t i = 0; i < f->n_rows; i++)
		if (f->rows[i].file && is_file(f->rows[i].file, name))
			return f->rows[i].file;
	return NULL;
}

static int make(struct making *m, const char *name, const char *sort, struct pms_error *err)
{
	struct pms_fold *functions = NULL, *lines = NULL;
	int rc = fold(m, PMS_FOLD_FUNCTION, sort, NULL, NULL, &functions, err);
	const struct pms_fold_row *row = rc ? NULL : find_function(functions, name);
	const char *file = NULL;
	if (!rc && !row && name) {
		rc = fold(m, PMS_FOLD_LINE, sort, NULL, NULL, &lines, err);
		file = rc ? NULL : find_file(lines, name);
	}
	if (!rc && row)
		rc = show_function(m, row, err);
	else if (!rc && file)
		rc = show_file(m, file, err);
	else if (!rc && name)
		rc = no_such_name(functions, lines, name, err);
	else if (!rc)
		rc = pms_fail(err, PMS_EINVAL, "the profile has no function whose name is known");
	if (functions && !rc)
		memcpy(m->a->totals, functions->totals,
		       m->a->profile->n_kinds * sizeof(*m->a->totals));
	pms_fold_free(functions);
	pms_fold_free(lines);
	return rc;
}

/* Keep the values of the fold's rows, which the lines point to. */
static int keep_values(struct making *m)
{
	size_t n = m->a->profile->n_kinds;
	for (size_t i = 0; i < m->a->n_lines; i++) {
		struct pms_annotation_line *line = &m->a->lines[i];
		uint64_t *copy = line->values
					 ? pms_arena_alloc(&m->a->owned->arena, n, sizeof(*copy))
					 : NULL;
		if (line->values && !copy)
			return -PMS_ENOMEM;
		for (size_t k = 0; copy && k < n; k++) {
			copy[k] = line->values[k];
			m->a->sums[k] += copy[k];
		}
		line->values = copy;
	}
	return 0;
}

static struct pms_annotation *annotation_new(const struct pms_profile *profile)
{
	struct pms_annotation *a = calloc(1, sizeof(*a));
	if (!a)
		return NULL;
	a->profile = profile;
	a->object = PMS_PROFILE_NONE;
	a->owned = calloc(1, sizeof(*a->owned));
	if (a->owned) {
		a->totals = pms_arena_alloc(&a->owned->arena, profile->n_kinds, sizeof(uint64_t));
		a->sums = pms_arena_alloc(&a->owned->arena, profile->n_kinds, sizeof(uint64_t));
	}
	if (a->totals && a->sums)
		return a;
	pms_annotation_free(a);
	return NULL;
}

int pms_annotation_make(const struct pms_profile *profile, struct pms_symbols *symbols,
			const char *name, const char *sort, struct pms_annotation **out,
			struct pms_error *err)
{
	struct making m = { .a = annotation_new(profile), .symbols = symbols };
	int rc = m.a ? make(&m, name, sort, err) : -PMS_ENOMEM;
	if (!rc)
		rc = keep_values(&m);
	pms_fold_free(m.fold);
	if (!rc) {
		*out = m.a;
		return 0;
	}
	pms_annotation_free(m.a);
	return rc == -PMS_ENOMEM ? pms_no_memory(err) : rc;
}

void pms_annotation_free(struct pms_annotation *a)
{
	if (!a)
		return;
	if (a->owned) {
		pms_arena_release(&a->owned->arena);
		pms_sources_release(&a->owned->sources);
		pms_disassembly_release(&a->owned->disassembly);
	}
	free(a->owned);
	free(a->lines);
	free(a);
}
