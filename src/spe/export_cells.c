/* SPDX-License-Identifier: MIT */
/* Records to cells. Everything here runs once a record: what depends on few values only (an
 * operation's payload, an address in a program) is looked up once and kept. */
#include <stdlib.h>

#include "spe/export.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What an operation's class and payload say. */
struct operation {
	const char *op, *subclass;
	uint8_t n_fields;
	struct {
		uint8_t cell, value;
	} fields[4];
};

/* What is known of an instruction's address. One place in the table for each of many addresses: the
 * last one asked for stays. */
struct instruction {
	int known; /* 1: the rest is of this address */
	uint32_t space;
	uint64_t pc;
	const char *object, *symbol, *inlined, *file; /* NULL: not known */
	uint64_t object_offset, symbol_offset;
	unsigned line;		      /* 0: not known */
	enum pms_symbols_state state; /* of the object, where there is one and symbols are wanted */
};

enum { INSTRUCTIONS = 1 << 14 };

struct pms_spe_filler {
	const struct pms_spe_samples *samples;
	struct pms_symbols *symbols; /* NULL: not asked for */
	struct pms_data *data;	     /* NULL: not asked for */
	struct operation operations[4][256];
	struct instruction *instructions; /* NULL: not asked for */
	uint64_t files[PMS_SYMBOLS_STATES];
};

/* Operations ----------------------------------------------------------------------------------- */

/* The cell for a field of D18.2.7. */
static int cell_of_field(const char *name)
{
	static const struct {
		const char *name;
		uint8_t cell;
	} fields[] = {
		{ "cond", PMS_SPE_CELL_CONDITION }, { "ind", PMS_SPE_CELL_INDIRECT },
		{ "cr", PMS_SPE_CELL_CR },	    { "gcs", PMS_SPE_CELL_GCS },
		{ "at", PMS_SPE_CELL_ATOMIC },	    { "excl", PMS_SPE_CELL_EXCL },
		{ "ar", PMS_SPE_CELL_AR },	    { "fp", PMS_SPE_CELL_FP },
		{ "ase", PMS_SPE_CELL_ASE },	    { "pred", PMS_SPE_CELL_PRED },
		{ "sg", PMS_SPE_CELL_SG },	    { "evl", PMS_SPE_CELL_EVL },
		{ "ets", PMS_SPE_CELL_ETS },	    { "comm", PMS_SPE_CELL_COMM },
	};
	for (size_t i = 0; i < COUNT(fields); i++)
		if (!strcmp(name, fields[i].name))
			return fields[i].cell;
	return -1; /* ldst, which op says */
}

static void learn_operation(struct operation *operation, unsigned class_, uint8_t payload)
{
	static const char *const classes[] = { "other", NULL, "branch", "reserved" };
	const struct pms_spe_operation *o = pms_spe_operation(class_, payload);
	/* LDST is bit [0] of every payload of class 1. */
	operation->op = class_ == 1 ? (payload & 1 ? "store" : "load") : classes[class_];
	operation->subclass = o->name;
	for (unsigned i = 0; i < o->n_fields; i++) {
		int cell = cell_of_field(o->fields[i].name);
		if (cell < 0)
			continue;
		operation->fields[operation->n_fields].cell = (uint8_t)cell;
		operation->fields[operation->n_fields++].value =
			(uint8_t)pms_spe_field_value(&o->fields[i], payload);
	}
}

struct pms_spe_filler *pms_spe_filler_new(const struct pms_spe_samples *samples, int places,
					  struct pms_symbols *symbols, struct pms_data *data)
{
	struct pms_spe_filler *filler = calloc(1, sizeof(*filler));
	if (!filler)
		return NULL;
	filler->samples = samples;
	filler->symbols = symbols;
	filler->data = data;
	for (unsigned class_ = 0; class_ < 4; class_++)
		for (unsigned payload = 0; payload < 256; payload++)
			learn_operation(&filler->operations[class_][payload], class_,
					(uint8_t)payload);
	if (!places)
		return filler;
	filler->instructions = calloc(INSTRUCTIONS, sizeof(struct instruction));
	if (filler->instructions)
		return filler;
	pms_spe_filler_free(filler);
	return NULL;
}

