/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>
#include <zstd.h>

#include "opened.h"

static void refused(const struct image *image, enum pms_status status, const char *text)
{
	struct opened o;
	o.file = NULL;
	assert_int_equal(open_image(&o, image), -(int)status);
	assert_string_equal(o.err.source, "image");
	if (!strstr(o.err.text, text))
		fail_msg("\"%s\" is not in \"%s\"", text, o.err.text);
	free(o.copy);
}

static void headers_that_are_none(void **state)
{
	(void)state;
	struct image image = { 0 };
	refused(&image, PMS_EPARSE, "not a perf.data");
	put_bytes(&image,
		  "\x7f"
		  "ELF\2\1\1\0\0\0\0\0\0\0\0\0",
		  16);
	refused(&image, PMS_EPARSE, "not a perf.data");
	image_pipe(&image);
	memcpy(image.bytes, "2ELIFREP", 8);
	refused(&image, PMS_EPARSE, "big-endian");
	memcpy(image.bytes, "PERFFILE", 8);
	refused(&image, PMS_EPARSE, "first format");
	image_pipe(&image);
	image.size = 15;
	refused(&image, PMS_EPARSE, "cut short");
	image_file(&image, TRAILER, 0);
	image.size = 103;
	refused(&image, PMS_EPARSE, "cut short");
	image_file(&image, TRAILER, 0);
	put_at(&image, 8, 105, 8);
	refused(&image, PMS_EPARSE, "105 bytes long");
	image_file(&image, TRAILER, 0);
	put_at(&image, 40, UINT64_MAX, 8);
	refused(&image, PMS_EPARSE, "after the file's end");
}

static void lists_of_events_that_do_not_fit(void **state)
{
	(void)state;
	struct image image;
	static const struct {
		size_t at;
		uint64_t value;
	} cases[] = {
		{ 16, 0 },		      /* no bytes an event */
		{ 16, 79 },		      /* too few of them */
		{ 16, 90 },		      /* not a whole number of events */
		{ 24, UINT64_MAX },	      /* beyond the end */
		{ 32, UINT64_MAX - 15 },      /* whole events, and offset and size wrap around */
		{ 104 + 64, UINT64_MAX - 3 }, /* the first event's ids: beyond the end */
		{ 104 + 64 + 8, UINT64_MAX - 7 },  /* … as many as wrap around */
		{ 104 + 64 + 8, 7 },		   /* not whole ids */
		{ 104 + 64 + 8, 8 * 1000 * 1000 }, /* more than the file has */
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		image_file(&image, TRAILER, 0);
		put_at(&image, cases[i].at, cases[i].value, 8);
		refused(&image, PMS_EPARSE, i < 5 ? "list of events" : "event's ids");
	}
}

static void events_and_their_ids(void **state)
{
	(void)state;
	struct image image;
	struct opened o;
	image_file(&image, TRAILER, ID_ALL);
	put_aux(&image, 0, 16, 0, 2, 50);
	image_finish(&image);
	assert_int_equal(open_image(&o, &image), 0);
	const struct pms_perfdata_info *info = pms_perfdata_info(o.file);
	assert_int_equal(info->n_events, 2);
	assert_int_equal(info->events[0].type, 1);
	assert_int_equal(info->events[1].type, 2);
	assert_int_equal(info->events[1].sample_period, 100);
	assert_int_equal(info->events[1].sample_type, TRAILER);
	assert_int_equal(info->events[1].flags, PMS_PERFDATA_FLAG_SAMPLE_ID_ALL);
	assert_int_equal(info->events[1].n_ids, 1);
	assert_int_equal(info->events[1].ids[0], 12);
	assert_string_equal(info->events[1].name, "");
	expect(&o, PMS_PERFDATA_AUX);
	assert_int_equal(next(&o), 0);
	assert_int_equal(pms_perfdata_stats(o.file)->cut, 0);
	close_image(&o);
}

