/* SPDX-License-Identifier: MIT */
/* Packets to records. Each End or Timestamp packet ends a record, so that there are as many records
 * as there are of these two. */
#include "spe/packet.h"
#include "spe/shape.h"

#include <stdlib.h>

/* Reserved and implementation defined fields of a packet. */
static void count_fields(struct pms_spe_summary *summary, unsigned type, unsigned index,
			 uint64_t payload)
{
	if (type == PMS_SPE_OPERATION)
		summary->reserved_fields += pms_spe_operation_is_reserved(index, payload);
	else if (type == PMS_SPE_CONTEXT)
		summary->reserved_fields += index > 1;
	else if (pms_spe_index_is_implementation_defined(index))
		summary->implementation_defined++;
	else
		summary->reserved_fields += index > 4 || (index == 3 && type == PMS_SPE_COUNTER);
}

static inline void count(struct pms_spe_summary *summary, unsigned type, unsigned index,
			 uint64_t payload, uint64_t length)
{
	summary->packets[type]++;
	summary->bytes[type] += length;
	/* The fields of nearly all packets have an index of 0 or 1 and need no more. */
	if (index > 1 || type == PMS_SPE_OPERATION)
		count_fields(summary, type, index, payload);
}

void pms_spe_summary_add(struct pms_spe_summary *summary, const struct pms_spe_packet *packet)
{
	count(summary, packet->type, packet->index, packet->payload, packet->length);
}

void pms_spe_summary_merge(struct pms_spe_summary *summary, const struct pms_spe_summary *other)
{
	for (unsigned i = 0; i < PMS_SPE_TYPES; i++) {
		summary->packets[i] += other->packets[i];
		summary->bytes[i] += other->bytes[i];
	}
	summary->implementation_defined += other->implementation_defined;
	summary->reserved_fields += other->reserved_fields;
	summary->records += other->records;
	summary->repeated += other->repeated;
	summary->damaged += other->damaged;
	summary->other += other->other;
	summary->unfinished += other->unfinished;
}

uint64_t pms_spe_summary_bytes(const struct pms_spe_summary *summary)
{
	uint64_t bytes = 0;
	for (unsigned i = 0; i < PMS_SPE_TYPES; i++)
		bytes += summary->bytes[i];
	return bytes;
}

struct pms_spe_decoder *pms_spe_decoder_new(uint64_t offset)
{
	struct pms_spe_decoder *decoder = calloc(1, sizeof(*decoder));
	if (decoder)
		decoder->reader.cursor.offset = offset;
	return decoder;
}

void pms_spe_decoder_free(struct pms_spe_decoder *decoder)
{
	free(decoder);
}

const struct pms_spe_summary *pms_spe_decoder_summary(struct pms_spe_decoder *decoder)
{
	return &decoder->summary;
}

static void put(struct pms_spe_batch *batch, const struct pms_spe_record *record)
{
	const uint64_t *value = record->value;
	size_t n = batch->count++;
	batch->has[n] = record->has;
	batch->offset[n] = record->offset;
	batch->pc[n] = value[PMS_SPE_SLOT_PC];
	batch->target[n] = value[PMS_SPE_SLOT_TARGET];
	batch->va[n] = value[PMS_SPE_SLOT_VA];
	batch->pa[n] = value[PMS_SPE_SLOT_PA];
	batch->previous[n] = value[PMS_SPE_SLOT_PREVIOUS];
	batch->events[n] = value[PMS_SPE_SLOT_EVENTS];
	batch->time[n] = value[PMS_SPE_SLOT_TIME];
	batch->context_el1[n] = (uint32_t)value[PMS_SPE_SLOT_CONTEXT_EL1];
	batch->context_el2[n] = (uint32_t)value[PMS_SPE_SLOT_CONTEXT_EL2];
	batch->total[n] = (uint16_t)value[PMS_SPE_SLOT_TOTAL];
	batch->issue[n] = (uint16_t)value[PMS_SPE_SLOT_ISSUE];
	batch->translation[n] = (uint16_t)value[PMS_SPE_SLOT_TRANSLATION];
	batch->alternate[n] = (uint16_t)value[PMS_SPE_SLOT_ALTERNATE];
	batch->source[n] = (uint16_t)value[PMS_SPE_SLOT_SOURCE];
	batch->class_[n] = (uint8_t)(value[PMS_SPE_SLOT_OP] >> 8);
	batch->op[n] = (uint8_t)value[PMS_SPE_SLOT_OP];
}

