/* SPDX-License-Identifier: MIT */
/* plan/sizes.h - what the sizes of connected pieces alone demand.
 * Flow: packing -> [sizes] -> bound.
 *
 * A piece is what hangs together by shared events. Passes that share a piece are linked by it, and
 * passes and pieces so linked make a group. In a group of m passes, counters are taken by each
 * event once, and once more for each link beyond those that a tree has not: m - 1 at least. So
 * pieces of s events together need a group of m passes with s + m - 1 <= m * capacity. Every
 * packing divides the pieces into such groups. */
#ifndef PMS_PLAN_SIZES_H
#define PMS_PLAN_SIZES_H

#include <stddef.h>

#include "plan/packing.h"

/**
 * How many passes pieces of these sizes need at least.
 * @sizes:    1 or more each, n of them
 * @capacity: 1 or more
 * @from:     as many are needed anyway; the result is not less
 * Returns a number that is proved, which may be less than there could be where the effort does not
 * suffice, or -PMS_ENOMEM.
 */
int64_t pms_sizes_bound(const size_t *sizes, size_t n, size_t capacity, size_t from,
			struct pms_effort *effort);

#endif
