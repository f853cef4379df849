/* SPDX-License-Identifier: MIT */
/* What is written is read back the same: random records of every type that has fields, in all forms
 * of the file, and all that a file says of itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "pmuscope/perfdata.h"

enum { RECORDS = 250000, TRACE = 4096, TEXT = 120 };

enum {
	SAMPLED = PMS_PERFDATA_IP | PMS_PERFDATA_TID | PMS_PERFDATA_TIME | PMS_PERFDATA_ADDR |
		  PMS_PERFDATA_ID | PMS_PERFDATA_CALLCHAIN | PMS_PERFDATA_CPU |
		  PMS_PERFDATA_PERIOD | PMS_PERFDATA_STREAM_ID | PMS_PERFDATA_RAW |
		  PMS_PERFDATA_WEIGHT | PMS_PERFDATA_DATA_SRC | PMS_PERFDATA_IDENTIFIER |
		  PMS_PERFDATA_TRANSACTION | PMS_PERFDATA_PHYS_ADDR | PMS_PERFDATA_AUX_DATA |
		  PMS_PERFDATA_CGROUP | PMS_PERFDATA_DATA_PAGE_SIZE | PMS_PERFDATA_CODE_PAGE_SIZE,
	/* fewer fields, with the id in the same places */
	SAMPLED_LESS = PMS_PERFDATA_TID | PMS_PERFDATA_TIME | PMS_PERFDATA_IDENTIFIER,
	/* what trailers have of the first */
	TRAILED = PMS_PERFDATA_TID | PMS_PERFDATA_TIME | PMS_PERFDATA_ID | PMS_PERFDATA_STREAM_ID |
		  PMS_PERFDATA_CPU | PMS_PERFDATA_IDENTIFIER
};

/* xorshift64*: the same numbers everywhere for a seed. */
static uint64_t draw(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(0x2545f4914f6cdd1d);
}

/* All sizes of numbers are as likely, so that the edges come. */
static uint64_t draw_number(uint64_t *state)
{
	return draw(state) >> draw(state) % 64;
}

/* What a made-up record points to. */
struct store {
	uint8_t trace[TRACE], build_id[20];
	char text[TEXT];
};

static const char *draw_text(uint64_t *state, struct store *store)
{
	size_t length = draw(state) % TEXT;
	for (size_t i = 0; i < length; i++)
		store->text[i] = (char)('!' + draw(state) % 90);
	store->text[length] = 0;
	return store->text;
}

static struct pms_perfdata_mmap draw_mmap(uint64_t *state, struct store *store, uint32_t type,
					  bool build_id)
{
	struct pms_perfdata_mmap m = { .pid = (int32_t)draw(state),
				       .tid = (int32_t)draw(state),
				       .start = draw_number(state),
				       .length = draw_number(state),
				       .file_offset = draw_number(state),
				       .path = draw_text(state, store) };
	if (type == PMS_PERFDATA_MMAP)
		return m;
	m.prot = (uint32_t)draw(state);
	m.flags = (uint32_t)draw(state);
	if (build_id) {
		m.build_id_size = (uint8_t)(1 + draw(state) % 20);
		for (size_t i = 0; i < m.build_id_size; i++)
			store->build_id[i] = (uint8_t)draw(state);
		m.build_id = store->build_id;
		return m;
	}
	m.major = (uint32_t)draw(state);
	m.minor = (uint32_t)draw(state);
	m.inode = draw_number(state);
	m.inode_generation = draw_number(state);
	return m;
}

static struct pms_perfdata_auxtrace draw_auxtrace(uint64_t *state, struct store *store)
{
	struct pms_perfdata_auxtrace a = { .cpu = (int32_t)(draw(state) % 9) - 1,
					   .tid = (int32_t)draw(state),
					   .idx = (uint32_t)draw(state),
					   .reference = draw_number(state),
					   .offset = draw_number(state) >> 1,
					   .data = store->trace,
					   .size = draw(state) % 64 ? draw(state) % 64
								    : draw(state) % TRACE };
	for (size_t i = 0; i < a.size; i++)
		store->trace[i] = (uint8_t)draw(state);
	return a;
}

