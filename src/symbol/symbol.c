/* SPDX-License-Identifier: MIT */
/* Each object is opened when it is first asked for, each place looked up once. */
#include "pmuscope/symbol.h"
#include "base/array.h"
#include "base/limits.h"
#include "base/status.h"
#include "symbol/binary.h"
#include "symbol/demangle.h"
#include "symbol/inflated.h"
#include "symbol/kallsyms.h"
#include "symbol/lacked.h"
#include "symbol/objects.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* An object, and what was found at places in it. */
struct entry {
	int opened, status; /* of opening it */
	enum pms_symbols_state state;
	struct pms_binary *binary; /* NULL: there is no file */
	struct pms_numbers by_offset;
	struct pms_symbol *found;
	size_t n_found;
};

struct pms_symbols {
	struct pms_symbol_search search;
	struct pms_debug_room room;
	char *kallsyms_path;
	struct pms_kallsyms kallsyms;
	int kallsyms_read;
	struct pms_objects objects; /* its arena holds all texts and frames */
	struct entry **entries;	    /* by object */
	uint32_t last;		    /* object that was asked for last */
	struct pms_numbers by_name; /* where a name lies, to the text it became */
	const char **texts;
	size_t n_texts;
	struct pms_demangler demangler;
};

int pms_symbols_open(const struct pms_symbols_options *options, struct pms_symbols **out,
		     struct pms_error *err)
{
	struct pms_symbols *s = calloc(1, sizeof(*s));
	const char *kallsyms = options ? options->kallsyms : NULL;
	*out = NULL;
	if (!s)
		return pms_no_memory(err);
	s->last = PMS_NO_ROW;
	s->kallsyms_path = kallsyms ? strdup(kallsyms) : NULL;
	if (pms_search_init(&s->search, options ? options->symfs : NULL) ||
	    (kallsyms && !s->kallsyms_path)) {
		pms_symbols_close(s);
		return pms_no_memory(err);
	}
	s->room = (struct pms_debug_room){ PMS_FREE_LINE_BYTES, PMS_FREE_DEBUG_BYTES };
	s->search.room = &s->room;
	*out = s;
	return 0;
}

/* Objects -------------------------------------------------------------------------------------- */

static int is_same(const struct pms_object *a, const struct pms_object *b)
{
	return a->kind == b->kind && a->build_id_size == b->build_id_size &&
	       !memcmp(a->build_id, b->build_id, a->build_id_size) && !strcmp(a->path, b->path);
}

/* The entry of @object, a new one perhaps. NULL when out of memory. */
static struct entry *entry_of(struct pms_symbols *s, const struct pms_object *object)
{
	if (s->last != PMS_NO_ROW && is_same(&s->objects.rows[s->last].object, object))
		return s->entries[s->last];
	size_t before = s->objects.count;
	void *room = pms_array_room(s->entries, before, sizeof(struct entry *));
	if (!room)
		return NULL;
	s->entries = room;
	uint32_t number = pms_objects_number(&s->objects, object);
	if (number == before)
		s->entries[number] = calloc(1, sizeof(struct entry));
	if (number == PMS_NO_ROW || !s->entries[number])
		return NULL;
	s->last = number;
	return s->entries[number];
}

/* The kernel's list: the one that was given, or this machine's if it runs that kernel. */
static int kallsyms_open(struct pms_symbols *s, const struct pms_object *object)
{
	const char *path = s->kallsyms_path;
	if (!path && object->build_id_size && pms_kallsyms_is_running(object, "/sys/kernel/notes"))
		path = "/proc/kallsyms";
	if (!path || s->kallsyms_read)
		return 0;
	s->kallsyms_read = 1;
	return pms_kallsyms_read(&s->kallsyms, path);
}

