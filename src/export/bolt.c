/* SPDX-License-Identifier: MIT */
/* BOLT's fdata: a line for each branch, from symbol and distance to symbol and distance.
 * Source: LLVM 16, bolt/include/bolt/Profile/DataReader.h, "File format syntax". */
#include "base/status.h"
#include "export/export.h"

#include <inttypes.h>
#include <stdlib.h>

/* An end of a branch; a name that the format cannot have, or none, is [unknown]. */
static int put_end(struct pms_exporting *x, uint32_t spot)
{
	const struct pms_export_spot *s = &x->places.spots[spot];
	if (!s->symbol[0] || !pms_export_is_identifier(s->symbol)) {
		pms_sink_text(&x->sink, "0 [unknown] 0 ");
		return 0;
	}
	pms_sink_text(&x->sink, "1 ");
	pms_sink_text(&x->sink, s->symbol);
	pms_sink_printf(&x->sink, " %" PRIx64 " ", s->address - s->start);
	return 1;
}

static int is_known(const struct pms_exporting *x, uint32_t spot)
{
	const struct pms_export_spot *s = &x->places.spots[spot];
	return s->symbol[0] && pms_export_is_identifier(s->symbol);
}

int pms_export_bolt(struct pms_exporting *x)
{
	const struct pms_profile *profile = x->profile;
	size_t n = 0;
	for (size_t i = 0; i < profile->n_edges; i++) {
		const struct pms_profile_edge *edge = &profile->edges[i];
		uint32_t from = x->places.edge_spots[2 * i], to = x->places.edge_spots[2 * i + 1];
		if (!edge->count || (!is_known(x, from) && !is_known(x, to)))
			continue;
		put_end(x, from);
		put_end(x, to);
		pms_sink_printf(&x->sink, "%" PRIu64 " %" PRIu64 "\n", edge->mispredicted,
				edge->count);
		n++;
	}
	return n ? 0
		 : pms_fail(x->err, PMS_EINVAL,
			    "the profile has no branches between places with symbols");
}
