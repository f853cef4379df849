/* SPDX-License-Identifier: MIT */
/* Whose samples are, when and where: perf.data files made record by record. */
#include "recording.h"

#include <sched.h>
#include <stdio.h>

#include "spe/samples.h"

static struct recording recording;

/* A recording that has begun. */
static int begin(void **state)
{
	recording_init(&recording);
	recording_begin(&recording);
	*state = &recording;
	return 0;
}

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
	struct recording *r = *state;
	struct got got[4];
	uint64_t offset = 0;
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
	struct recording *r = *state;
	struct got got[N];
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
	struct recording *r = *state;
	struct got got[5];
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

/* The buffer of a CPU in the recording of process 800: it has the process' number as well. */
static void put_process_buffer(struct recording *r, uint32_t cpu, int32_t aux_tid)
{
	struct pms_perfdata_record m = recording_record(PMS_PERFDATA_AUX, 6000, aux_tid);
	m.id.cpu = cpu;
	m.aux = (struct pms_perfdata_aux){ 0, r->length, 0 };
	recording_put(r, &m);
	m = (struct pms_perfdata_record){ .type = PMS_PERFDATA_AUXTRACE };
	m.auxtrace = (struct pms_perfdata_auxtrace){
		.cpu = (int32_t)cpu, .tid = 800, .idx = cpu, .data = r->bytes, .size = r->length
	};
	recording_put(r, &m);
	r->length = 0;
}

static void put_start(struct recording *r, uint64_t time, uint32_t cpu, int32_t tid)
{
	struct pms_perfdata_record m = recording_record(PMS_PERFDATA_ITRACE_START, time, tid);
	m.id.cpu = cpu;
	m.itrace_start = (struct pms_perfdata_itrace_start){ 800, tid };
	recording_put(r, &m);
}

static void buffers_tell_the_thread_where_nothing_else_does(void **state)
{
	struct recording *r = *state;
	struct got got[4];
	recording_comm(r, 0, 800, 800, "main", 0);
	recording_comm(r, 0, 800, 801, "other", 0);
	put_start(r, 1200, 2, 800);
	put_start(r, 1200, 3, 801);
	recording_load(r, 0x1000, 10, 999); /* of a thread's buffer the context is not asked for */
	recording_buffer(r, -1, 801, 5000, 0);
	/* Of a process: the AUX record's trailer goes before who was there when it began. */
	recording_load(r, 0x1000, 11, -1);
	put_process_buffer(r, 2, 801);
	/* Of a whole CPU: who was there when it began may have left. */
	recording_load(r, 0x1000, 12, -1);
	recording_buffer(r, 3, -1, 7000, 0);
	struct pms_spe_samples *s = recording_open(r, NULL);
	assert_int_equal(read_all(s, got, 4), 3);
	assert_int_equal(got[0].tid, 801);
	assert_int_equal(got[0].pid, 800);
	assert_int_equal(got[0].cpu, -1);
	assert_string_equal(name_of(s, &got[0]), "other");
	assert_int_equal(got[1].tid, 801);
	assert_int_equal(got[1].cpu, 2);
	assert_int_equal(got[2].knows, PMS_SPE_KNOWS_NS);
	pms_spe_samples_close(s);
}

/* Where switches are told, who was there when tracing began is there until the first. */
static void who_is_there_at_the_start_stays_until_a_switch(void **state)
{
	struct recording *r = *state;
	struct got got[3];
	recording_comm(r, 0, 800, 800, "main", 0);
	put_start(r, 1200, 3, 801);
	recording_switch(r, 1400, 3, 800, 0);
	recording_load(r, 0x1000, 4, -1); /* 1160: before it began */
	recording_load(r, 0x1000, 5, -1);
	recording_load(r, 0x1000, 10, -1);
	recording_buffer(r, 3, -1, 7000, 0);
	struct pms_spe_samples *s = recording_open(r, NULL);
	assert_int_equal(read_all(s, got, 3), 3);
	assert_int_equal(got[0].knows, PMS_SPE_KNOWS_NS);
	assert_int_equal(got[1].tid, 801);
	assert_int_equal(got[1].pid, 800);
	assert_int_equal(got[2].tid, 800);
	pms_spe_samples_close(s);
}

