/* SPDX-License-Identifier: MIT */
/* Packets to records. Each End or Timestamp packet ends a record, so that there are as many records
 * as there are of these two. */
#include "spe/packet.h"
#include "spe/reader.h"

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
	if (!decoder)
		return NULL;
	decoder->reader.cursor.offset = offset;
	pms_spe_shapes_init(&decoder->reader.shapes);
	decoder->reader.shapes.summary = &decoder->summary;
	return decoder;
}

void pms_spe_decoder_free(struct pms_spe_decoder *decoder)
{
	free(decoder);
}

const struct pms_spe_summary *pms_spe_decoder_summary(struct pms_spe_decoder *decoder)
{
	pms_spe_shapes_count(&decoder->reader.shapes);
	return &decoder->summary;
}

static void put(struct pms_spe_batch *batch, size_t n, const struct pms_spe_record *record)
{
	const uint64_t *value = record->value;
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

static void finish(struct pms_spe_decoder *decoder)
{
	struct pms_spe_summary *summary = &decoder->summary;
	uint32_t has = decoder->record.has;
	summary->records++;
	summary->repeated += !!(has & PMS_SPE_HAS_REPEATED);
	summary->damaged += !!(has & PMS_SPE_HAS_DAMAGE);
	summary->other += !!(has & PMS_SPE_HAS_OTHER);
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

/* What is found, as records. */
struct sink {
	struct pms_spe_decoder *decoder;
	struct pms_spe_batch *batch;
	size_t n;		    /* records in it */
	uint64_t paddings, padding; /* rows of zeros that no shape counts, and their bytes */
	uint64_t reserved;	    /* operations of records with shapes */
};

static inline int sink_room(const struct sink *s)
{
	return s->n < PMS_SPE_BATCH;
}

static inline int sink_room_for_record(const struct sink *s)
{
	return s->n < PMS_SPE_BATCH;
}

static inline int sink_waits(const struct sink *s)
{
	(void)s;
	return 0;
}

/* A row of zero bytes counts as one packet, wherever buffers end. */
static inline void sink_padding(struct sink *s, uint64_t offset, uint64_t length)
{
	(void)offset;
	s->paddings++;
	s->padding += length;
}

static inline void sink_shaped(struct sink *s, struct pms_spe_shape *shape, const uint8_t *bytes,
			       uint64_t offset, uint64_t padding)
{
	struct pms_spe_batch *batch = s->batch;
	(void)padding; /* counted with the shape of the record before */
	put_shaped(batch, s->n, shape, bytes, offset);
	s->reserved += pms_spe_operation_is_reserved(batch->class_[s->n], batch->op[s->n]);
	shape->hits++;
	s->n++;
}

static inline void sink_open_padding(struct sink *s, uint64_t length)
{
	s->paddings -= length > 0;
	s->padding -= length;
}

static inline void sink_packet(struct sink *s, const struct pms_spe_found *found, uint8_t header,
			       uint64_t offset, int begins)
{
	struct pms_spe_decoder *decoder = s->decoder;
	struct pms_spe_record *record = &decoder->record;
	unsigned type = found->row->type;
	(void)header;
	count(&decoder->summary, type, found->index, found->payload, found->length);
	if (begins)
		record->offset = offset;
	if (type == PMS_SPE_RESERVED)
		record->has |= PMS_SPE_HAS_DAMAGE;
	else if (type != PMS_SPE_END)
		take(record, found);
	if (type == PMS_SPE_END || type == PMS_SPE_TIMESTAMP) {
		put(s->batch, s->n++, record);
		finish(decoder);
	}
}

#include "spe/loop.h"

size_t pms_spe_decode(struct pms_spe_decoder *decoder, const uint8_t *bytes, size_t length,
		      size_t *used, struct pms_spe_batch *batch)
{
	struct pms_spe_summary *summary = &decoder->summary;
	struct sink s = { .decoder = decoder, .batch = batch, .n = batch->count };
	*used = read_stream(&decoder->reader, bytes, length, &s);
	summary->packets[PMS_SPE_PADDING] += s.paddings;
	summary->bytes[PMS_SPE_PADDING] += s.padding;
	summary->reserved_fields += s.reserved;
	size_t added = s.n - batch->count;
	batch->count = s.n;
	return added;
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
