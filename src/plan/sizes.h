/* SPDX-License-Identifier: MIT */
/* plan/sizes.h - a lower bound of the passes by the sizes of connected pieces alone.
 * Flow: packing -> [sizes] -> bound.
 *
 * A piece is connected by shared events. Passes that share a piece are linked by it; linked passes
 * and pieces make a group. To link its m passes, a group counts events again, at least m - 1 times,
 * beyond counting each event once. So pieces of s events together need a group of m passes with s +
 * m - 1 <= m * capacity. Every packing divides the pieces into such groups. */
#ifndef PMS_PLAN_SIZES_H
#define PMS_PLAN_SIZES_H

#include <stddef.h>

#include "plan/packing.h"

/**
 * Bound the passes that pieces of these sizes need.
 * @sizes:    1 or more each, n of them
 * @capacity: 1 or more
 * @from:     a known bound; the result is not less
 * Returns a proved lower bound, which may be weaker when the effort does not suffice. Errors:
 * -PMS_ENOMEM.
 */
int64_t pms_sizes_bound(const size_t *sizes, size_t n, size_t capacity, size_t from,
			struct pms_effort *effort);

#endif