/* The fields of the first event's samples; the second's have none beside who and when. */
static struct pms_perfdata_sample draw_sample(uint64_t *state, struct store *store, int event)
{
	struct pms_perfdata_sample s = { 0 };
	if (event)
		return s;
	s.ip = draw_number(state);
	s.addr = draw_number(state);
	s.period = draw_number(state);
	s.weight = draw_number(state);
	s.data_src = draw_number(state);
	s.transaction = draw_number(state);
	s.phys_addr = draw_number(state);
	s.cgroup = draw_number(state);
	s.data_page_size = draw_number(state);
	s.code_page_size = draw_number(state);
	for (size_t i = 0; i < 80; i++)
		store->trace[i] = (uint8_t)draw(state);
	s.n_callchain = draw(state) % 11;
	s.raw_size = (uint32_t)draw(state) % 81;
	s.aux_size = draw(state) % 81;
	s.callchain = s.raw = s.aux = store->trace;
	return s;
}

static struct pms_perfdata_record draw_record(uint64_t *state, struct store *store)
{
	static const uint32_t types[] = {
		PMS_PERFDATA_MMAP,	     PMS_PERFDATA_LOST,
		PMS_PERFDATA_COMM,	     PMS_PERFDATA_EXIT,
		PMS_PERFDATA_FORK,	     PMS_PERFDATA_SAMPLE,
		PMS_PERFDATA_MMAP2,	     PMS_PERFDATA_AUX,
		PMS_PERFDATA_ITRACE_START,   PMS_PERFDATA_LOST_SAMPLES,
		PMS_PERFDATA_FINISHED_ROUND, PMS_PERFDATA_AUXTRACE,
		PMS_PERFDATA_SWITCH,	     PMS_PERFDATA_SWITCH_CPU_WIDE
	};
	struct pms_perfdata_record r = {
		.type = types[draw(state) % (sizeof(types) / sizeof(types[0]))],
		.misc = (uint16_t)draw(state),
		.event = (int)(draw(state) % 2),
	};
	r.id = (struct pms_perfdata_id){ .have = r.event ? SAMPLED_LESS : TRAILED,
					 .pid = (int32_t)draw(state),
					 .tid = (int32_t)draw(state),
					 .time = draw_number(state),
					 .id = r.event ? 22 : 11,
					 .stream_id = draw_number(state),
					 .cpu = (uint32_t)draw(state) % 9 };
	if (r.event) {
		r.id.cpu = 0;
		r.id.stream_id = 0;
	}
	switch (r.type) {
	case PMS_PERFDATA_MMAP:
	case PMS_PERFDATA_MMAP2:
		r.mmap = draw_mmap(state, store, r.type, r.misc & PMS_PERFDATA_MISC_MMAP_BUILD_ID);
		break;
	case PMS_PERFDATA_LOST:
		r.lost.id = draw_number(state);
		r.lost.count = draw_number(state);
		break;
	case PMS_PERFDATA_LOST_SAMPLES:
		r.lost.count = draw_number(state);
		break;
	case PMS_PERFDATA_COMM:
		r.comm = (struct pms_perfdata_comm){ (int32_t)draw(state), (int32_t)draw(state),
						     (r.misc & PMS_PERFDATA_MISC_COMM_EXEC) != 0,
						     draw_text(state, store) };
		break;
	case PMS_PERFDATA_EXIT:
	case PMS_PERFDATA_FORK:
		r.task = (struct pms_perfdata_task){ (int32_t)draw(state), (int32_t)draw(state),
						     (int32_t)draw(state), (int32_t)draw(state),
						     draw_number(state) };
		break;
	case PMS_PERFDATA_SAMPLE:
		r.sample = draw_sample(state, store, r.event);
		break;
	case PMS_PERFDATA_AUX:
		r.aux = (struct pms_perfdata_aux){ draw_number(state), draw_number(state),
						   draw(state) % 16 };
		break;
	case PMS_PERFDATA_ITRACE_START:
		r.itrace_start = (struct pms_perfdata_itrace_start){ (int32_t)draw(state),
								     (int32_t)draw(state) };
		break;
	case PMS_PERFDATA_SWITCH:
	case PMS_PERFDATA_SWITCH_CPU_WIDE:
		r.switch_ =
			(struct pms_perfdata_switch){ (r.misc & PMS_PERFDATA_MISC_SWITCH_OUT) != 0,
						      -1, -1 };
		if (r.type == PMS_PERFDATA_SWITCH)
			break;
		r.switch_.pid = (int32_t)draw(state);
		r.switch_.tid = (int32_t)draw(state);
		break;
	case PMS_PERFDATA_AUXTRACE:
		r.auxtrace = draw_auxtrace(state, store);
		break;
	default:
		break;
	}
	return r;
}

