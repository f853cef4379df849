/* SPDX-License-Identifier: MIT */
#include "spe/column.h"

#include <string.h>

#include "base/name.h"
#include "base/status.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

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
static const char *word_subclass(enum pms_spe_encoding encoding, unsigned value)
{
	(void)encoding;
	for (unsigned i = 0; i < 4 * 256; i++) {
		const struct pms_spe_operation *o = pms_spe_operation(i >> 8, (uint8_t)i);
		if (o->kind == value)
			return o->name;
	}
	return NULL;
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

/* Shorter names, those of a report's columns. */
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
	const void *at = (const char *)b + c->at;
	const uint64_t *u64 = at;
	const uint32_t *u32 = at;
	const uint16_t *u16 = at;
	for (size_t i = 0; i < b->count; i++) {
		uint64_t value = c->size == 8 ? u64[i] : c->size == 4 ? u32[i] : u16[i];
		values[i] = value >> c->shift & c->mask;
		present[i] = (b->has[i] & c->has) != 0;
	}
}

/* NS is bit 63 and NSE bit 60. */
static void get_security(const struct pms_spe_column *c, const struct pms_spe_samples_batch *rows,
			 uint64_t values[PMS_SPE_BATCH], uint8_t present[PMS_SPE_BATCH])
{
	get_plain(c, rows, values, present);
	for (size_t i = 0; i < rows->records->count; i++)
		values[i] = pms_spe_security(values[i]);
}

