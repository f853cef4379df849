/* SPDX-License-Identifier: MIT */
/* bench/spe_perfdata.c - the stream that bench_spe --write makes, in a perf.data as perf record
 * would have written it: one CPU's buffer, fetched 4 MiB at a time, of a program that is mapped.
 *     spe_perfdata OUT STREAM PROGRAM START LENGTH OFFSET
 * START, LENGTH and OFFSET say how PROGRAM's code is mapped: address, bytes, offset in the file. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../tests/e2e/spe_head.h"

enum { PID = 4242, ID = 100, PIECE = 4 << 20 };
enum { START = 1000000000 }; /* ns: before the stream's first record, after the clock's zero */

static struct pms_perfdata_record record(uint32_t type, uint64_t time)
{
	return (struct pms_perfdata_record){
		.type = type,
		.id = { .pid = PID, .tid = PID, .time = START + time, .cpu = 0, .id = ID },
	};
}

/* Write the records that tell perf which program runs and where its code is mapped. */
static void put_program(struct pms_perfdata_writer *w, char **words)
{
	struct pms_perfdata_record r = record(PMS_PERFDATA_COMM, 10);
	r.misc = PMS_PERFDATA_MISC_COMM_EXEC;
	r.comm = (struct pms_perfdata_comm){ PID, PID, 1, "sample" };
	put(w, &r);
	r = record(PMS_PERFDATA_MMAP2, 11);
	r.misc = 2;
	r.mmap = (struct pms_perfdata_mmap){ .pid = PID,
					     .tid = PID,
					     .start = strtoull(words[1], NULL, 0),
					     .length = strtoull(words[2], NULL, 0),
					     .file_offset = strtoull(words[3], NULL, 0),
					     .path = words[0],
					     .prot = 5,
					     .flags = 2 };
	put(w, &r);
	r = record(PMS_PERFDATA_ITRACE_START, 12);
	r.itrace_start = (struct pms_perfdata_itrace_start){ PID, PID };
	put(w, &r);
}

/* Write the stream in pieces, as the kernel hands out its buffer. */
static void put_stream(struct pms_perfdata_writer *w, const uint8_t *bytes, size_t length)
{
	for (size_t at = 0; at < length; at += PIECE) {
		size_t size = length - at < PIECE ? length - at : PIECE;
		struct pms_perfdata_record r = record(PMS_PERFDATA_AUX, 20 + at);
		r.aux = (struct pms_perfdata_aux){ at, size, 0 };
		put(w, &r);
		r = (struct pms_perfdata_record){ .type = PMS_PERFDATA_AUXTRACE };
		r.auxtrace = (struct pms_perfdata_auxtrace){ .cpu = 0,
							     .tid = -1,
							     .idx = 0,
							     .reference = 1 + at,
							     .offset = at,
							     .data = bytes + at,
							     .size = size };
		put(w, &r);
	}
	struct pms_perfdata_record end = { .type = PMS_PERFDATA_FINISHED_ROUND };
	put(w, &end);
}

static void write_file(const char *out, char **program, const uint8_t *bytes, size_t length)
{
	static const uint64_t id = ID;
	const struct pms_perfdata_id_entry index = { ID, 0, 0, -1 };
	struct spe_head head;
	struct pms_error err = { 0 };
	struct pms_perfdata_writer *w;
	spe_head_init(&head, &id, &index, 1, 1);
	head.info.cpus_available = head.info.cpus_online = 1;
	if (pms_perfdata_create(out, &head.info, &w, &err))
		die(&err);
	put_program(w, program);
	put_stream(w, bytes, length);
	if (pms_perfdata_finish(w, &err))
		die(&err);
}

int main(int argc, char **argv)
{
	struct stat stat;
	if (argc != 7) {
		fputs("usage: spe_perfdata OUT STREAM PROGRAM START LENGTH OFFSET\n", stderr);
		return 2;
	}
	int fd = open(argv[2], O_RDONLY);
	if (fd < 0 || fstat(fd, &stat)) {
		perror(argv[2]);
		return 1;
	}
	size_t length = (size_t)stat.st_size;
	void *bytes = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED) {
		perror(argv[2]);
		return 1;
	}
	write_file(argv[1], argv + 3, bytes, length);
	return 0;
}
