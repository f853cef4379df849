/* SPDX-License-Identifier: MIT */
#include "vcore/model/stride.h"

#include <assert.h>
#include <stdlib.h>

int pms_stride_init(struct pms_stride *s, unsigned entries)
{
	assert(entries && !(entries & (entries - 1)));
	*s = (struct pms_stride){
		.entries = calloc(entries, sizeof(*s->entries)),
		.mask = entries - 1,
	};
	return s->entries ? 0 : -1;
}

void pms_stride_release(struct pms_stride *s)
{
	free(s->entries);
	*s = (struct pms_stride){ 0 };
}