/* SWITCH_CPU_WIDE says of a thread that leaves who comes. */
static void switches_of_a_cpu_say_who_comes(void **state)
{
	struct recording *r = *state;
	struct got got[2];
	recording_comm(r, 0, 700, 700, "a", 0);
	struct pms_perfdata_record m = recording_record(PMS_PERFDATA_SWITCH_CPU_WIDE, 2000, 700);
	m.misc = PMS_PERFDATA_MISC_SWITCH_OUT;
	m.switch_ = (struct pms_perfdata_switch){ 1, 0, 0 };
	recording_put(r, &m);
	m = recording_record(PMS_PERFDATA_SWITCH_CPU_WIDE, 3000, 700);
	m.switch_ = (struct pms_perfdata_switch){ 0, 0, 0 };
	recording_put(r, &m);
	recording_load(r, 0x1000, 30, -1); /* 2200 */
	recording_load(r, 0x1000, 60, -1); /* 3400 */
	recording_buffer(r, 0, -1, 7000, 0);
	struct pms_spe_samples *s = recording_open(r, NULL);
	assert_int_equal(read_all(s, got, 2), 2);
	assert_int_equal(got[0].knows, KNOWS_ALL);
	assert_int_equal(got[0].tid, 0);
	assert_string_equal(name_of(s, &got[0]), "swapper");
	assert_int_equal(got[1].tid, 700);
	pms_spe_samples_close(s);
}

/* Where the kernel runs at EL2 its context is what it wrote; EL1's may be a guest's. */
static void the_context_of_el2_comes_first(void **state)
{
	struct recording *r = *state;
	struct got got[1];
	recording_comm(r, 0, 500, 500, "guest?", 0);
	recording_comm(r, 0, 600, 600, "host", 0);
	recording_packet(r, 0x64, 500, 4);
	recording_packet(r, 0x65, 600, 4);
	recording_packet(r, 0x71, 5, 8);
	recording_buffer(r, 0, -1, 7000, 0);
	struct pms_spe_samples *s = recording_open(r, NULL);
	assert_int_equal(read_all(s, got, 1), 1);
	assert_int_equal(got[0].tid, 600);
	pms_spe_samples_close(s);
}

/* perf writes forks of threads that were there when it began: they inherit nothing, as their
 * mappings are all told. */
static void forks_that_perf_makes_up_inherit_nothing(void **state)
{
	struct recording *r = *state;
	struct got got[1];
	uint64_t offset;
	recording_map(r, 0, 500, 0x400000, 0x1000, 0, "/bin/parent");
	struct pms_perfdata_record m = recording_record(PMS_PERFDATA_FORK, 0, 501);
	m.misc = PMS_PERFDATA_MISC_FORK_EXEC;
	m.task = (struct pms_perfdata_task){ 501, 500, 501, 500, 0 };
	recording_put(r, &m);
	recording_comm(r, 0, 501, 501, "child", 0);
	recording_load(r, 0x400010, 5, 501);
	recording_buffer(r, 0, -1, 7000, 0);
	struct pms_spe_samples *s = recording_open(r, NULL);
	assert_int_equal(read_all(s, got, 1), 1);
	assert_string_equal(path_of(s, &got[0], &offset), "");
	assert_string_equal(name_of(s, &got[0]), "child");
	pms_spe_samples_close(s);
}