void pms_spe_filler_free(struct pms_spe_filler *filler)
{
	if (filler)
		free(filler->instructions);
	free(filler);
}

/* Cells ---------------------------------------------------------------------------------------- */

static inline void put(struct pms_spe_cells *c, enum pms_spe_cell_name cell, uint64_t value)
{
	c->number[cell] = value;
	c->there |= UINT64_C(1) << cell;
}

/* NULL is not there. */
static inline void put_text(struct pms_spe_cells *c, enum pms_spe_cell_name cell, const char *text)
{
	c->text[cell] = text;
	c->there |= (uint64_t)(text != NULL) << cell;
}

static void fill_whose(const struct pms_spe_filler *f, const struct pms_spe_samples_batch *b,
		       size_t i, struct pms_spe_cells *c)
{
	const struct pms_spe_thread *thread = pms_spe_samples_thread(f->samples, b->thread[i]);
	uint8_t knows = b->knows[i];
	if (b->cpu >= 0)
		put(c, PMS_SPE_CELL_CPU, (uint64_t)b->cpu);
	if (knows & PMS_SPE_KNOWS_PID && b->pid[i] >= 0)
		put(c, PMS_SPE_CELL_PID, (uint64_t)b->pid[i]);
	if (knows & PMS_SPE_KNOWS_TID && b->tid[i] >= 0)
		put(c, PMS_SPE_CELL_TID, (uint64_t)b->tid[i]);
	if (knows & PMS_SPE_KNOWS_NS)
		put(c, PMS_SPE_CELL_TIME, b->ns[i]);
	put_text(c, PMS_SPE_CELL_THREAD_NAME, thread && thread->comm[0] ? thread->comm : NULL);
}

static const char *security(uint64_t payload)
{
	return pms_spe_security_name(pms_spe_security(payload));
}

static void fill_addresses(const struct pms_spe_batch *r, size_t i, struct pms_spe_cells *c)
{
	uint32_t has = r->has[i];
	if (has & PMS_SPE_HAS_PC) {
		put(c, PMS_SPE_CELL_PC, pms_spe_canonical(r->pc[i]));
		put(c, PMS_SPE_CELL_EL, pms_spe_el(r->pc[i]));
		put_text(c, PMS_SPE_CELL_SECURITY, security(r->pc[i]));
	}
	if (has & PMS_SPE_HAS_TARGET) {
		put(c, PMS_SPE_CELL_TARGET, pms_spe_canonical(r->target[i]));
		put(c, PMS_SPE_CELL_TARGET_EL, pms_spe_el(r->target[i]));
		put_text(c, PMS_SPE_CELL_TARGET_SECURITY, security(r->target[i]));
	}
	if (has & PMS_SPE_HAS_PREVIOUS) {
		put(c, PMS_SPE_CELL_PREVIOUS, pms_spe_canonical(r->previous[i]));
		put(c, PMS_SPE_CELL_PREVIOUS_EL, pms_spe_el(r->previous[i]));
		put_text(c, PMS_SPE_CELL_PREVIOUS_SECURITY, security(r->previous[i]));
	}
	if (has & PMS_SPE_HAS_VA) {
		put(c, PMS_SPE_CELL_VADDR, pms_spe_canonical(r->va[i]));
		put(c, PMS_SPE_CELL_TAG, pms_spe_tag(r->va[i]));
	}
	if (has & PMS_SPE_HAS_PA) {
		put(c, PMS_SPE_CELL_PADDR, pms_spe_addr(r->pa[i]));
		put_text(c, PMS_SPE_CELL_PAS, security(r->pa[i]));
		put(c, PMS_SPE_CELL_CH, pms_spe_checked(r->pa[i]));
		put(c, PMS_SPE_CELL_PAT, pms_spe_pat(r->pa[i]));
	}
}

