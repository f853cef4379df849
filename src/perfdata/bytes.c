/* SPDX-License-Identifier: MIT */
#include "perfdata/bytes.h"

#include <stdlib.h>
#include <string.h>

static bool reserve(struct pms_bytes *bytes, size_t size)
{
	size_t need, capacity = bytes->capacity ? bytes->capacity : 256;
	if (bytes->bad || __builtin_add_overflow(bytes->size, size, &need) || need > SIZE_MAX / 2)
		return !(bytes->bad = true);
	while (capacity < need)
		capacity *= 2;
	if (capacity == bytes->capacity)
		return true;
	uint8_t *more = realloc(bytes->at, capacity);
	if (!more)
		return !(bytes->bad = true);
	bytes->at = more;
	bytes->capacity = capacity;
	return true;
}

void pms_put_bytes(struct pms_bytes *bytes, const void *from, size_t size)
{
	if (!size || !reserve(bytes, size))
		return;
	memcpy(bytes->at + bytes->size, from, size);
	bytes->size += size;
}

void pms_put_zeros(struct pms_bytes *bytes, size_t size)
{
	if (!size || !reserve(bytes, size))
		return;
	memset(bytes->at + bytes->size, 0, size);
	bytes->size += size;
}

void pms_put_at(struct pms_bytes *bytes, size_t at, uint64_t value, size_t size)
{
	for (size_t i = 0; !bytes->bad && i < size; i++)
		bytes->at[at + i] = (uint8_t)(value >> 8 * i);
}

void pms_put(struct pms_bytes *bytes, uint64_t value, size_t size)
{
	if (!reserve(bytes, size))
		return;
	bytes->size += size;
	pms_put_at(bytes, bytes->size - size, value, size);
}

void pms_put_text(struct pms_bytes *bytes, size_t begin, const char *text, size_t align)
{
	pms_put_bytes(bytes, text, strlen(text) + 1);
	size_t over = (bytes->size - begin) % align;
	pms_put_zeros(bytes, over ? align - over : 0);
}

void pms_put_string(struct pms_bytes *bytes, const char *text)
{
	size_t length = bytes->size;
	pms_put(bytes, 0, 4);
	pms_put_text(bytes, length + 4, text, 64);
	pms_put_at(bytes, length, bytes->size - length - 4, 4);
}

void pms_bytes_release(struct pms_bytes *bytes)
{
	free(bytes->at);
	*bytes = (struct pms_bytes){ 0 };
}
