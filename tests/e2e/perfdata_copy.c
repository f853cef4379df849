/* SPDX-License-Identifier: MIT */
/* Reads a perf.data and writes it again, in any form:
 *     perfdata_copy [-p] [-z] IN OUT
 * -p: the form for pipes; -z: compressed. With OUT missing it lists the samples, in perf script's
 * order of fields: tid cpu time period event ip, and after them "mmap" lines. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmuscope/perfdata.h"

static void die(const struct pms_error *err)
{
	fprintf(stderr, "perfdata_copy: %s: %s\n", err->source, err->text);
	exit(1);
}

static int next(struct pms_perfdata *file, struct pms_perfdata_record *record)
{
	struct pms_error err = { 0 };
	int rc = pms_perfdata_next(file, record, &err);
	if (rc < 0)
		die(&err);
	return rc;
}

/* What the file says of itself is known when all of it was read. */
static void read_through(struct pms_perfdata *file)
{
	struct pms_perfdata_record record;
	struct pms_error err = { 0 };
	while (next(file, &record))
		;
	if (pms_perfdata_rewind(file, &err))
		die(&err);
}

static void copy(struct pms_perfdata *file, const char *out, int pipe, int compressed)
{
	struct pms_perfdata_record record;
	struct pms_perfdata_writer *writer;
	struct pms_error err = { 0 };
	read_through(file);
	struct pms_perfdata_info info = *pms_perfdata_info(file);
	info.pipe = pipe;
	info.compressed = compressed;
	if (pms_perfdata_create(out, &info, &writer, &err))
		die(&err);
	while (next(file, &record))
		if (!pms_perfdata_describes(record.type) &&
		    pms_perfdata_write(writer, &record, &err))
			die(&err);
	if (pms_perfdata_finish(writer, &err))
		die(&err);
}

static void list(struct pms_perfdata *file)
{
	struct pms_perfdata_record r;
	const struct pms_perfdata_info *info = pms_perfdata_info(file);
	while (next(file, &r)) {
		const char *event = r.event < 0 ? "?" : info->events[r.event].name;
		if (r.type == PMS_PERFDATA_SAMPLE)
			printf("%d %u %" PRIu64 " %" PRIu64 " %s %" PRIx64 "\n", r.id.tid, r.id.cpu,
			       r.id.time, r.sample.period, event, r.sample.ip);
		else if (r.type == PMS_PERFDATA_MMAP2)
			printf("mmap %d %" PRIx64 " %" PRIx64 " %s\n", r.mmap.pid, r.mmap.start,
			       r.mmap.length, r.mmap.path);
	}
}

int main(int argc, char **argv)
{
	int option, pipe = 0, compressed = 0;
	struct pms_perfdata *file;
	struct pms_error err = { 0 };
	while ((option = getopt(argc, argv, "pz")) != -1) {
		if (option == '?')
			return 2;
		pipe |= option == 'p';
		compressed |= option == 'z';
	}
	if (argc - optind < 1 || argc - optind > 2) {
		fprintf(stderr, "usage: perfdata_copy [-p] [-z] IN [OUT]\n");
		return 2;
	}
	if (pms_perfdata_open(argv[optind], &file, &err))
		die(&err);
	if (argc - optind == 2)
		copy(file, argv[optind + 1], pipe, compressed);
	else
		list(file);
	const struct pms_perfdata_stats *s = pms_perfdata_stats(file);
	if (s->cut || s->malformed || s->unknown || s->unidentified) {
		fprintf(stderr, "perfdata_copy: %s: not all was read\n", argv[optind]);
		return 1;
	}
	pms_perfdata_close(file);
	return 0;
}
