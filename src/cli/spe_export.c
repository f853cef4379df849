/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "output.h"
#include "progress.h"
#include "spe_options.h"

struct options {
	struct pms_spe_export_options export;
	struct cli_spe_options common;
	int ddl, has_format;
	const char *output;
};

/* The state of a running export. */
struct job {
	struct cli_output output;
	struct cli_progress progress;
	int damaged; /* exit status for a file that is damaged behind the exported part */
};

static int take_to(void *options, const char *command, const char *value)
{
	struct options *o = options;
	if (!pms_spe_export_format_find(value, &o->export.format))
		return cli_usage(command, "--to %s: none of csv, jsonl, rowbinary, sqlite", value);
	o->has_format = 1;
	return -1;
}

#define AT(member)   offsetof(struct options, member)
#define TEXT(member) 1, CLI_TEXT, AT(member), NULL, 0
#define FLAG(member) 1, CLI_FLAG, AT(member), NULL, 0

static const struct cli_row rows[] = {
	{ "to", 0, 1, CLI_VALUE, 0, take_to, 0 }, { "ddl", 0, FLAG(ddl) },
	{ "columns", 0, TEXT(export.columns) },	  { "symbols", 0, FLAG(export.symbols) },
	{ "symfs", 0, TEXT(export.symfs) },	  { "filter", 0, TEXT(export.filter) },
	{ "null", 0, TEXT(export.null_text) },	  { "output", 'o', TEXT(output) },
};

/* Check the options against each other. Returns -1 to go on, else the exit status. */
static int check_options(struct options *o)
{
	struct pms_error err = { 0 };
	if (pms_spe_export_check(&o->export, &err))
		return cli_error(&err);
	if (o->export.columns && o->export.symbols)
		return cli_usage("spe export", "--symbols adds columns to all others: "
					       "with --columns, name them there");
	if (o->ddl)
		return o->common.file ? cli_usage("spe export", "--ddl reads no file") : -1;
	if (!o->common.file)
		return cli_usage("spe export", "export what? A file is missing");
	if (!o->has_format)
		return cli_usage("spe export", "--to csv, jsonl, rowbinary or sqlite is missing");
	if (o->export.null_text && o->export.format != PMS_SPE_EXPORT_CSV)
		return cli_usage("spe export", "--null is of --to csv alone: other formats have "
					       "their own way");
	if (o->export.format == PMS_SPE_EXPORT_SQLITE && !o->output)
		return cli_usage("spe export", "--to sqlite needs -o FILE");
	return -1;
}

/* Returns -1 to go on, else the exit status. */
static int read_options(struct options *o, int argc, char **argv)
{
	const struct cli_spe_command command = { "spe export",
						 1,
						 { rows, sizeof(rows) / sizeof(rows[0]), o } };
	int status = cli_spe_options_read(&command, &o->common, argc, argv);
	if (status >= 0)
		return status;
	o->export.path = o->common.file;
	o->export.raw = o->common.raw;
	o->export.pick = o->common.pick;
	o->export.encoding = o->common.encoding;
	return check_options(o);
}

/* Running -------------------------------------------------------------------------------------- */

static int write_bytes(void *context, const void *bytes, size_t length)
{
	struct job *job = context;
	return cli_output_write(&job->output, bytes, length);
}

static int show_progress(void *context, uint64_t done, uint64_t total)
{
	struct job *job = context;
	cli_progress_show(&job->progress, done, total);
	return 0;
}

/* Give the reason for a failed write, which the library does not know. */
static void say_why(const struct job *job, struct pms_error *err)
{
	if (!job->output.error)
		return;
	err->status = PMS_EIO;
	err->source[0] = 0;
	snprintf(err->text, sizeof(err->text), "cannot write: %s", strerror(job->output.error));
}

/* Say why rows have no function or line, where symbols were wanted. */
static void print_files(const struct pms_spe_export_counts *counts)
{
	static const char *const texts[PMS_SYMBOLS_STATES] = {
		[PMS_SYMBOLS_NAMES] = "without debug information: they have no lines",
		[PMS_SYMBOLS_BARE] = "without names of functions",
		[PMS_SYMBOLS_MISSING] = "not found here; --symfs DIR looks below DIR",
		[PMS_SYMBOLS_MISMATCH] = "of another build than the one that ran: not used",
		[PMS_SYMBOLS_DAMAGED] = "not readable as ELF",
		[PMS_SYMBOLS_PART] = "without some lines: their tables take more than 40 MiB and 3 "
				     "times the file",
	};
	for (unsigned i = 0; i < PMS_SYMBOLS_STATES; i++)
		if (texts[i] && counts->files[i])
			fprintf(stderr, "%" PRIu64 " record%s of files %s\n", counts->files[i],
				counts->files[i] == 1 ? "" : "s", texts[i]);
}