static bool bytes_same(const uint8_t *a, const uint8_t *b, size_t size)
{
	return !size || !memcmp(a, b, size);
}

static bool mmaps_same(const struct pms_perfdata_mmap *a, const struct pms_perfdata_mmap *b)
{
	return a->pid == b->pid && a->tid == b->tid && a->start == b->start &&
	       a->length == b->length && a->file_offset == b->file_offset &&
	       !strcmp(a->path, b->path) && a->major == b->major && a->minor == b->minor &&
	       a->inode == b->inode && a->inode_generation == b->inode_generation &&
	       a->prot == b->prot && a->flags == b->flags && a->build_id_size == b->build_id_size &&
	       bytes_same(a->build_id, b->build_id, a->build_id_size);
}

static bool samples_same(const struct pms_perfdata_sample *a, const struct pms_perfdata_sample *b)
{
	/* the numbers stand before the first pointer */
	return !memcmp(a, b, offsetof(struct pms_perfdata_sample, callchain)) &&
	       a->n_callchain == b->n_callchain && a->raw_size == b->raw_size &&
	       a->aux_size == b->aux_size &&
	       bytes_same(a->callchain, b->callchain, 8 * (size_t)a->n_callchain) &&
	       bytes_same(a->raw, b->raw, a->raw_size) &&
	       bytes_same(a->aux, b->aux, (size_t)a->aux_size);
}

static bool contents_same(const struct pms_perfdata_record *a, const struct pms_perfdata_record *b)
{
	switch (a->type) {
	case PMS_PERFDATA_MMAP:
	case PMS_PERFDATA_MMAP2:
		return mmaps_same(&a->mmap, &b->mmap);
	case PMS_PERFDATA_LOST:
	case PMS_PERFDATA_LOST_SAMPLES:
		return a->lost.id == b->lost.id && a->lost.count == b->lost.count;
	case PMS_PERFDATA_COMM:
		return a->comm.pid == b->comm.pid && a->comm.tid == b->comm.tid &&
		       a->comm.exec == b->comm.exec && !strcmp(a->comm.name, b->comm.name);
	case PMS_PERFDATA_EXIT:
	case PMS_PERFDATA_FORK:
		return a->task.pid == b->task.pid && a->task.parent_pid == b->task.parent_pid &&
		       a->task.tid == b->task.tid && a->task.parent_tid == b->task.parent_tid &&
		       a->task.time == b->task.time;
	case PMS_PERFDATA_SAMPLE:
		return samples_same(&a->sample, &b->sample);
	case PMS_PERFDATA_AUX:
		return a->aux.offset == b->aux.offset && a->aux.size == b->aux.size &&
		       a->aux.flags == b->aux.flags;
	case PMS_PERFDATA_ITRACE_START:
		return a->itrace_start.pid == b->itrace_start.pid &&
		       a->itrace_start.tid == b->itrace_start.tid;
	case PMS_PERFDATA_SWITCH:
	case PMS_PERFDATA_SWITCH_CPU_WIDE:
		return a->switch_.out == b->switch_.out && a->switch_.pid == b->switch_.pid &&
		       a->switch_.tid == b->switch_.tid;
	default:
		return a->type == PMS_PERFDATA_FINISHED_ROUND;
	}
}

static bool ids_same(const struct pms_perfdata_id *a, const struct pms_perfdata_id *b)
{
	return a->have == b->have && a->pid == b->pid && a->tid == b->tid && a->time == b->time &&
	       a->id == b->id && a->stream_id == b->stream_id && a->cpu == b->cpu;
}

