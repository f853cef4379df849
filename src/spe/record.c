/* SPDX-License-Identifier: MIT */
/* Packets to records. Each End or Timestamp packet ends a record, so that there are as many records
 * as there are of these two. */
#include "spe/packet.h"

void pms_spe_summary_add(struct pms_spe_summary *summary, const struct pms_spe_packet *packet)
{
	summary->packets[packet->type]++;
	summary->bytes[packet->type] += packet->length;
	switch (packet->type) {
	case PMS_SPE_ADDRESS:
	case PMS_SPE_COUNTER:
		if (pms_spe_index_is_implementation_defined(packet->index))
			summary->implementation_defined++;
		else if (packet->index > 4 ||
			 (packet->type == PMS_SPE_COUNTER && packet->index == 3))
			summary->reserved_fields++;
		break;
	case PMS_SPE_CONTEXT:
		summary->reserved_fields += packet->index > 1;
		break;
	case PMS_SPE_OPERATION:
		summary->reserved_fields +=
			pms_spe_operation(packet->index, (uint8_t)packet->payload)->kind ==
			PMS_SPE_OP_RESERVED;
		break;
	default:
		break;
	}
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

void pms_spe_decoder_init(struct pms_spe_decoder *decoder, uint64_t offset)
{
	*decoder = (struct pms_spe_decoder){ 0 };
	pms_spe_reader_init(&decoder->reader, offset);
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

static void finish(struct pms_spe_decoder *decoder, struct pms_spe_batch *batch)
{
	struct pms_spe_summary *summary = &decoder->summary;
	uint32_t has = decoder->record.has;
	put(batch, &decoder->record);
	summary->records++;
	summary->repeated += !!(has & PMS_SPE_HAS_REPEATED);
	summary->damaged += !!(has & PMS_SPE_HAS_DAMAGE);
	summary->other += !!(has & PMS_SPE_HAS_OTHER);
	decoder->record = (struct pms_spe_record){ 0 };
}

static void begin(struct pms_spe_record *record, uint64_t offset)
{
	if (record->begun)
		return;
	record->begun = 1;
	record->offset = offset;
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

static void count(struct pms_spe_summary *summary, const struct pms_spe_found *found)
{
	struct pms_spe_packet packet = { .length = found->length,
					 .payload = found->payload,
					 .type = found->row->type,
					 .index = (uint8_t)found->index };
	pms_spe_summary_add(summary, &packet);
}

static void add(struct pms_spe_decoder *decoder, const struct pms_spe_found *found, uint64_t offset,
		struct pms_spe_batch *batch)
{
	struct pms_spe_record *record = &decoder->record;
	count(&decoder->summary, found);
	begin(record, offset);
	if (found->row->type == PMS_SPE_RESERVED)
		record->has |= PMS_SPE_HAS_DAMAGE;
	else if (found->row->type != PMS_SPE_END)
		take(record, found);
	if (found->row->type == PMS_SPE_END || found->row->type == PMS_SPE_TIMESTAMP)
		finish(decoder, batch);
}

/* A row of zero bytes counts as one packet, wherever buffers end. */
static void end_padding(struct pms_spe_decoder *decoder)
{
	struct pms_spe_packet packet = { .type = PMS_SPE_PADDING,
					 .length = decoder->reader.padding };
	if (packet.length)
		pms_spe_summary_add(&decoder->summary, &packet);
	decoder->reader.padding = 0;
}

size_t pms_spe_decode(struct pms_spe_decoder *decoder, const uint8_t *bytes, size_t length,
		      size_t *used, struct pms_spe_batch *batch)
{
	struct pms_spe_reader *reader = &decoder->reader;
	size_t at = 0, before = batch->count;
	uint64_t start = reader->offset; /* of bytes[0] */
	while (batch->count < PMS_SPE_BATCH && at < length) {
		struct pms_spe_found found;
		uint64_t offset = start + at - reader->n_held;
		if (reader->n_held) {
			size_t taken;
			found = pms_spe_find_held(reader, bytes + at, length - at, &taken);
			at += taken;
		} else if (!bytes[at]) {
			size_t zeros = pms_spe_zeros(bytes + at, length - at);
			reader->padding += zeros;
			at += zeros;
			continue;
		} else {
			end_padding(decoder);
			found = pms_spe_find(bytes + at, length - at);
			if (!found.length)
				pms_spe_hold(reader, bytes + at, length - at);
			at = found.length ? at + found.length : length;
		}
		if (found.length)
			add(decoder, &found, offset, batch);
	}
	reader->offset = start + at;
	*used = at;
	return batch->count - before;
}

void pms_spe_decode_end(struct pms_spe_decoder *decoder)
{
	struct pms_spe_packet packet;
	if (pms_spe_read_end(&decoder->reader, &packet)) {
		pms_spe_summary_add(&decoder->summary, &packet);
		decoder->record.begun |= packet.type == PMS_SPE_TRUNCATED;
	}
	decoder->summary.unfinished += decoder->record.begun;
	decoder->record = (struct pms_spe_record){ 0 };
}
