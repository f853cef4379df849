/* SPDX-License-Identifier: MIT */
#include "input.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "catalog.h"

static int fail(const char *name, enum pms_status status, const char *text, const char *hint)
{
	struct pms_error err = { .status = status };
	snprintf(err.source, sizeof(err.source), "%s", name);
	snprintf(err.text, sizeof(err.text), "%s", text);
	snprintf(err.hint, sizeof(err.hint), "%s", hint);
	return cli_error(&err);
}

static int no_cpu(const char *name)
{
	char hint[512];
	struct pms_names cpus = { 0 };
	int n = snprintf(hint, sizeof(hint), "name it with --mcpu:");
	pms_catalog_cpus(NULL, &cpus, NULL);
	for (size_t i = 0; i < cpus.count && n > 0 && (size_t)n < sizeof(hint); i++)
		n += snprintf(hint + n, sizeof(hint) - (size_t)n, "%s %s", i ? "," : "",
			      cpus.names[i]);
	if (n > 0 && (size_t)n < sizeof(hint))
		snprintf(hint + n, sizeof(hint) - (size_t)n,
			 "; or give its specification with --spec FILE");
	pms_names_free(&cpus);
	return fail(name, PMS_EINVAL,
		    "it does not say on which Arm or RISC-V CPU the counts were taken", hint);
}

/* Where neither an option nor this host tells the CPU: a file that is no output of perf stat is
 * said to be that, and only one that is asks for its CPU. The events of any CPU do for finding out.
 */
static int ask_for_cpu(struct cli_input *input, FILE *in)
{
	struct cli_options any = { .mcpu = CLI_DEFAULT_CPU };
	struct pms_error err = { 0 };
	int status = cli_catalog_load(&any, 0, &input->catalog);
	if (status)
		return status;
	if (pms_perf_stat_open(in, input->name, input->catalog, &input->stat, &err))
		return cli_error(&err);
	return no_cpu(input->name);
}

static int open_perf_stat(struct cli_input *input, FILE *in, const struct cli_options *o)
{
	struct cli_options of_host = { .mcpu = o->mcpu, .spec = o->spec };
	struct pms_error err = { 0 };
	if (!o->mcpu && !o->spec) {
		int rc = pms_catalog_host_cpu(NULL, NULL, input->host, sizeof(input->host), &err);
		if (rc == -PMS_EHOST)
			return ask_for_cpu(input, in);
		if (rc)
			return cli_error(&err);
		of_host.mcpu = input->host;
	}
	int status = cli_catalog_load(&of_host, 0, &input->catalog);
	if (!status && pms_perf_stat_open(in, input->name, input->catalog, &input->stat, &err))
		status = cli_error(&err);
	return status;
}

static int open_session(struct cli_input *input, FILE *in, const struct cli_options *o)
{
	struct cli_options of_session = { .mcpu = o->mcpu, .spec = o->spec };
	struct pms_error err = { 0 };
	if (in == stdin)
		return fail(input->name, PMS_EINVAL, "a session is not read from standard input",
			    "name the file");
	if (pms_session_open(input->name, &input->session, &err))
		return cli_error(&err);
	if (!o->mcpu && !o->spec) {
		of_session.spec = pms_session_spec(input->session);
		of_session.mcpu = pms_session_cpu(input->session);
	}
	int status = cli_catalog_load(&of_session, 0, &input->catalog);
	/* What a measurement added to the catalog: raw codes, Linux's own events, modifiers,
	 * events that only other cores of the machine have. */
	const struct pms_session_view *view = pms_session_view(input->session);
	for (size_t i = 0; !status && i < view->n_events; i++)
		if (pms_live_event(input->catalog, view->events[i], NULL) < 0 && !o->mcpu &&
		    !o->spec)
			pms_live_event_lacking(input->catalog, view->events[i], NULL);
	return status;
}

/* The CPU that is named, else the recording's. */
static int load_recorded(struct cli_input *input, const char *cpuid, const struct cli_options *o)
{
	struct cli_options of_file = { .mcpu = o->mcpu, .spec = o->spec };
	struct pms_error err = { 0 };
	char cpu[64];
	if (!o->mcpu && !o->spec) {
		int rc = pms_catalog_recorded_cpu(NULL, cpuid, cpu, sizeof(cpu), &err);
		if (rc == -PMS_EHOST)
			of_file.mcpu = CLI_DEFAULT_CPU; /* to find out what is in the file */
		else if (rc)
			return cli_error(&err);
		else
			of_file.mcpu = cpu;
	}
	return cli_catalog_load(&of_file, 0, &input->catalog);
}