/* The same for a record at @bytes whose shape is known: straight from the bytes. */
static inline uint64_t value_of(const struct pms_spe_shape *shape, const uint8_t *bytes,
				enum pms_spe_slot slot)
{
	return pms_spe_load8(bytes + shape->at[slot]) & shape->keep[slot];
}

static inline void put_shaped(struct pms_spe_batch *batch, size_t n,
			      const struct pms_spe_shape *shape, const uint8_t *bytes,
			      uint64_t offset)
{
#define VALUE(slot) value_of(shape, bytes, PMS_SPE_SLOT_##slot)
	batch->has[n] = shape->has;
	batch->offset[n] = offset;
	batch->pc[n] = VALUE(PC);
	batch->target[n] = VALUE(TARGET);
	batch->va[n] = VALUE(VA);
	batch->pa[n] = VALUE(PA);
	batch->previous[n] = VALUE(PREVIOUS);
	batch->events[n] = VALUE(EVENTS);
	batch->time[n] = VALUE(TIME);
	batch->context_el1[n] = (uint32_t)VALUE(CONTEXT_EL1);
	batch->context_el2[n] = (uint32_t)VALUE(CONTEXT_EL2);
	batch->total[n] = (uint16_t)VALUE(TOTAL);
	batch->issue[n] = (uint16_t)VALUE(ISSUE);
	batch->translation[n] = (uint16_t)VALUE(TRANSLATION);
	batch->alternate[n] = (uint16_t)VALUE(ALTERNATE);
	batch->source[n] = (uint16_t)VALUE(SOURCE);
	batch->class_[n] = shape->class_;
	batch->op[n] = (uint8_t)VALUE(OP);
#undef VALUE
}

/* Bring the records counted by shape into the summary. */
static void count_shapes(struct pms_spe_decoder *decoder)
{
	struct pms_spe_summary *summary = &decoder->summary;
	struct pms_spe_shapes *shapes = &decoder->reader.shapes;
	for (unsigned i = 0; i < shapes->n_shapes; i++) {
		struct pms_spe_shape *shape = &shapes->shape[i];
		for (unsigned k = 0; shape->hits && k < shape->n_packets; k++) {
			const struct pms_spe_packet *packet = &shape->packets[k];
			summary->packets[packet->type] += shape->hits;
			summary->bytes[packet->type] += shape->hits * packet->length;
		}
		unsigned padding = shape->total - shape->length;
		summary->packets[PMS_SPE_PADDING] += padding ? shape->hits : 0;
		summary->bytes[PMS_SPE_PADDING] += (uint64_t)padding * shape->hits;
		summary->records += shape->hits;
		shape->hits = 0;
	}
}

static void finish(struct pms_spe_decoder *decoder, struct pms_spe_batch *batch)
{
	struct pms_spe_summary *summary = &decoder->summary;
	uint32_t has = decoder->record.has;
	put(batch, &decoder->record);
	summary->records++;
	summary->repeated += !!(has & PMS_SPE_HAS_REPEATED);
	summary->damaged += !!(has & PMS_SPE_HAS_DAMAGE);
	summary->other += !!(has & PMS_SPE_HAS_OTHER);
	decoder->reader.cursor.inside = 0;
	decoder->record = (struct pms_spe_record){ 0 };
}

static void take(struct pms_spe_record *record, const struct pms_spe_found *found)
{
	unsigned slot = found->index < 8 ? found->row->slot : (unsigned)PMS_SPE_SLOT_OTHER;
	uint32_t bit = UINT32_C(1) << slot;
	if (record->has & bit & ~(uint32_t)PMS_SPE_HAS_OTHER)
		record->has |= PMS_SPE_HAS_REPEATED;
	record->has |= bit;
	record->value[slot] = found->payload | found->row->tag;
}