static void trace_data_is_cut_where_aux_records_end(void **state)
{
	(void)state;
	struct image image;
	struct opened o;
	image_file(&image, TRAILER, ID_ALL);
	put_aux(&image, 16, 8, 0, 2, 50);
	put_aux(&image, 24, 24, 1 | 8, 2, 51);
	put_aux(&image, 0, 1000, 4, 3, 51); /* another CPU's */
	put_auxtrace(&image, 64, 8, 6, -1, 2);
	put_trace(&image, 100, 64);
	put_aux(&image, 60, 100, 4, 2, 52); /* tells of bytes that are before it in the file */
	put_auxtrace(&image, 0, 72, 6, -1, 2);
	image_finish(&image);
	assert_int_equal(open_image(&o, &image), 0);
	for (int i = 0; i < 3; i++)
		expect(&o, PMS_PERFDATA_AUX);
	piece(&o, 8, 8, 0, 0, 0, 100);
	assert_int_equal(o.record.auxtrace.cpu, 2);
	assert_int_equal(o.record.auxtrace.tid, -1);
	assert_int_equal(o.record.auxtrace.idx, 6);
	assert_int_equal(o.record.auxtrace.reference, 77);
	assert_int_equal(o.record.auxtrace.left, 56);
	piece(&o, 16, 8, 1, 0, 1, 108);
	piece(&o, 24, 24, 1, 1 | 8, 1, 116);
	piece(&o, 48, 12, 0, 0, 0, 140);
	piece(&o, 60, 12, 1, 4, 0, 152);
	assert_int_equal(o.record.auxtrace.left, 0);
	expect(&o, PMS_PERFDATA_AUX);
	piece(&o, 72, 0, 1, 4, 0, 0);
	assert_int_equal(next(&o), 0);
	assert_int_equal(pms_perfdata_stats(o.file)->auxtrace_records, 2);
	assert_int_equal(pms_perfdata_stats(o.file)->auxtrace_bytes, 64);
	close_image(&o);
}

static void trace_data_of_threads(void **state)
{
	(void)state;
	struct image image;
	struct opened o;
	image_file(&image, TRAILER, ID_ALL);
	put_aux(&image, 0, 4, 1, 0, 50);
	put_aux(&image, 0, 8, 8, 0, 51);
	put_auxtrace(&image, 8, 0, 0, 51, -1);
	put_trace(&image, 0, 8);
	put_auxtrace(&image, 8, 0, 1, 50, -1);
	put_trace(&image, 8, 8);
	image_finish(&image);
	assert_int_equal(open_image(&o, &image), 0);
	expect(&o, PMS_PERFDATA_AUX);
	expect(&o, PMS_PERFDATA_AUX);
	piece(&o, 0, 8, 1, 8, 1, 0);
	assert_int_equal(o.record.auxtrace.tid, 51);
	piece(&o, 0, 4, 1, 1, 1, 8);
	piece(&o, 4, 4, 0, 0, 0, 12);
	assert_int_equal(next(&o), 0);
	close_image(&o);
}

static void trace_data_that_cannot_be(void **state)
{
	(void)state;
	struct image image;
	struct opened o;
	image_file(&image, TRAILER, ID_ALL);
	put_auxtrace(&image, UINT64_MAX, 2, 0, -1, 0);
	image_finish(&image);
	assert_int_equal(open_image(&o, &image), 0);
	assert_int_equal(next(&o), -PMS_EPARSE);
	assert_int_equal(o.err.offset, IMAGE_DATA + 16);
	assert_string_equal(o.err.source, "image");
	close_image(&o);
}

/* Whatever the file is cut to, what is whole comes out, and the cut is told with its place. */
static void files_cut_anywhere(void **state)
{
	(void)state;
	struct image image;
	image_file(&image, TRAILER, ID_ALL);
	put_aux(&image, 0, 16, 0, 2, 50);
	size_t second = image.size;
	put_auxtrace(&image, 16, 0, 0, -1, 2);
	size_t data = image.size;
	put_trace(&image, 0, 16);
	size_t last = image.size;
	put_aux(&image, 16, 16, 0, 2, 50);
	image_finish(&image);
	size_t whole = image.size;
	for (size_t size = IMAGE_DATA + 16; size < whole; size++) {
		struct opened o;
		uint64_t bytes = 0, records = 0;
		image.size = size;
		assert_int_equal(open_image(&o, &image), 0);
		while (next(&o) == 1) {
			records++;
			if (o.record.type == PMS_PERFDATA_AUXTRACE)
				bytes += o.record.auxtrace.size;
		}
		assert_int_equal(o.err.status, PMS_OK);
		const struct pms_perfdata_stats *s = pms_perfdata_stats(o.file);
		assert_int_equal(s->cut, 1);
		assert_int_equal(s->cut_at, size); /* the header told the data's size */
		assert_string_not_equal(s->cut_text, "");
		assert_int_equal(records, (size >= second) + (size > data));
		assert_int_equal(bytes, size < data ? 0 : size < last ? size - data : 16);
		close_image(&o);
	}
}

