/* SPDX-License-Identifier: MIT */
/* bench/bench_spe.c - speed of the Arm SPE decoder on one core, beside reading the bytes alone and,
 * where there is a library made of it, beside Linux perf's (see bench/spe.py, which runs this).
 *     bench_spe [--tail | --dense] [--mixed | --varied | --shapes N] [--perf LIBRARY] [MIB]
 *     bench_spe --write FILE [--tail | --dense] [--mixed | --varied | --shapes N]
 *               [--text ADDRESS,SIZE] [MIB]
 * Each round runs all of them in turn, so that a disturbance hits all alike. Times are processor
 * time of the thread; ratios are medians over the rounds. */
#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "perf_decoder.h"
#include "pmuscope/spe.h"
#include "spe_stream.h"

enum { AIM_OF_SHAPES = 2 }; /* goal, in times as fast, for any number of shapes */
enum { ROUNDS = 9, PIECE = 1 << 20, PACKETS = 256, THREADS = 2 };

typedef uint64_t perf_loop(const uint8_t *bytes, size_t length, uint64_t *sum);

struct bench {
	struct spe_stream stream;
	perf_loop *perf_packets, *perf_records; /* NULL: no library */
	const char *write;
};

/* The result of one run over some bytes. */
struct result {
	uint64_t n, sum; /* the sum is compared, and keeps the compiler from dropping the work */
};

/* Stop when two ways of reading disagree: their times would mean nothing. */
static void must(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "bench_spe: %s\n", what);
	exit(1);
}

static struct result read_bytes(const struct bench *b, const uint8_t *bytes, size_t length)
{
	struct result r = { length, 0 };
	(void)b;
	for (size_t i = 0; i < length; i++) {
		r.sum += bytes[i];
		__asm__ volatile("" : "+r"(r.sum)); /* a byte at a time, as it says */
	}
	return r;
}

static struct result read_words(const struct bench *b, const uint8_t *bytes, size_t length)
{
	struct result r = { length / 8, 0 };
	uint64_t word;
	(void)b;
	for (size_t i = 0; i + 8 <= length; i += 8) {
		memcpy(&word, bytes + i, 8);
		r.sum += word;
	}
	return r;
}

static struct result to_packets(const struct bench *b, const uint8_t *bytes, size_t length)
{
	struct pms_spe_reader *reader = pms_spe_reader_new(0);
	struct pms_spe_packet packets[PACKETS];
	struct result r = { 0, 0 };
	(void)b;
	must(reader != NULL, "out of memory");
	for (size_t at = 0, used; at < length; at += used) {
		size_t piece = length - at < PIECE ? length - at : PIECE;
		size_t got = pms_spe_read(reader, bytes + at, piece, &used, packets, PACKETS);
		for (size_t i = 0; i < got; i++) {
			r.n += packets[i].type != PMS_SPE_PADDING;
			r.sum += packets[i].payload;
		}
	}
	pms_spe_reader_free(reader);
	return r;
}

static struct result to_records(const struct bench *b, const uint8_t *bytes, size_t length)
{
	struct pms_spe_decoder *decoder = pms_spe_decoder_new(0);
	struct pms_spe_batch batch;
	struct result r = { 0, 0 };
	(void)b;
	must(decoder != NULL, "out of memory");
	for (size_t at = 0, used; at < length; at += used) {
		size_t piece = length - at < PIECE ? length - at : PIECE;
		batch.count = 0;
		r.n += pms_spe_decode(decoder, bytes + at, piece, &used, &batch);
		for (size_t i = 0; i < batch.count; i++)
			r.sum += pms_spe_addr(batch.pc[i]) + batch.total[i];
	}
	pms_spe_decode_end(decoder);
	pms_spe_decoder_free(decoder);
	return r;
}

static struct result perf_packets(const struct bench *b, const uint8_t *bytes, size_t length)
{
	struct result r = { 0, 0 };
	r.n = b->perf_packets(bytes, length, &r.sum);
	return r;
}

