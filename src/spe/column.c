/* SPDX-License-Identifier: MIT */
#include "spe/column.h"

#include <string.h>

#include "base/name.h"
#include "base/status.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const struct pms_spe_cell pms_spe_cells[PMS_SPE_N_CELLS] = {
#define ROW(id, name, type, always, unit, meaning) { name, PMS_SPE_##type, always, unit, meaning },
	PMS_SPE_CELLS(ROW)
#undef ROW
};

/* Words ---------------------------------------------------------------------------------------- */

const char *pms_spe_op_word_name(unsigned word)
{
	static const char *const names[] = { "other", "load", "store", "branch", "reserved" };
	return word < COUNT(names) ? names[word] : NULL;
}

static const char *word_op(enum pms_spe_encoding encoding, unsigned value)
{
	(void)encoding;
	return pms_spe_op_word_name(value);
}

/* A kind of operation has its name from any payload that is of the kind. */
const char *pms_spe_subclass_name(unsigned kind)
{
	for (unsigned i = 0; i < 4 * 256; i++) {
		const struct pms_spe_operation *o = pms_spe_operation(i >> 8, (uint8_t)i);
		if (o->kind == kind)
			return o->name;
	}
	return NULL;
}

static const char *word_subclass(enum pms_spe_encoding encoding, unsigned value)
{
	(void)encoding;
	return pms_spe_subclass_name(value);
}

static const char *word_security(enum pms_spe_encoding encoding, unsigned value)
{
	(void)encoding;
	return value < 4 ? pms_spe_security_name((enum pms_spe_security)value) : NULL;
}

static const char *word_source(enum pms_spe_encoding encoding, unsigned value)
{
	return pms_spe_source_name(encoding, value);
}

static const char *word_event(enum pms_spe_encoding encoding, unsigned value)
{
	(void)encoding;
	return value < 64 ? pms_spe_event_name(value) : NULL;
}

/* Shorter names: the names of a report's columns. */
static const struct {
	const char *name;
	uint8_t bit;
} event_words[] = {
	{ "retired", PMS_SPE_EV_RETIRED },	 { "l1d_access", PMS_SPE_EV_L1D_ACCESS },
	{ "l1d_miss", PMS_SPE_EV_L1D_MISS },	 { "llc_access", PMS_SPE_EV_LLC_ACCESS },
	{ "llc_miss", PMS_SPE_EV_LLC_MISS },	 { "l2d_access", PMS_SPE_EV_L2D_ACCESS },
	{ "l2d_miss", PMS_SPE_EV_L2D_MISS },	 { "exception", PMS_SPE_EV_EXCEPTION },
	{ "misaligned", PMS_SPE_EV_MISALIGNED },
};

/* Values --------------------------------------------------------------------------------------- */

static void get_plain(const struct pms_spe_column *c, const struct pms_spe_samples_batch *rows,
		      uint64_t values[PMS_SPE_BATCH], uint8_t present[PMS_SPE_BATCH])
{
	const struct pms_spe_batch *b = rows->records;
	const void *at = (const char *)b + c->at_byte;
	const uint64_t *u64 = at;
	const uint32_t *u32 = at;
	const uint16_t *u16 = at;
	for (size_t i = 0; i < b->count; i++) {
		uint64_t value = c->size == 8 ? u64[i] : c->size == 4 ? u32[i] : u16[i];
		values[i] = value >> c->shift & c->mask;
		present[i] = (b->has[i] & c->has) != 0;
	}
}

/* Read NS from bit 63 and NSE from bit 60. */
static void get_security(const struct pms_spe_column *c, const struct pms_spe_samples_batch *rows,
			 uint64_t values[PMS_SPE_BATCH], uint8_t present[PMS_SPE_BATCH])
{
	get_plain(c, rows, values, present);
	for (size_t i = 0; i < rows->records->count; i++)
		values[i] = pms_spe_security(values[i]);
}