/* Read one record back. Trace data comes in pieces where AUX records cut it. */
static void read_back(struct pms_perfdata *file, const struct pms_perfdata_record *want)
{
	struct pms_perfdata_record got;
	struct pms_error err = { 0 };
	size_t at = 0;
	do {
		int rc = pms_perfdata_next(file, &got, &err);
		if (rc != 1)
			fail_msg("%d: %s", rc, err.text);
		if (got.type != want->type || got.misc != want->misc)
			fail_msg("type %u misc %x, want %u %x", got.type, got.misc, want->type,
				 want->misc);
		if (got.type != PMS_PERFDATA_AUXTRACE)
			break;
		const struct pms_perfdata_auxtrace *a = &got.auxtrace, *w = &want->auxtrace;
		assert_true(a->cpu == w->cpu && a->tid == w->tid && a->idx == w->idx &&
			    a->reference == w->reference && a->offset == w->offset + at);
		assert_int_equal(a->left, w->size - at - a->size);
		assert_true(bytes_same(a->data, w->data + at, a->size));
		at += a->size;
	} while (got.auxtrace.left);
	if (got.type == PMS_PERFDATA_AUXTRACE)
		return;
	if (!contents_same(&got, want))
		fail_msg("a %s differs", pms_perfdata_type_name(got.type));
	if (got.type < 64) {
		assert_int_equal(got.event, want->event);
		if (!ids_same(&got.id, &want->id))
			fail_msg("the trailer of a %s differs", pms_perfdata_type_name(got.type));
	}
}

static const uint64_t first_ids[] = { 11, 12 }, second_ids[] = { 22 };
static const struct pms_perfdata_event events[] = {
	{ .name = "arm_spe_0/ts_enable=1/",
	  .type = 9,
	  .config = 1,
	  .config1 = 2,
	  .config2 = 3,
	  .sample_period = 4096,
	  .sample_type = SAMPLED,
	  .flags = PMS_PERFDATA_FLAG_SAMPLE_ID_ALL | 1,
	  .branch_sample_type = 5,
	  .sample_regs_user = 6,
	  .sample_regs_intr = 7,
	  .sample_stack_user = 8,
	  .clock = -9,
	  .ids = first_ids,
	  .n_ids = 2 },
	{ .name = "dummy:u",
	  .type = 1,
	  .config3 = 10,
	  .sample_type = SAMPLED_LESS,
	  .flags = PMS_PERFDATA_FLAG_SAMPLE_ID_ALL,
	  .ids = second_ids,
	  .n_ids = 1 },
};

/* A new file's name; the file is there and empty. */
static void temporary(char path[64])
{
	snprintf(path, 64, "/tmp/pmuscope-perfdata-XXXXXX");
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
}

static void round_trip(bool pipe, bool compressed)
{
	struct pms_perfdata_info info = { .pipe = pipe,
					  .compressed = compressed,
					  .events = events,
					  .n_events = 2,
					  .perf_version = "6.1" };
	struct pms_perfdata_writer *writer;
	struct pms_perfdata *file;
	struct pms_perfdata_record record;
	struct pms_error err = { 0 };
	struct store *store = malloc(sizeof(*store));
	char path[64];
	temporary(path);
	uint64_t state = 1;
	assert_int_equal(pms_perfdata_create(path, &info, &writer, &err), 0);
	for (int i = 0; i < RECORDS; i++) {
		record = draw_record(&state, store);
		if (pms_perfdata_write(writer, &record, &err))
			fail_msg("%s", err.text);
	}
	assert_int_equal(pms_perfdata_finish(writer, &err), 0);
	assert_int_equal(pms_perfdata_open(path, &file, &err), 0);
	if (pipe) /* two events, perf's version, the events' section and their names come first */
		for (int i = 0; i < 6 + compressed; i++)
			assert_int_equal(pms_perfdata_next(file, &record, &err), 1);
	state = 1;
	for (int i = 0; i < RECORDS; i++) {
		record = draw_record(&state, store);
		read_back(file, &record);
	}
	assert_int_equal(pms_perfdata_next(file, &record, &err), 0);
	const struct pms_perfdata_stats *s = pms_perfdata_stats(file);
	assert_int_equal(s->records, RECORDS + (pipe ? 6 + compressed : 0));
	assert_int_equal(s->unknown + s->unidentified + s->malformed, 0);
	assert_false(s->cut);
	pms_perfdata_close(file);
	unlink(path);
	free(store);
}

