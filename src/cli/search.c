/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "output.h"

/* Split phrases into words. A quoted phrase becomes words too, because pages also write
 * "store-forwarding". */
static int split(char *const *phrases, struct cli_words *words)
{
	static const char blanks[] = " \t\n";
	int failed = 0;
	for (; *phrases && !failed; phrases++) {
		char *copy = strdup(*phrases), *rest = copy;
		failed = !copy;
		for (char *word; !failed && (word = strsep(&rest, blanks));)
			failed = *word && cli_words_add(words, word);
		free(copy);
	}
	return failed ? cli_out_of_memory() : CLI_DONE;
}

/* Load one catalog, or all where --mcpu says so. */
static int load(const struct cli_options *o, struct cli_catalogs *catalogs)
{
	struct pms_error err = { 0 };
	if (o->mcpu && !strcmp(o->mcpu, "all"))
		return cli_catalogs_load(catalogs, &err) ? cli_error(&err) : CLI_DONE;
	return cli_catalogs_load_one(o, catalogs);
}

/* Catalogs to search, and the number of finds. */
struct search {
	const struct cli_catalogs *catalogs;
	const struct cli_words *words;
	size_t *found;
};

static int put(FILE *out, const void *what, const struct pms_show_options *options,
	       struct pms_error *err)
{
	const struct search *s = what;
	char docs[4200];
	int has_docs = !pms_data_dir(docs, sizeof(docs) - sizeof("/docs"), NULL);
	if (has_docs)
		strcat(docs, "/docs");
	return pms_show_search(out, s->catalogs->catalogs, s->catalogs->count,
			       has_docs ? docs : NULL, (const char *const *)s->words->words,
			       s->words->count, options, s->found, err);
}

/* Search, and tell scripts by the status whether anything was found. */
static int search(const struct cli_options *o)
{
	struct cli_catalogs catalogs = { 0 };
	size_t found = 0;
	struct cli_words words = { 0 };
	struct search s = { &catalogs, &words, &found };
	int status = split(o->command, &words);
	if (!status && !words.count)
		status = cli_usage("search", "search for which words?");
	if (!status)
		status = cli_output_check(o->output);
	if (!status)
		status = load(o, &catalogs);
	if (!status)
		status = cli_output_put(o, put, &s);
	if (!status && !found) {
		cli_note("nothing has all of these words");
		status = CLI_NO_MATCH;
	}
	cli_catalogs_release(&catalogs);
	cli_words_release(&words);
	return status;
}

int cli_search(int argc, char **argv)
{
	struct cli_options o;
	int status = cli_options_read(&o, CLI_TAKES_SEARCH, argc, argv);
	if (status < 0 && !o.command[0])
		status = cli_usage("search", "search for which words?");
	if (status < 0)
		status = search(&o);
	cli_options_release(&o);
	return status;
}
