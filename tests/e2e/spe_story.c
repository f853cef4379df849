/* SPDX-License-Identifier: MIT */
/* Writes a perf.data by what standard input tells, a line each, in the file's order:
 *     spe_story [-p] [-z] [-n] [-b] OUT <STORY
 * -p: the form for pipes; -z: compressed; -n: no conversion of times; -b: a header with two cores.
 *
 *     comm TIME PID TID NAME [exec]
 *     fork TIME PARENT PID TID
 *     mmap TIME PID START LENGTH OFFSET PATH [BUILD-ID]
 *     data TIME PID START LENGTH OFFSET PATH   likewise, of a mapping that cannot be executed
 *     switch TIME CPU TID in|out
 *     start TIME CPU PID TID
 *     lost TIME COUNT
 *     load CPU TICKS PC VA CONTEXT|-
 *     aux CPU TIME FLAGS TID          the loads of that CPU since the last one, TID in the trailer
 * Numbers are as strtoull(3) takes them; PID -1 is the kernel. Times are ns, a tick 40 ns from 1000
 * on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmuscope/perfdata.h"

enum { PMU = 9, CPUS = 4, BYTES_MOST = 1 << 20, WORDS_MOST = 8 };

enum { SPE_ID = 100, DUMMY_ID = 200 };

struct buffer {
	uint64_t offset;
	size_t length;
	uint8_t bytes[BYTES_MOST];
};

static struct buffer buffers[CPUS];
static struct pms_perfdata_writer *writer;

static void die(const char *what)
{
	fprintf(stderr, "spe_story: %s\n", what);
	exit(1);
}

static uint64_t number(const char *word)
{
	char *end;
	uint64_t value = strtoull(word, &end, 0);
	if (end == word || *end)
		die(word);
	return value;
}

static int32_t pid(const char *word)
{
	return (int32_t)number(word);
}

static unsigned cpu_of(const char *word)
{
	uint64_t cpu = number(word);
	if (cpu >= CPUS)
		die("too many CPUs");
	return (unsigned)cpu;
}

static void put(const struct pms_perfdata_record *r)
{
	struct pms_error err = { 0 };
	if (pms_perfdata_write(writer, r, &err))
		die(err.text);
}

static struct pms_perfdata_record record(uint32_t type, uint64_t time, unsigned cpu, int32_t tid)
{
	return (struct pms_perfdata_record){
		.type = type,
		.id = { .pid = tid, .tid = tid, .time = time, .cpu = cpu, .id = DUMMY_ID }
	};
}

static void comm(char **w, int n)
{
	int exec = n > 5 && !strcmp(w[5], "exec");
	struct pms_perfdata_record r = record(PMS_PERFDATA_COMM, number(w[1]), 0, pid(w[3]));
	r.misc = exec ? PMS_PERFDATA_MISC_COMM_EXEC : 0;
	r.comm = (struct pms_perfdata_comm){ pid(w[2]), pid(w[3]), exec, w[4] };
	put(&r);
}

static void fork_(char **w, int n)
{
	struct pms_perfdata_record r = record(PMS_PERFDATA_FORK, number(w[1]), 0, pid(w[2]));
	(void)n;
	r.task = (struct pms_perfdata_task){ pid(w[3]), pid(w[2]), pid(w[4]), pid(w[2]),
					     number(w[1]) };
	put(&r);
}

static void mmap_(char **w, int n)
{
	struct pms_perfdata_record r = record(PMS_PERFDATA_MMAP2, number(w[1]), 0, pid(w[2]));
	uint8_t id[20];
	r.misc = pid(w[2]) == -1 ? 1 : 2;
	r.mmap = (struct pms_perfdata_mmap){ .pid = pid(w[2]),
					     .tid = pid(w[2]),
					     .start = number(w[3]),
					     .length = number(w[4]),
					     .file_offset = number(w[5]),
					     .path = w[6],
					     .prot = 5,
					     .flags = 2 };
	if (w[0][0] == 'd') {
		r.misc |= PMS_PERFDATA_MISC_MMAP_DATA;
		r.mmap.prot = 3;
	}
	if (n > 7) {
		size_t size = strlen(w[7]) / 2;
		for (size_t i = 0; i < size && i < sizeof(id); i++) {
			char digits[3] = { w[7][2 * i], w[7][2 * i + 1], 0 };
			id[i] = (uint8_t)strtoul(digits, NULL, 16);
		}
		r.misc |= PMS_PERFDATA_MISC_MMAP_BUILD_ID;
		r.mmap.build_id = id;
		r.mmap.build_id_size = (uint8_t)(size < sizeof(id) ? size : sizeof(id));
	}
	put(&r);
}

static void switch_(char **w, int n)
{
	struct pms_perfdata_record r =
		record(PMS_PERFDATA_SWITCH, number(w[1]), cpu_of(w[2]), pid(w[3]));
	(void)n;
	r.misc = strcmp(w[4], "out") != 0 ? 0 : PMS_PERFDATA_MISC_SWITCH_OUT;
	put(&r);
}

static void start(char **w, int n)
{
	struct pms_perfdata_record r =
		record(PMS_PERFDATA_ITRACE_START, number(w[1]), cpu_of(w[2]), pid(w[4]));
	(void)n;
	r.itrace_start = (struct pms_perfdata_itrace_start){ pid(w[3]), pid(w[4]) };
	put(&r);
}

static void lost(char **w, int n)
{
	struct pms_perfdata_record r = record(PMS_PERFDATA_LOST, number(w[1]), 0, 0);
	(void)n;
	r.lost = (struct pms_perfdata_lost){ DUMMY_ID, number(w[2]) };
	put(&r);
}

static void packet(struct buffer *b, unsigned header, uint64_t payload, unsigned size)
{
	if (b->length + 64 > BYTES_MOST)
		die("too many records");
	b->bytes[b->length++] = (uint8_t)header;
	for (unsigned i = 0; i < size; i++)
		b->bytes[b->length++] = (uint8_t)(payload >> 8 * i);
}

static void load(char **w, int n)
{
	struct buffer *b = &buffers[cpu_of(w[1])];
	uint64_t pc = number(w[3]) & UINT64_C(0x00ffffffffffffff);
	unsigned el = pc >> 55 & 1 ? 2 : 0;
	(void)n;
	packet(b, 0xb0, pc | (uint64_t)el << 61 | (uint64_t)1 << 63, 8);
	if (strcmp(w[5], "-") != 0)
		packet(b, 0x64, number(w[5]), 4);
	packet(b, 0x49, 0, 1);
	packet(b, 0x52, 0x16, 2);
	packet(b, 0x99, 4, 2);
	packet(b, 0x98, 14, 2);
	packet(b, 0xb2, number(w[4]), 8);
	packet(b, 0x43, 8, 1);
	packet(b, 0x71, number(w[2]), 8);
	while (b->length % 64)
		b->bytes[b->length++] = 0;
}

static void aux(char **w, int n)
{
	unsigned cpu = cpu_of(w[1]);
	struct buffer *b = &buffers[cpu];
	struct pms_perfdata_record r = record(PMS_PERFDATA_AUX, number(w[2]), cpu, pid(w[4]));
	(void)n;
	r.id.id = SPE_ID + cpu;
	r.aux = (struct pms_perfdata_aux){ b->offset, b->length, number(w[3]) };
	put(&r);
	r = (struct pms_perfdata_record){ .type = PMS_PERFDATA_AUXTRACE };
	r.auxtrace = (struct pms_perfdata_auxtrace){ .cpu = (int32_t)cpu,
						     .tid = -1,
						     .idx = cpu,
						     .offset = b->offset,
						     .data = b->bytes,
						     .size = b->length };
	put(&r);
	b->offset += b->length;
	b->length = 0;
}

static const struct {
	const char *word;
	int words;
	void (*tell)(char **words, int n);
} lines[] = {
	{ "comm", 5, comm },  { "fork", 5, fork_ },	{ "mmap", 7, mmap_ },
	{ "data", 7, mmap_ }, { "switch", 5, switch_ }, { "start", 5, start },
	{ "lost", 3, lost },  { "load", 6, load },	{ "aux", 5, aux },
};

static void tell(char *line)
{
	char *words[WORDS_MOST + 1], *rest;
	int n = 0;
	for (char *w = strtok_r(line, " \t\n", &rest); w && n < WORDS_MOST;
	     w = strtok_r(NULL, " \t\n", &rest))
		words[n++] = w;
	for (size_t i = 0; n && i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (strcmp(words[0], lines[i].word) != 0)
			continue;
		if (n < lines[i].words)
			die(words[0]);
		lines[i].tell(words, n);
		return;
	}
	if (n && words[0][0] != '#')
		die(words[0]);
}

static void begin(const char *out, int pipe, int compressed, int timeless, int two_cores)
{
	static const struct pms_perfdata_pmu pmus[] = { { PMU, "arm_spe_0" } };
	static const uint64_t one[] = { PMU, 0 };
	/* Version 2, 4 numbers, of 2 CPUs: a Neoverse N1 and one that has no data sources. */
	static const uint64_t two[] = { 2, 4,	       PMU, 2,	  0x1010101010101010, 0,
					3, 0x410fd0c1, PMU, 1024, 0x1010101010101010, 1,
					3, 0x410fd034, PMU, 1024 };
	static const uint64_t ids[] = { SPE_ID, SPE_ID + 1, SPE_ID + 2, SPE_ID + 3, DUMMY_ID };
	const uint64_t type =
		PMS_PERFDATA_IDENTIFIER | PMS_PERFDATA_TID | PMS_PERFDATA_TIME | PMS_PERFDATA_CPU;
	static struct pms_perfdata_event events[2];
	static struct pms_perfdata_info info;
	struct pms_error err = { 0 };
	events[0] = (struct pms_perfdata_event){ .name = "arm_spe_0//",
						 .type = PMU,
						 .config = 1,
						 .sample_period = 1024,
						 .sample_type = type,
						 .flags = PMS_PERFDATA_FLAG_SAMPLE_ID_ALL,
						 .ids = ids,
						 .n_ids = CPUS };
	events[1] = events[0];
	events[1].name = "dummy:u";
	events[1].type = 1;
	events[1].config = 9;
	events[1].ids = &ids[CPUS];
	events[1].n_ids = 1;
	info = (struct pms_perfdata_info){
		.pipe = pipe,
		.compressed = compressed,
		.arch = "aarch64",
		.cpuid = "0x00000000410fd401",
		.events = events,
		.n_events = 2,
		.pmus = pmus,
		.n_pmus = 1,
		.time_conv = { .known = !timeless, .shift = 10, .mult = 40960, .zero = 1000 },
		.auxtrace_type = PMS_PERFDATA_AUXTRACE_ARM_SPE,
		.auxtrace_private = two_cores ? two : one,
		.n_auxtrace_private = two_cores ? 16 : 2,
	};
	if (pms_perfdata_create(out, &info, &writer, &err))
		die(err.text);
}

int main(int argc, char **argv)
{
	int option, pipe = 0, compressed = 0, timeless = 0, two_cores = 0;
	struct pms_error err = { 0 };
	char line[8192];
	while ((option = getopt(argc, argv, "pznb")) != -1) {
		pipe |= option == 'p';
		compressed |= option == 'z';
		timeless |= option == 'n';
		two_cores |= option == 'b';
	}
	if (optind + 1 != argc)
		die("usage: spe_story [-p] [-z] [-n] [-b] OUT <STORY");
	begin(argv[optind], pipe, compressed, timeless, two_cores);
	while (fgets(line, sizeof(line), stdin))
		tell(line);
	if (pms_perfdata_finish(writer, &err))
		die(err.text);
	return 0;
}