static void print_counts(const struct pms_spe_export_counts *counts,
			 const struct pms_spe_quality *quality)
{
	fprintf(stderr, "%" PRIu64 " record%s exported", counts->written,
		counts->written == 1 ? "" : "s");
	if (counts->dropped)
		fprintf(stderr, ", %" PRIu64 " left out by the filter", counts->dropped);
	if (quality->summary.unfinished)
		fprintf(stderr, ", %" PRIu64 " unfinished left out", quality->summary.unfinished);
	if (quality->undecodable)
		fprintf(stderr, ", %" PRIu64 " bytes not decodable", quality->undecodable);
	fputc('\n', stderr);
	cli_spe_left_out(quality->bytes_left_out, quality->tasks_left_out);
	if (!quality->raw)
		cli_spe_losses(&quality->stats);
	print_files(counts);
}

/* Export the samples, then report counts and damage, since both are known only at the end. */
static int run(struct job *job, struct options *o)
{
	struct pms_spe_export_counts counts = { 0 };
	struct pms_spe_quality quality;
	struct pms_error err = { 0 };
	struct pms_spe_samples *samples;
	struct pms_spe_samples_options open = { .raw = o->common.raw,
						.encoding = o->export.encoding,
						.progress = show_progress,
						.context = job };
	if (pms_spe_samples_open(o->common.file, &open, &samples, &err))
		return cli_error(&err);
	int rc = pms_spe_export(samples, &o->export, &counts, &err);
	if (!rc && o->export.format != PMS_SPE_EXPORT_SQLITE && cli_output_flush(&job->output))
		rc = -PMS_EIO;
	cli_progress_end(&job->progress);
	pms_spe_samples_quality(samples, &quality);
	if (!rc && !o->common.raw)
		rc = pms_spe_quality_check(&quality, o->common.file, &err);
	if (!rc) {
		print_counts(&counts, &quality);
		job->damaged = cli_spe_damage(&quality);
	} else {
		say_why(job, &err);
	}
	pms_spe_samples_close(samples);
	return rc ? cli_error(&err) : CLI_DONE;
}

static int print_ddl(struct job *job, const struct options *o)
{
	struct pms_error err = { 0 };
	int rc = pms_spe_export_ddl(&o->export, &err);
	if (!rc && cli_output_flush(&job->output))
		rc = -PMS_EIO;
	if (rc)
		say_why(job, &err);
	return rc ? cli_error(&err) : CLI_DONE;
}

static int run_job(struct job *job, struct options *o)
{
	int terminal = isatty(fileno(job->output.stream));
	if (o->ddl)
		return print_ddl(job, o);
	if (terminal && o->export.format == PMS_SPE_EXPORT_ROWBINARY)
		return cli_usage("spe export", "--to rowbinary is not for terminals: "
					       "add -o FILE, or pipe it on");
	o->export.terminal = terminal;
	cli_progress_begin(&job->progress, "exporting", terminal);
	return run(job, o);
}

/* Write a database. Only the user may read the file, like a session: it says what programs did. */
static int run_database(struct job *job, struct options *o)
{
	char path[PATH_MAX];
	int status = cli_output_open_named(&job->output, o->output);
	if (status)
		return status;
	snprintf(path, sizeof(path), "/proc/self/fd/%d/%s", job->output.place.folder,
		 job->output.temporary);
	o->export.database = path;
	status = run_job(job, o);
	o->export.database = NULL;
	int closed = cli_output_close(&job->output, !status);
	status = status ? status : closed;
	return status ? status : job->damaged;
}

int cli_spe_export(int argc, char **argv)
{
	struct job job = { .damaged = 0 };
	struct options o = { .export = { .write = write_bytes, .context = &job } };
	int status = read_options(&o, argc, argv);
	if (status >= 0)
		return status;
	if (o.export.format == PMS_SPE_EXPORT_SQLITE && !o.ddl)
		return run_database(&job, &o);
	status = cli_output_open(&job.output, o.output, stdout);
	if (status)
		return status;
	status = run_job(&job, &o);
	int closed = cli_output_close(&job.output, !status);
	status = status ? status : closed;
	return status ? status : job.damaged;
}