static void the_kernel_is_in_every_space(void **state)
{
	struct recording *r = &recording;
	struct got got[3];
	uint64_t offset;
	struct pms_place place;
	(void)state;
	recording_init(r);
	static const struct pms_perfdata_build_id ids[] = {
		{ -1, 1, "[kernel.kallsyms]", { 1, 2, 3 }, 20 },
		{ -1, 2, "/bin/a", { 4, 5, 6 }, 20 },
		{ -1, 2, "/bin/not-mapped", { 7 }, 20 },
	};
	r->info.build_ids = ids;
	r->info.n_build_ids = 3;
	recording_begin(r);
	recording_map(r, 0, -1, 0xffff800008000000, 0x1000000, 0xffff800008000010,
		      "[kernel.kallsyms]_text");
	recording_map(r, 0, -1, 0xffff800008100000, 0x1000, 0, "[module]");
	recording_map(r, 0, 500, 0x400000, 0x1000, 0, "/bin/a");
	recording_load(r, 0x00ff800008000040 | (uint64_t)2 << 61, 5, 12345);
	recording_load(r, 0x00ff800008100040 | (uint64_t)2 << 61, 5, -1);
	recording_load(r, 0x400000, 5, 500);
	recording_buffer(r, 0, -1, 7000, 0);
	struct pms_spe_samples *s = recording_open(r, NULL);
	assert_int_equal(read_all(s, got, 3), 3);
	assert_string_equal(path_of(s, &got[0], &offset), "[kernel.kallsyms]_text");
	assert_int_equal(offset, 0x30); /* from _text */
	assert_string_equal(path_of(s, &got[1], &offset), "[module]");
	assert_int_equal(offset, 0x40);
	/* Build-ids that the header lists. */
	assert_true(pms_spe_samples_place(s, got[0].space, got[0].pc, &place));
	assert_int_equal(place.object->build_id_size, 20);
	assert_int_equal(place.object->build_id[2], 3);
	assert_int_equal(place.object->kind, PMS_OBJECT_KERNEL);
	assert_true(pms_spe_samples_place(s, got[1].space, got[1].pc, &place));
	assert_int_equal(place.object->build_id_size, 0);
	assert_int_equal(place.object->kind, PMS_OBJECT_MODULE);
	/* Process 500 is known by its mapping alone. */
	assert_int_equal(got[2].knows, KNOWS_ALL);
	assert_string_equal(path_of(s, &got[2], &offset), "/bin/a");
	assert_true(pms_spe_samples_place(s, got[2].space, got[2].pc, &place));
	assert_int_equal(place.object->build_id[0], 4);
	assert_int_equal(pms_spe_samples_n_objects(s), 3);
	pms_spe_samples_close(s);
}

/* perf of Linux 6.14: a header of 4 numbers, and for each CPU which core it is. */
static void each_cpu_has_its_core(void **state)
{
	static const uint64_t numbers[] = { 2,
					    4,
					    RECORDING_PMU,
					    2,
					    0x1010101010101010,
					    0,
					    3,
					    0x410fd0c1, /* Neoverse N1 */
					    RECORDING_PMU,
					    1024,
					    0x1010101010101010,
					    1,
					    4,
					    0x410fd034, /* Cortex-A53 */
					    RECORDING_PMU,
					    1024,
					    0 };
	struct recording *r = &recording;
	struct got got[3];
	(void)state;
	recording_init(r);
	r->info.auxtrace_private = numbers;
	r->info.n_auxtrace_private = sizeof(numbers) / sizeof(numbers[0]);
	recording_begin(r);
	for (int32_t cpu = 0; cpu < 3; cpu++) {
		recording_load(r, 0x1000, 5, -1);
		recording_buffer(r, cpu, -1, 7000, 0);
	}
	struct pms_spe_samples *s = recording_open(r, NULL);
	assert_int_equal(read_all(s, got, 3), 3);
	assert_int_equal(got[0].midr, 0x410fd0c1);
	assert_int_equal(got[0].encoding, PMS_SPE_ENCODING_NEOVERSE);
	assert_int_equal(got[1].midr, 0x410fd034);
	assert_int_equal(got[1].encoding, PMS_SPE_ENCODING_UNKNOWN);
	assert_int_equal(got[2].midr, 0); /* not listed, and those that are are not alike */
	pms_spe_samples_close(s);
}

static void a_core_that_is_named_goes_before_the_file(void **state)
{
	const struct pms_spe_samples_options options = { .encoding = PMS_SPE_ENCODING_NEOVERSE };
	struct recording *r = &recording;
	struct got got[1];
	(void)state;
	recording_init(r);
	r->info.cpuid = "0x00000000410fd034";
	recording_begin(r);
	recording_load(r, 0x1000, 5, -1);
	recording_buffer(r, 0, -1, 7000, 0);
	struct pms_spe_samples *s = recording_open(r, &options);
	assert_int_equal(read_all(s, got, 1), 1);
	assert_int_equal(got[0].encoding, PMS_SPE_ENCODING_NEOVERSE);
	pms_spe_samples_close(s);
}

