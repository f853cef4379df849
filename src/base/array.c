/* SPDX-License-Identifier: MIT */
#include "base/array.h"

#include <stdlib.h>

void *pms_array_room(void *array, size_t count, size_t size)
{
	/* The capacity is the count rounded up to a power of two, so the array is full only
	 * there. */
	if (count & (count - 1))
		return array;
	size_t capacity = count ? count : 1, bytes;
	if (__builtin_mul_overflow(capacity, count ? 2 * size : size, &bytes))
		return NULL;
	return realloc(array, bytes);
}
