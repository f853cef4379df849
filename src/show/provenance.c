/* SPDX-License-Identifier: MIT */
#include "show/provenance.h"

#include <stdlib.h>

#include "base/memstream.h"
#include "show/extent.h"
#include "show/label.h"
#include "show/size.h"
#include "show/text.h"

void pms_provenance_version(struct pms_out_item *root)
{
	struct pms_out_item *group = pms_out_group(root, PMS_IN_JSON, "pmuscope");
	pms_out_member(group, "version", pms_out_of_text(PMS_VERSION));
	pms_out_comment(root, NULL, pms_out_of_text("pmuscope " PMS_VERSION));
}

void pms_provenance_catalog(struct pms_out_item *root, unsigned places,
			    const struct pms_catalog *catalog)
{
	const struct pms_cpu *cpu = pms_catalog_cpu(catalog);
	struct pms_out_item *group = pms_out_group(root, PMS_IN_JSON & places, "catalog");
	pms_out_member(group, "name", pms_out_of_text(cpu->name));
	pms_out_member(group, "version", pms_out_of_text(cpu->version));
	if (places & PMS_IN_CSV)
		pms_out_comment_print(root, "catalog", "%s %s", cpu->name, cpu->version);
}

const char *pms_provenance_command(struct pms_out_item *of, const struct pms_counts *counts)
{
	char *const *command = counts->provenance.command;
	char *text = NULL;
	const char *copy = NULL;
	size_t size = 0;
	if (!command || !of)
		return NULL;
	FILE *memory = pms_memstream_open(&text, &size);
	if (memory) {
		pms_text_command(memory, command);
		pms_memstream_close(memory);
	}
	if (text)
		copy = pms_out_print(of, "%s", text);
	else
		of->outline->failed = 1;
	free(text);
	return copy;
}

static void put_command(struct pms_out_item *root, const struct pms_counts *counts)
{
	const struct pms_provenance *p = &counts->provenance;
	struct pms_out_words words = pms_out_words(root);
	for (size_t i = 0; p->command && p->command[i]; i++)
		pms_out_words_add(&words, p->command[i]);
	pms_out_member(root, "command", pms_out_of_words(&words));
	if (pms_outline_is_in(root, PMS_IN_CSV))
		pms_out_comment(root, "command",
				pms_out_of_text(pms_provenance_command(root, counts)));
}

static void put_model(struct pms_out_item *root, const struct pms_provenance *p)
{
	struct pms_out_item *model = pms_out_group(root, PMS_IN_JSON, "model");
	pms_out_member(model, "core", pms_out_of_text(p->core));
	pms_out_member(model, "version", pms_out_of_text(p->model_version));
	pms_out_comment_print(root, "core model", "%s %s", p->core, p->model_version);
}

/* Add the source of the counts: a PMU, a model or a file. */
static void put_source(struct pms_out_item *root, const struct pms_counts *counts)
{
	const struct pms_provenance *p = &counts->provenance;
	char heading[512];
	pms_label_heading(heading, sizeof(heading), counts);
	pms_out_member(root, "heading", pms_out_of_text(pms_out_print(root, "%s", heading)));
	pms_out_member(root, "source", pms_out_of_text(p->source));
	pms_out_comment_print(root, "source", "%s: %s", p->source, heading);
	if (p->file)
		pms_out_member(root, "file", pms_out_of_text(p->file));
	if (counts->has_time)
		pms_out_member(root, "time", pms_out_of_real(counts->time));
	pms_out_fact(root, "modelled", "modelled", pms_out_of_truth(p->modelled));
	if (p->modelled)
		put_model(root, p);
	if (p->modes[0])
		pms_out_member(root, "modes", pms_out_of_text(p->modes));
	if (p->midr)
		pms_out_member(root, "midr",
			       pms_out_of_text(
				       pms_out_print(root, "0x%llx", (unsigned long long)p->midr)));
}

void pms_provenance_counts(struct pms_out_item *parent, unsigned places,
			   const struct pms_counts *counts, int with_command)
{
	const struct pms_provenance *p = &counts->provenance;
	unsigned slots = pms_catalog_cpu(counts->catalog)->slots;
	struct pms_out_item *root = pms_out_group(parent, places, NULL);
	pms_provenance_version(root);
	pms_provenance_catalog(root, PMS_IN_JSON, counts->catalog);
	put_source(root, counts);
	pms_size_put(root, counts);
	pms_extent_put(root, counts);
	pms_provenance_catalog(root, PMS_IN_CSV, counts->catalog);
	if (with_command)
		put_command(root, counts);
	pms_out_fact(root, "exit_status", "exit status",
		     pms_out_when(!p->file, pms_out_of_integer(p->exit_status)));
	pms_out_fact(root, "signal", "signal",
		     pms_out_when(p->signal != 0, pms_out_of_integer(p->signal)));
	pms_out_fact(root, "slots_per_cycle", "slots per cycle",
		     pms_out_when(slots > 0, pms_out_of_count(slots)));
	pms_out_fact(
		root, "counters_available", "counters available",
		pms_out_when(p->counters_available > 0, pms_out_of_count(p->counters_available)));
}
