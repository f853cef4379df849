/* SPDX-License-Identifier: MIT */
#include "show/provenance.h"

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
