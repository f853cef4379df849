/* SPDX-License-Identifier: MIT */
/* cli/catalog.h - which catalog a subcommand is about. */
#ifndef PMS_CLI_CATALOG_H
#define PMS_CLI_CATALOG_H

#include "options.h"

/**
 * Load the catalog that --spec or --mcpu names, else that of this host's CPU, else of the default.
 * A note on standard error says what of a specification was not read.
 * @modelled: 1: of a CPU that there is a model of, where none is named
 * @out:      free with pms_catalog_free
 * Returns CLI_DONE, or the exit status after a message.
 */
int cli_catalog_load(const struct cli_options *o, int modelled, struct pms_catalog **out);
/** Add the relations, which it does not load: reports have no use for them. Returns as above. */
int cli_catalog_add_relations(struct pms_catalog *catalog);

/** Several catalogs; zero-initialise before use. */
struct cli_catalogs {
	const struct pms_catalog **catalogs;
	size_t count;
};

/** Load every CPU's. Returns as pms_catalog_load; release whatever is returned. */
int cli_catalogs_load(struct cli_catalogs *catalogs, struct pms_error *err);
/** The one that cli_catalog_load gives. Returns as that. */
int cli_catalogs_load_one(const struct cli_options *o, struct cli_catalogs *catalogs);
void cli_catalogs_release(struct cli_catalogs *catalogs);

#endif