static void recordings_that_were_killed(void **state)
{
	(void)state;
	struct image image;
	struct opened o;
	image_file(&image, TRAILER, ID_ALL);
	put_aux(&image, 0, 16, 0, 2, 50);
	assert_int_equal(open_image(&o, &image), 0); /* without image_finish */
	expect(&o, PMS_PERFDATA_AUX);
	assert_int_equal(next(&o), 0);
	assert_int_equal(pms_perfdata_stats(o.file)->cut, 1);
	assert_non_null(strstr(pms_perfdata_stats(o.file)->cut_text, "did not finish"));
	close_image(&o);
}

static void records_of_impossible_size(void **state)
{
	(void)state;
	struct image image;
	struct opened o;
	image_file(&image, TRAILER, ID_ALL);
	put_aux(&image, 0, 16, 0, 2, 50);
	size_t at = image.size;
	record_begin(&image, 3, 0);
	record_end(&image);
	put_at(&image, at + 6, 7, 2);
	image_finish(&image);
	assert_int_equal(open_image(&o, &image), 0);
	expect(&o, PMS_PERFDATA_AUX);
	assert_int_equal(next(&o), -PMS_EPARSE);
	assert_int_equal(o.err.offset, at);
	close_image(&o);
}

/* A stream of perf record -o -: events, names and build-ids come as records. */
static void stream_image(struct image *image)
{
	image_pipe(image);
	record_begin(image, 64, 0);
	put_attr(image, 9, TRAILER, ID_ALL);
	put(image, 21, 8);
	put(image, 22, 8);
	record_end(image);
	record_begin(image, 80, 0);
	put(image, 3, 8);
	put_string(image, "host");
	record_end(image);
	record_begin(image, 66, 0); /* tracing data: 13 bytes follow, filled up to 16 */
	put(image, 13, 4);
	record_end(image);
	put_trace(image, 200, 16);
	record_begin(image, 67, 2);
	put(image, UINT32_MAX, 4);
	put(image, 0xabcd, 8);
	put(image, 0, 8);
	put(image, 0, 8);
	put_text(image, "/bin/a");
	record_end(image);
	put_aux(image, 0, 8, 8, 2, 50);
	put_auxtrace(image, 16, 0, 0, -1, 2);
	put_trace(image, 0, 16);
	put_aux(image, 8, 8, 4, 2, 50);
}

static void read_stream(struct opened *o, bool mapped)
{
	expect(o, PMS_PERFDATA_HEADER_ATTR);
	expect(o, PMS_PERFDATA_HEADER_FEATURE);
	expect(o, PMS_PERFDATA_HEADER_TRACING_DATA);
	expect(o, PMS_PERFDATA_HEADER_BUILD_ID);
	expect(o, PMS_PERFDATA_AUX);
	assert_int_equal(o->record.event, 0);
	assert_int_equal(o->record.id.cpu, 2);
	piece(o, 0, 8, 1, 8, 1, 0);
	if (mapped)
		piece(o, 8, 8, 1, 4, 1, 8);
	else
		piece(o, 8, 8, 0, 0, 0, 8); /* what tells of them has not come yet */
	expect(o, PMS_PERFDATA_AUX);
	assert_int_equal(next(o), 0);
	const struct pms_perfdata_info *info = pms_perfdata_info(o->file);
	assert_int_equal(info->pipe, 1);
	assert_int_equal(info->n_events, 1);
	assert_int_equal(info->events[0].type, 9);
	assert_int_equal(info->events[0].n_ids, 2);
	assert_int_equal(info->events[0].ids[1], 22);
	assert_string_equal(info->hostname, "host");
	assert_int_equal(info->n_build_ids, 1);
	assert_string_equal(info->build_ids[0].path, "/bin/a");
	assert_int_equal(pms_perfdata_stats(o->file)->malformed, 0);
	assert_int_equal(pms_perfdata_stats(o->file)->cut, 0);
}