/* SAMPLE_POP counted as an event of its own, 1000 a sample, is the population. */
static void events_of_the_population_are_added_up(void **state)
{
	struct recording *r = &recording;
	struct pms_spe_quality q;
	struct got got[1];
	(void)state;
	recording_init(r);
	for (int i = 0; i < 2; i++)
		r->events[i].sample_type |= PMS_PERFDATA_PERIOD;
	r->events[1].type = 4;
	r->events[1].config = 0x4000;
	recording_begin(r);
	for (uint64_t i = 0; i < 3; i++) {
		struct pms_perfdata_record m = recording_record(PMS_PERFDATA_SAMPLE, 10 + i, 1);
		m.event = 1;
		m.sample.period = 1000 + i;
		recording_put(r, &m);
	}
	recording_load(r, 0x1000, 5, -1);
	recording_buffer(r, 0, -1, 7000, 0);
	struct pms_spe_samples *s = recording_open(r, NULL);
	assert_int_equal(read_all(s, got, 1), 1);
	pms_spe_samples_quality(s, &q);
	assert_true(q.population.known_pop);
	assert_int_equal(q.population.pop, 3003);
	assert_false(q.population.known_feed);
	assert_int_equal(q.n_recorded, 1);
	assert_string_equal(q.recorded[0].name, "arm_spe_0//");
	pms_spe_samples_close(s);
}

static void parts_make_the_whole(void **state)
{
	struct recording *r = *state;
	struct got got[8];
	size_t seen[4] = { 0 };
	for (int i = 0; i < 8; i++) {
		recording_load(r, 0x1000, (uint64_t)i, -1);
		recording_buffer(r, i % 4, -1, 7000, 0);
	}
	recording_end(r);
	for (size_t part = 0; part < 3; part++) {
		const struct pms_spe_samples_options options = { .part = part, .parts = 3 };
		struct pms_spe_samples *s;
		assert_int_equal(pms_spe_samples_open(r->path, &options, &s, NULL), 0);
		size_t n = read_all(s, got, 8);
		assert_int_equal(n, part ? 2 : 4); /* streams 0 and 3; 1; 2 */
		for (size_t i = 0; i < n; i++) {
			assert_int_equal(got[i].stream % 3, part);
			seen[got[i].stream]++;
		}
		pms_spe_samples_close(s);
	}
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(seen[i], 2);
	unlink(r->path);
}

struct told {
	unsigned calls;
	uint64_t done, total;
	int stop;
};

static int progress(void *context, uint64_t done, uint64_t total)
{
	struct told *told = context;
	assert_true(done >= told->done && done <= total);
	told->calls++;
	told->done = done;
	told->total = total;
	return told->stop;
}

/* 3 MiB of records; told of each of them, and stopped at the first. */
static void progress_is_told_and_may_stop(void **state)
{
	struct recording *r = *state;
	struct told told = { 0 };
	const struct pms_spe_samples_options options = { .progress = progress, .context = &told };
	const struct pms_spe_samples_batch *batch;
	struct pms_spe_samples *s;
	struct pms_error err = { 0 };
	size_t records = 0;
	int rc;
	for (int i = 0; i < 48; i++) {
		while (r->length < RECORDING_MOST)
			recording_load(r, 0x1000, 1, -1);
		recording_buffer(r, 0, -1, 7000, 0);
	}
	recording_end(r);
	assert_int_equal(pms_spe_samples_open(r->path, &options, &s, NULL), 0);
	while ((rc = pms_spe_samples_next(s, &batch, &err)) > 0)
		records += batch->records->count;
	assert_int_equal(rc, 0);
	assert_int_equal(records, 48 * RECORDING_MOST / 64);
	assert_in_range(told.calls, 2, 3);
	assert_true(told.total > 48 * RECORDING_MOST);
	pms_spe_samples_close(s);
	told = (struct told){ .stop = 1 };
	assert_int_equal(pms_spe_samples_open(r->path, &options, &s, NULL), 0);
	while ((rc = pms_spe_samples_next(s, &batch, &err)) > 0)
		;
	assert_int_equal(rc, -PMS_EIO);
	assert_int_equal(told.calls, 1);
	pms_spe_samples_close(s);
	unlink(r->path);
}

