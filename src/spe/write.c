/* SPDX-License-Identifier: MIT */
/* Packets to bytes. Headers are put together here from their fields, not looked up in the reader's
 * table: what one of the two has wrong, the other does not repeat. */
#include "pmuscope/spe_write.h"
#include "spe/packet.h"

#include <assert.h>

/* The figures of the headers' byte: fields that read as constants, which SZ there are, and the
 * field that counts: INDEX, or CLASS of an operation. */
static const struct figure {
	uint8_t constant;
	uint8_t sizes;	 /* bit n: SZ n exists; none: no payload and no field SZ */
	uint8_t numbers; /* values of INDEX or CLASS in one byte */
	uint8_t extends; /* 1: a header of two bytes exists, with two more bits of INDEX */
} figures[PMS_SPE_TYPES] = {
	[PMS_SPE_ADDRESS] = { 0x80, 1 << 3, 8, 1 },
	[PMS_SPE_CONTEXT] = { 0x44, 1 << 2, 4, 0 },
	[PMS_SPE_COUNTER] = { 0x88, 1 << 1, 8, 1 },
	[PMS_SPE_DATA_SOURCE] = { 0x43, 1 << 0 | 1 << 1, 1, 0 },
	[PMS_SPE_END] = { 0x01, 0, 1, 0 },
	[PMS_SPE_EVENTS] = { 0x42, 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3, 1, 0 },
	[PMS_SPE_OPERATION] = { 0x48, 1 << 0, 4, 0 },
	[PMS_SPE_TIMESTAMP] = { 0x41, 1 << 3, 1, 0 },
};

/* Byte 0 of a header of two, above INDEX[4:3]. */
enum { EXTENDED = 0x20 };

static void store(uint8_t *bytes, uint64_t value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
}

static size_t write_padding(size_t length, uint8_t *bytes, size_t room)
{
	if (length <= room)
		memset(bytes, 0, length);
	return length;
}

/* Bytes that are a packet's only to the reader: they have a header that is none, or no end. */
static size_t write_remains(const struct pms_spe_packet *p, uint8_t *bytes, size_t room)
{
	int reserved = p->type == PMS_SPE_RESERVED;
	const struct pms_spe_header *row = &pms_spe_headers[p->header];
	uint64_t length = reserved ? 1 : p->length;
	if (reserved && row->type != PMS_SPE_RESERVED && row->type != PMS_SPE_EXTENDED)
		return 0;
	if (!length || length >= PMS_SPE_LONGEST)
		return 0;
	if (length <= room) {
		bytes[0] = p->header;
		store(bytes + 1, p->payload, length - 1);
	}
	return length;
}

static int exists(const struct pms_spe_packet *p, const struct figure *figure)
{
	unsigned bits = figure->sizes ? 8U << p->size : 0;
	if (p->size > 3 || p->extended > figure->extends)
		return 0;
	if (figure->sizes ? !(figure->sizes >> p->size & 1) : p->size)
		return 0;
	if (p->index >= figure->numbers << (p->extended ? 2 : 0))
		return 0;
	return bits == 64 || !(p->payload >> bits);
}

size_t pms_spe_packet_write(const struct pms_spe_packet *p, uint8_t *bytes, size_t room)
{
	if (p->type == PMS_SPE_PADDING)
		return write_padding(p->length, bytes, room);
	if (p->type == PMS_SPE_RESERVED || p->type == PMS_SPE_TRUNCATED)
		return write_remains(p, bytes, room);
	if (p->type >= PMS_SPE_TYPES || !figures[p->type].constant)
		return 0;
	const struct figure *figure = &figures[p->type];
	if (!exists(p, figure))
		return 0;
	size_t size = figure->sizes ? (size_t)1 << p->size : 0, header = 1U + p->extended;
	if (header + size > room)
		return header + size;
	if (p->extended)
		*bytes++ = (uint8_t)(EXTENDED | p->index >> 3);
	*bytes++ = (uint8_t)(figure->constant | p->size << 4 | (p->index & 7));
	store(bytes, p->payload, size);
	return header + size;
}

/* Records -------------------------------------------------------------------------------------- */