static void streams_in_memory(void **state)
{
	(void)state;
	struct image image;
	struct opened o;
	stream_image(&image);
	assert_int_equal(open_image(&o, &image), 0);
	read_stream(&o, true);
	assert_int_equal(pms_perfdata_rewind(o.file, &o.err), 0);
	read_stream(&o, true); /* and nothing is there twice */
	close_image(&o);
}

/* The same through a pipe, whose reader sees it in pieces. */
static void streams_through_a_pipe(void **state)
{
	(void)state;
	struct image image;
	struct opened o = { 0 };
	int ends[2];
	char path[64];
	stream_image(&image);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], image.bytes, image.size), image.size);
	close(ends[1]);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	assert_int_equal(pms_perfdata_open(path, &o.file, &o.err), 0);
	read_stream(&o, false);
	assert_int_equal(pms_perfdata_rewind(o.file, &o.err), -PMS_EINVAL);
	assert_int_equal(pms_perfdata_size(o.file), 0);
	assert_int_equal(pms_perfdata_position(o.file), image.size);
	close_image(&o);
	close(ends[0]);
}

/* Records as if compressed by perf record -z: one zstd stream over several records, which are cut
 * anywhere. */
static void put_compressed(struct image *image, const struct image *records, size_t from,
			   size_t step, bool aligned)
{
	uint8_t *packed = malloc(IMAGE_MAX);
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	ZSTD_inBuffer in = { records->bytes + from, records->size - from, 0 };
	ZSTD_outBuffer out = { packed, IMAGE_MAX, 0 };
	/* flushed but not ended, as perf leaves its stream */
	assert_int_equal(ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_flush), 0);
	ZSTD_freeCCtx(zstd);
	size_t size = out.pos;
	for (size_t at = 0; at < size; at += step) {
		size_t n = size - at < step ? size - at : step;
		record_begin(image, aligned ? 83 : 81, 0);
		if (aligned)
			put(image, n, 8);
		put_bytes(image, packed + at, n);
		while (aligned && image->size % 8)
			put(image, 0xff, 1);
		record_end(image);
	}
	free(packed);
}

static void compressed_records(void **state)
{
	(void)state;
	struct image records, image;
	struct opened o;
	enum { N = 7000 }; /* more than is decompressed at once */
	image_file(&records, TRAILER, ID_ALL);
	size_t from = records.size;
	for (uint64_t i = 0; i < N; i++)
		put_aux(&records, i * 16, 16, i & 1, 2, 50);
	for (int aligned = 0; aligned < 2; aligned++)
		for (size_t step = 1; step < 300; step = step * 3 + 1) {
			image_file(&image, TRAILER, ID_ALL);
			put_compressed(&image, &records, from, step, aligned);
			put_aux(&image, N * 16, 16, 0, 2, 50);
			image_finish(&image);
			assert_int_equal(open_image(&o, &image), 0);
			for (uint64_t i = 0; i <= N; i++) {
				expect(&o, PMS_PERFDATA_AUX);
				assert_int_equal(o.record.aux.offset, i * 16);
				assert_int_equal(o.record.id.tid, 50);
			}
			assert_int_equal(next(&o), 0);
			assert_int_equal(pms_perfdata_info(o.file)->compressed, 1);
			assert_int_equal(pms_perfdata_stats(o.file)->decompressed_bytes, 64 * N);
			assert_int_equal(pms_perfdata_stats(o.file)->cut, 0);
			close_image(&o);
		}
}

/* The decompressor keeps what does not fit the buffer, with no input left: here the last 8 bytes.
 * The buffer is of 256 KiB and zstd's blocks of 128 KiB; 64 bytes of a record stay from one to the
 * next. */