static void a_file(void **state)
{
	(void)state;
	round_trip(false, false);
}

static void a_compressed_file(void **state)
{
	(void)state;
	round_trip(false, true);
}

static void a_pipe(void **state)
{
	(void)state;
	round_trip(true, false);
}

static void a_compressed_pipe(void **state)
{
	(void)state;
	round_trip(true, true);
}

static void same_events(const struct pms_perfdata_info *a)
{
	assert_int_equal(a->n_events, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct pms_perfdata_event *x = &a->events[i], *y = &events[i];
		assert_string_equal(x->name, y->name);
		assert_int_equal(x->type, y->type);
		assert_int_equal(x->config, y->config);
		assert_int_equal(x->config1, y->config1);
		assert_int_equal(x->config2, y->config2);
		assert_int_equal(x->config3, y->config3);
		assert_int_equal(x->sample_period, y->sample_period);
		assert_int_equal(x->sample_type, y->sample_type);
		assert_int_equal(x->flags, y->flags);
		assert_int_equal(x->branch_sample_type, y->branch_sample_type);
		assert_int_equal(x->sample_regs_user, y->sample_regs_user);
		assert_int_equal(x->sample_regs_intr, y->sample_regs_intr);
		assert_int_equal(x->sample_stack_user, y->sample_stack_user);
		assert_int_equal(x->clock, y->clock);
		assert_int_equal(x->n_ids, y->n_ids);
		assert_memory_equal(x->ids, y->ids, 8 * x->n_ids);
	}
}