/* Read a fact about the whole record: a `has` bit as 0 or 1, always present. */
static void get_flag(const struct pms_spe_column *c, const struct pms_spe_samples_batch *rows,
		     uint64_t values[PMS_SPE_BATCH], uint8_t present[PMS_SPE_BATCH])
{
	const struct pms_spe_batch *b = rows->records;
	for (size_t i = 0; i < b->count; i++) {
		values[i] = (b->has[i] & c->has) != 0;
		present[i] = 1;
	}
}

static void get_op(const struct pms_spe_column *c, const struct pms_spe_samples_batch *rows,
		   uint64_t values[PMS_SPE_BATCH], uint8_t present[PMS_SPE_BATCH])
{
	const struct pms_spe_batch *b = rows->records;
	for (size_t i = 0; i < b->count; i++) {
		values[i] = pms_spe_op_word(b->class_[i], b->op[i]);
		present[i] = (b->has[i] & c->has) != 0;
	}
}

static void get_subclass(const struct pms_spe_column *c, const struct pms_spe_samples_batch *rows,
			 uint64_t values[PMS_SPE_BATCH], uint8_t present[PMS_SPE_BATCH])
{
	const struct pms_spe_batch *b = rows->records;
	for (size_t i = 0; i < b->count; i++) {
		values[i] = pms_spe_operation(b->class_[i], b->op[i])->kind;
		present[i] = (b->has[i] & c->has) != 0;
	}
}

/* Read a field; absent where the record's operation does not have it. */
static void get_field(const struct pms_spe_column *c, const struct pms_spe_samples_batch *rows,
		      uint64_t values[PMS_SPE_BATCH], uint8_t present[PMS_SPE_BATCH])
{
	const struct pms_spe_batch *b = rows->records;
	for (size_t i = 0; i < b->count; i++) {
		const struct pms_spe_operation *o = pms_spe_operation(b->class_[i], b->op[i]);
		values[i] = 0;
		present[i] = 0;
		for (unsigned f = 0; f < o->n_fields && b->has[i] & c->has; f++)
			if (!strcmp(o->fields[f].name, c->field)) {
				values[i] = pms_spe_field_value(&o->fields[f], b->op[i]);
				present[i] = 1;
			}
	}
}

static void get_cpu(const struct pms_spe_column *c, const struct pms_spe_samples_batch *rows,
		    uint64_t values[PMS_SPE_BATCH], uint8_t present[PMS_SPE_BATCH])
{
	(void)c;
	for (size_t i = 0; i < rows->records->count; i++) {
		present[i] = rows->cpu >= 0;
		values[i] = (uint64_t)rows->cpu;
	}
}

/* Read what the file around the records tells; `has` is a bit of enum pms_spe_knows. */
static void get_known(const struct pms_spe_column *c, const struct pms_spe_samples_batch *rows,
		      uint64_t values[PMS_SPE_BATCH], uint8_t present[PMS_SPE_BATCH])
{
	const void *at = (const char *)rows + c->at_byte;
	const uint64_t *u64 = at;
	const int32_t *i32 = at;
	for (size_t i = 0; i < rows->records->count; i++) {
		values[i] = c->size == 8 ? u64[i] : (uint64_t)i32[i];
		present[i] = (rows->knows[i] & c->has) != 0;
	}
}

static void get_wait(const struct pms_spe_column *c, const struct pms_spe_samples_batch *rows,
		     uint64_t values[PMS_SPE_BATCH], uint8_t present[PMS_SPE_BATCH])
{
	(void)c;
	for (size_t i = 0; i < rows->records->count; i++) {
		present[i] = (uint8_t)pms_spe_waits(rows->records, i);
		values[i] = pms_spe_wait(rows->records, i);
	}
}

static void get_stream(const struct pms_spe_column *c, const struct pms_spe_samples_batch *rows,
		       uint64_t values[PMS_SPE_BATCH], uint8_t present[PMS_SPE_BATCH])
{
	(void)c;
	for (size_t i = 0; i < rows->records->count; i++) {
		present[i] = 1;
		values[i] = rows->stream;
	}
}