static void a_buffer_that_is_full_at_the_end(void **state)
{
	(void)state;
	enum { SIZE = 72, N = 7281 };
	struct image *records = calloc(1, sizeof(*records)), *image = calloc(1, sizeof(*image));
	struct opened o;
	for (uint64_t i = 0; i < N; i++) {
		record_begin(records, 250, 0);
		put(records, i, 8);
		for (int k = 0; k < SIZE / 8 - 2; k++)
			put(records, 0, 8);
		record_end(records);
	}
	image_file(image, TRAILER, ID_ALL);
	put_compressed(image, records, 0, 60000, false);
	image_finish(image);
	assert_int_equal(open_image(&o, image), 0);
	for (uint64_t i = 0; i < N; i++) {
		expect(&o, 250);
		assert_int_equal(o.record.bytes[8] | o.record.bytes[9] << 8, i);
	}
	assert_int_equal(next(&o), 0);
	assert_int_equal(pms_perfdata_stats(o.file)->cut, 0);
	close_image(&o);
	free(records);
	free(image);
}

static void compressed_records_that_are_damaged(void **state)
{
	(void)state;
	struct image records, image;
	struct opened o;
	image_file(&records, TRAILER, ID_ALL);
	size_t from = records.size;
	put_aux(&records, 0, 16, 0, 2, 50);
	put_auxtrace(&records, 8, 0, 0, -1, 2);

	image_file(&image, TRAILER, ID_ALL); /* trace data cannot be inside */
	put_compressed(&image, &records, from, 4096, false);
	image_finish(&image);
	assert_int_equal(open_image(&o, &image), 0);
	expect(&o, PMS_PERFDATA_AUX);
	assert_int_equal(next(&o), -PMS_EPARSE);
	assert_int_equal(o.err.offset, IMAGE_DATA + 16);
	close_image(&o);

	image_file(&image, TRAILER, ID_ALL); /* no zstd */
	record_begin(&image, 81, 0);
	put_bytes(&image, "not compressed at all", 21);
	record_end(&image);
	image_finish(&image);
	assert_int_equal(open_image(&o, &image), 0);
	assert_int_equal(next(&o), -PMS_EPARSE);
	assert_non_null(strstr(o.err.text, "damaged"));
	assert_int_equal(o.err.offset, IMAGE_DATA + 16);
	close_image(&o);

	records.size -= 4; /* the last record inside is not whole */
	image_file(&image, TRAILER, ID_ALL);
	put_compressed(&image, &records, from, 4096, false);
	image_finish(&image);
	assert_int_equal(open_image(&o, &image), 0);
	expect(&o, PMS_PERFDATA_AUX);
	assert_int_equal(next(&o), 0);
	assert_int_equal(pms_perfdata_stats(o.file)->cut, 1);
	close_image(&o);

	image_file(&image, TRAILER, ID_ALL); /* says to have more than it has */
	record_begin(&image, 83, 0);
	put(&image, 9, 8);
	put(&image, 0, 8);
	record_end(&image);
	image_finish(&image);
	assert_int_equal(open_image(&o, &image), 0);
	assert_int_equal(next(&o), -PMS_EPARSE);
	close_image(&o);
}

static void magic(void **state)
{
	(void)state;
	assert_true(pms_perfdata_is("PERFILE2", 8));
	assert_true(pms_perfdata_is("2ELIFREP", 8));
	assert_false(pms_perfdata_is("PERFILE2", 7));
	assert_false(pms_perfdata_is("PERFILE3", 8));
}

