/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cli.h"
#include "output.h"
#include "spe_options.h"

struct spe_options {
	struct cli_spe_options common;
	int records;
	enum pms_spe_dump_format format;
	const char *output;
};

static int take_format(void *options, const char *command, const char *value)
{
	struct spe_options *o = options;
	if (!strcmp(value, "jsonl"))
		o->format = PMS_SPE_DUMP_JSONL;
	else if (!strcmp(value, "table"))
		o->format = PMS_SPE_DUMP_TABLE;
	else
		return cli_usage(command, "--format %s: neither table nor jsonl", value);
	return -1;
}

static const struct cli_row rows[] = {
	{ "records", 0, 1, CLI_FLAG, offsetof(struct spe_options, records), NULL, 0 },
	{ "format", 0, 1, CLI_VALUE, 0, take_format, 0 },
	{ "output", 'o', 1, CLI_TEXT, offsetof(struct spe_options, output), NULL, 0 },
};

/* Returns -1 to go on, else the exit status. */
static int read_options(struct spe_options *o, int argc, char **argv)
{
	const struct cli_spe_command command = { "spe dump",
						 0,
						 { rows, sizeof(rows) / sizeof(rows[0]), o } };
	int status = cli_spe_options_read(&command, &o->common, argc, argv);
	if (status < 0 && !o->common.file)
		return cli_usage("spe dump", "dump what? A file is missing");
	return status;
}

static int write_text(void *context, const void *text, size_t length)
{
	FILE *stream = context;
	return fwrite(text, 1, length, stream) == length ? 0 : -1;
}

static void print_records(const struct pms_spe_summary *s)
{
	fprintf(stderr, "%" PRIu64 " record%s", s->records, s->records == 1 ? "" : "s");
	if (s->unfinished)
		fprintf(stderr, ", %" PRIu64 " unfinished left out", s->unfinished);
	if (s->damaged)
		fprintf(stderr, ", %" PRIu64 " with undecodable bytes", s->damaged);
	if (s->repeated)
		fprintf(stderr, ", %" PRIu64 " with a packet twice", s->repeated);
	if (s->other)
		fprintf(stderr, ", %" PRIu64 " with packets of other indexes", s->other);
	fputc('\n', stderr);
}

static void print_summary(const struct pms_spe_summary *s)
{
	uint64_t packets = 0;
	for (int i = 0; i < PMS_SPE_TYPES; i++)
		packets += s->packets[i];
	fprintf(stderr, "%" PRIu64 " bytes, %" PRIu64 " packet%s", pms_spe_summary_bytes(s),
		packets, packets == 1 ? "" : "s");
	for (int i = 0, n = 0; i < PMS_SPE_TYPES; i++)
		if (s->packets[i])
			fprintf(stderr, "%s %s %" PRIu64 " (%" PRIu64 " bytes)", n++ ? "," : ":",
				pms_spe_type_name((enum pms_spe_type)i), s->packets[i],
				s->bytes[i]);
	fputc('\n', stderr);
	if (s->implementation_defined || s->reserved_fields)
		fprintf(stderr,
			"of these %" PRIu64 " of an implementation defined index, %" PRIu64
			" of a reserved index, class or subclass\n",
			s->implementation_defined, s->reserved_fields);
}

static int cannot_write(struct pms_error *err)
{
	err->status = PMS_EIO;
	snprintf(err->text, sizeof(err->text), "cannot write: %s", strerror(errno));
	return -PMS_EIO;
}

static struct pms_spe_dump_options dump_options(FILE *stream, const struct spe_options *o)
{
	return (struct pms_spe_dump_options){ .format = o->format,
					      .encoding = o->common.encoding,
					      .write = write_text,
					      .context = stream };
}

/* Close the output. @rc: of the dump. Returns it, or the output's error. */
static int finish(FILE *stream, int rc, struct pms_error *err)
{
	if (!rc && fflush(stream))
		rc = cannot_write(err);
	return rc;
}

/* Refuse a bare buffer without a byte: the recording has most likely failed. */
static int check_bytes(const struct spe_options *o, int bare, const struct pms_spe_summary *summary,
		       int rc, struct pms_error *err)
{
	if (rc || !bare || o->common.raw || pms_spe_summary_bytes(summary))
		return rc;
	err->status = PMS_EPARSE;
	snprintf(err->source, sizeof(err->source), "%s", o->common.file);
	snprintf(err->text, sizeof(err->text), "the file is empty");
	return -PMS_EPARSE;
}

static int dump_packets(FILE *stream, const struct spe_options *o)
{
	const struct pms_spe_dump_options options = dump_options(stream, o);
	struct pms_spe_summary summary = { 0 };
	struct pms_error err = { 0 };
	struct pms_spe_file *file;
	if (pms_spe_file_open(o->common.file, o->common.raw, &file, &err))
		return cli_error(&err);
	struct pms_spe_input input = pms_spe_file_input(file);
	int rc = finish(stream, pms_spe_dump(&input, &options, &summary, &err), &err);
	rc = check_bytes(o, !pms_spe_file_stats(file), &summary, rc, &err);
	print_summary(&summary);
	cli_spe_left_out(pms_spe_file_left_out(file), 0);
	if (pms_spe_file_stats(file))
		cli_spe_losses(pms_spe_file_stats(file));
	pms_spe_file_close(file);
	return rc ? cli_error(&err) : CLI_DONE;
}

/* @damaged: receives the exit status for damage behind the shown records */
static int dump_records(FILE *stream, const struct spe_options *o, int *damaged)
{
	const struct pms_spe_dump_options options = dump_options(stream, o);
	const struct pms_spe_samples_options how = { .raw = o->common.raw,
						     .encoding = options.encoding };
	struct pms_spe_quality quality;
	struct pms_error err = { 0 };
	struct pms_spe_samples *samples;
	if (pms_spe_samples_open(o->common.file, &how, &samples, &err))
		return cli_error(&err);
	int rc = finish(stream, pms_spe_dump_records(samples, &options, &err), &err);
	pms_spe_samples_quality(samples, &quality);
	rc = check_bytes(o, quality.raw, &quality.summary, rc, &err);
	print_summary(&quality.summary);
	print_records(&quality.summary);
	cli_spe_left_out(quality.bytes_left_out, quality.tasks_left_out);
	if (!quality.raw)
		cli_spe_losses(&quality.stats);
	*damaged = rc ? CLI_DONE : cli_spe_damage(&quality);
	pms_spe_samples_close(samples);
	return rc ? cli_error(&err) : CLI_DONE;
}

int cli_spe_dump(int argc, char **argv)
{
	struct spe_options o = { 0 };
	struct cli_output output;
	int damaged = CLI_DONE, status = read_options(&o, argc, argv);
	if (status < 0)
		status = cli_output_open(&output, o.output, stdout);
	else
		return status;
	if (status)
		return status;
	status = o.records ? dump_records(output.stream, &o, &damaged)
			   : dump_packets(output.stream, &o);
	int closed = cli_output_close(&output, !status);
	status = status ? status : closed;
	return status ? status : damaged;
}
