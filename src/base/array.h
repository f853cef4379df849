/* SPDX-License-Identifier: MIT */
/* base/array.h - arrays that grow by one and need no capacity beside their count. */
#ifndef PMS_BASE_ARRAY_H
#define PMS_BASE_ARRAY_H

#include <stddef.h>

/**
 * Make room for one more element in an array that only ever grew through this function.
 * @array: of @count elements of @size bytes, NULL when @count is 0
 * Returns the array, perhaps moved; NULL when out of memory, and the old array stays valid.
 */
void *pms_array_room(void *array, size_t count, size_t size);

#endif