/* What is not there takes no room: a recording names as many files as it likes. */
static int file_open(struct pms_symbols *s, struct entry *e, const struct pms_object *object)
{
	struct pms_binary opened = { 0 };
	int status = pms_binary_open(&opened, &s->search, object);
	e->state = opened.state;
	if (!status && opened.dwfl) {
		e->binary = malloc(sizeof(*e->binary));
		if (e->binary)
			*e->binary = opened;
		else
			status = -PMS_ENOMEM;
	}
	if (!e->binary)
		pms_binary_close(&opened);
	return status;
}

/* Its file, if it says where it was in memory; else its list. */
static int kernel_open(struct pms_symbols *s, struct entry *e, const struct pms_object *object)
{
	int status = object->kind == PMS_OBJECT_KERNEL ? file_open(s, e, object) : 0;
	if (status || (e->binary && e->binary->reference_at))
		return status;
	status = kallsyms_open(s, object);
	e->state = s->kallsyms.names.count ? PMS_SYMBOLS_NAMES : PMS_SYMBOLS_MISSING;
	return status;
}

static int entry_open(struct pms_symbols *s, struct entry *e, const struct pms_object *object)
{
	if (e->opened)
		return e->status;
	e->opened = 1;
	e->state = PMS_SYMBOLS_NONE;
	pms_lacked_begin();
	if (object->kind == PMS_OBJECT_FILE)
		e->status = file_open(s, e, object);
	if (object->kind == PMS_OBJECT_KERNEL || object->kind == PMS_OBJECT_MODULE)
		e->status = kernel_open(s, e, object);
	e->status = pms_lacked_or(e->status);
	return e->status;
}

enum pms_symbols_state pms_symbols_state(struct pms_symbols *symbols,
					 const struct pms_object *object)
{
	struct entry *e = entry_of(symbols, object);
	if (!e || entry_open(symbols, e, object))
		return PMS_SYMBOLS_MISSING;
	return e->binary && e->binary->lines.left_out ? PMS_SYMBOLS_PART : e->state;
}

const char *pms_symbols_file(struct pms_symbols *symbols, const struct pms_object *object)
{
	struct entry *e = entry_of(symbols, object);
	return e && !entry_open(symbols, e, object) && e->binary ? e->binary->path : NULL;
}

const char *pms_symbols_state_name(enum pms_symbols_state state)
{
	static const char *const names[PMS_SYMBOLS_STATES] = {
		[PMS_SYMBOLS_NONE] = "none",	   [PMS_SYMBOLS_LINES] = "lines",
		[PMS_SYMBOLS_NAMES] = "names",	   [PMS_SYMBOLS_BARE] = "bare",
		[PMS_SYMBOLS_MISSING] = "missing", [PMS_SYMBOLS_MISMATCH] = "mismatch",
		[PMS_SYMBOLS_DAMAGED] = "damaged", [PMS_SYMBOLS_PART] = "part",
	};
	return (size_t)state < COUNT(names) ? names[state] : "?";
}

/* Places --------------------------------------------------------------------------------------- */

/* A name of a file as it is shown: demangled, once for each name. */
static const char *text_of(struct pms_symbols *s, const char *name)
{
	uint32_t row = pms_numbers_get(&s->by_name, (uintptr_t)name);
	if (row != PMS_NO_ROW)
		return s->texts[row];
	char *demangled = pms_demangle(&s->demangler, name);
	const char *text = demangled ? pms_arena_dup(&s->objects.arena, demangled) : name;
	void *room = pms_array_room(s->texts, s->n_texts, sizeof(*s->texts));
	free(demangled);
	if (room)
		s->texts = room;
	if (!room || !text || pms_numbers_set(&s->by_name, (uintptr_t)name, (uint32_t)s->n_texts))
		return NULL;
	return s->texts[s->n_texts++] = text;
}

static const char *word_of(const struct pms_object *object)
{
	static const char *const words[] = {
		[PMS_OBJECT_FILE] = "[unknown]",  [PMS_OBJECT_KERNEL] = "[kernel]",
		[PMS_OBJECT_MODULE] = "[module]", [PMS_OBJECT_VDSO] = "[vdso]",
		[PMS_OBJECT_JIT] = "[jit]",	  [PMS_OBJECT_STACK] = "[stack]",
		[PMS_OBJECT_HEAP] = "[heap]",	  [PMS_OBJECT_OTHER] = "[other]",
	};
	return object && (size_t)object->kind < COUNT(words) ? words[object->kind] : "[unknown]";
}

