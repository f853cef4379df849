/* SPDX-License-Identifier: MIT */
#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>

void *pms_array_room(void *array, size_t count, size_t size)
{
	/* The capacity is the power of two at or above the count: full only at a power of two. */
	if (count & (count - 1))
		return array;
	if (count > SIZE_MAX / 2)
		return NULL;
	return reallocarray(array, count ? 2 * count : 1, size);
}