static inline void add(struct pms_spe_decoder *decoder, const struct pms_spe_found *found,
		       uint64_t offset, struct pms_spe_batch *batch)
{
	struct pms_spe_record *record = &decoder->record;
	unsigned type = found->row->type;
	count(&decoder->summary, type, found->index, found->payload, found->length);
	if (!decoder->reader.cursor.inside)
		record->offset = offset;
	decoder->reader.cursor.inside = 1;
	if (type == PMS_SPE_RESERVED)
		record->has |= PMS_SPE_HAS_DAMAGE;
	else if (type != PMS_SPE_END)
		take(record, found);
	if (type == PMS_SPE_END || type == PMS_SPE_TIMESTAMP)
		finish(decoder, batch);
}

/* A row of zero bytes counts as one packet, wherever buffers end. */
static inline void end_padding(struct pms_spe_decoder *decoder)
{
	uint64_t padding = decoder->reader.cursor.padding;
	decoder->summary.packets[PMS_SPE_PADDING] += padding > 0;
	decoder->summary.bytes[PMS_SPE_PADDING] += padding;
	decoder->reader.cursor.padding = 0;
}

/* The shape of the record at @bytes where it was not guessed; NULL: decode it packet by packet. */
static struct pms_spe_shape *search(struct pms_spe_decoder *decoder, const uint8_t *bytes)
{
	struct pms_spe_shapes *shapes = &decoder->reader.shapes;
	int may_learn;
	struct pms_spe_shape *shape = pms_spe_shape_search(shapes, bytes, &may_learn);
	if (!may_learn)
		return shape;
	count_shapes(decoder); /* before one is replaced */
	return pms_spe_shape_learn(shapes, bytes);
}

/* The last record's padding was counted with its shape, but may go on: back to where it is counted
 * when it ends. */
static void reopen_padding(struct pms_spe_decoder *decoder, const struct pms_spe_shape *last)
{
	unsigned padding = last->total - last->length;
	decoder->summary.packets[PMS_SPE_PADDING] -= padding > 0;
	decoder->summary.bytes[PMS_SPE_PADDING] -= padding;
	decoder->reader.cursor.padding = padding;
}

/* Decode records for as long as they have shapes. Returns the bytes that they take. */
static size_t decode_shaped(struct pms_spe_decoder *decoder, const uint8_t *bytes, size_t length,
			    uint64_t offset, struct pms_spe_batch *batch)
{
	struct pms_spe_shapes *shapes = &decoder->reader.shapes;
	const struct pms_spe_shape *last = NULL;
	size_t at = 0, n = batch->count;
	uint64_t reserved = 0;
	if (length < PMS_SPE_SHAPE_NEEDS)
		return 0;
	struct pms_spe_guess next = pms_spe_shape_guess(shapes, bytes);
	while (n < PMS_SPE_BATCH && length - at >= PMS_SPE_SHAPE_NEEDS && bytes[at]) {
		struct pms_spe_guess now = next;
		/* What follows the next record's guess has no need of it. */
		if (length - at >= now.total + PMS_SPE_SHAPE_NEEDS)
			next = pms_spe_shape_guess(shapes, bytes + at + now.total);
		if (!now.total || !pms_spe_shape_fits(now.shape, bytes + at)) {
			now.shape = search(decoder, bytes + at);
			if (!now.shape)
				break;
			now.total = now.shape->total;
			if (length - at >= now.total + PMS_SPE_SHAPE_NEEDS)
				next = pms_spe_shape_guess(shapes, bytes + at + now.total);
		}
		put_shaped(batch, n, now.shape, bytes + at, offset + at);
		if (now.shape->has & PMS_SPE_HAS_OP)
			reserved += pms_spe_operation_is_reserved(batch->class_[n], batch->op[n]);
		n++;
		now.shape->hits++;
		last = now.shape;
		at += now.total;
	}
	decoder->summary.reserved_fields += reserved;
	batch->count = n;
	if (last) {
		end_padding(decoder);
		reopen_padding(decoder, last);
	}
	return at;
}