static void get_offset(const struct pms_spe_column *c, const struct pms_spe_samples_batch *rows,
		       uint64_t values[PMS_SPE_BATCH], uint8_t present[PMS_SPE_BATCH])
{
	(void)c;
	for (size_t i = 0; i < rows->records->count; i++) {
		present[i] = 1;
		values[i] = rows->records->offset[i];
	}
}

/* Read a source's name; absent where the core has no name for it. */
static void get_named_source(const struct pms_spe_column *c,
			     const struct pms_spe_samples_batch *rows,
			     uint64_t values[PMS_SPE_BATCH], uint8_t present[PMS_SPE_BATCH])
{
	get_plain(c, rows, values, present);
	for (size_t i = 0; i < rows->records->count; i++)
		present[i] &= pms_spe_source_name(rows->encoding, (unsigned)values[i]) != NULL;
}

/* Values of places ----------------------------------------------------------------------------- */

static int at_object(const struct pms_place *place, const struct pms_symbol *symbol,
		     struct pms_spe_value *value)
{
	(void)symbol;
	value->text = place->object ? place->object->path : NULL;
	return value->text != NULL;
}

static int at_object_offset(const struct pms_place *place, const struct pms_symbol *symbol,
			    struct pms_spe_value *value)
{
	(void)symbol;
	value->number = place->offset;
	return place->object != NULL;
}

static int at_symbol(const struct pms_place *place, const struct pms_symbol *symbol,
		     struct pms_spe_value *value)
{
	(void)place;
	value->text = symbol->known ? symbol->function : NULL;
	return symbol->known;
}

static int at_symbol_offset(const struct pms_place *place, const struct pms_symbol *symbol,
			    struct pms_spe_value *value)
{
	(void)place;
	value->number = symbol->offset;
	return symbol->known;
}

static int at_inlined(const struct pms_place *place, const struct pms_symbol *symbol,
		      struct pms_spe_value *value)
{
	(void)place;
	value->text = symbol->n_frames > 1 ? symbol->frames[0].function : NULL;
	return value->text && value->text[0];
}

static int at_file(const struct pms_place *place, const struct pms_symbol *symbol,
		   struct pms_spe_value *value)
{
	(void)place;
	value->text = symbol->n_frames ? symbol->frames[0].file : NULL;
	return value->text && value->text[0];
}

static int at_line(const struct pms_place *place, const struct pms_symbol *symbol,
		   struct pms_spe_value *value)
{
	(void)place;
	value->number = symbol->n_frames ? symbol->frames[0].line : 0;
	return value->number != 0;
}

static int datum_symbol(const struct pms_datum *datum, struct pms_spe_value *value)
{
	value->text = datum->is_told ? datum->name : NULL;
	return datum->is_told;
}

static int datum_offset(const struct pms_datum *datum, struct pms_spe_value *value)
{
	value->number = datum->offset;
	return datum->is_variable;
}

/* The table ------------------------------------------------------------------------------------ */

#define ADDRESS PMS_SPE_ADDRESS_MASK
#define WHOLE	UINT64_MAX
#define PLACE(member)                                                                              \
	.at_byte = offsetof(struct pms_spe_batch, member),                                         \
	.size = sizeof(((struct pms_spe_batch *)NULL)->member[0])
#define NUMBER(member, bit, low, ones)                                                             \
	{                                                                                          \
		.kind = PMS_SPE_COLUMN_NUMBER, .get = get_plain, PLACE(member),                    \
		.has = PMS_SPE_HAS_##bit, .shift = (low), .mask = (ones)                           \
	}
#define SECURITY(member, bit)                                                                      \
	{                                                                                          \
		.kind = PMS_SPE_COLUMN_WORD, .get = get_security, .word = word_security,           \
		PLACE(member), .has = PMS_SPE_HAS_##bit, .mask = WHOLE                             \
	}
