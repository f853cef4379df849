/* SPDX-License-Identifier: MIT */
/* What a file can make grow, and how long it can make us work: as little memory for each thing that
 * it tells of as it takes bytes to tell it, up to bounds; and no time beyond the file's length. */
#include "recording.h"

#include <stdio.h>
#include <time.h>

#include "base/limits.h"
#include "heap.h"

static struct recording recording;

static int begin(void **state)
{
	recording_init(&recording);
	recording_begin(&recording);
	*state = &recording;
	return 0;
}

/* A piece of the trace buffer of a thread, which only has it. */
static void put_piece(struct recording *r, uint32_t idx, int32_t tid, uint64_t offset,
		      const uint8_t *bytes, size_t size)
{
	struct pms_perfdata_record m = { .type = PMS_PERFDATA_AUXTRACE };
	m.auxtrace = (struct pms_perfdata_auxtrace){
		.cpu = -1, .tid = tid, .idx = idx, .offset = offset, .data = bytes, .size = size
	};
	recording_put(r, &m);
}

static size_t count_records(struct pms_spe_samples *s)
{
	const struct pms_spe_samples_batch *b;
	struct pms_error err = { 0 };
	size_t n = 0;
	int rc;
	while ((rc = pms_spe_samples_next(s, &b, &err)) > 0)
		n += b->records->count;
	if (rc)
		fail_msg("%s", err.text);
	return n;
}

/* Each has a record that is cut in two, anywhere, and all first parts come before all others. */
static void a_stream_takes_some_hundred_bytes(void **state)
{
	enum { STREAMS = 5000, LENGTH = 64, EACH = 512 };
	struct recording *r = *state;
	struct pms_spe_quality q;
	for (uint32_t i = 0; i < STREAMS; i++) {
		r->length = 0;
		recording_load(r, 0x400000 + i, i, -1);
		put_piece(r, i, 7, 0, r->bytes, 1 + i % (LENGTH - 1));
	}
	for (uint32_t i = 0; i < STREAMS; i++) {
		size_t cut = 1 + i % (LENGTH - 1);
		r->length = 0;
		recording_load(r, 0x400000 + i, i, -1);
		put_piece(r, i, 7, cut, r->bytes + cut, LENGTH - cut);
	}
	struct pms_spe_samples *s = recording_open(r, NULL);
	size_t opened = heap_bytes();
	assert_int_equal(count_records(s), STREAMS);
	assert_in_range(heap_bytes() - opened, 0, STREAMS * EACH);
	pms_spe_samples_quality(s, &q);
	assert_int_equal(q.streams, STREAMS);
	assert_int_equal(q.summary.bytes[PMS_SPE_ADDRESS], STREAMS * 9);
	assert_int_equal(q.summary.damaged + q.summary.unfinished + q.undecodable, 0);
	assert_int_equal(q.bytes_left_out, 0);
	pms_spe_samples_close(s);
}

/* The buffers of more CPUs and threads than there can be: what comes first is kept. */
static void streams_are_bounded(void **state)
{
	enum { MORE = 10 };
	static const uint8_t bytes[] = { 0x01, 0x01 }; /* two End packets */
	struct recording *r = *state;
	struct pms_spe_quality q;
	for (uint32_t i = 0; i < PMS_MOST_SPE_STREAMS + MORE; i++)
		put_piece(r, 1, (int32_t)i, 0, bytes, sizeof(bytes));
	put_piece(r, 1, 5, 2, bytes, 1); /* of one of the first */
	struct pms_spe_samples *s = recording_open(r, NULL);
	assert_int_equal(count_records(s), PMS_MOST_SPE_STREAMS * sizeof(bytes) + 1);
	pms_spe_samples_quality(s, &q);
	assert_int_equal(q.streams, PMS_MOST_SPE_STREAMS);
	assert_int_equal(q.bytes_left_out, MORE * sizeof(bytes));
	pms_spe_samples_close(s);
}

/* What was written, and the most memory meanwhile. */
struct sink {
	size_t length, most;
};

static int swallow(void *context, const void *text, size_t length)
{
	struct sink *sink = context;
	size_t heap = heap_bytes();
	sink->length += length;
	sink->most = heap > sink->most ? heap : sink->most;
	return text == NULL;
}

static void packets_of_many_streams_are_shown(void **state)
{
	enum { STREAMS = 2000, EACH = 200 };
	static const uint8_t bytes[] = { 0x49, 0x00, 0x01 }; /* a load that ends */
	struct recording *r = *state;
	struct pms_spe_summary summary = { 0 };
	struct pms_error err = { 0 };
	struct pms_spe_file *file;
	struct sink sink = { 0 };
	const struct pms_spe_dump_options options = { .write = swallow, .context = &sink };
	for (size_t part = 0; part < sizeof(bytes); part++)
		for (uint32_t i = 0; i < STREAMS; i++)
			put_piece(r, i, 7, part, bytes + part, 1);
	recording_end(r);
	assert_int_equal(pms_spe_file_open(r->path, 0, &file, &err), 0);
	struct pms_spe_input input = pms_spe_file_input(file);
	size_t before = heap_bytes();
	assert_int_equal(pms_spe_dump(&input, &options, &summary, &err), 0);
	assert_in_range(sink.most - before, 0, (1 << 20) + STREAMS * EACH);
	assert_int_equal(summary.packets[PMS_SPE_OPERATION], STREAMS);
	assert_int_equal(summary.packets[PMS_SPE_END], STREAMS);
	assert_int_equal(summary.packets[PMS_SPE_TRUNCATED], 0);
	assert_true(sink.length > STREAMS * sizeof(bytes));
	pms_spe_file_close(file);
	unlink(r->path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_stream_takes_some_hundred_bytes, begin),
		cmocka_unit_test_setup(streams_are_bounded, begin),
		cmocka_unit_test_setup(packets_of_many_streams_are_shown, begin),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