static void description(bool pipe)
{
	enum { INDEX = 5000 };
	static const char *const words[] = { "perf", "",
					     ("a rather long argument, longer than 64 "
					      "bytes, so that it is filled up further") };
	static const struct pms_perfdata_pmu pmus[] = { { 1, "software" }, { 9, "arm_spe_0" } };
	static const struct pms_perfdata_build_id ids[] = {
		{ -1, 2, "/bin/a", { 1, 2, 3, 20 }, 20 },
		{ 7, 1, "[kernel.kallsyms]", { 9, 8 }, 16 }
	};
	static const struct pms_perfdata_thread threads[] = { { 500, "sixteen letters!" },
							      { -1, "" } };
	static const uint32_t cpus[] = { 0, 3, 65535 };
	static const uint64_t private_[] = { 9, 1, UINT64_MAX };
	static struct pms_perfdata_id_entry index[INDEX];
	for (size_t i = 0; i < INDEX; i++)
		index[i] = (struct pms_perfdata_id_entry){ i, 2 * i, -1, (int64_t)(3 * i) };
	struct pms_perfdata_info info = {
		.pipe = pipe,
		.hostname = "host",
		.os_release = "6.1.0",
		.perf_version = "6.1.192",
		.arch = "aarch64",
		.cpu_description = "a core",
		.cpuid = "0x410fd401",
		.cpus_available = 8,
		.cpus_online = 7,
		.total_memory = UINT64_C(1) << 40,
		.cmdline = words,
		.n_cmdline = 3,
		.events = events,
		.n_events = 2,
		.build_ids = ids,
		.n_build_ids = 2,
		.pmus = pmus,
		.n_pmus = 2,
		.id_index = index,
		.n_id_index = INDEX,
		.threads = threads,
		.n_threads = 2,
		.cpus = cpus,
		.n_cpus = 3,
		.time_conv = { 1, 10, 40960, 77, 78, 79, 1 },
		.auxtrace_type = 4,
		.auxtrace_private = private_,
		.n_auxtrace_private = 3,
	};
	struct pms_perfdata_writer *writer;
	struct pms_perfdata *file;
	struct pms_perfdata_record record = { .type = PMS_PERFDATA_FINISHED_ROUND };
	struct pms_error err = { 0 };
	char path[64];
	temporary(path);
	assert_int_equal(pms_perfdata_create(path, &info, &writer, &err), 0);
	assert_int_equal(pms_perfdata_write(writer, &record, &err), 0);
	assert_int_equal(pms_perfdata_finish(writer, &err), 0);
	assert_int_equal(pms_perfdata_open(path, &file, &err), 0);
	while (pms_perfdata_next(file, &record, &err) == 1)
		assert_true(record.type == PMS_PERFDATA_FINISHED_ROUND ||
			    pms_perfdata_describes(record.type));
	assert_int_equal(err.status, PMS_OK);
	assert_int_equal(pms_perfdata_stats(file)->malformed, 0);
	const struct pms_perfdata_info *got = pms_perfdata_info(file);
	assert_int_equal(got->pipe, pipe);
	same_events(got);
	assert_string_equal(got->hostname, "host");
	assert_string_equal(got->os_release, "6.1.0");
	assert_string_equal(got->perf_version, "6.1.192");
	assert_string_equal(got->arch, "aarch64");
	assert_string_equal(got->cpu_description, "a core");
	assert_string_equal(got->cpuid, "0x410fd401");
	assert_int_equal(got->cpus_available, 8);
	assert_int_equal(got->cpus_online, 7);
	assert_int_equal(got->total_memory, UINT64_C(1) << 40);
	assert_int_equal(got->n_cmdline, 3);
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(got->cmdline[i], words[i]);
	assert_int_equal(got->n_build_ids, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(got->build_ids[i].path, ids[i].path);
		assert_int_equal(got->build_ids[i].pid, ids[i].pid);
		assert_int_equal(got->build_ids[i].size, ids[i].size);
		assert_memory_equal(got->build_ids[i].id, ids[i].id, ids[i].size);
	}
	assert_string_equal(pms_perfdata_pmu_name(got, 9), "arm_spe_0");
	assert_int_equal(got->n_id_index, INDEX);
	for (size_t i = 0; i < INDEX; i++)
		assert_memory_equal(&got->id_index[i], &index[i], sizeof(index[i]));
	assert_int_equal(got->n_threads, 2);
	assert_int_equal(got->threads[0].tid, 500);
	assert_string_equal(got->threads[0].name, "sixteen letters!");
	assert_int_equal(got->threads[1].tid, -1);
	assert_int_equal(got->n_cpus, 3);
	assert_memory_equal(got->cpus, cpus, sizeof(cpus));
	assert_memory_equal(&got->time_conv.shift, &info.time_conv.shift, 5 * 8);
	assert_int_equal(got->time_conv.known, 1);
	assert_int_equal(got->time_conv.short_counter, 1);
	assert_int_equal(got->auxtrace_type, 4);
	assert_int_equal(got->n_auxtrace_private, 3);
	assert_memory_equal(got->auxtrace_private, private_, sizeof(private_));
	pms_perfdata_close(file);
	unlink(path);
}

static void what_a_file_says_of_itself(void **state)
{
	(void)state;
	description(false);
}

static void what_a_pipe_says_of_itself(void **state)
{
	(void)state;
	description(true);
}

static void trace_data_in_pieces(void **state)
{
	(void)state;
	struct pms_perfdata_info info = { .events = events, .n_events = 1 };
	struct pms_perfdata_writer *writer;
	struct pms_perfdata *file;
	struct pms_error err = { 0 };
	char path[64];
	temporary(path);
	assert_int_equal(pms_perfdata_create(path, &info, &writer, &err), 0);
	struct pms_perfdata_record r = { .type = PMS_PERFDATA_AUXTRACE };
	r.auxtrace.data = (const uint8_t *)"abcdefgh";
	r.auxtrace.size = 3;
	r.auxtrace.left = 5;
	assert_int_equal(pms_perfdata_write(writer, &r, &err), 0);
	assert_int_equal(pms_perfdata_write(writer, &r, NULL), -PMS_EINVAL); /* again */
	struct pms_perfdata_record other = { .type = PMS_PERFDATA_FINISHED_ROUND };
	assert_int_equal(pms_perfdata_write(writer, &other, NULL), -PMS_EINVAL);
	r.auxtrace.data += 3;
	r.auxtrace.size = 5;
	r.auxtrace.left = 0;
	assert_int_equal(pms_perfdata_write(writer, &r, &err), 0);
	assert_int_equal(pms_perfdata_finish(writer, &err), 0);
	assert_int_equal(pms_perfdata_open(path, &file, &err), 0);
	assert_int_equal(pms_perfdata_next(file, &r, &err), 1);
	assert_int_equal(r.auxtrace.size, 8);
	assert_memory_equal(r.auxtrace.data, "abcdefgh", 8);
	assert_int_equal(pms_perfdata_next(file, &r, &err), 0);
	pms_perfdata_close(file);
	unlink(path);
}

