/* SPDX-License-Identifier: MIT */
#include "pmuscope/gains.h"

#include <stdlib.h>
#include <string.h>

static const double explains = 0.75; /* of a gain, so that it is the cause */

const struct pms_gain *pms_gains_find(const struct pms_gains *gains, const char *name)
{
	for (size_t i = 0; i < gains->n; i++)
		if (!strcmp(gains->all[i].name, name))
			return &gains->all[i];
	return NULL;
}

const struct pms_gain *pms_gains_first(const struct pms_gains *gains)
{
	for (size_t i = 0; i < gains->n; i++)
		if (!gains->all[i].is_group && !gains->all[i].within)
			return &gains->all[i];
	return NULL;
}

/* Returns the largest gain within another; NULL: none was run. Huge pages are a remedy, and no
 * cause. */
static const struct pms_gain *largest_within(const struct pms_gains *gains, const char *name)
{
	for (size_t i = 0; i < gains->n; i++)
		if (gains->all[i].within && !strcmp(gains->all[i].within, name) &&
		    strcmp(gains->all[i].name, "huge_pages") != 0)
			return &gains->all[i];
	return NULL;
}

const struct pms_gain *pms_gains_cause(const struct pms_gains *gains, const struct pms_gain *gain)
{
	const struct pms_gain *inner = largest_within(gains, gain->name);
	while (inner && inner->cycles >= explains * gain->cycles) {
		gain = inner;
		inner = largest_within(gains, gain->name);
	}
	return gain;
}

void pms_gains_free(struct pms_gains *gains)
{
	if (!gains)
		return;
	free(gains->all);
	free(gains->pairs);
	free(gains);
}
