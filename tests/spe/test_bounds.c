/* SPDX-License-Identifier: MIT */
/* What a file can make grow, and how long it can make us work: as little memory for each thing that
 * it tells of as it takes bytes to tell it, up to bounds; and no time beyond the file's length. */
#include "recording.h"

#include <endian.h>
#include <stdio.h>

#include "../growth.h"
#include "base/limits.h"
#include "heap.h"
#include "image.h"
#include "pmuscope/spe_report.h"
#include "spe/places.h"
#include "spe/samples.h"

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
	struct pms_spe_quality q;
	struct pms_spe_samples *s;
	struct pms_error err = { 0 };
	struct image im;
	(void)state;
	image_begin(&im);
	for (uint32_t i = 0; i < PMS_MOST_SPE_STREAMS + MORE; i++)
		image_trace(&im, 1, (int32_t)i, 0, bytes, sizeof(bytes));
	image_trace(&im, 1, 5, 2, bytes, 1); /* of one of the first */
	image_end(&im);
	assert_int_equal(pms_spe_samples_open_bytes(im.bytes, im.length, "image", NULL, &s, &err),
			 0);
	assert_int_equal(count_records(s), PMS_MOST_SPE_STREAMS * sizeof(bytes) + 1);
	pms_spe_samples_quality(s, &q);
	assert_int_equal(q.streams, PMS_MOST_SPE_STREAMS);
	assert_int_equal(q.bytes_left_out, MORE * sizeof(bytes));
	pms_spe_samples_close(s);
	free(im.bytes);
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

/* Time ---------------------------------------------------------------------------------------- */

static int find_nothing(void *context, uint32_t space, uint64_t address, struct pms_place *place)
{
	(void)context;
	(void)space;
	*place = (struct pms_place){ .index = UINT32_MAX, .address = address };
	return 0;
}

/* Addresses in space 0 whose product with this number has the same halves: the table that once
 * multiplied by it had them all in a row. */
static void no_addresses_fall_on_one_place(void **state)
{
	enum { N = 150000 };
	const uint64_t factor = UINT64_C(0xd6e8feb86659fd93);
	const struct pms_place_finder finder = { find_nothing, NULL, NULL };
	struct pms_places places;
	uint64_t inverse = factor;
	(void)state;
	growth_needs_a_fast_machine();
	for (int i = 0; i < 6; i++) /* each step doubles the bits that are right */
		inverse *= 2 - factor * inverse;
	assert_int_equal(pms_places_init(&places, &finder), 0);
	for (int again = 0; again < 2; again++)
		for (uint64_t i = 1; i <= N; i++)
			assert_int_equal(pms_places_number(&places, 0, (i << 32 | i) * inverse),
					 i - 1);
	pms_places_release(&places);
}

static void build_ids_are_not_looked_for_among_all_objects(void **state)
{
	enum { N = 200000 };
	growth_needs_a_fast_machine();
	struct pms_perfdata_build_id *ids = calloc(N, sizeof(*ids));
	struct pms_perfdata_info info = { .build_ids = ids, .n_build_ids = N };
	struct pms_spe_history h = { .spare = 1 << 28 };
	(void)state;
	assert_non_null(ids);
	for (uint32_t i = 0; i < N; i++) {
		char path[32];
		snprintf(path, sizeof(path), "/%u", i);
		struct pms_perfdata_record r = {
			.type = PMS_PERFDATA_MMAP,
			.misc = 2,
			.mmap = { .pid = 1, .tid = 1, .start = i, .length = 1, .path = path },
		};
		assert_int_equal(pms_history_add(&h, &r), 0);
		ids[i] = (struct pms_perfdata_build_id){ .misc = 1, .path = "[kernel.kallsyms]" };
	}
	assert_int_equal(pms_history_settle(&h, &info), 0);
	pms_history_release(&h);
	free(ids);
}

static void cores_are_not_looked_for_among_all(void **state)
{
	enum { N = 400000, EACH = 4 };
	growth_needs_a_fast_machine();
	uint64_t *numbers = calloc(4 + N * EACH, sizeof(*numbers));
	struct pms_perfdata_info info = { .auxtrace_private = numbers,
					  .n_auxtrace_private = 4 + N * EACH };
	struct pms_spe_samples s = { 0 };
	(void)state;
	assert_non_null(numbers);
	numbers[0] = 2; /* version, and the length of this */
	numbers[1] = 4;
	for (uint64_t i = 0; i < N; i++) {
		uint64_t *cpu = numbers + 4 + i * EACH;
		cpu[0] = UINT64_C(0x1010101010101010);
		cpu[1] = N - 1 - i / 2; /* each twice: the first counts */
		cpu[2] = 1;
		cpu[3] = 1000 + i;
	}
	assert_int_equal(pms_samples_cores(&s, &info), 0);
	for (int32_t cpu = 0; cpu < N; cpu++)
		assert_int_equal(pms_samples_midr(&s, cpu),
				 cpu < N / 2 ? 0 : 1000 + 2 * (N - 1 - cpu));
	free(s.cores);
	free(numbers);
}

static void pmus_are_not_looked_for_among_all(void **state)
{
	enum { N = 300000 };
	growth_needs_a_fast_machine();
	struct pms_perfdata_pmu *pmus = calloc(N, sizeof(*pmus));
	struct pms_perfdata_event event = { .type = N - 1, .config = 0x4000, .sample_period = 3 };
	struct pms_perfdata_info info = {
		.pmus = pmus, .n_pmus = N, .events = &event, .n_events = 1
	};
	struct pms_spe_samples s = { 0 };
	struct pms_perfdata_record r = { .type = PMS_PERFDATA_SAMPLE };
	(void)state;
	assert_non_null(pmus);
	for (uint32_t i = 0; i < N; i++)
		pmus[i] = (struct pms_perfdata_pmu){ i, i == N - 1 ? "armv8_pmuv3" : "other" };
	for (int i = 0; i < N; i++)
		assert_int_equal(pms_samples_population(&s, &info, &r), 0);
	assert_int_equal(s.population[0], 3 * N);
	pms_numbers_release(&s.pmus);
	free(pmus);
}