static struct result perf_records(const struct bench *b, const uint8_t *bytes, size_t length)
{
	struct result r = { 0, 0 };
	r.n = b->perf_records(bytes, length, &r.sum);
	return r;
}

enum which { BYTES, WORDS, PERF_PACKETS, TO_PACKETS, PERF_RECORDS, TO_RECORDS, BENCHES };

static const struct {
	const char *name, *unit;
	struct result (*run)(const struct bench *b, const uint8_t *bytes, size_t length);
	enum which beside; /* itself: no comparison */
	double aim;
} benches[BENCHES] = {
	[BYTES] = { "read a byte at a time", "bytes", read_bytes, BYTES, 0 },
	[WORDS] = { "read a word at a time", "words", read_words, WORDS, 0 },
	[PERF_PACKETS] = { "perf's arm_spe_get_packet", "packets", perf_packets, PERF_PACKETS, 0 },
	[TO_PACKETS] = { "bytes to packets", "packets", to_packets, PERF_PACKETS, 2.5 },
	[PERF_RECORDS] = { "perf's arm_spe_decode", "records", perf_records, PERF_RECORDS, 0 },
	[TO_RECORDS] = { "bytes to records", "records", to_records, PERF_RECORDS, 3 },
};

static double now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Seconds of all rounds. */
struct times {
	double seconds[BENCHES][ROUNDS];
	double threads_cpu[ROUNDS], threads_wall[ROUNDS], one_wall[ROUNDS];
	struct result result[BENCHES];
};

static int can(const struct bench *b, enum which which)
{
	return b->perf_packets || (which != PERF_PACKETS && which != PERF_RECORDS);
}

/* Two threads, each with a decoder of its own and half of the stream. */
struct half {
	const struct bench *bench;
	const uint8_t *bytes;
	size_t length;
	struct result result;
	double cpu;
};

static void *run_half(void *context)
{
	struct half *half = context;
	double start = now(CLOCK_THREAD_CPUTIME_ID);
	half->result = to_records(half->bench, half->bytes, half->length);
	half->cpu = now(CLOCK_THREAD_CPUTIME_ID) - start;
	return NULL;
}

/* Find the start of a record near the stream's middle. */
static size_t middle(const struct spe_stream *s)
{
	struct pms_spe_decoder *decoder = pms_spe_decoder_new(0);
	struct pms_spe_batch batch = { 0 };
	size_t used, from = 0;
	must(decoder != NULL, "out of memory");
	if (s->layout == SPE_LAYOUT_PLACES)
		from = s->length / 2 / SPE_RECORD * SPE_RECORD;
	while (from < s->length / 2) {
		batch.count = 0;
		pms_spe_decode(decoder, s->bytes + from, s->length - from, &used, &batch);
		from += used;
	}
	pms_spe_decoder_free(decoder);
	return from;
}

static void measure_threads(const struct bench *b, struct times *t, unsigned round)
{
	size_t cut = middle(&b->stream);
	struct half halves[THREADS] = {
		{ b, b->stream.bytes, cut, { 0, 0 }, 0 },
		{ b, b->stream.bytes + cut, b->stream.length - cut, { 0, 0 }, 0 },
	};
	pthread_t other;
	double start = now(CLOCK_MONOTONIC);
	must(!pthread_create(&other, NULL, run_half, &halves[1]), "no thread");
	run_half(&halves[0]);
	pthread_join(other, NULL);
	t->threads_wall[round] = now(CLOCK_MONOTONIC) - start;
	t->threads_cpu[round] = halves[0].cpu > halves[1].cpu ? halves[0].cpu : halves[1].cpu;
	must(halves[0].result.n + halves[1].result.n == t->result[TO_RECORDS].n &&
		     halves[0].result.sum + halves[1].result.sum == t->result[TO_RECORDS].sum,
	     "two threads found other records than one");
}

