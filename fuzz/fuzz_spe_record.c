/* SPDX-License-Identifier: MIT */
/* Records are the same wherever the bytes are cut. There are as many as packets that end a record.
 * Records and packets give the same summary, and all records can be shown. The first byte says
 * where to cut. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pmuscope/spe_samples.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PACKETS = 64 };

/* Add up the packets of the bytes, one by one, to compare with the records. */
static void count_packets(const uint8_t *bytes, size_t size, struct pms_spe_summary *summary)
{
	struct pms_spe_reader *reader = pms_spe_reader_new(0);
	struct pms_spe_packet packets[PACKETS];
	assert(reader);
	for (size_t at = 0, used; at < size; at += used) {
		size_t n = pms_spe_read(reader, bytes + at, size - at, &used, packets, PACKETS);
		for (size_t i = 0; i < n; i++)
			pms_spe_summary_add(summary, &packets[i]);
	}
	while (pms_spe_read_end(reader, packets))
		pms_spe_summary_add(summary, packets);
	pms_spe_reader_free(reader);
}

/* Decode the bytes in pieces of @piece bytes, as a reader that is fed in parts would. */
static uint64_t decode_records(const uint8_t *bytes, size_t size, size_t piece,
			       struct pms_spe_summary *summary)
{
	struct pms_spe_decoder *decoder = pms_spe_decoder_new(0);
	struct pms_spe_batch *batch = malloc(sizeof(*batch));
	uint64_t sum = 0;
	size_t used;
	assert(decoder && batch);
	for (size_t at = 0; at < size; at += used) {
		size_t left = size - at < piece ? size - at : piece;
		batch->count = 0;
		pms_spe_decode(decoder, bytes + at, left, &used, batch);
		for (size_t i = 0; i < batch->count; i++)
			sum = sum * 31 + batch->has[i] + batch->offset[i] + batch->pc[i] +
			      batch->target[i] * 3 + batch->va[i] * 5 + batch->pa[i] * 7 +
			      batch->previous[i] * 11 + batch->events[i] * 13 +
			      batch->time[i] * 17 + batch->context_el1[i] * UINT64_C(19) +
			      batch->context_el2[i] * UINT64_C(23) + batch->total[i] * 29U +
			      batch->issue[i] * 37U + batch->translation[i] * 41U +
			      batch->alternate[i] * 43U + batch->source[i] * 47U +
			      batch->class_[i] * 53U + batch->op[i] * 59U;
	}
	pms_spe_decode_end(decoder);
	*summary = *pms_spe_decoder_summary(decoder);
	free(batch);
	pms_spe_decoder_free(decoder);
	return sum;
}

static void check_counts(const struct pms_spe_summary *packets,
			 const struct pms_spe_summary *records, size_t size)
{
	uint64_t bytes = 0;
	for (int i = 0; i < PMS_SPE_TYPES; i++) {
		assert(packets->packets[i] == records->packets[i]);
		assert(packets->bytes[i] == records->bytes[i]);
		bytes += packets->bytes[i];
	}
	assert(bytes == size);
	assert(records->records ==
	       packets->packets[PMS_SPE_END] + packets->packets[PMS_SPE_TIMESTAMP]);
	assert(packets->reserved_fields == records->reserved_fields);
	assert(packets->implementation_defined == records->implementation_defined);
}

static int discard(void *context, const void *text, size_t length)
{
	*(size_t *)context += length;
	return text == NULL;
}

static void dump(const uint8_t *bytes, size_t size, enum pms_spe_dump_format format)
{
	const struct pms_spe_samples_options how = { .raw = 1,
						     .encoding = PMS_SPE_ENCODING_NEOVERSE };
	size_t written = 0;
	struct pms_spe_dump_options options = { .format = format,
						.write = discard,
						.context = &written };
	struct pms_spe_samples *samples;
	struct pms_spe_quality quality;
	int status = pms_spe_samples_open_bytes(bytes, size, "fuzz", &how, &samples, NULL);
	assert(status == 0);
	status = pms_spe_dump_records(samples, &options, NULL);
	assert(status == 0);
	pms_spe_samples_quality(samples, &quality);
	assert((quality.summary.records > 0) == (written > 0));
	pms_spe_samples_close(samples);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pms_spe_summary packets = { 0 }, records, pieces;
	if (!size)
		return 0;
	size_t piece = 1 + data[0];
	data++;
	size--;
	count_packets(data, size, &packets);
	uint64_t sum = decode_records(data, size, size + 1, &records);
	uint64_t cut = decode_records(data, size, piece, &pieces);
	assert(sum == cut);
	assert(!memcmp(&records, &pieces, sizeof(records)));
	check_counts(&packets, &records, size);
	if (size < 4096)
		for (int i = 0; i < 2; i++)
			dump(data, size, (enum pms_spe_dump_format)i);
	return 0;
}