static void fill_operation(const struct pms_spe_filler *f, const struct pms_spe_batch *r, size_t i,
			   struct pms_spe_cells *c)
{
	const struct operation *o = &f->operations[r->class_[i] & 3][r->op[i]];
	if (!(r->has[i] & PMS_SPE_HAS_OP))
		return;
	put_text(c, PMS_SPE_CELL_OP, o->op);
	put_text(c, PMS_SPE_CELL_SUBCLASS, o->subclass);
	for (unsigned k = 0; k < o->n_fields; k++)
		put(c, o->fields[k].cell, o->fields[k].value);
}

static void fill_events(const struct pms_spe_batch *r, size_t i, struct pms_spe_cells *c)
{
	char *end = c->event;
	if (!(r->has[i] & PMS_SPE_HAS_EVENTS))
		return;
	for (uint64_t rest = r->events[i]; rest; rest &= rest - 1) {
		if (end != c->event)
			*end++ = ':';
		end = stpcpy(end, pms_spe_event_name((unsigned)__builtin_ctzll(rest)));
	}
	*end = 0;
	put_text(c, PMS_SPE_CELL_EVENT, c->event);
	put(c, PMS_SPE_CELL_EVENTS, r->events[i]);
}

static void fill_counts(const struct pms_spe_samples_batch *b, size_t i, struct pms_spe_cells *c)
{
	const struct pms_spe_batch *r = b->records;
	uint32_t has = r->has[i];
	if (has & PMS_SPE_HAS_TOTAL)
		put(c, PMS_SPE_CELL_TOTAL, r->total[i]);
	if (has & PMS_SPE_HAS_ISSUE)
		put(c, PMS_SPE_CELL_ISSUE, r->issue[i]);
	if (has & PMS_SPE_HAS_TRANSLATION)
		put(c, PMS_SPE_CELL_TRANSLATION, r->translation[i]);
	if (has & PMS_SPE_HAS_ALTERNATE)
		put(c, PMS_SPE_CELL_ALTERNATE, r->alternate[i]);
	if (pms_spe_waits(r, i))
		put(c, PMS_SPE_CELL_WAIT, pms_spe_wait(r, i));
	if (has & PMS_SPE_HAS_SOURCE) {
		put(c, PMS_SPE_CELL_SOURCE, r->source[i]);
		put_text(c, PMS_SPE_CELL_SOURCE_NAME,
			 pms_spe_source_name(b->encoding, r->source[i]));
	}
	if (has & PMS_SPE_HAS_CONTEXT_EL1)
		put(c, PMS_SPE_CELL_CONTEXT, r->context_el1[i]);
	if (has & PMS_SPE_HAS_CONTEXT_EL2)
		put(c, PMS_SPE_CELL_CONTEXT_EL2, r->context_el2[i]);
	if (has & PMS_SPE_HAS_TIME)
		put(c, PMS_SPE_CELL_TS, r->time[i]);
	put(c, PMS_SPE_CELL_OTHER_PACKETS, !!(has & PMS_SPE_HAS_OTHER));
	put(c, PMS_SPE_CELL_REPEATED, !!(has & PMS_SPE_HAS_REPEATED));
	put(c, PMS_SPE_CELL_DAMAGED, !!(has & PMS_SPE_HAS_DAMAGE));
	put(c, PMS_SPE_CELL_STREAM, b->stream);
	put(c, PMS_SPE_CELL_OFFSET, r->offset[i]);
}

/* Places --------------------------------------------------------------------------------------- */