static void what_cannot_be_written(void **state)
{
	(void)state;
	static const uint64_t id = 1;
	const struct pms_perfdata_event apart[] = {
		{ .sample_type = PMS_PERFDATA_TID | PMS_PERFDATA_ID, .ids = &id, .n_ids = 1 },
		{ .sample_type = PMS_PERFDATA_ID, .ids = &id, .n_ids = 1 }
	};
	const struct pms_perfdata_event rich = { .sample_type = PMS_PERFDATA_READ };
	struct pms_perfdata_info info = { 0 };
	struct pms_perfdata_writer *writer;
	struct pms_error err = { 0 };
	char path[64], *text = malloc(70000);
	temporary(path);
	assert_int_equal(pms_perfdata_create(path, &info, &writer, NULL), -PMS_EINVAL);
	info = (struct pms_perfdata_info){ .events = apart, .n_events = 2 };
	assert_int_equal(pms_perfdata_create(path, &info, &writer, NULL), -PMS_EINVAL);
	info = (struct pms_perfdata_info){ .events = &rich, .n_events = 1 };
	assert_int_equal(pms_perfdata_create("-", &info, &writer, NULL), -PMS_EINVAL);
	assert_int_equal(pms_perfdata_create("/nonexistent/file", &info, &writer, &err), -PMS_EIO);
	assert_string_equal(err.source, "/nonexistent/file");
	assert_int_equal(pms_perfdata_create(path, &info, &writer, NULL), 0);
	struct pms_perfdata_record r = { .type = PMS_PERFDATA_SAMPLE };
	assert_int_equal(pms_perfdata_write(writer, &r, NULL), -PMS_EINVAL); /* with counts */
	r.type = PMS_PERFDATA_TIME_CONV;
	assert_int_equal(pms_perfdata_write(writer, &r, NULL), -PMS_EINVAL);
	r.type = 200;
	assert_int_equal(pms_perfdata_write(writer, &r, NULL), -PMS_EINVAL); /* no fields */
	r.type = PMS_PERFDATA_FORK;
	r.event = 1;
	assert_int_equal(pms_perfdata_write(writer, &r, NULL), -PMS_EINVAL); /* no such event */
	r.event = 0;
	r.type = PMS_PERFDATA_COMM;
	memset(text, 'x', 69999);
	text[69999] = 0;
	r.comm = (struct pms_perfdata_comm){ 1, 1, 0, text };
	assert_int_equal(pms_perfdata_write(writer, &r, NULL), -PMS_EINVAL); /* too long */
	r.type = PMS_PERFDATA_AUXTRACE;
	r.auxtrace = (struct pms_perfdata_auxtrace){ .size = 1, .left = UINT64_MAX };
	assert_int_equal(pms_perfdata_write(writer, &r, NULL), -PMS_EINVAL);
	assert_int_equal(pms_perfdata_finish(writer, &err), 0); /* none of it is in the file */
	struct pms_perfdata *file;
	err = (struct pms_error){ 0 };
	assert_int_equal(pms_perfdata_open(path, &file, &err), 0);
	assert_int_equal(pms_perfdata_next(file, &r, &err), 0);
	assert_int_equal(pms_perfdata_stats(file)->records, 0);
	pms_perfdata_close(file);
	unlink(path);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file),
		cmocka_unit_test(a_compressed_file),
		cmocka_unit_test(a_pipe),
		cmocka_unit_test(a_compressed_pipe),
		cmocka_unit_test(what_a_file_says_of_itself),
		cmocka_unit_test(what_a_pipe_says_of_itself),
		cmocka_unit_test(trace_data_in_pieces),
		cmocka_unit_test(what_cannot_be_written),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