static void measure_round(const struct bench *b, struct times *t, unsigned round)
{
	for (unsigned i = 0; i < BENCHES; i++) {
		if (!can(b, (enum which)i))
			continue;
		double start = now(CLOCK_THREAD_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
		t->result[i] = benches[i].run(b, b->stream.bytes, b->stream.length);
		t->seconds[i][round] = now(CLOCK_THREAD_CPUTIME_ID) - start;
		if (i == TO_RECORDS)
			t->one_wall[round] = now(CLOCK_MONOTONIC) - wall;
	}
	measure_threads(b, t, round);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void sorted(const double *values, double *out)
{
	memcpy(out, values, ROUNDS * sizeof(*out));
	qsort(out, ROUNDS, sizeof(*out), by_value);
}

/* Median over rounds of a divided by b. */
static double ratio(const double *a, const double *b)
{
	double ratios[ROUNDS];
	for (unsigned i = 0; i < ROUNDS; i++)
		ratios[i] = a[i] / b[i];
	qsort(ratios, ROUNDS, sizeof(ratios[0]), by_value);
	return ratios[ROUNDS / 2];
}

static void print_aim(double times, double aim, const char *beside)
{
	printf("  %.2f times %s, aim %.1f: %s", times, beside, aim,
	       times >= aim ? "met" : "missed");
}

static void print_bench(const struct bench *b, const struct times *t, unsigned i)
{
	double seconds[ROUNDS], mb = (double)b->stream.length * 1e-6;
	unsigned beside = benches[i].beside;
	sorted(t->seconds[i], seconds);
	printf("%-26s %6.0f MB/s (%.0f to %.0f)", benches[i].name, mb / seconds[ROUNDS / 2],
	       mb / seconds[ROUNDS - 1], mb / seconds[0]);
	if (beside != i && can(b, (enum which)beside))
		print_aim(ratio(t->seconds[beside], t->seconds[i]),
			  b->stream.shapes ? AIM_OF_SHAPES : benches[i].aim, "perf's");
	putchar('\n');
}

static void print_threads(const struct bench *b, const struct times *t)
{
	double seconds[ROUNDS], mb = (double)b->stream.length * 1e-6;
	sorted(t->threads_cpu, seconds);
	printf("%-26s %6.0f MB/s (%.0f to %.0f)", "records, two threads", mb / seconds[ROUNDS / 2],
	       mb / seconds[ROUNDS - 1], mb / seconds[0]);
	print_aim(ratio(t->seconds[TO_RECORDS], t->threads_cpu), 1.8, "one");
	printf("; by the clock %.2f\n", ratio(t->one_wall, t->threads_wall));
}

/* Check that perf's loops and ours read the same. */
static void check(const struct bench *b, const struct times *t)
{
	if (!b->perf_packets)
		return;
	must(t->result[PERF_PACKETS].n == t->result[TO_PACKETS].n &&
		     t->result[PERF_PACKETS].sum == t->result[TO_PACKETS].sum,
	     "perf reads other packets");
	must(t->result[PERF_RECORDS].n == t->result[TO_RECORDS].n &&
		     t->result[PERF_RECORDS].sum == t->result[TO_RECORDS].sum,
	     "perf reads other records");
}

/* Run all rounds and print the speeds and ratios with what they were measured on. */
static int measure(const struct bench *b)
{
	struct times *t = calloc(1, sizeof(*t));
	struct utsname host;
	char shapes[32];
	if (!t)
		return 1;
	uname(&host);
	static const char *const layouts[] = { "", ", padding at the end", ", no padding" };
	if (b->stream.shapes)
		snprintf(shapes, sizeof(shapes), ", %u shapes", b->stream.shapes);
	printf("%s %s, compiler %s; %.0f MiB%s%s; %d rounds, processor time: median (slowest to "
	       "fastest)\n",
	       host.sysname, host.machine, __VERSION__, (double)b->stream.length / (1 << 20),
	       layouts[b->stream.layout],
	       b->stream.shapes	  ? shapes
	       : b->stream.varied ? ", varied"
	       : b->stream.mixed  ? ", mixed"
				  : "",
	       ROUNDS);
	measure_round(b, t, 0); /* to warm up */
	check(b, t);
	for (unsigned round = 0; round < ROUNDS; round++)
		measure_round(b, t, round);
	for (unsigned i = 0; i < BENCHES; i++)
		if (can(b, (enum which)i))
			print_bench(b, t, i);
	print_threads(b, t);
	printf("%" PRIu64 " records, %" PRIu64 " packets without padding (%" PRIx64 ")\n",
	       t->result[TO_RECORDS].n, t->result[TO_PACKETS].n,
	       t->result[BYTES].sum + t->result[WORDS].sum);
	free(t);
	return 0;
}

static int load(struct bench *b, const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	void *packets = library ? dlsym(library, "perf_decoder_packets") : NULL;
	void *records = library ? dlsym(library, "perf_decoder_records") : NULL;
	if (!packets || !records) {
		fprintf(stderr, "bench_spe: %s\n", dlerror());
		return -1;
	}
	memcpy(&b->perf_packets, &packets, sizeof(packets));
	memcpy(&b->perf_records, &records, sizeof(records));
	return 0;
}

static int write_stream(const struct bench *b)
{
	FILE *file = fopen(b->write, "wb");
	if (!file || fwrite(b->stream.bytes, 1, b->stream.length, file) != b->stream.length ||
	    fclose(file)) {
		perror(b->write);
		return 1;
	}
	return 0;
}

/* Returns MIB, or 0 when the words make no sense. */
static size_t arguments(struct bench *b, int argc, char **argv)
{
	size_t mib = 64;
	for (int i = 1; i < argc; i++) {
		char *end = argv[i];
		if (!strcmp(argv[i], "--dense"))
			b->stream.layout = SPE_LAYOUT_DENSE;
		else if (!strcmp(argv[i], "--tail"))
			b->stream.layout = SPE_LAYOUT_TAIL;
		else if (!strcmp(argv[i], "--varied"))
			b->stream.varied = 1;
		else if (!strcmp(argv[i], "--mixed"))
			b->stream.mixed = 1;
		else if (!strcmp(argv[i], "--shapes") && i + 1 < argc &&
			 sscanf(argv[i + 1], "%u", &b->stream.shapes) == 1 &&
			 b->stream.shapes <= SPE_SHAPES_MOST)
			i++;
		else if (!strcmp(argv[i], "--write") && i + 1 < argc)
			b->write = argv[++i];
		else if (!strcmp(argv[i], "--perf") && i + 1 < argc && !load(b, argv[i + 1]))
			i++;
		else if (!strcmp(argv[i], "--text") && i + 1 < argc &&
			 sscanf(argv[i + 1], "%" SCNx64 ",%" SCNx64, &b->stream.text,
				&b->stream.text_size) == 2)
			i++;
		else if (!(mib = strtoul(argv[i], &end, 10)) || *end)
			return 0;
	}
	return mib;
}

int main(int argc, char **argv)
{
	struct bench b = { .stream = { .text = 0x400000, .text_size = 0x40000 } };
	size_t mib = arguments(&b, argc, argv);
	if (!mib || spe_stream_make(&b.stream, mib << 20)) {
		fputs("usage: bench_spe [--tail | --dense] [--mixed | --varied | --shapes N]\n"
		      "                 [--perf LIBRARY] [MIB]\n"
		      "       bench_spe --write FILE [--tail | --dense]\n"
		      "                 [--mixed | --varied | --shapes N] [--text ADDRESS,SIZE] "
		      "[MIB]\n",
		      stderr);
		return 2;
	}
	int status = b.write ? write_stream(&b) : measure(&b);
	free(b.stream.bytes);
	return status;
}
