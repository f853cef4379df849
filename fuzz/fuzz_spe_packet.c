/* SPDX-License-Identifier: MIT */
/* Any bytes are packets side by side, without gaps. Cutting the bytes anywhere gives the same
 * packets, and all can be shown. The first byte says where to cut. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "pmuscope/spe.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PACKETS = 64 };

/* Read all packets, in pieces of @piece bytes, @most packets at a time. Returns a sum over all
 * fields. */
static uint64_t read_packets(const uint8_t *bytes, size_t size, size_t piece, size_t most,
			     struct pms_spe_summary *summary)
{
	struct pms_spe_reader *reader = pms_spe_reader_new(0);
	struct pms_spe_packet packets[PACKETS];
	uint64_t at = 0, sum = 0;
	assert(reader);
	for (size_t given = 0, used = 0; given <= size; given += used) {
		size_t left = size - given < piece ? size - given : piece;
		size_t n = left ? pms_spe_read(reader, bytes + given, left, &used, packets, most)
				: pms_spe_read_end(reader, packets);
		assert(n <= most && (!left || used || n));
		for (size_t i = 0; i < n; i++) {
			assert(packets[i].offset == at && packets[i].length);
			at += packets[i].length;
			sum = sum * 31 + packets[i].payload + packets[i].type * UINT64_C(1000003) +
			      packets[i].index * 257U + packets[i].length;
			pms_spe_summary_add(summary, &packets[i]);
		}
		if (!left)
			break;
	}
	assert(at == size);
	pms_spe_reader_free(reader);
	return sum;
}

static int discard(void *context, const void *text, size_t length)
{
	*(size_t *)context += length;
	return text == NULL;
}

struct once {
	const uint8_t *bytes;
	size_t size;
};

static int give(void *context, struct pms_spe_buffer *buffer, struct pms_error *err)
{
	struct once *once = context;
	(void)err;
	*buffer = (struct pms_spe_buffer){
		.bytes = once->bytes, .length = once->size, .cpu = -1, .tid = -1
	};
	once->size = 0;
	return buffer->length > 0;
}

static void dump(const uint8_t *bytes, size_t size, enum pms_spe_dump_format format)
{
	struct once once = { bytes, size };
	struct pms_spe_input input = { give, &once };
	struct pms_spe_summary summary = { 0 };
	size_t written = 0;
	struct pms_spe_dump_options options = { .format = format,
						.encoding = PMS_SPE_ENCODING_NEOVERSE,
						.write = discard,
						.context = &written };
	int status = pms_spe_dump(&input, &options, &summary, NULL);
	assert(status == 0);
	assert(!size || written > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pms_spe_summary packets = { 0 }, again = { 0 };
	if (!size)
		return 0;
	size_t piece = 1 + data[0];
	data++;
	size--;
	uint64_t sum = read_packets(data, size, size + 1, PACKETS, &packets);
	uint64_t cut = read_packets(data, size, piece, 1 + piece % PACKETS, &again);
	assert(sum == cut);
	assert(!memcmp(&packets, &again, sizeof(packets)));
	if (size < 4096)
		for (int i = 0; i < 2; i++)
			dump(data, size, (enum pms_spe_dump_format)i);
	return 0;
}
