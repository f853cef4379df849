/* SPDX-License-Identifier: MIT */
/* Whose samples are, when and where: perf.data files made record by record. */
#include "recording.h"

static struct recording recording;

/* The one row that a test looks at, taken out of its batch. */
struct got {
	int32_t cpu, pid, tid;
	uint8_t knows;
	uint64_t ns;
	uint32_t thread, space;
	uint64_t pc;
	enum pms_spe_encoding encoding;
	uint64_t midr;
	size_t stream;
};

static size_t read_all(struct pms_spe_samples *samples, struct got *got, size_t most)
{
	const struct pms_spe_samples_batch *b;
	struct pms_error err = { 0 };
	size_t n = 0;
	int rc;
	while ((rc = pms_spe_samples_next(samples, &b, &err)) > 0)
		for (size_t i = 0; i < b->records->count; i++) {
			assert_true(n < most);
			got[n++] = (struct got){ b->cpu,      b->pid[i],
						 b->tid[i],   b->knows[i],
						 b->ns[i],    b->thread[i],
						 b->space[i], pms_spe_canonical(b->records->pc[i]),
						 b->encoding, b->midr,
						 b->stream };
		}
	if (rc)
		fail_msg("%s", err.text);
	return n;
}

static const char *path_of(struct pms_spe_samples *samples, const struct got *got, uint64_t *offset)
{
	struct pms_place place;
	if (!pms_spe_samples_place(samples, got->space, got->pc, &place))
		return "";
	*offset = place.offset;
	return place.object->path;
}

static const char *name_of(struct pms_spe_samples *samples, const struct got *got)
{
	const struct pms_spe_thread *thread = pms_spe_samples_thread(samples, got->thread);
	return thread ? thread->comm : "(none)";
}

enum { KNOWS_ALL = PMS_SPE_KNOWS_NS | PMS_SPE_KNOWS_PID | PMS_SPE_KNOWS_TID };

static void context_packets_tell_the_thread(void **state)
{
	struct recording *r = &recording;
	struct got got[4];
	uint64_t offset = 0;
	(void)state;
	recording_init(r);
	recording_begin(r);
	recording_comm(r, 0, 500, 500, "old", 0);
	recording_comm(r, 0, 500, 501, "worker", 0);
	recording_map(r, 0, 500, 0x400000, 0x10000, 0x1000, "/bin/old");
	recording_load(r, 0x400010, 10, 501); /* 1000 + 10 * 40 ns */
	recording_load(r, 0x400020, 11, 777); /* nobody's */
	recording_load(r, 0x500000, 12, 500);
	recording_load(r, 0x400030, 13, -1);
	recording_buffer(r, 3, -1, 5000, 0);
	struct pms_spe_samples *s = recording_open(r, NULL);
	assert_int_equal(read_all(s, got, 4), 4);
	assert_int_equal(got[0].cpu, 3);
	assert_int_equal(got[0].knows, KNOWS_ALL);
	assert_int_equal(got[0].ns, 1400);
	assert_int_equal(got[0].pid, 500);
	assert_int_equal(got[0].tid, 501);
	assert_string_equal(name_of(s, &got[0]), "worker");
	assert_string_equal(path_of(s, &got[0], &offset), "/bin/old");
	assert_int_equal(offset, 0x1010);
	assert_int_equal(got[1].tid, 777);
	assert_int_equal(got[1].knows, PMS_SPE_KNOWS_NS | PMS_SPE_KNOWS_TID);
	assert_int_equal(got[1].space, PMS_SPE_NO_SPACE);
	assert_int_equal(got[2].tid, 500);
	assert_string_equal(path_of(s, &got[2], &offset), "");
	assert_int_equal(got[3].knows, PMS_SPE_KNOWS_NS);
	assert_int_equal(got[3].thread, PMS_SPE_NO_THREAD);
	assert_int_equal(got[0].midr, 0x410fd401);
	assert_int_equal(got[0].encoding, PMS_SPE_ENCODING_NEOVERSE);
	pms_spe_samples_close(s);
}

