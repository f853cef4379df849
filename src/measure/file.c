/* SPDX-License-Identifier: MIT */
/* A file of counts as a source: a session, the output of perf stat, or a file of perf stat record.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "measure/measurement.h"

/* Ask for the CPU, which the file does not name. The hint lists the known ones. */
static int no_cpu(const char *name, struct pms_error *err)
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
	pms_fail_at(err, PMS_EINVAL, name, 0, 0,
		    "it does not say on which Arm or RISC-V CPU the counts were taken");
	pms_hint(err, "%s", hint);
	return -PMS_EINVAL;
}

static int is_named(const struct pms_measurement_options *o)
{
	return o->catalog || o->mcpu || o->spec;
}

/* Load the catalog that the options name, else that of @cpu or @spec. */
static int choose(struct pms_measurement *m, const char *cpu, const char *spec,
		  struct pms_error *err)
{
	const struct pms_measurement_options *o = &m->options;
	int named = is_named(o);
	int rc = pms_measurement_choose(m, named ? o->mcpu : cpu, named ? o->spec : spec, 0, err);
	m->parts[0].shown.catalog = o->catalog ? o->catalog : m->parts[0].owned;
	return rc;
}

static int open_perf_stat_as(struct pms_measurement *m, FILE *in, const char *cpu,
			     struct pms_error *err)
{
	int rc = choose(m, cpu, NULL, err);
	return rc ? rc : pms_perf_stat_open(in, m->name, m->parts[0].shown.catalog, &m->stat, err);
}

/* Open the output of perf stat. Without a CPU from the options or the host, any CPU's events are
 * enough to recognise the format first. Only a file that passes is refused for want of its CPU. */
static int open_perf_stat(struct pms_measurement *m, FILE *in, struct pms_error *err)
{
	struct pms_error of_host = { 0 };
	int rc = is_named(&m->options)
			 ? 0
			 : pms_catalog_host_cpu(NULL, NULL, m->host, sizeof(m->host), &of_host);
	if (!rc)
		return open_perf_stat_as(m, in, m->host, err);
	m->host[0] = 0;
	if (rc != -PMS_EHOST) {
		if (err && err->status == PMS_OK)
			*err = of_host;
		return rc;
	}
	rc = open_perf_stat_as(m, in, PMS_DEFAULT_CPU, err);
	return rc ? rc : no_cpu(m->name, err);
}

/* Append the events that the measurement had added to its catalog: raw codes, Linux's own
 * events, modifiers, and events of the machine's other cores. */
static void append_events(struct pms_measurement *m)
{
	const struct pms_session_view *view = pms_session_view(m->session);
	struct pms_catalog *catalog = m->parts[0].shown.catalog;
	for (size_t i = 0; i < view->n_events; i++)
		if (pms_live_event(catalog, view->events[i], NULL) < 0 && !is_named(&m->options))
			pms_live_event_lacking(catalog, view->events[i], NULL);
}

static int open_session(struct pms_measurement *m, FILE *in, struct pms_error *err)
{
	if (in == stdin) {
		pms_fail_at(err, PMS_EINVAL, m->name, 0, 0,
			    "a session is not read from standard input");
		pms_hint(err, "name the file");
		return -PMS_EINVAL;
	}
	int rc = pms_session_open(m->name, &m->session, err);
	if (!rc)
		rc = choose(m, pms_session_cpu(m->session), pms_session_spec(m->session), err);
	if (!rc)
		append_events(m);
	return rc;
}

/* Read perf.data with the catalog of the named CPU, else of the recording's CPU. Without either,
 * use any CPU's catalog to see what the file holds, before asking for its CPU. */
static int read_perf_data(struct pms_measurement *m, struct pms_perfdata *file,
			  struct pms_error *err)
{
	struct pms_error recorded = { 0 };
	char cpu[64];
	int unknown = is_named(&m->options)
			      ? 0
			      : pms_catalog_recorded_cpu(NULL, pms_perfdata_info(file)->cpuid, cpu,
							 sizeof(cpu), &recorded);
	if (unknown && unknown != -PMS_EHOST) {
		if (err && err->status == PMS_OK)
			*err = recorded;
		return unknown;
	}
	int rc = choose(m, unknown ? PMS_DEFAULT_CPU : cpu, NULL, err);
	if (!rc)
		rc = pms_perf_stat_open_data(file, m->name, m->parts[0].shown.catalog, &m->stat,
					     err);
	if (!rc && unknown)
		rc = no_cpu(m->name, err);
	return rc;
}