static int frames_find(struct pms_symbols *s, struct entry *e, uint64_t address,
		       struct pms_symbol *symbol)
{
	struct pms_line_frame found[PMS_FRAMES_MOST];
	int n = pms_debug_lines_find(&e->binary->lines, address, found);
	if (n <= 0)
		return n;
	struct pms_frame *frames = pms_arena_alloc(&s->objects.arena, (size_t)n, sizeof(*frames));
	if (!frames)
		return -PMS_ENOMEM;
	for (int i = 0; i < n; i++) {
		const struct pms_line_frame *f = &found[i];
		frames[i] = (struct pms_frame){ .function = "",
						.file = f->file ? f->file : "",
						.line = (unsigned)f->line,
						.column = (unsigned)f->column,
						.linkage = f->function ? f->function : "",
						.declared = (unsigned)f->declared };
		if (f->function)
			frames[i].function = text_of(s, f->function);
		if (!frames[i].function)
			return -PMS_ENOMEM;
	}
	symbol->frames = frames;
	symbol->n_frames = (size_t)n;
	return 0;
}

static int name_put(struct pms_symbols *s, const struct pms_name_at *name, uint64_t address,
		    struct pms_symbol *symbol)
{
	symbol->function = text_of(s, name->name);
	symbol->linkage = name->name;
	symbol->start = name->start;
	symbol->size = name->end - name->start;
	symbol->offset = address - name->start;
	symbol->known = 1;
	return symbol->function ? 0 : -PMS_ENOMEM;
}

/* @address: the file's own */
static int find_in_file(struct pms_symbols *s, struct entry *e, uint64_t address,
			struct pms_symbol *symbol)
{
	const struct pms_name_at *name = pms_names_find(&e->binary->names, address);
	const char *stub = name ? NULL : pms_binary_stub(e->binary, address);
	int status = name ? name_put(s, name, address, symbol) : 0;
	symbol->address = address;
	symbol->has_address = 1;
	if (stub)
		symbol->function = "[plt]";
	if (!status)
		status = frames_find(s, e, address, symbol);
	/* A file that is stripped, but for its debug information. */
	if (!status && !name && symbol->n_frames &&
	    symbol->frames[symbol->n_frames - 1].function[0]) {
		symbol->function = symbol->frames[symbol->n_frames - 1].function;
		symbol->known = 1;
	}
	return status;
}

static int find_in_list(struct pms_symbols *s, uint64_t address, struct pms_symbol *symbol)
{
	const struct pms_name_at *name = pms_names_find(&s->kallsyms.names, address);
	return name ? name_put(s, name, address, symbol) : 0;
}

static int look_up(struct pms_symbols *s, struct entry *e, const struct pms_place *place,
		   struct pms_symbol *symbol)
{
	uint64_t address;
	switch (place->object->kind) {
	case PMS_OBJECT_FILE:
		if (!pms_binary_address(e->binary, place->offset, &address))
			return 0;
		return find_in_file(s, e, address, symbol);
	case PMS_OBJECT_KERNEL:
		if (e->binary && e->binary->reference_at)
			return find_in_file(s, e, e->binary->reference_at + place->offset, symbol);
		return find_in_list(s, place->address, symbol);
	case PMS_OBJECT_MODULE:
		return find_in_list(s, place->address, symbol);
	default:
		return 0;
	}
}

/* What tells places in an object apart. */
static uint64_t key_of(const struct pms_place *place)
{
	return place->object->kind == PMS_OBJECT_FILE ? place->offset : place->address;
}

/* Whether there is a table that places in an object could be in. */
static int has_table(const struct pms_symbols *s, const struct entry *e,
		     const struct pms_object *object)
{
	int is_kernel = object->kind == PMS_OBJECT_KERNEL || object->kind == PMS_OBJECT_MODULE;
	return e->binary || (is_kernel && s->kallsyms.names.count);
}

