/* SPDX-License-Identifier: MIT */
/* bench/perf_decoder.c - Linux perf's own loops over a stream of Arm SPE, to measure beside ours.
 * bench/spe.py compiles it with perf's sources (see bench/perf_source.sh) into a library that
 * bench_spe loads. */
#include <linux/types.h> /* perf's header: the next one relies on it */

#include "arm-spe-decoder.h"

#include "perf_decoder.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT uint64_t perf_decoder_packets(const uint8_t *bytes, size_t length, uint64_t *sum)
{
	struct arm_spe_pkt packet;
	uint64_t n = 0;
	while (length) {
		int got = arm_spe_get_packet(bytes, length, &packet);
		if (got > 0) {
			n += packet.type != ARM_SPE_PAD;
			*sum += packet.payload;
		} else {
			got = 1; /* as perf goes on after bytes that are no packet */
		}
		bytes += got;
		length -= (size_t)got;
	}
	return n;
}

struct trace {
	const uint8_t *bytes;
	size_t length;
};

/* Hand out the whole stream, once. */
static int get_trace(struct arm_spe_buffer *buffer, void *data)
{
	struct trace *trace = data;
	buffer->buf = trace->bytes;
	buffer->len = trace->length;
	trace->length = 0;
	return 0;
}

EXPORT uint64_t perf_decoder_records(const uint8_t *bytes, size_t length, uint64_t *sum)
{
	struct trace trace = { bytes, length };
	struct arm_spe_params params = { get_trace, &trace };
	struct arm_spe_decoder *decoder = arm_spe_decoder_new(&params);
	uint64_t n = 0;
	while (decoder && arm_spe_decode(decoder) > 0) {
		n++;
		*sum += decoder->record.from_ip + decoder->record.latency;
	}
	arm_spe_decoder_free(decoder);
	return n;
}