static int open_perf_data(struct pms_measurement *m, FILE *in, struct pms_error *err)
{
	struct pms_perfdata *file = NULL;
	(void)in;
	int rc = pms_perfdata_open(m->name, &file, err);
	if (!rc)
		rc = read_perf_data(m, file, err);
	pms_perfdata_close(file);
	return rc;
}

/* Refuse a program: the user gave it in place of its counts. */
static int open_program(struct pms_measurement *m, FILE *in, struct pms_error *err)
{
	(void)in;
	pms_fail_at(err, PMS_EINVAL, m->name, 0, 0, "is a program, and no file of counts");
	pms_hint(err, "run it: pmuscope topdown -- %.200s", m->name);
	return -PMS_EINVAL;
}

/* File formats by how a file starts. The last one accepts any file. */
static const struct form {
	const char *magic;
	int (*open)(struct pms_measurement *m, FILE *in, struct pms_error *err);
} forms[] = {
	{ "SQLite format 3", open_session },
	{ "PERFILE2", open_perf_data },
	{ "\177ELF", open_program },
	{ "", open_perf_stat },
};

static const struct form *find_form(FILE *in)
{
	char start[32] = "";
	/* A pipe cannot be read twice; its content is text. */
	if (pread(fileno(in), start, sizeof(start) - 1, 0) < 0)
		start[0] = 0;
	for (size_t i = 0;; i++)
		if (!strncmp(start, forms[i].magic, strlen(forms[i].magic)))
			return &forms[i];
}

static int open_file(struct pms_measurement *m, struct pms_error *err)
{
	int is_stdin = !strcmp(m->options.file, "-");
	FILE *in = is_stdin ? stdin : fopen(m->options.file, "re");
	m->name = is_stdin ? "standard input" : m->options.file;
	if (!in)
		return pms_fail_at(err, PMS_EIO, m->name, 0, 0, "cannot open: %s", strerror(errno));
	int rc = find_form(in)->open(m, in, err);
	if (!is_stdin)
		fclose(in);
	return rc;
}

/* Take from a session the names that the options do not give. */
static int resolve(struct pms_measurement *m, struct pms_error *err)
{
	struct pms_wanted *wanted = &m->parts[0].shown.wanted;
	const struct pms_session_view *view = pms_measurement_view(m);
	(void)err;
	*wanted = m->options.wanted;
	if (!view)
		return 0;
	if (!wanted->n_events) {
		wanted->events = view->events;
		wanted->n_events = view->n_events;
	}
	if (!wanted->n_metrics) {
		wanted->metrics = view->metrics;
		wanted->n_metrics = view->n_metrics;
	}
	if (!wanted->level)
		wanted->level = view->level;
	wanted->all |= view->all;
	wanted->counts |= !strcmp(view->command, "stat");
	return 0;
}

/* Warn that the CPU of the counts was assumed. Frees the counts where that fails. */
static int warn(const struct pms_measurement *m, struct pms_counts **counts, struct pms_error *err)
{
	if (!m->host[0] ||
	    !pms_counts_warn(*counts,
			     "the file does not tell its CPU; this host's, %s, is assumed "
			     "(--mcpu names another)",
			     m->host))
		return 0;
	pms_counts_free(*counts);
	*counts = NULL;
	return pms_no_memory(err);
}

int pms_measurement_interval(struct pms_measurement *m, size_t i, struct pms_counts **out,
			     struct pms_error *err)
{
	int rc;
	if (m->session)
		rc = pms_session_interval(m->session, i, m->parts[0].shown.catalog, out, err);
	else if (m->stat)
		rc = pms_perf_stat_interval(m->stat, i, out, err);
	else
		return pms_fail(err, PMS_EINVAL, "there is no interval %zu", i);
	return rc || i ? rc : warn(m, out, err);
}

static int read_total(struct pms_measurement *m, struct pms_counts **out, struct pms_error *err)
{
	int rc = m->session ? pms_session_total(m->session, m->parts[0].shown.catalog, out, err)
			    : pms_perf_stat_total(m->stat, out, err);
	return rc ? rc : warn(m, out, err);
}

static int read_file(struct pms_measurement *m, pms_live_put *put, void *context,
		     struct pms_counts **totals, struct pms_error *err)
{
	size_t n = put ? pms_measurement_intervals(m) : 0;
	int rc = 0;
	for (size_t i = 0; i < n && !rc; i++) {
		struct pms_counts *counts = NULL;
		rc = pms_measurement_interval(m, i, &counts, err);
		if (!rc)
			rc = put(context, &counts, err);
	}
	return rc || !totals ? rc : read_total(m, totals, err);
}

const struct pms_measurement_source pms_source_file = { .open = open_file,
							.resolve = resolve,
							.read = read_file };