/* What is to be known of the whole record: `has` bits as numbers 0 and 1, always there. */
static void get_flag(const struct pms_spe_column *c, const struct pms_spe_samples_batch *rows,
		     uint64_t values[PMS_SPE_BATCH], uint8_t present[PMS_SPE_BATCH])
{
	get_plain(c, rows, values, present);
	for (size_t i = 0; i < rows->records->count; i++)
		values[i] = present[i];
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

/* A field that the operation of a record has not is not there. */
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

/* What the file around the records says of each: `has` is a bit of enum pms_spe_knows. */
static void get_known(const struct pms_spe_column *c, const struct pms_spe_samples_batch *rows,
		      uint64_t values[PMS_SPE_BATCH], uint8_t present[PMS_SPE_BATCH])
{
	const void *at = (const char *)rows + c->at;
	const uint64_t *u64 = at;
	const int32_t *i32 = at;
	for (size_t i = 0; i < rows->records->count; i++) {
		values[i] = c->size == 8 ? u64[i] : (uint64_t)i32[i];
		present[i] = (rows->knows[i] & c->has) != 0;
	}
}

#define ADDRESS PMS_SPE_ADDRESS_MASK
#define WHOLE	UINT64_MAX
#define PLACE(member)                                                                              \
	.at = offsetof(struct pms_spe_batch, member),                                              \
	.size = sizeof(((struct pms_spe_batch *)NULL)->member[0])
#define NUMBER(title, member, bit, low, ones)                                                      \
	{                                                                                          \
		.name = (title), .kind = PMS_SPE_COLUMN_NUMBER, .get = get_plain, PLACE(member),   \
		.has = PMS_SPE_HAS_##bit, .shift = (low), .mask = (ones)                           \
	}
#define SECURITY(title, member, bit)                                                               \
	{                                                                                          \
		.name = (title), .kind = PMS_SPE_COLUMN_WORD, .get = get_security,                 \
		.word = word_security, PLACE(member), .has = PMS_SPE_HAS_##bit, .mask = WHOLE      \
	}
#define FLAG(title, bit)                                                                           \
	{                                                                                          \
		.name = (title), .kind = PMS_SPE_COLUMN_NUMBER, .get = get_flag, PLACE(has),       \
		.has = PMS_SPE_HAS_##bit                                                           \
	}
#define FIELD_AS(title, document)                                                                  \
	{                                                                                          \
		.name = (title), .kind = PMS_SPE_COLUMN_NUMBER, .get = get_field,                  \
		.has = PMS_SPE_HAS_OP, .field = (document)                                         \
	}
#define FIELD(title) FIELD_AS(title, title)
#define KNOWN(title, member, bit)                                                                  \
	{                                                                                          \
		.name = (title), .kind = PMS_SPE_COLUMN_NUMBER, .get = get_known,                  \
		.at = offsetof(struct pms_spe_samples_batch, member),                              \
		.size = sizeof(((struct pms_spe_samples_batch *)NULL)->member[0]),                 \
		.has = PMS_SPE_KNOWS_##bit                                                         \
	}

static const struct pms_spe_column columns[] = {
	NUMBER("pc", pc, PC, 0, ADDRESS),
	NUMBER("el", pc, PC, 61, 3),
	SECURITY("security_state", pc, PC),
	NUMBER("br_tgt", target, TARGET, 0, ADDRESS),
	NUMBER("br_tgt_el", target, TARGET, 61, 3),
	NUMBER("pbt", previous, PREVIOUS, 0, ADDRESS),
	NUMBER("vaddr", va, VA, 0, ADDRESS),
	NUMBER("tag", va, VA, 56, 0xff),
	NUMBER("paddr", pa, PA, 0, ADDRESS),
	SECURITY("pas", pa, PA),
	{ .name = "op",
	  .kind = PMS_SPE_COLUMN_WORD,
	  .get = get_op,
	  .word = word_op,
	  .has = PMS_SPE_HAS_OP },
	{ .name = "subclass",
	  .kind = PMS_SPE_COLUMN_WORD,
	  .get = get_subclass,
	  .word = word_subclass,
	  .has = PMS_SPE_HAS_OP },
	{ .name = "event",
	  .kind = PMS_SPE_COLUMN_BITS,
	  .get = get_plain,
	  .word = word_event,
	  PLACE(events),
	  .has = PMS_SPE_HAS_EVENTS,
	  .mask = WHOLE },
	NUMBER("total_lat", total, TOTAL, 0, WHOLE),
	NUMBER("issue_lat", issue, ISSUE, 0, WHOLE),
	NUMBER("xlat_lat", translation, TRANSLATION, 0, WHOLE),
	NUMBER("alt_issue_lat", alternate, ALTERNATE, 0, WHOLE),
	{ .name = "data_source",
	  .kind = PMS_SPE_COLUMN_SOURCE,
	  .get = get_plain,
	  .word = word_source,
	  PLACE(source),
	  .has = PMS_SPE_HAS_SOURCE,
	  .mask = WHOLE },
	NUMBER("context", context_el1, CONTEXT_EL1, 0, WHOLE),
	NUMBER("context_el2", context_el2, CONTEXT_EL2, 0, WHOLE),
	NUMBER("ts", time, TIME, 0, WHOLE),
	FLAG("other_packets", OTHER),
	FLAG("repeated", REPEATED),
	FLAG("damaged", DAMAGE),
	{ .name = "cpu", .kind = PMS_SPE_COLUMN_NUMBER, .get = get_cpu },
	KNOWN("pid", pid, PID),
	KNOWN("tid", tid, TID),
	KNOWN("time", ns, NS),
	FIELD("ldst"),
	FIELD("ar"),
	FIELD("excl"),
	FIELD("at"),
	FIELD("sg"),
	FIELD("evl"),
	FIELD("ets"),
	FIELD("pred"),
	FIELD("fp"),
	FIELD("ase"),
	FIELD("comm"),
	FIELD("cr"),
	FIELD("gcs"),
	FIELD("ind"),
	FIELD("cond"),
	/* What else an export has, or calls otherwise. */
	FIELD_AS("atomic", "at"),
	FIELD_AS("indirect", "ind"),
	FIELD_AS("condition", "cond"),
	NUMBER("br_tgt_lvl", target, TARGET, 61, 3),
	SECURITY("br_tgt_security_state", target, TARGET),
	NUMBER("pbt_lvl", previous, PREVIOUS, 61, 3),
	SECURITY("pbt_security_state", previous, PREVIOUS),
	NUMBER("ch", pa, PA, 62, 1),
	NUMBER("pat", pa, PA, 56, 15),
	NUMBER("events", events, EVENTS, 0, WHOLE),
};

const struct pms_spe_column *pms_spe_column_find(const char *name, size_t length)
{
	for (size_t i = 0; i < COUNT(columns); i++)
		if (strlen(columns[i].name) == length && !strncmp(columns[i].name, name, length))
			return &columns[i];
	return NULL;
}

/* As many values as words may have: of events there are 64, of the others fewer. */
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
	for (size_t i = 0; i < COUNT(columns) && !column; i++)
		pms_nearest_offer(&nearest, word, columns[i].name);
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