/* One record again and again, compressed with a window of so many bits. */
static void image_of_repeated(struct image *image, uint32_t type, uint16_t size, size_t n,
			      int window_bits)
{
	struct image record, packed = { 0 };
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	ZSTD_outBuffer out = { packed.bytes, IMAGE_MAX, 0 };
	ZSTD_CCtx_setParameter(zstd, ZSTD_c_windowLog, window_bits);
	memset(&record, 0, sizeof(record));
	record_begin(&record, type, 0);
	record.size = size;
	record_end(&record);
	for (size_t i = 0; i < n; i++) {
		ZSTD_inBuffer in = { record.bytes, size, 0 };
		ZSTD_EndDirective how = i + 1 < n ? ZSTD_e_continue : ZSTD_e_flush;
		assert_int_equal(ZSTD_compressStream2(zstd, &out, &in, how), 0);
	}
	ZSTD_freeCCtx(zstd);
	image_file(image, TRAILER, ID_ALL);
	for (size_t at = 0; at < out.pos; at += 60000) {
		record_begin(image, PMS_PERFDATA_COMPRESSED, 0);
		put_bytes(image, packed.bytes + at, out.pos - at < 60000 ? out.pos - at : 60000);
		record_end(image);
	}
	image_finish(image);
}

/* What comes of compressed records, until they end or are refused. */
static void compressed_give(const struct image *image, size_t most, const char *refusal)
{
	struct opened o;
	size_t n = 0;
	int rc;
	assert_int_equal(open_image(&o, image), 0);
	while ((rc = next(&o)) == 1)
		n++;
	if (rc != (refusal ? -PMS_EPARSE : 0) || n > most ||
	    (refusal && !strstr(o.err.text, refusal)))
		fail_msg("%d after %zu records: %s", rc, n, o.err.text);
	close_image(&o);
}

/* 2^20 records and 4 a byte, 64 MiB and 4096 times as much; a window of 8 MiB. */
static void compressed_records_have_bounds(void **state)
{
	enum { FINISHED_ROUND = 68, NOT_KNOWN = 9999, LONG = 65528 };
	static struct image image;
	(void)state;
	image_of_repeated(&image, FINISHED_ROUND, 8, 1000000, 19);
	assert_true(image.size < 2000);
	compressed_give(&image, 1000000, NULL);
	image_of_repeated(&image, FINISHED_ROUND, 8, 1200000, 19);
	compressed_give(&image, (1 << 20) + (256 << 10) / 8, "more than 4 records a byte");
	image_of_repeated(&image, NOT_KNOWN, LONG, 1000, 19);
	assert_true(image.size < LONG * 1000 / 4096);
	compressed_give(&image, 1000, NULL);
	image_of_repeated(&image, NOT_KNOWN, LONG, 1100, 19);
	compressed_give(&image, 1030, "more than 4096 times as long");
	image_of_repeated(&image, FINISHED_ROUND, 8, 10, 23);
	compressed_give(&image, 10, NULL);
	image_of_repeated(&image, FINISHED_ROUND, 8, 10, 24);
	compressed_give(&image, 0, "more memory than 8 MiB");
}

/* A file that somebody shortens while it is read. */
static int open_file(const struct image *image, char path[32], struct opened *o)
{
	strcpy(path, "/tmp/pmuscope-cut-XXXXXX");
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, image->bytes, image->size), image->size);
	*o = (struct opened){ 0 };
	assert_int_equal(pms_perfdata_open(path, &o->file, &o->err), 0);
	return fd;
}

static void is_cut(struct opened *o, const char *path)
{
	assert_int_equal(next(o), -PMS_EIO);
	assert_string_equal(o->err.source, path);
	if (!strstr(o->err.text, "cut while it was read"))
		fail_msg("%s", o->err.text);
}

static void close_file(struct opened *o, int fd, const char *path)
{
	pms_perfdata_close(o->file);
	close(fd);
	unlink(path);
}

static void records_that_are_cut_off_while_they_are_read(void **state)
{
	enum { N = 10000, LEFT = 300000 };
	static struct image image;
	struct opened o;
	char path[32];
	int rc, n = 0;
	(void)state;
	image_file(&image, TRAILER, ID_ALL);
	for (uint64_t i = 0; i < N; i++)
		put_aux(&image, i * 16, 16, 0, 2, 50);
	image_finish(&image);
	int fd = open_file(&image, path, &o);
	expect(&o, PMS_PERFDATA_AUX);
	assert_int_equal(ftruncate(fd, LEFT), 0);
	while ((rc = next(&o)) == 1)
		n++;
	assert_int_equal(rc, -PMS_EIO);
	assert_true(n > 1 && n < N);
	assert_string_equal(o.err.source, path);
	assert_non_null(strstr(o.err.text, "cut while it was read: it had"));
	close_file(&o, fd, path);
}