static int learn_symbol(const struct pms_spe_filler *f, struct instruction *n,
			const struct pms_place *place)
{
	struct pms_symbol symbol;
	int status = pms_symbols_find(f->symbols, place, &symbol);
	if (status)
		return status;
	if (place->object)
		n->state = pms_symbols_state(f->symbols, place->object);
	if (symbol.known) {
		n->symbol = symbol.function;
		n->symbol_offset = symbol.offset;
	}
	if (!symbol.n_frames)
		return 0;
	const struct pms_frame *inner = symbol.frames;
	n->inlined = symbol.n_frames > 1 && inner->function[0] ? inner->function : NULL;
	n->file = inner->file[0] ? inner->file : NULL;
	n->line = inner->line;
	return 0;
}

static int learn_instruction(const struct pms_spe_filler *f, struct instruction *n, uint32_t space,
			     uint64_t pc)
{
	struct pms_place place;
	*n = (struct instruction){ .space = space, .pc = pc };
	if (pms_spe_samples_place(f->samples, space, pc, &place)) {
		n->object = place.object->path;
		n->object_offset = place.offset;
	}
	int status = f->symbols ? learn_symbol(f, n, &place) : 0;
	n->known = !status;
	return status;
}

static void put_symbol(const struct instruction *n, struct pms_spe_cells *c)
{
	put_text(c, PMS_SPE_CELL_SYMBOL, n->symbol);
	if (n->symbol)
		put(c, PMS_SPE_CELL_SYMBOL_OFFSET, n->symbol_offset);
	put_text(c, PMS_SPE_CELL_INLINED, n->inlined);
	put_text(c, PMS_SPE_CELL_SOURCE_FILE, n->file);
	if (n->line)
		put(c, PMS_SPE_CELL_LINE, n->line);
}

const uint64_t *pms_spe_filler_files(const struct pms_spe_filler *filler)
{
	return filler->files;
}

static int fill_place(struct pms_spe_filler *f, const struct pms_spe_samples_batch *b, size_t i,
		      struct pms_spe_cells *c)
{
	_Static_assert(INSTRUCTIONS == 1 << (64 - 50), "the hash's bits");
	uint64_t pc = pms_spe_canonical(b->records->pc[i]);
	uint64_t hash = (pc >> 2 ^ b->space[i]) * UINT64_C(0x9e3779b97f4a7c15);
	struct instruction *n = &f->instructions[hash >> 50];
	if (!(b->records->has[i] & PMS_SPE_HAS_PC))
		return 0;
	if (!n->known || n->pc != pc || n->space != b->space[i]) {
		int status = learn_instruction(f, n, b->space[i], pc);
		if (status)
			return status;
	}
	if (n->object) {
		put_text(c, PMS_SPE_CELL_OBJECT, n->object);
		put(c, PMS_SPE_CELL_OBJECT_OFFSET, n->object_offset);
		f->files[n->state] += f->symbols != NULL;
	}
	put_symbol(n, c);
	return 0;
}

static int fill_datum(const struct pms_spe_filler *f, const struct pms_spe_samples_batch *b,
		      size_t i, struct pms_spe_cells *c)
{
	struct pms_datum datum;
	if (!(b->records->has[i] & PMS_SPE_HAS_VA))
		return 0;
	int status =
		pms_data_find(f->data, b->space[i], pms_spe_canonical(b->records->va[i]), &datum);
	if (status)
		return status;
	put_text(c, PMS_SPE_CELL_DATA_SYMBOL, datum.is_told ? datum.name : NULL);
	if (datum.is_variable)
		put(c, PMS_SPE_CELL_DATA_SYMBOL_OFFSET, datum.offset);
	return 0;
}

int pms_spe_fill(struct pms_spe_filler *filler, const struct pms_spe_samples_batch *batch, size_t i,
		 struct pms_spe_cells *cells)
{
	cells->there = 0;
	fill_whose(filler, batch, i, cells);
	fill_addresses(batch->records, i, cells);
	fill_operation(filler, batch->records, i, cells);
	fill_events(batch->records, i, cells);
	fill_counts(batch, i, cells);
	int status = filler->instructions ? fill_place(filler, batch, i, cells) : 0;
	return !status && filler->data ? fill_datum(filler, batch, i, cells) : status;
}
