/* SPDX-License-Identifier: MIT */
/* Run a program on the modelled Neoverse V1, and print where its pipeline slots went: Stage 1.
 *
 *     cc stage1.c $(pkg-config --cflags --libs pmuscope) -o stage1 && ./stage1 PROGRAM
 * [ARGUMENT...]
 *
 * A file of counts, a session or the output of perf stat, is reported in the same way. */
#include <stdio.h>
#include <string.h>

#include <pmuscope/pmuscope.h>

static int fail(const struct pms_error *err)
{
	fprintf(stderr, "stage1: %s\n", err->text);
	if (err->hint[0])
		fprintf(stderr, "  %s\n", err->hint);
	return 1;
}

static void print_stage1(const struct pms_report *report)
{
	for (size_t i = 0; i < report->n_results; i++) {
		const struct pms_result *r = &report->results[i];
		const struct pms_metric *metric =
			pms_catalog_metric(report->counts->catalog, r->metric);
		if (r->stage != 1)
			continue;
		printf("%*s%-*s ", 2 * r->level, "", 40 - 2 * r->level, metric->name);
		if (r->value.state == PMS_VALUE_UNDEFINED)
			printf("     - (%s)\n", r->value.because);
		else
			printf("%6.2f %s\n", r->value.value, metric->units);
	}
}

int main(int argc, char **argv)
{
	int is_file = argc == 3 && !strcmp(argv[1], "-f");
	const struct pms_measurement_options options = {
		.source = is_file ? PMS_SOURCE_FILE : PMS_SOURCE_MODEL,
		.file = argv[is_file ? 2 : argc],
		.live.target.command = argv + 1,
	};
	struct pms_error err = { 0 };
	struct pms_measurement *m = NULL;
	struct pms_counts *counts = NULL;
	struct pms_reports *reports = NULL;
	if (pms_measurement_open(&options, &m, &err) || pms_measurement_select(m, &err) ||
	    pms_measurement_read(m, NULL, NULL, &counts, &err) ||
	    pms_reports_make(counts, pms_measurement_part(m, 0)->selection, 0, &reports, &err))
		return fail(&err);
	print_stage1(reports->total);
	pms_reports_free(reports);
	pms_counts_free(counts);
	pms_measurement_close(m);
	return 0;
}