#define FLAG(bit)                                                                                  \
	{                                                                                          \
		.kind = PMS_SPE_COLUMN_NUMBER, .get = get_flag, .has = PMS_SPE_HAS_##bit,          \
		.is_flag = 1                                                                       \
	}
#define FIELD(document)                                                                            \
	{                                                                                          \
		.kind = PMS_SPE_COLUMN_NUMBER, .get = get_field, .has = PMS_SPE_HAS_OP,            \
		.field = (document)                                                                \
	}
#define KNOWN(member, bit)                                                                         \
	{                                                                                          \
		.kind = PMS_SPE_COLUMN_NUMBER, .get = get_known,                                   \
		.at_byte = offsetof(struct pms_spe_samples_batch, member),                         \
		.size = sizeof(((struct pms_spe_samples_batch *)NULL)->member[0]),                 \
		.has = PMS_SPE_KNOWS_##bit                                                         \
	}

#define SOURCE(function)                                                                           \
	{                                                                                          \
		.kind = PMS_SPE_COLUMN_SOURCE, .get = (function), .word = word_source,             \
		PLACE(source), .has = PMS_SPE_HAS_SOURCE, .mask = WHOLE                            \
	}
#define CODE(what, function, symbols, path)                                                        \
	{                                                                                          \
		.kind = PMS_SPE_COLUMN_##what, .of = PMS_SPE_OF_CODE, .at = (function),            \
		.needs_symbols = (symbols), .is_path = (path)                                      \
	}
#define DATUM(what, function)                                                                      \
	{                                                                                          \
		.kind = PMS_SPE_COLUMN_##what, .of = PMS_SPE_OF_DATA, .of_datum = (function),      \
		.needs_symbols = 1                                                                 \
	}

