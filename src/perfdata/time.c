/* SPDX-License-Identifier: MIT */
#include "pmuscope/perfdata.h"

/* Convert by time = zero + ticks * mult / 2^shift. perf_event_open(2), cap_user_time_zero, does
 * so in two steps with the same result. The zero may lie before the clock's, near 2^64: the sum
 * wraps by definition. */
int pms_perfdata_time(const struct pms_perfdata_time_conv *conv, uint64_t ticks, uint64_t *ns)
{
	if (!conv->known)
		return -PMS_ENAME;
	if (conv->shift > 63)
		return -PMS_EPARSE;
	if (conv->short_counter)
		ticks = conv->cycles + ((ticks - conv->cycles) & conv->mask);
	unsigned __int128 product = (unsigned __int128)ticks * conv->mult >> conv->shift;
	if (product > UINT64_MAX)
		return -PMS_EPARSE;
	*ns = conv->zero + (uint64_t)product;
	return 0;
}
