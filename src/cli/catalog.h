/* SPDX-License-Identifier: MIT */
/* cli/catalog.h - choose the catalog for a subcommand. */
#ifndef PMS_CLI_CATALOG_H
#define PMS_CLI_CATALOG_H

#include "options.h"

/**
 * Load the catalog that --spec or --mcpu names, else the one of this host's CPU, else the default.
 * A note on standard error names the ignored keys of a specification.
 * @modelled: 1: where no CPU is named, take one that has a model
 * @out:      free with pms_catalog_free
 * Returns CLI_DONE, or the exit status after a message.
 */
int cli_catalog_load(const struct cli_options *o, int modelled, struct pms_catalog **out);
/** Add the relations, which cli_catalog_load leaves out because reports do not need them. Returns
 * as cli_catalog_load. */
int cli_catalog_add_relations(struct pms_catalog *catalog);

/** Several catalogs; zero-initialise before use. */
struct cli_catalogs {
	const struct pms_catalog **catalogs;
	size_t count;
};

/** Load the catalogs of all CPUs. Returns as pms_catalog_load; release in any case. */
int cli_catalogs_load(struct cli_catalogs *catalogs, struct pms_error *err);
/** Load the one catalog of cli_catalog_load. Returns as that function. */
int cli_catalogs_load_one(const struct cli_options *o, struct cli_catalogs *catalogs);
void cli_catalogs_release(struct cli_catalogs *catalogs);

#endif