/* Times in ns: 1000 + 40 a tick. What the file tells of a time comes after the records of it. */
static void mappings_change_with_exec_and_fork(void **state)
{
	static const struct {
		uint64_t ticks, pc;
		int32_t tid;
		const char *name, *path;
		uint64_t offset;
	} want[] = {
		{ 5, 0x400010, 600, "sh", "/bin/sh", 0x10 },
		{ 30, 0x400010, 600, "cat", "/bin/cat", 0x2010 }, /* after exec at 2000 */
		{ 30, 0x700010, 600, "cat", "", 0 },
		{ 20, 0x700010, 600, "sh", "/lib/c", 0x10 },
		{ 50, 0x700010, 601, "kid", "/lib/c", 0x10 },	/* inherited at 1500 */
		{ 60, 0x800010, 601, "kid", "/lib/new", 0x10 }, /* its own, at 3200 */
		{ 54, 0x800010, 601, "kid", "", 0 },
		{ 50, 0x900010, 601, "kid", "", 0 }, /* the parent's, later */
	};
	enum { N = sizeof(want) / sizeof(want[0]) };
	struct recording *r = &recording;
	struct got got[N];
	(void)state;
	recording_init(r);
	recording_begin(r);
	for (size_t i = 0; i < N; i++)
		recording_load(r, want[i].pc, want[i].ticks, want[i].tid);
	recording_buffer(r, 0, -1, 9000, 0);
	recording_map(r, 3200, 601, 0x800000, 0x1000, 0, "/lib/new");
	recording_comm(r, 0, 600, 600, "sh", 0);
	recording_map(r, 2001, 600, 0x400000, 0x10000, 0x2000, "/bin/cat");
	recording_map(r, 0, 600, 0x400000, 0x10000, 0, "/bin/sh");
	recording_map(r, 0, 600, 0x700000, 0x10000, 0, "/lib/c");
	recording_comm(r, 2000, 600, 600, "cat", 1);
	recording_map(r, 1600, 600, 0x900000, 0x10000, 0, "/lib/late");
	recording_fork(r, 1500, 600, 601, 601);
	recording_comm(r, 1501, 601, 601, "kid", 0);
	struct pms_spe_samples *s = recording_open(r, NULL);
	assert_int_equal(read_all(s, got, N), N);
	for (size_t i = 0; i < N; i++) {
		uint64_t offset = 0;
		if (strcmp(name_of(s, &got[i]), want[i].name))
			fail_msg("%zu: %s", i, name_of(s, &got[i]));
		if (strcmp(path_of(s, &got[i], &offset), want[i].path))
			fail_msg("%zu: %s", i, path_of(s, &got[i], &offset));
		assert_int_equal(offset, want[i].offset);
	}
	pms_spe_samples_close(s);
}

static void switches_tell_the_thread(void **state)
{
	static const int32_t want[] = { -1, 700, 700, 701, -1 };
	struct recording *r = &recording;
	struct got got[5];
	(void)state;
	recording_init(r);
	recording_begin(r);
	recording_comm(r, 0, 700, 700, "a", 0);
	recording_comm(r, 0, 701, 701, "b", 0);
	recording_switch(r, 1400, 1, 700, 0);
	recording_switch(r, 1400, 0, 701, 0); /* of another CPU */
	recording_switch(r, 1800, 1, 700, 1);
	recording_switch(r, 1800, 1, 701, 0);
	recording_switch(r, 2200, 1, 701, 1);
	for (uint64_t i = 0; i < 5; i++)
		recording_load(r, 0x1000, (uint64_t[]){ 9, 10, 19, 20, 30 }[i], -1);
	recording_buffer(r, 1, -1, 9000, 0);
	struct pms_spe_samples *s = recording_open(r, NULL);
	assert_int_equal(read_all(s, got, 5), 5);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(got[i].knows & PMS_SPE_KNOWS_TID ? got[i].tid : -1, want[i]);
		assert_int_equal(!!(got[i].knows & PMS_SPE_KNOWS_PID), want[i] >= 0);
	}
	pms_spe_samples_close(s);
}

static void the_quality_is_that_of_the_file(void **state)
{
	struct recording *r = &recording;
	struct pms_spe_quality q;
	struct got got[4];
	(void)state;
	recording_init(r);
	r->events[0].config = 1 | UINT64_C(1) << 16 | UINT64_C(1) << 33;
	r->events[0].config1 = 0x8;
	r->events[0].config2 = 30;
	recording_begin(r);
	struct pms_perfdata_record lost = recording_record(PMS_PERFDATA_LOST, 10, 1);
	lost.lost = (struct pms_perfdata_lost){ 100, 6 };
	recording_put(r, &lost);
	recording_load(r, 0x1000, 1, -1);
	recording_buffer(r, 0, -1, 5000, PMS_PERFDATA_AUX_TRUNCATED);
	recording_load(r, 0x1000, 2, -1);
	r->bytes[r->length++] = 0xff;
	recording_packet(r, 0xb0, 0x1000, 8);
	recording_buffer(r, 1, -1, 6000, PMS_PERFDATA_AUX_COLLISION);
	struct pms_spe_samples *s = recording_open(r, NULL);
	assert_int_equal(read_all(s, got, 4), 2);
	pms_spe_samples_quality(s, &q);
	assert_int_equal(q.summary.records, 2);
	assert_int_equal(q.summary.unfinished, 1);
	assert_int_equal(q.undecodable, 1);
	assert_int_equal(q.streams, 2);
	assert_int_equal(q.stats.lost_events, 6);
	assert_int_equal(q.stats.aux_truncated, 1);
	assert_int_equal(q.stats.aux_collided, 1);
	assert_int_equal(q.n_recorded, 1);
	assert_int_equal(q.recorded[0].period, 1024);
	assert_int_equal(q.recorded[0].jitter, 1);
	assert_int_equal(q.recorded[0].filter_loads, 1);
	assert_int_equal(q.recorded[0].filter_stores, 0);
	assert_int_equal(q.recorded[0].events, 0x8);
	assert_int_equal(q.recorded[0].least_latency, 30);
	assert_int_equal(q.without_tid, 2);
	assert_int_equal(q.without_time, 0);
	pms_spe_samples_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(context_packets_tell_the_thread),
		cmocka_unit_test(mappings_change_with_exec_and_fork),
		cmocka_unit_test(switches_tell_the_thread),
		cmocka_unit_test(the_quality_is_that_of_the_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