/* A column's packet. The value is looked up by slot, so that these are in its order. */
static const struct {
	uint8_t type, index, size;
} columns[] = {
	[PMS_SPE_SLOT_PC] = { PMS_SPE_ADDRESS, PMS_SPE_INSTRUCTION_VA, 3 },
	[PMS_SPE_SLOT_TARGET] = { PMS_SPE_ADDRESS, PMS_SPE_BRANCH_TARGET, 3 },
	[PMS_SPE_SLOT_VA] = { PMS_SPE_ADDRESS, PMS_SPE_DATA_VA, 3 },
	[PMS_SPE_SLOT_PA] = { PMS_SPE_ADDRESS, PMS_SPE_DATA_PA, 3 },
	[PMS_SPE_SLOT_PREVIOUS] = { PMS_SPE_ADDRESS, PMS_SPE_PREVIOUS_TARGET, 3 },
	[PMS_SPE_SLOT_EVENTS] = { PMS_SPE_EVENTS, 0, 0 },
	[PMS_SPE_SLOT_TIME] = { PMS_SPE_TIMESTAMP, 0, 3 },
	[PMS_SPE_SLOT_CONTEXT_EL1] = { PMS_SPE_CONTEXT, 0, 2 },
	[PMS_SPE_SLOT_CONTEXT_EL2] = { PMS_SPE_CONTEXT, 1, 2 },
	[PMS_SPE_SLOT_TOTAL] = { PMS_SPE_COUNTER, PMS_SPE_TOTAL_LATENCY, 1 },
	[PMS_SPE_SLOT_ISSUE] = { PMS_SPE_COUNTER, PMS_SPE_ISSUE_LATENCY, 1 },
	[PMS_SPE_SLOT_TRANSLATION] = { PMS_SPE_COUNTER, PMS_SPE_TRANSLATION_LATENCY, 1 },
	[PMS_SPE_SLOT_ALTERNATE] = { PMS_SPE_COUNTER, PMS_SPE_ALTERNATE_ISSUE_LATENCY, 1 },
	[PMS_SPE_SLOT_SOURCE] = { PMS_SPE_DATA_SOURCE, 0, 0 },
	[PMS_SPE_SLOT_OP] = { PMS_SPE_OPERATION, 0, 0 },
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static void values_of(const struct pms_spe_batch *b, size_t i, uint64_t *values)
{
	values[PMS_SPE_SLOT_PC] = b->pc[i];
	values[PMS_SPE_SLOT_TARGET] = b->target[i];
	values[PMS_SPE_SLOT_VA] = b->va[i];
	values[PMS_SPE_SLOT_PA] = b->pa[i];
	values[PMS_SPE_SLOT_PREVIOUS] = b->previous[i];
	values[PMS_SPE_SLOT_EVENTS] = b->events[i];
	values[PMS_SPE_SLOT_TIME] = b->time[i];
	values[PMS_SPE_SLOT_CONTEXT_EL1] = b->context_el1[i];
	values[PMS_SPE_SLOT_CONTEXT_EL2] = b->context_el2[i];
	values[PMS_SPE_SLOT_TOTAL] = b->total[i];
	values[PMS_SPE_SLOT_ISSUE] = b->issue[i];
	values[PMS_SPE_SLOT_TRANSLATION] = b->translation[i];
	values[PMS_SPE_SLOT_ALTERNATE] = b->alternate[i];
	values[PMS_SPE_SLOT_SOURCE] = b->source[i];
	values[PMS_SPE_SLOT_OP] = b->op[i];
}

/* SZ: at least @least, and enough for the value. */
static uint8_t size_for(uint64_t value, unsigned least)
{
	unsigned size = least;
	while (size < 3 && value >> (8U << size))
		size++;
	return (uint8_t)size;
}

static struct pms_spe_packet packet_of(unsigned slot, uint64_t value, unsigned class_,
				       const struct pms_spe_form *form)
{
	struct pms_spe_packet p = { .type = columns[slot].type,
				    .index = columns[slot].index,
				    .size = columns[slot].size,
				    .extended = form->extended >> slot & 1,
				    .payload = value };
	if (slot == PMS_SPE_SLOT_EVENTS)
		p.size = size_for(p.payload, form->events_size);
	else if (slot == PMS_SPE_SLOT_SOURCE)
		p.size = size_for(p.payload, form->source_size);
	else if (slot == PMS_SPE_SLOT_OP)
		p.index = (uint8_t)class_;
	p.extended &= figures[p.type].extends;
	return p;
}

/* Header and place, as a reader would give them. Returns 0 when there is no such packet. */
static int place(struct pms_spe_packet *p, uint64_t *offset)
{
	uint8_t bytes[PMS_SPE_LONGEST];
	p->length = pms_spe_packet_write(p, bytes, sizeof(bytes));
	if (!p->length)
		return 0;
	p->header = bytes[0];
	p->offset = *offset;
	*offset += p->length;
	return 1;
}

size_t pms_spe_record_packets(const struct pms_spe_batch *batch, size_t i,
			      const struct pms_spe_form *form, struct pms_spe_packet *packets)
{
	static const struct pms_spe_form shortest;
	const struct pms_spe_packet end = { .type = PMS_SPE_END };
	uint32_t has = batch->has[i];
	uint64_t offset = batch->offset[i], values[COLUMNS];
	size_t n = 0;
	form = form ? form : &shortest;
	if (has >> COLUMNS)
		return 0;
	values_of(batch, i, values);
	for (unsigned slot = 0; slot < COLUMNS; slot++)
		if (has >> slot & 1 && slot != PMS_SPE_SLOT_TIME)
			packets[n++] = packet_of(slot, values[slot], batch->class_[i], form);
	packets[n++] = has & PMS_SPE_HAS_TIME
			       ? packet_of(PMS_SPE_SLOT_TIME, batch->time[i], 0, form)
			       : end;
	assert(n <= PMS_SPE_RECORD_PACKETS);
	for (size_t k = 0; k < n; k++)
		if (!place(&packets[k], &offset))
			return 0;
	return n;
}

size_t pms_spe_record_write(const struct pms_spe_batch *batch, size_t i,
			    const struct pms_spe_form *form, uint8_t *bytes, size_t room)
{
	struct pms_spe_packet packets[PMS_SPE_RECORD_PACKETS];
	size_t n = pms_spe_record_packets(batch, i, form, packets), length = 0;
	for (size_t k = 0; k < n; k++)
		length += packets[k].length;
	for (size_t k = 0, at = 0; length <= room && k < n; k++)
		at += pms_spe_packet_write(&packets[k], bytes + at, room - at);
	return length;
}