/* Long traces are given as they lie in the file: what is missing is found between two pieces. */
static void traces_that_are_cut_off_while_they_are_read(void **state)
{
	enum { SIZE = 9 << 20, LEFT = 5 << 20 };
	static struct image image;
	struct opened o;
	char path[32];
	(void)state;
	image_file(&image, TRAILER, ID_ALL);
	put_auxtrace(&image, SIZE, 0, 0, -1, 2);
	uint64_t size = image.size - (IMAGE_DATA + 16) + SIZE;
	put_at(&image, 48, size, 8);
	int fd = open_file(&image, path, &o);
	assert_int_equal(ftruncate(fd, (off_t)image.size + SIZE), 0);
	pms_perfdata_close(o.file); /* that is its length from the start */
	assert_int_equal(pms_perfdata_open(path, &o.file, &o.err), 0);
	expect(&o, PMS_PERFDATA_AUXTRACE);
	assert_int_equal(o.record.auxtrace.data[o.record.auxtrace.size - 1], 0);
	assert_true(o.record.auxtrace.left > SIZE - LEFT);
	assert_int_equal(o.record.bytes[0], PMS_PERFDATA_AUXTRACE); /* still its own */
	assert_int_equal(ftruncate(fd, LEFT), 0);
	is_cut(&o, path);
	close_file(&o, fd, path);
}

/* Those who want the records alone need not wait for the traces. */
static void traces_are_stepped_over(void **state)
{
	static struct image image;
	struct opened o;
	(void)state;
	image_file(&image, TRAILER, ID_ALL);
	put_auxtrace(&image, 5, 0, 0, -1, 2);
	put_trace(&image, 0, 5);
	put_aux(&image, 0, 16, 0, 2, 50);
	put_auxtrace(&image, 40, 5, 0, -1, 2);
	put_trace(&image, 5, 30);
	image_finish(&image);
	assert_int_equal(open_image(&o, &image), 0);
	pms_perfdata_skip_traces(o.file, 1);
	expect(&o, PMS_PERFDATA_AUXTRACE);
	assert_int_equal(o.record.auxtrace.size, 0);
	assert_int_equal(o.record.auxtrace.left, 0);
	expect(&o, PMS_PERFDATA_AUX);
	expect(&o, PMS_PERFDATA_AUXTRACE);
	assert_int_equal(next(&o), 0);
	assert_int_equal(pms_perfdata_stats(o.file)->auxtrace_bytes, 35);
	assert_string_equal(pms_perfdata_stats(o.file)->cut_text,
			    "10 bytes of a trace buffer are missing");
	pms_perfdata_skip_traces(o.file, 0);
	assert_int_equal(pms_perfdata_rewind(o.file, &o.err), 0);
	piece(&o, 0, 5, 1, 0, 0, 0);
	close_image(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers_that_are_none),
		cmocka_unit_test(lists_of_events_that_do_not_fit),
		cmocka_unit_test(events_and_their_ids),
		cmocka_unit_test(trace_data_is_cut_where_aux_records_end),
		cmocka_unit_test(trace_data_of_threads),
		cmocka_unit_test(trace_data_that_cannot_be),
		cmocka_unit_test(files_cut_anywhere),
		cmocka_unit_test(recordings_that_were_killed),
		cmocka_unit_test(records_of_impossible_size),
		cmocka_unit_test(streams_in_memory),
		cmocka_unit_test(streams_through_a_pipe),
		cmocka_unit_test(compressed_records),
		cmocka_unit_test(a_buffer_that_is_full_at_the_end),
		cmocka_unit_test(compressed_records_that_are_damaged),
		cmocka_unit_test(magic),
		cmocka_unit_test(compressed_records_have_bounds),
		cmocka_unit_test(records_that_are_cut_off_while_they_are_read),
		cmocka_unit_test(traces_that_are_cut_off_while_they_are_read),
		cmocka_unit_test(traces_are_stepped_over),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