int pms_symbols_find(struct pms_symbols *s, const struct pms_place *place,
		     struct pms_symbol *symbol)
{
	*symbol = (struct pms_symbol){ .function = word_of(place->object) };
	if (!place->object)
		return 0;
	struct entry *e = entry_of(s, place->object);
	if (!e || entry_open(s, e, place->object))
		return -PMS_ENOMEM;
	if (!has_table(s, e, place->object))
		return 0;
	uint32_t row = pms_numbers_get(&e->by_offset, key_of(place));
	if (row < e->n_found) {
		*symbol = e->found[row];
		return 0;
	}
	void *room = pms_array_room(e->found, e->n_found, sizeof(*e->found));
	if (room)
		e->found = room;
	pms_lacked_begin();
	if (!room || pms_lacked_or(look_up(s, e, place, symbol)) ||
	    pms_numbers_set(&e->by_offset, key_of(place), (uint32_t)e->n_found))
		return -PMS_ENOMEM;
	e->found[e->n_found++] = *symbol;
	return 0;
}

/* Find a file's offset of its own @address; without one @place loses its object. */
static int place_in_file(struct pms_symbols *s, uint64_t address, struct pms_place *place)
{
	struct entry *e = entry_of(s, place->object);
	if (!e || entry_open(s, e, place->object))
		return -PMS_ENOMEM;
	if (!e->binary || !pms_binary_offset(e->binary, address, &place->offset))
		place->object = NULL;
	return 0;
}

int pms_symbols_at(struct pms_symbols *s, const struct pms_object *object, uint64_t address,
		   struct pms_symbol *symbol)
{
	struct pms_place place = { .object = object, .address = address };
	if (object && object->kind == PMS_OBJECT_KERNEL) {
		/* Where its file was in memory is not known: the list alone tells. */
		*symbol = (struct pms_symbol){ .function = word_of(object) };
		return kallsyms_open(s, object) ? -PMS_ENOMEM : find_in_list(s, address, symbol);
	}
	if (object && object->kind == PMS_OBJECT_FILE && place_in_file(s, address, &place))
		return -PMS_ENOMEM;
	return pms_symbols_find(s, &place, symbol);
}

int pms_symbols_variable(struct pms_symbols *s, const struct pms_place *mapping, uint64_t address,
			 struct pms_variable *variable)
{
	uint64_t own = 0;
	if (!mapping->object || mapping->object->kind != PMS_OBJECT_FILE)
		return 0;
	struct entry *e = entry_of(s, mapping->object);
	if (!e || entry_open(s, e, mapping->object))
		return -PMS_ENOMEM;
	if (!e->binary)
		return 0;
	pms_lacked_begin();
	if (pms_lacked_or(pms_variables_read(&e->binary->variables, e->binary->dwfl)))
		return -PMS_ENOMEM;
	const struct pms_name_at *found =
		pms_variables_find(&e->binary->variables, mapping, address, &own);
	if (!found)
		return 0;
	*variable =
		(struct pms_variable){ text_of(s, found->name), found->start, own - found->start };
	return variable->name ? 1 : -PMS_ENOMEM;
}

void pms_symbols_close(struct pms_symbols *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->objects.count; i++) {
		if (!s->entries[i])
			continue;
		if (s->entries[i]->binary)
			pms_binary_close(s->entries[i]->binary);
		free(s->entries[i]->binary);
		pms_numbers_release(&s->entries[i]->by_offset);
		free(s->entries[i]->found);
		free(s->entries[i]);
	}
	free(s->entries);
	pms_objects_release(&s->objects);
	pms_numbers_release(&s->by_name);
	free(s->texts);
	pms_kallsyms_release(&s->kallsyms);
	pms_demangler_release(&s->demangler);
	pms_search_release(&s->search);
	free(s->kallsyms_path);
	free(s);
}
