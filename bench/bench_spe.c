/* SPDX-License-Identifier: MIT */
/* bench/bench_spe.c - speed of the Arm SPE decoder on one core, beside reading the bytes alone.
 * Run: build/bench/bench_spe [MIB]. Seven runs each; median, fastest and slowest. The stream has
 * records of a mix of loads, stores, branches and other operations, as a Neoverse core lays them
 * out: 64 bytes each, the rest padding; --dense leaves the padding out, --mixed adds rare shapes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "pmuscope/spe.h"

enum { RUNS = 7, PIECE = 1 << 20, PACKETS = 256 };

struct bench {
	uint8_t *bytes;
	size_t length;
	uint64_t random;
	uint64_t sum; /* of results, so that nothing is optimised away */
	struct pms_spe_batch batch;
	struct pms_spe_packet packets[PACKETS];
};

static uint64_t next_random(struct bench *b)
{
	uint64_t z = b->random += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static uint8_t *put(uint8_t *at, unsigned header, uint64_t payload, unsigned bytes)
{
	*at++ = (uint8_t)header;
	for (unsigned i = 0; i < bytes; i++)
		*at++ = (uint8_t)(payload >> 8 * i);
	return at;
}

/* Shares of operations as in general code: a third loads, a sixth each stores and branches. */
static uint8_t *record(struct bench *b, uint8_t *at, int mixed)
{
	uint64_t r = next_random(b), kind = r % 12;
	uint64_t pc = 0x8000000000400000 + (r >> 8 & 0xffff) * 4;
	int memory = kind < 6, branch = kind == 6 || kind == 7;
	unsigned class_ = memory ? 1 : branch ? 2 : 0;
	at = put(at, 0xb0, pc, 8);
	if (mixed && r >> 40 & 1)
		at = put(at, 0x64, 4242, 4);
	at = put(at, 0x65, 4242, 4);
	at = put(at, 0x48 + class_, kind >= 4 && memory, 1);
	at = put(at, 0x52, 0x12 | (memory ? r >> 24 & 0xfff : 0), 2);
	at = put(at, 0x99, r >> 24 & 0x3f, 2);
	at = put(at, 0x98, 1 + (r >> 32 & 0x3ff), 2);
	if (branch && r >> 60 & 3)
		at = put(at, 0xb1, pc + 64, 8);
	if (memory) {
		at = put(at, 0xb2, 0xffff80000000 + (r >> 16 & 0xffffff8), 8);
		at = put(at, 0x9a, r >> 50 & 7, 2);
	}
	if (kind < 4)
		at = put(at, 0x43, 8 + (r >> 55 & 7), 1);
	return put(at, 0x71, 0x123456789 + r % 1000, 8);
}

static int make(struct bench *b, size_t length, int dense, int mixed)
{
	uint8_t *end, *at;
	b->bytes = calloc(1, length + 256);
	if (!b->bytes)
		return -1;
	at = b->bytes;
	end = at + length;
	while (at < end) {
		uint8_t *last = record(b, at, mixed);
		at = dense ? last : at + 64 * ((size_t)(last - at + 63) / 64);
	}
	b->length = (size_t)(at - b->bytes);
	return 0;
}

static uint64_t read_bytes(struct bench *b)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < b->length; i++) {
		sum += b->bytes[i];
		__asm__ volatile("" : "+r"(sum)); /* a byte at a time, as it says */
	}
	b->sum += sum;
	return b->length;
}

static uint64_t read_words(struct bench *b)
{
	uint64_t sum = 0, word;
	for (size_t i = 0; i + 8 <= b->length; i += 8) {
		memcpy(&word, b->bytes + i, 8);
		sum += word;
	}
	b->sum += sum;
	return b->length / 8;
}

static uint64_t to_packets(struct bench *b)
{
	struct pms_spe_reader reader;
	uint64_t n = 0, sum = 0;
	pms_spe_reader_init(&reader, 0);
	for (size_t at = 0, used; at < b->length; at += used) {
		size_t piece = b->length - at < PIECE ? b->length - at : PIECE;
		size_t got =
			pms_spe_read(&reader, b->bytes + at, piece, &used, b->packets, PACKETS);
		for (size_t i = 0; i < got; i++)
			sum += b->packets[i].payload;
		n += got;
	}
	b->sum += sum;
	return n;
}

static uint64_t to_records(struct bench *b)
{
	struct pms_spe_decoder decoder;
	uint64_t n = 0, sum = 0;
	pms_spe_decoder_init(&decoder, 0);
	for (size_t at = 0, used; at < b->length; at += used) {
		size_t piece = b->length - at < PIECE ? b->length - at : PIECE;
		b->batch.count = 0;
		n += pms_spe_decode(&decoder, b->bytes + at, piece, &used, &b->batch);
		for (size_t i = 0; i < b->batch.count; i++)
			sum += b->batch.pc[i] + b->batch.total[i];
	}
	b->sum += sum;
	pms_spe_decode_end(&decoder);
	return n;
}

static const struct {
	const char *name, *unit;
	uint64_t (*run)(struct bench *b);
} benches[] = {
	{ "read a byte at a time", "bytes", read_bytes },
	{ "read a word at a time", "words", read_words },
	{ "bytes to packets", "packets", to_packets },
	{ "bytes to records", "records", to_records },
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* of the process: others may run beside it */
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void measure(struct bench *b, size_t which)
{
	double seconds[RUNS], mib = (double)b->length / (1 << 20);
	uint64_t n = benches[which].run(b);
	for (unsigned i = 0; i < RUNS; i++) {
		double start = now();
		benches[which].run(b);
		seconds[i] = now() - start;
	}
	qsort(seconds, RUNS, sizeof(seconds[0]), by_value);
	printf("%-24s %8.0f MiB/s (%.0f to %.0f) %8.1f million %s/s\n", benches[which].name,
	       mib / seconds[RUNS / 2], mib / seconds[RUNS - 1], mib / seconds[0],
	       (double)n / seconds[RUNS / 2] * 1e-6, benches[which].unit);
}

int main(int argc, char **argv)
{
	struct bench *b = calloc(1, sizeof(*b));
	size_t mib = 64;
	int dense = 0, mixed = 0;
	struct utsname host;
	for (int i = 1; i < argc; i++) {
		dense |= !strcmp(argv[i], "--dense");
		mixed |= !strcmp(argv[i], "--mixed");
		if (argv[i][0] != '-')
			mib = strtoul(argv[i], NULL, 10);
	}
	if (!b || !mib || make(b, mib << 20, dense, mixed)) {
		fputs("usage: bench_spe [--dense] [--mixed] [MIB]\n", stderr);
		return 2;
	}
	uname(&host);
	printf("%s %s, compiler %s, %zu MiB%s%s, %d runs, processor time: median (slowest to "
	       "fastest)\n",
	       host.sysname, host.machine, __VERSION__, mib, dense ? ", dense" : "",
	       mixed ? ", mixed" : "", RUNS);
	for (size_t i = 0; i < sizeof(benches) / sizeof(benches[0]); i++)
		measure(b, i);
	printf("(%" PRIx64 ")\n", b->sum);
	free(b->bytes);
	free(b);
	return 0;
}