/* 5 MiB of records of two CPUs, by turns: enough for a thread of their own to decode them. Each
 * has its number for a PC, and the last one is cut. */
enum { LONG_BUFFERS = 80, LONG_RECORDS = LONG_BUFFERS * (RECORDING_MOST / 64) };

static void put_long(struct recording *r)
{
	uint64_t n = 0;
	for (int i = 0; i < LONG_BUFFERS; i++) {
		for (; r->length < RECORDING_MOST; n++)
			recording_load(r, n + 1, n + 1, -1);
		if (i == LONG_BUFFERS - 1)
			r->length -= 40; /* its padding, and the end of its time */
		recording_buffer(r, i % 2, -1, 7000, 0);
	}
	recording_end(r);
}

static void a_thread_that_decodes_ahead_changes_nothing(void **state)
{
	struct recording *r = *state;
	const struct pms_spe_samples_batch *b;
	struct pms_spe_quality q;
	struct pms_spe_samples *s;
	uint64_t n = 0;
	cpu_set_t cpus;
	int rc;
	put_long(r);
	assert_int_equal(pms_spe_samples_open(r->path, NULL, &s, NULL), 0);
	while ((rc = pms_spe_samples_next(s, &b, NULL)) > 0) {
		if (!n && !sched_getaffinity(0, sizeof(cpus), &cpus) && CPU_COUNT(&cpus) > 1)
			assert_non_null(s->ahead);
		assert_int_equal(b->cpu, n / (RECORDING_MOST / 64) % 2);
		for (size_t i = 0; i < b->records->count; i++) {
			n++;
			assert_int_equal(pms_spe_canonical(b->records->pc[i]), n);
			assert_int_equal(b->ns[i], 1000 + n * 40);
		}
		if (n == 256)
			pms_spe_samples_quality(s, &q);
	}
	assert_int_equal(rc, 0);
	assert_int_equal(n, LONG_RECORDS - 1);
	assert_int_equal(pms_spe_samples_next(s, &b, NULL), 0); /* and again */
	pms_spe_samples_quality(s, &q);
	assert_int_equal(q.summary.records, LONG_RECORDS - 1);
	assert_int_equal(q.summary.unfinished, 1);
	assert_int_equal(q.streams, 2);
	pms_spe_samples_close(s);
	unlink(r->path);
}

/* Nobody reads to the end; the file ends inside a record of perf's. */
static void a_thread_that_decodes_ahead_ends_with_its_reader(void **state)
{
	struct recording *r = *state;
	struct told told = { .stop = 1 };
	const struct pms_spe_samples_options stops = { .progress = progress, .context = &told };
	const struct pms_spe_samples_batch *b;
	struct pms_spe_samples *s;
	struct pms_spe_quality q;
	struct pms_error err = { 0 };
	uint64_t n = 0;
	put_long(r);
	assert_int_equal(pms_spe_samples_open(r->path, NULL, &s, NULL), 0);
	pms_spe_samples_close(s);
	assert_int_equal(pms_spe_samples_open(r->path, NULL, &s, NULL), 0);
	assert_int_equal(pms_spe_samples_next(s, &b, NULL), 1);
	pms_spe_samples_close(s);
	assert_int_equal(pms_spe_samples_open(r->path, &stops, &s, NULL), 0);
	while (pms_spe_samples_next(s, &b, &err) > 0)
		n += b->records->count;
	assert_int_equal(err.status, PMS_EIO);
	assert_in_range(n, 1, LONG_RECORDS / 2);
	pms_spe_samples_close(s);
	assert_int_equal(truncate(r->path, 5 << 20), 0);
	assert_int_equal(pms_spe_samples_open(r->path, NULL, &s, NULL), 0);
	for (n = 0; pms_spe_samples_next(s, &b, NULL) > 0;)
		n += b->records->count;
	pms_spe_samples_quality(s, &q);
	assert_true(q.stats.cut);
	assert_in_range(n, LONG_RECORDS - 2 * (RECORDING_MOST / 64), LONG_RECORDS - 1);
	pms_spe_samples_close(s);
	unlink(r->path);
}