/* How a filter reads the table's columns, by name. */
static const struct pms_spe_column of_table[PMS_SPE_N_CELLS] = {
	[PMS_SPE_CELL_CPU] = { .kind = PMS_SPE_COLUMN_NUMBER, .get = get_cpu },
	[PMS_SPE_CELL_PID] = KNOWN(pid, PID),
	[PMS_SPE_CELL_TID] = KNOWN(tid, TID),
	[PMS_SPE_CELL_THREAD_NAME] = { .kind = PMS_SPE_COLUMN_TEXT, .of = PMS_SPE_OF_THREAD },
	[PMS_SPE_CELL_TIME] = KNOWN(ns, NS),
	[PMS_SPE_CELL_TS] = NUMBER(time, TIME, 0, WHOLE),
	[PMS_SPE_CELL_OP] = { .kind = PMS_SPE_COLUMN_WORD,
			      .get = get_op,
			      .word = word_op,
			      .has = PMS_SPE_HAS_OP },
	[PMS_SPE_CELL_SUBCLASS] = { .kind = PMS_SPE_COLUMN_WORD,
				    .get = get_subclass,
				    .word = word_subclass,
				    .has = PMS_SPE_HAS_OP },
	[PMS_SPE_CELL_PC] = NUMBER(pc, PC, 0, ADDRESS),
	[PMS_SPE_CELL_EL] = NUMBER(pc, PC, 61, 3),
	[PMS_SPE_CELL_SECURITY] = SECURITY(pc, PC),
	[PMS_SPE_CELL_EVENT] = { .kind = PMS_SPE_COLUMN_BITS,
				 .get = get_plain,
				 .word = word_event,
				 PLACE(events),
				 .has = PMS_SPE_HAS_EVENTS,
				 .mask = WHOLE },
	[PMS_SPE_CELL_EVENTS] = NUMBER(events, EVENTS, 0, WHOLE),
	[PMS_SPE_CELL_TOTAL] = NUMBER(total, TOTAL, 0, WHOLE),
	[PMS_SPE_CELL_ISSUE] = NUMBER(issue, ISSUE, 0, WHOLE),
	[PMS_SPE_CELL_TRANSLATION] = NUMBER(translation, TRANSLATION, 0, WHOLE),
	[PMS_SPE_CELL_ALTERNATE] = NUMBER(alternate, ALTERNATE, 0, WHOLE),
	[PMS_SPE_CELL_WAIT] = { .kind = PMS_SPE_COLUMN_NUMBER, .get = get_wait },
	[PMS_SPE_CELL_VADDR] = NUMBER(va, VA, 0, ADDRESS),
	[PMS_SPE_CELL_TAG] = NUMBER(va, VA, 56, 0xff),
	[PMS_SPE_CELL_PADDR] = NUMBER(pa, PA, 0, ADDRESS),
	[PMS_SPE_CELL_PAS] = SECURITY(pa, PA),
	[PMS_SPE_CELL_CH] = NUMBER(pa, PA, 62, 1),
	[PMS_SPE_CELL_PAT] = NUMBER(pa, PA, 56, 15),
	[PMS_SPE_CELL_SOURCE] = SOURCE(get_plain),
	[PMS_SPE_CELL_SOURCE_NAME] = SOURCE(get_named_source),
	[PMS_SPE_CELL_TARGET] = NUMBER(target, TARGET, 0, ADDRESS),
	[PMS_SPE_CELL_TARGET_EL] = NUMBER(target, TARGET, 61, 3),
	[PMS_SPE_CELL_TARGET_SECURITY] = SECURITY(target, TARGET),
	[PMS_SPE_CELL_PREVIOUS] = NUMBER(previous, PREVIOUS, 0, ADDRESS),
	[PMS_SPE_CELL_PREVIOUS_EL] = NUMBER(previous, PREVIOUS, 61, 3),
	[PMS_SPE_CELL_PREVIOUS_SECURITY] = SECURITY(previous, PREVIOUS),
	[PMS_SPE_CELL_CONDITION] = FIELD("cond"),
	[PMS_SPE_CELL_INDIRECT] = FIELD("ind"),
	[PMS_SPE_CELL_CR] = FIELD("cr"),
	[PMS_SPE_CELL_GCS] = FIELD("gcs"),
	[PMS_SPE_CELL_ATOMIC] = FIELD("at"),
	[PMS_SPE_CELL_EXCL] = FIELD("excl"),
	[PMS_SPE_CELL_AR] = FIELD("ar"),
	[PMS_SPE_CELL_FP] = FIELD("fp"),
	[PMS_SPE_CELL_ASE] = FIELD("ase"),
	[PMS_SPE_CELL_PRED] = FIELD("pred"),
	[PMS_SPE_CELL_SG] = FIELD("sg"),
	[PMS_SPE_CELL_EVL] = FIELD("evl"),
	[PMS_SPE_CELL_ETS] = FIELD("ets"),
	[PMS_SPE_CELL_COMM] = FIELD("comm"),
	[PMS_SPE_CELL_CONTEXT] = NUMBER(context_el1, CONTEXT_EL1, 0, WHOLE),
	[PMS_SPE_CELL_CONTEXT_EL2] = NUMBER(context_el2, CONTEXT_EL2, 0, WHOLE),
	[PMS_SPE_CELL_OTHER_PACKETS] = FLAG(OTHER),
	[PMS_SPE_CELL_REPEATED] = FLAG(REPEATED),
	[PMS_SPE_CELL_DAMAGED] = FLAG(DAMAGE),
	[PMS_SPE_CELL_STREAM] = { .kind = PMS_SPE_COLUMN_NUMBER, .get = get_stream },
	[PMS_SPE_CELL_OFFSET] = { .kind = PMS_SPE_COLUMN_NUMBER, .get = get_offset },
	[PMS_SPE_CELL_OBJECT] = CODE(TEXT, at_object, 0, 1),
	[PMS_SPE_CELL_OBJECT_OFFSET] = CODE(NUMBER, at_object_offset, 0, 0),
	[PMS_SPE_CELL_SYMBOL] = CODE(TEXT, at_symbol, 1, 0),
	[PMS_SPE_CELL_SYMBOL_OFFSET] = CODE(NUMBER, at_symbol_offset, 1, 0),
	[PMS_SPE_CELL_INLINED] = CODE(TEXT, at_inlined, 1, 0),
	[PMS_SPE_CELL_SOURCE_FILE] = CODE(TEXT, at_file, 1, 1),
	[PMS_SPE_CELL_LINE] = CODE(NUMBER, at_line, 1, 0),
	[PMS_SPE_CELL_DATA_SYMBOL] = DATUM(TEXT, datum_symbol),
	[PMS_SPE_CELL_DATA_SYMBOL_OFFSET] = DATUM(NUMBER, datum_offset),
};

