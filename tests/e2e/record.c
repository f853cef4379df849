/* SPDX-License-Identifier: MIT */
/* Runs a program on the model with places, and saves a session.
 *
 * usage: record SESSION PROGRAM [ARGUMENT...]
 *
 * $PLUGIN_WHERE is the plugin that finds places, $PMUSCOPE_DATA the data. */
#include <stdio.h>
#include <stdlib.h>

#include "pmuscope/pmuscope.h"

static int record(const char *path, char **command, struct pms_catalog *catalog,
		  struct pms_error *err)
{
	const struct pms_vcore_options options = { .data = getenv("PMUSCOPE_DATA"),
						   .plugin = getenv("PLUGIN_WHERE"),
						   .places = 1 };
	const struct pms_session_view view = { .command = "topdown" };
	struct pms_counts *counts = NULL;
	struct pms_session_writer *writer = NULL;
	int rc = pms_collect_vcore(catalog, command, &options, &counts, err);
	if (!rc)
		rc = pms_session_create(path, &view, &writer, err);
	if (!rc)
		rc = pms_session_add(writer, counts, err);
	if (!rc)
		rc = pms_session_finish(writer, err);
	pms_counts_free(counts);
	return rc;
}

int main(int argc, char **argv)
{
	struct pms_error err = { 0 };
	struct pms_catalog *catalog = NULL;
	if (argc < 3)
		return 2;
	int rc = pms_catalog_load(getenv("PMUSCOPE_DATA"), "neoverse-v1", &catalog, &err);
	if (!rc)
		rc = record(argv[1], argv + 2, catalog, &err);
	if (rc)
		fprintf(stderr, "record: %s: %s\n", err.source, err.text);
	pms_catalog_free(catalog);
	return rc ? 2 : 0;
}
