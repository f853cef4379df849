/* SPDX-License-Identifier: MIT */
/* cli/catalog.h - which catalog a subcommand is about. */
#ifndef PMS_CLI_CATALOG_H
#define PMS_CLI_CATALOG_H

#include "options.h"

/** What a subcommand takes where neither --mcpu nor --spec is given. */
#define CLI_DEFAULT_CPU "neoverse-v1"

/**
 * Load the catalog that --spec or --mcpu names, else that of this host's CPU, else of the default.
 * A note on standard error says what of a specification was not read.
 * @modelled: 1: of a CPU that there is a model of, where none is named
 * @out:      free with pms_catalog_free
 * Returns CLI_DONE, or the exit status after a message.
 */
int cli_catalog_load(const struct cli_options *o, int modelled, struct pms_catalog **out);

#endif