static int read_perf_data(struct cli_input *input, struct pms_perfdata *file,
			  const struct cli_options *o)
{
	const char *cpuid = pms_perfdata_info(file)->cpuid;
	struct pms_error err = { 0 };
	char cpu[64];
	int status = load_recorded(input, cpuid, o);
	if (status)
		return status;
	if (pms_perf_stat_open_data(file, input->name, input->catalog, &input->stat, &err))
		return cli_error(&err);
	if (o->mcpu || o->spec)
		return CLI_DONE;
	return pms_catalog_recorded_cpu(NULL, cpuid, cpu, sizeof(cpu), NULL) ? no_cpu(input->name)
									     : CLI_DONE;
}

/* A program was given in the place of its counts. */
static int open_program(struct cli_input *input, FILE *in, const struct cli_options *o)
{
	char hint[256];
	(void)in;
	(void)o;
	snprintf(hint, sizeof(hint), "run it: pmuscope topdown -- %.200s", input->name);
	return fail(input->name, PMS_EINVAL, "is a program, and no file of counts", hint);
}

static int open_perf_data(struct cli_input *input, FILE *in, const struct cli_options *o)
{
	struct pms_perfdata *file = NULL;
	struct pms_error err = { 0 };
	(void)in;
	if (pms_perfdata_open(input->name, &file, &err))
		return cli_error(&err);
	int status = read_perf_data(input, file, o);
	pms_perfdata_close(file);
	return status;
}

/* What can be read, by how the file starts. The last takes anything. */
static const struct kind {
	const char *magic;
	int (*open)(struct cli_input *input, FILE *in, const struct cli_options *o);
} kinds[] = {
	{ "SQLite format 3", open_session },
	{ "PERFILE2", open_perf_data },
	{ "\177ELF", open_program },
	{ "", open_perf_stat },
};

static const struct kind *find_kind(FILE *in)
{
	char start[32] = "";
	/* A pipe cannot be read twice; what comes through one is text. */
	if (pread(fileno(in), start, sizeof(start) - 1, 0) < 0)
		start[0] = 0;
	for (size_t i = 0;; i++)
		if (!strncmp(start, kinds[i].magic, strlen(kinds[i].magic)))
			return &kinds[i];
}

static int open_file(struct cli_input *input, const char *path, const struct cli_options *o)
{
	int is_stdin = !strcmp(path, "-");
	FILE *in = is_stdin ? stdin : fopen(path, "re");
	char text[256];
	input->name = is_stdin ? "standard input" : path;
	if (!in) {
		snprintf(text, sizeof(text), "cannot open: %s", strerror(errno));
		return fail(path, PMS_EIO, text, "");
	}
	int status = find_kind(in)->open(input, in, o);
	if (!is_stdin)
		fclose(in);
	return status;
}

int cli_input_open(struct cli_input *input, const char *command, const struct cli_options *o)
{
	*input = (struct cli_input){ 0 };
	if (!o->command[0])
		return cli_usage(command, "no file of counts; - is standard input");
	if (o->command[1])
		return cli_usage(command,
				 "%s is too much: one file at a time; to compare two runs take "
				 "pmuscope report -j of each",
				 o->command[1]);
	return open_file(input, o->command[0], o);
}

void cli_input_close(struct cli_input *input)
{
	pms_session_close(input->session);
	pms_perf_stat_free(input->stat);
	pms_catalog_free(input->catalog);
}

size_t cli_input_intervals(const struct cli_input *input)
{
	return input->session ? pms_session_intervals(input->session)
			      : pms_perf_stat_intervals(input->stat);
}

static int warn(const struct cli_input *input, struct pms_counts *counts)
{
	if (!input->host[0] ||
	    !pms_counts_warn(counts,
			     "the file does not tell its CPU; this host's, %s, is assumed "
			     "(--mcpu names another)",
			     input->host))
		return CLI_DONE;
	pms_counts_free(counts);
	return cli_out_of_memory();
}

int cli_input_total(const struct cli_input *input, struct pms_counts **out)
{
	struct pms_error err = { 0 };
	int rc = input->session ? pms_session_total(input->session, input->catalog, out, &err)
				: pms_perf_stat_total(input->stat, out, &err);
	return rc ? cli_error(&err) : warn(input, *out);
}

int cli_input_read_interval(const struct cli_input *input, size_t i, struct pms_counts **out,
			    struct pms_error *err)
{
	return input->session ? pms_session_interval(input->session, i, input->catalog, out, err)
			      : pms_perf_stat_interval(input->stat, i, out, err);
}

int cli_input_interval(const struct cli_input *input, size_t i, struct pms_counts **out)
{
	struct pms_error err = { 0 };
	int rc = cli_input_read_interval(input, i, out, &err);
	return rc ? cli_error(&err) : i ? CLI_DONE : warn(input, *out);
}