/* Decode packets one by one, up to the end of a record, as long as they are whole and plain.
 * Returns the bytes that they take; decode_packet() is for what it leaves. */
static size_t decode_plain(struct pms_spe_decoder *decoder, const uint8_t *bytes, size_t length,
			   uint64_t offset, struct pms_spe_batch *batch)
{
	size_t at = 0;
	while (length - at >= PMS_SPE_LONGEST) {
		const struct pms_spe_row *row = &pms_spe_rows[bytes[at]];
		struct pms_spe_found found = { .row = row,
					       .payload = pms_spe_load8(bytes + at + 1) & row->mask,
					       .length = row->length,
					       .index = row->index };
		if (row->type == PMS_SPE_EXTENDED)
			break;
		if (row->type == PMS_SPE_PADDING) {
			size_t zeros = pms_spe_zeros(bytes + at, length - at);
			if (zeros == length - at) /* it may go on */
				break;
			decoder->reader.cursor.padding += zeros;
			at += zeros;
			continue;
		}
		end_padding(decoder);
		add(decoder, &found, offset + at, batch);
		at += row->length;
		if (!decoder->reader.cursor.inside)
			break;
	}
	return at;
}

/* Decode one packet, perhaps one that began in the buffer before. Returns the bytes used. */
static size_t decode_packet(struct pms_spe_decoder *decoder, const uint8_t *bytes, size_t length,
			    uint64_t offset, struct pms_spe_batch *batch)
{
	struct pms_spe_reader *reader = &decoder->reader;
	struct pms_spe_found found;
	size_t used;
	offset -= reader->cursor.n_held;
	if (reader->cursor.n_held) {
		found = pms_spe_find_held(&reader->cursor, bytes, length, &used);
	} else {
		end_padding(decoder);
		found = pms_spe_find(bytes, length);
		used = found.length ? found.length : length;
		if (!found.length)
			pms_spe_hold(&reader->cursor, bytes, length);
	}
	if (found.length)
		add(decoder, &found, offset, batch);
	return used;
}

size_t pms_spe_decode(struct pms_spe_decoder *decoder, const uint8_t *bytes, size_t length,
		      size_t *used, struct pms_spe_batch *batch)
{
	struct pms_spe_reader *reader = &decoder->reader;
	size_t at = 0, before = batch->count;
	uint64_t start = reader->cursor.offset; /* of bytes[0] */
	while (batch->count < PMS_SPE_BATCH && at < length) {
		size_t taken = 0;
		if (!reader->cursor.n_held && !bytes[at]) {
			size_t zeros = pms_spe_zeros(bytes + at, length - at);
			reader->cursor.padding += zeros;
			at += zeros;
			continue;
		}
		if (!reader->cursor.inside && !reader->cursor.n_held)
			taken = decode_shaped(decoder, bytes + at, length - at, start + at, batch);
		if (!taken && !reader->cursor.n_held)
			taken = decode_plain(decoder, bytes + at, length - at, start + at, batch);
		at += taken ? taken
			    : decode_packet(decoder, bytes + at, length - at, start + at, batch);
	}
	count_shapes(decoder);
	reader->cursor.offset = start + at;
	*used = at;
	return batch->count - before;
}

void pms_spe_decode_end(struct pms_spe_decoder *decoder)
{
	struct pms_spe_packet packet;
	int inside = decoder->reader.cursor.inside;
	while (pms_spe_read_end(&decoder->reader, &packet)) {
		pms_spe_summary_add(&decoder->summary, &packet);
		inside |= packet.type == PMS_SPE_TRUNCATED;
	}
	decoder->summary.unfinished += inside != 0;
	decoder->record = (struct pms_spe_record){ 0 };
}

void pms_spe_decoder_break(struct pms_spe_decoder *decoder, uint64_t offset)
{
	pms_spe_decode_end(decoder);
	pms_spe_reader_break(&decoder->reader, offset);
}