static void bare_buffers_have_records_alone(void **state)
{
	struct recording *r = &recording;
	const struct pms_spe_samples_options raw = { .raw = 1 };
	struct pms_spe_samples *s;
	struct pms_spe_quality q;
	struct got got[2];
	(void)state;
	recording_init(r);
	recording_load(r, 0x1000, 5, 42);
	recording_load(r, 0x2000, 6, -1);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(pms_spe_samples_open_bytes(r->bytes, r->length, "bytes",
							    i ? &raw : NULL, &s, NULL),
				 0);
		assert_int_equal(read_all(s, got, 2), 2);
		assert_int_equal(got[0].knows, 0);
		assert_int_equal(got[0].cpu, -1);
		assert_int_equal(got[0].thread, PMS_SPE_NO_THREAD);
		assert_int_equal(got[0].space, PMS_SPE_NO_SPACE);
		assert_int_equal(got[1].pc, 0x2000);
		pms_spe_samples_quality(s, &q);
		assert_true(q.raw);
		assert_int_equal(q.summary.records, 2);
		assert_int_equal(q.n_recorded, 0);
		pms_spe_samples_close(s);
	}
	r->length = 0;
}

/* Records of two CPUs whose buffers come in turn, cut inside of packets. */
static void streams_do_not_mix(void **state)
{
	struct recording *r = &recording;
	static uint8_t whole[2][640];
	struct got got[20];
	size_t at[2] = { 0 };
	(void)state;
	recording_init(r);
	for (int cpu = 0; cpu < 2; cpu++) {
		r->length = 0;
		for (uint64_t i = 0; i < 10; i++)
			recording_load(r, 0x1000 * (uint64_t)(cpu + 1) + i, i, -1);
		memcpy(whole[cpu], r->bytes, 640);
	}
	r->length = 0;
	recording_begin(r);
	for (int i = 0; at[0] < 640 || at[1] < 640; i++) {
		size_t piece = 640 - at[i % 2] < 37 ? 640 - at[i % 2] : 37;
		memcpy(r->bytes, whole[i % 2] + at[i % 2], piece);
		at[i % 2] += piece;
		r->length = piece;
		if (piece)
			recording_buffer(r, i % 2, -1, 7000, 0);
	}
	struct pms_spe_samples *s = recording_open(r, NULL);
	uint64_t next[2] = { 0x1000, 0x2000 };
	assert_int_equal(read_all(s, got, 20), 20);
	for (size_t i = 0; i < 20; i++)
		assert_int_equal(got[i].pc, next[got[i].cpu]++);
	pms_spe_samples_close(s);
}

static int append(void *context, const void *text, size_t length)
{
	strncat(context, text, length);
	return 0;
}

/* A thread may give itself any name; and a file any length of one. */
static void names_of_threads_are_written_as_json(void **state)
{
	struct recording *r = *state;
	char text[2048] = "", name[500];
	const struct pms_spe_dump_options options = { .format = PMS_SPE_DUMP_JSONL,
						      .write = append,
						      .context = text };
	recording_comm(r, 0, 5, 5, "a\"b\\c\x01\xff\xc3\xa9", 0);
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = 0;
	recording_comm(r, 0, 5, 6, name, 0);
	for (uint64_t tid = 5; tid < 7; tid++) {
		recording_packet(r, 0x64, tid, 4);
		recording_packet(r, 0x71, 10, 8);
	}
	recording_buffer(r, 0, -1, 7000, 0);
	struct pms_spe_samples *s = recording_open(r, NULL);
	assert_int_equal(pms_spe_dump_records(s, &options, NULL), 0);
	name[15] = 0; /* as the kernel has them */
	char want[1024];
	snprintf(want, sizeof(want),
		 "{\"offset\":0,\"context\":5,\"ts\":10,\"cpu\":0,\"pid\":5,\"tid\":5,"
		 "\"thread_name\":\"a\\\"b\\\\c\\u0001\\ufffd\xc3\xa9\",\"thread_name_bytes\":"
		 "\"6122625c6301ffc3a9\",\"time\":1400}\n"
		 "{\"offset\":14,\"context\":6,\"ts\":10,\"cpu\":0,\"pid\":5,\"tid\":6,"
		 "\"thread_name\":\"%s\",\"time\":1400}\n",
		 name);
	assert_string_equal(text, want);
	pms_spe_samples_close(s);
}

