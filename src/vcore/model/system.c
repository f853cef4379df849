/* SPDX-License-Identifier: MIT */
#include "vcore/model/system.h"

int pms_system_init(struct pms_system *s, const struct pms_params *p)
{
	*s = (struct pms_system){ .params = p };
	pms_pace_init(&s->dram_pace, p->dram_interval);
	return p->slc_bytes ? pms_slc_init(&s->slc, p->slc_bytes, p->slc_ways, PMS_LINE_BYTES) : 0;
}

void pms_system_release(struct pms_system *s)
{
	pms_slc_release(&s->slc);
}

struct pms_system_answer pms_system_request(struct pms_system *s, uint64_t place,
					    enum pms_system_want want, uint64_t now)
{
	const struct pms_params *p = s->params;
	if (want == PMS_SYSTEM_EVICT) {
		if (p->slc_bytes) /* a core's last cache evicts into it */
			pms_slc_put(&s->slc, place);
		return (struct pms_system_answer){ .ready = now };
	}
	if (p->slc_bytes && pms_slc_find(&s->slc, place))
		return (struct pms_system_answer){ now + p->slc_latency, true };
	if (pms_without(p, PMS_MECHANISM_SLC_MISSES))
		return (struct pms_system_answer){ now + p->slc_latency, false };
	return (struct pms_system_answer){ pms_pace_take(&s->dram_pace, now) + p->dram_latency,
					   false };
}