/* Names that dumps use for these columns, and columns only dumps have. */
static const struct {
	const char *name;
	enum pms_spe_cell_name cell;
} other_names[] = {
	{ "br_tgt_el", PMS_SPE_CELL_TARGET_EL },
	{ "cond", PMS_SPE_CELL_CONDITION },
	{ "ind", PMS_SPE_CELL_INDIRECT },
	{ "at", PMS_SPE_CELL_ATOMIC },
};
static const struct pms_spe_column ldst = FIELD("ldst");

static int is_name(const char *name, const char *text, size_t length)
{
	return strlen(name) == length && !strncmp(name, text, length);
}

static void take_column(struct pms_spe_column *out, const char *name,
			const struct pms_spe_column *column)
{
	*out = *column;
	out->name = name;
}

int pms_spe_column_find(const char *name, size_t length, struct pms_spe_column *column)
{
	for (size_t i = 0; i < PMS_SPE_N_CELLS; i++)
		if (is_name(pms_spe_cells[i].name, name, length)) {
			take_column(column, pms_spe_cells[i].name, &of_table[i]);
			return 1;
		}
	for (size_t i = 0; i < COUNT(other_names); i++)
		if (is_name(other_names[i].name, name, length)) {
			take_column(column, other_names[i].name, &of_table[other_names[i].cell]);
			return 1;
		}
	if (!is_name("ldst", name, length))
		return 0;
	take_column(column, "ldst", &ldst);
	return 1;
}

/* The most words a column can have: events have 64, others fewer. */
enum { WORDS = 64 };

int pms_spe_column_word(const struct pms_spe_column *column, enum pms_spe_encoding encoding,
			const char *word, uint64_t *value)
{
	for (unsigned i = 0; i < WORDS; i++) {
		const char *name = column->word(encoding, i);
		if (name && !strcmp(name, word)) {
			*value = i;
			return 1;
		}
	}
	for (size_t i = 0; i < COUNT(event_words) && column->kind == PMS_SPE_COLUMN_BITS; i++)
		if (!strcmp(event_words[i].name, word)) {
			*value = event_words[i].bit;
			return 1;
		}
	return 0;
}

void pms_spe_column_hint(const struct pms_spe_column *column, enum pms_spe_encoding encoding,
			 const char *word, struct pms_error *err)
{
	struct pms_nearest nearest = { 0 };
	for (size_t i = 0; i < PMS_SPE_N_CELLS && !column; i++)
		pms_nearest_offer(&nearest, word, pms_spe_cells[i].name);
	for (size_t i = 0; i < COUNT(other_names) && !column; i++)
		pms_nearest_offer(&nearest, word, other_names[i].name);
	for (unsigned i = 0; i < WORDS && column; i++) {
		const char *name = column->word(encoding, i);
		if (name)
			pms_nearest_offer(&nearest, word, name);
	}
	if (column && column->kind == PMS_SPE_COLUMN_BITS)
		for (size_t i = 0; i < COUNT(event_words); i++)
			pms_nearest_offer(&nearest, word, event_words[i].name);
	if (nearest.best)
		pms_hint(err, "did you mean %s?", nearest.best);
}
