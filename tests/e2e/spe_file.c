/* SPDX-License-Identifier: MIT */
/* Writes a perf.data as perf record -e arm_spe_0// does on an Arm machine, around bare SPE buffers:
 *     spe_file [-w] [-p] [-z] [-t] [-k] [-m PROGRAM] OUT RAW...
 * Each RAW becomes the buffer of a CPU, 0 and so on, in two pieces with an AUX record each; with -w
 * in one.
 * -p: the form for pipes; -z: compressed records; -t: buffers of threads instead of CPUs;
 * -k: finish nothing, as if perf record had been killed; -m: what is mapped at 0x400000 is PROGRAM
 * from its second page on, of no build id, instead of a file that is not there.
 * It is tests' alone: what is fixed here is fixed so that their outcome is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "spe_head.h"

enum { PID = 1000, FILES_MAX = 8, FIRST_ID = 100 };

struct options {
	int whole, pipe, compressed, threads, killed;
	const char *program; /* NULL: one that is not there */
};

static uint8_t *slurp(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	if (!file || fseek(file, 0, SEEK_END)) {
		perror(path);
		exit(1);
	}
	*size = (size_t)ftell(file);
	rewind(file);
	uint8_t *bytes = malloc(*size + 1);
	if (!bytes || fread(bytes, 1, *size, file) != *size) {
		perror(path);
		exit(1);
	}
	fclose(file);
	return bytes;
}

/* Trailers name the event of the buffer's CPU. */
static struct pms_perfdata_record record(uint32_t type, size_t cpu, uint64_t time)
{
	return (struct pms_perfdata_record){
		.type = type,
		.id = { .pid = PID,
			.tid = PID + (int32_t)cpu,
			.time = time,
			.cpu = (uint32_t)cpu,
			.id = FIRST_ID + cpu },
	};
}

static void put_program(struct pms_perfdata_writer *w, const char *program)
{
	struct pms_perfdata_record r = record(PMS_PERFDATA_COMM, 0, 10);
	r.misc = PMS_PERFDATA_MISC_COMM_EXEC;
	const char *name = getenv("SPE_COMM"); /* of the process */
	r.comm = (struct pms_perfdata_comm){ PID, PID, 1, name ? name : "sample" };
	put(w, &r);
	r = record(PMS_PERFDATA_MMAP2, 0, 11);
	r.misc = 2;
	r.mmap = (struct pms_perfdata_mmap){ .pid = PID,
					     .tid = PID,
					     .start = 0x400000,
					     .length = 0x10000,
					     .file_offset = program ? 0x1000 : 0,
					     .path = program ? program : "/nonexistent/sample",
					     .major = 8,
					     .minor = 1,
					     .inode = 77,
					     .prot = 5,
					     .flags = 2 };
	put(w, &r);
}

static void put_start(struct pms_perfdata_writer *w, size_t cpu)
{
	struct pms_perfdata_record r = record(PMS_PERFDATA_ITRACE_START, cpu, 12);
	r.itrace_start = (struct pms_perfdata_itrace_start){ PID, PID + (int32_t)cpu };
	put(w, &r);
}

static void put_piece(struct pms_perfdata_writer *w, size_t cpu, int threads, const uint8_t *bytes,
		      uint64_t from, size_t size)
{
	struct pms_perfdata_record r = record(PMS_PERFDATA_AUX, cpu, 20 + from);
	r.aux = (struct pms_perfdata_aux){ from, size, from ? PMS_PERFDATA_AUX_COLLISION : 0 };
	put(w, &r);
	r = (struct pms_perfdata_record){ .type = PMS_PERFDATA_AUXTRACE };
	r.auxtrace = (struct pms_perfdata_auxtrace){ .cpu = threads ? -1 : (int32_t)cpu,
						     .tid = threads ? PID + (int32_t)cpu : -1,
						     .idx = (uint32_t)cpu,
						     .reference = 0x1234,
						     .offset = from,
						     .data = bytes + from,
						     .size = size };
	put(w, &r);
}

static void put_buffers(struct pms_perfdata_writer *w, const struct options *o, char **paths,
			size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t size, half;
		uint8_t *bytes = slurp(paths[i], &size);
		half = o->whole ? 0 : size / 2 / 8 * 8; /* anywhere, inside of a packet too */
		put_start(w, i);
		if (half)
			put_piece(w, i, o->threads, bytes, 0, half);
		put_piece(w, i, o->threads, bytes, half, size - half);
		free(bytes);
	}
	struct pms_perfdata_record end = { .type = PMS_PERFDATA_FINISHED_ROUND };
	put(w, &end);
}

static void write_file(const char *out, const struct options *o, char **paths, size_t count)
{
	static const struct pms_perfdata_build_id build_id = {
		-1, 2, "/nonexistent/sample", { 0xab, 0xcd }, 20
	};
	uint64_t ids[FILES_MAX];
	struct pms_perfdata_id_entry index[FILES_MAX];
	struct spe_head head;
	for (size_t i = 0; i < count; i++) {
		ids[i] = FIRST_ID + i;
		index[i] = (struct pms_perfdata_id_entry){ ids[i], i, o->threads ? -1 : (int64_t)i,
							   o->threads ? PID + (int64_t)i : -1 };
	}
	spe_head_init(&head, ids, index, count, !o->threads);
	head.info.pipe = o->pipe;
	head.info.compressed = o->compressed;
	head.info.build_ids = &build_id;
	head.info.n_build_ids = o->program ? 0 : 1;
	struct pms_error err = { 0 };
	struct pms_perfdata_writer *w;
	if (pms_perfdata_create(out, &head.info, &w, &err))
		die(&err);
	put_program(w, o->program);
	put_buffers(w, o, paths, count);
	if (pms_perfdata_finish(w, &err))
		die(&err);
}

/* What a killed perf record leaves: no size of the data, no sections after it. */
static void unfinish(const char *path)
{
	static const uint8_t zeros[8];
	FILE *file = fopen(path, "r+b");
	uint8_t header[104];
	uint64_t end = 0;
	if (!file || fread(header, 1, sizeof(header), file) != sizeof(header)) {
		perror(path);
		exit(1);
	}
	for (size_t i = 8; i > 0; i--) /* the data's offset and size */
		end = end << 8 | header[40 + i - 1];
	uint64_t size = 0;
	for (size_t i = 8; i > 0; i--)
		size = size << 8 | header[48 + i - 1];
	if (fseek(file, 48, SEEK_SET) || fwrite(zeros, 1, 8, file) != 8 || fflush(file) ||
	    ftruncate(fileno(file), (off_t)(end + size))) {
		perror(path);
		exit(1);
	}
	fclose(file);
}

int main(int argc, char **argv)
{
	struct options o = { 0 };
	int option;
	while ((option = getopt(argc, argv, "wpztkm:")) != -1) {
		o.whole |= option == 'w';
		o.pipe |= option == 'p';
		o.compressed |= option == 'z';
		o.threads |= option == 't';
		o.killed |= option == 'k';
		o.program = option == 'm' ? optarg : o.program;
		if (option == '?')
			return 2;
	}
	if (argc - optind < 2 || argc - optind - 1 > FILES_MAX) {
		fprintf(stderr,
			"usage: spe_file [-w] [-p] [-z] [-t] [-k] [-m PROGRAM] OUT RAW...\n");
		return 2;
	}
	write_file(argv[optind], &o, argv + optind + 1, (size_t)(argc - optind - 1));
	if (o.killed)
		unfinish(argv[optind]);
	return 0;
}