static void write_image(struct image *im, char *path)
{
	strcpy(path, "/tmp/pmuscope-test-XXXXXX");
	int fd = mkstemp(path);
	image_end(im);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, im->bytes, im->length), im->length);
	close(fd);
	free(im->bytes);
}

/* Report a place in each of @n objects, none of which is there. */
static void report_objects(uint32_t n)
{
	enum { SIZE = 10 };
	const struct pms_spe_report_options how = { .by = PMS_SPE_BY_SYMBOL };
	struct pms_spe_report *report;
	struct pms_error err = { 0 };
	struct image im;
	char path[64];
	image_begin(&im);
	for (uint32_t i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "/no/such/%u", i);
		image_map(&im, 7, 0x1000 * (i + UINT64_C(1)), 0x1000, path);
	}
	for (uint32_t i = 0; i < n; i++) {
		uint8_t record[SIZE] = { 0xb0 };
		record[SIZE - 1] = 0x01;
		memcpy(record + 1, &(uint64_t){ htole64(0x1000 * (i + UINT64_C(1))) }, 8);
		image_trace(&im, 1, 7, (uint64_t)i * SIZE, record, SIZE);
	}
	write_image(&im, path);
	if (pms_spe_report_make(path, &how, &report, &err))
		fail_msg("%s", err.text);
	assert_int_equal(pms_spe_report_objects(report), n);
	assert_int_equal(pms_spe_report_rows(report), n);
	pms_spe_report_free(report);
	unlink(path);
}

static void objects_are_not_looked_for_among_all(void **state)
{
	(void)state;
	growth_needs_a_fast_machine();
	report_objects(150000);
}

enum { SMALL = 20 }; /* bytes of a record that is a row of its own */

/* Each instruction and line of memory once, with latencies at both ends and one of 14 sources. */
static void put_small(uint8_t *to, uint64_t number)
{
	uint16_t latency = number & 1 ? 0xffff : 0;
	memset(to, 0, SMALL);
	to[0] = 0xb0; /* PC */
	memcpy(to + 1, &(uint64_t){ htole64(0x1000 + 4 * number) }, 7);
	to[9] = 0x98; /* total latency */
	memcpy(to + 10, &(uint16_t){ htole16(latency) }, 2);
	to[12] = 0x99; /* issue latency */
	memcpy(to + 13, &(uint16_t){ htole16((uint16_t)~latency) }, 2);
	to[15] = 0x43; /* source */
	to[16] = (uint8_t)(number % 14);
	to[17] = 0x49; /* a load */
	to[19] = 0x01; /* end */
}

static void write_rows(char *path, uint64_t n)
{
	uint8_t *bytes = malloc(n * SMALL);
	assert_non_null(bytes);
	for (uint64_t i = 0; i < n; i++)
		put_small(bytes + i * SMALL, i);
	strcpy(path, "/tmp/pmuscope-test-XXXXXX");
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n * SMALL), n * SMALL);
	close(fd);
	free(bytes);
}

/* The promise of SECURITY.md, whatever is a row; none is lost from the sums. */
static void rows_take_what_suits_the_file(void **state)
{
	enum { N = 300000, FREE = 64 << 20, TIMES = 4 };
	const struct pms_spe_report_options how = { .by = PMS_SPE_BY_PC, .raw = 1 };
	struct pms_spe_report *report;
	struct pms_error err = { 0 };
	char path[64];
	(void)state;
	write_rows(path, N);
	size_t before = heap_bytes();
	if (pms_spe_report_make(path, &how, &report, &err))
		fail_msg("%s", err.text);
	const struct pms_spe_accounts *a = pms_spe_report_accounts(report);
	assert_in_range(heap_bytes() - before, 0, FREE + TIMES * N * SMALL);
	assert_int_equal(pms_spe_report_total(report)->records, N);
	assert_int_equal(pms_spe_report_total(report)->total.count, N);
	assert_in_range(a->groups, 100000, N - 1);
	assert_int_equal(a->groups, a->most_groups);
	assert_int_equal(a->groups + a->rest, N);
	pms_spe_report_free(report);
	unlink(path);
}

/* As many as are asked for: who calls knows. */
static void as_many_rows_as_are_named(void **state)
{
	enum { N = 160000 };
	const struct pms_spe_report_options how = { .by = PMS_SPE_BY_PC,
						    .raw = 1,
						    .most_groups = N };
	struct pms_spe_report *report;
	struct pms_error err = { 0 };
	char path[64];
	(void)state;
	write_rows(path, N);
	if (pms_spe_report_make(path, &how, &report, &err))
		fail_msg("%s", err.text);
	assert_int_equal(pms_spe_report_accounts(report)->groups, N);
	pms_spe_report_free(report);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_stream_takes_some_hundred_bytes, begin),
		cmocka_unit_test(streams_are_bounded),
		cmocka_unit_test_setup(packets_of_many_streams_are_shown, begin),
		cmocka_unit_test(no_addresses_fall_on_one_place),
		cmocka_unit_test(build_ids_are_not_looked_for_among_all_objects),
		cmocka_unit_test(cores_are_not_looked_for_among_all),
		cmocka_unit_test(pmus_are_not_looked_for_among_all),
		cmocka_unit_test(objects_are_not_looked_for_among_all),
		cmocka_unit_test(rows_take_what_suits_the_file),
		cmocka_unit_test(as_many_rows_as_are_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