/* One byte in four that are no padding may be no packet, and not one more. */
static void what_is_no_spe_is_told_by_its_bytes(void **state)
{
	(void)state;
	static const struct {
		int raw;
		uint64_t padding, address, reserved, truncated;
		const char *error;
	} cases[] = {
		{ 1, 0, 75, 20, 5, NULL },
		{ 1, 0, 75, 20, 6,
		  "no perf.data, and no Arm SPE buffer: 26 % of its bytes are no packets" },
		{ 1, 1000, 74, 26, 0,
		  "no perf.data, and no Arm SPE buffer: 26 % of its bytes are no packets" },
		{ 1, 1000, 0, 0, 0, NULL },
		{ 1, 0, 0, 0, 0, "the file is empty" },
		{ 0, 0, 0, 26, 0, NULL },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_error err = { 0 };
		struct pms_spe_quality q = { .raw = cases[i].raw };
		q.summary.bytes[PMS_SPE_PADDING] = cases[i].padding;
		q.summary.bytes[PMS_SPE_ADDRESS] = cases[i].address;
		q.summary.bytes[PMS_SPE_RESERVED] = cases[i].reserved;
		q.summary.bytes[PMS_SPE_TRUNCATED] = cases[i].truncated;
		q.undecodable = cases[i].reserved + cases[i].truncated;
		int status = pms_spe_quality_check(&q, "aux.bin", &err);
		assert_int_equal(status, cases[i].error ? -PMS_EPARSE : 0);
		if (!cases[i].error)
			continue;
		assert_string_equal(err.source, "aux.bin");
		assert_string_equal(err.text, cases[i].error);
	}
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
	r->events[0].config3 = 0x10;
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
	assert_int_equal(q.recorded[0].no_events, 0x10);
	assert_int_equal(q.recorded[0].least_latency, 30);
	assert_int_equal(q.without_tid, 2);
	assert_int_equal(q.without_time, 0);
	pms_spe_samples_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(context_packets_tell_the_thread, begin),
		cmocka_unit_test_setup(mappings_change_with_exec_and_fork, begin),
		cmocka_unit_test_setup(switches_tell_the_thread, begin),
		cmocka_unit_test_setup(buffers_tell_the_thread_where_nothing_else_does, begin),
		cmocka_unit_test_setup(who_is_there_at_the_start_stays_until_a_switch, begin),
		cmocka_unit_test_setup(switches_of_a_cpu_say_who_comes, begin),
		cmocka_unit_test_setup(the_context_of_el2_comes_first, begin),
		cmocka_unit_test_setup(forks_that_perf_makes_up_inherit_nothing, begin),
		cmocka_unit_test(the_kernel_is_in_every_space),
		cmocka_unit_test(each_cpu_has_its_core),
		cmocka_unit_test(a_core_that_is_named_goes_before_the_file),
		cmocka_unit_test(events_of_the_population_are_added_up),
		cmocka_unit_test_setup(parts_make_the_whole, begin),
		cmocka_unit_test_setup(progress_is_told_and_may_stop, begin),
		cmocka_unit_test_setup(a_thread_that_decodes_ahead_changes_nothing, begin),
		cmocka_unit_test_setup(a_thread_that_decodes_ahead_ends_with_its_reader, begin),
		cmocka_unit_test(bare_buffers_have_records_alone),
		cmocka_unit_test(streams_do_not_mix),
		cmocka_unit_test_setup(names_of_threads_are_written_as_json, begin),
		cmocka_unit_test(what_is_no_spe_is_told_by_its_bytes),
		cmocka_unit_test(the_quality_is_that_of_the_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
