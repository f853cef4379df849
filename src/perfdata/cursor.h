/* SPDX-License-Identifier: MIT */
/* perfdata/cursor.h - take little-endian fields from bytes of known length. A field beyond the
 * end turns the cursor bad, and every further one is zero: check once, at the end. */
#ifndef PMS_PERFDATA_CURSOR_H
#define PMS_PERFDATA_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
	const uint8_t *at;
	size_t left;
	bool bad;
};

static inline uint64_t little(const uint8_t *at, size_t size)
{
	uint64_t value = 0;
	for (size_t i = size; i > 0; i--)
		value = value << 8 | at[i - 1];
	return value;
}

/** Returns @size bytes; NULL, with the cursor bad, if fewer are left. Files give lengths of 64
 * bits. */
static inline const uint8_t *take_bytes(struct cursor *c, uint64_t size)
{
	const uint8_t *at = c->at;
	if (c->bad || size > c->left) {
		c->bad = true;
		return NULL;
	}
	c->at += size;
	c->left -= (size_t)size;
	return at;
}

static inline uint64_t take_u64(struct cursor *c)
{
	const uint8_t *at = take_bytes(c, 8);
	return at ? little(at, 8) : 0;
}

static inline uint32_t take_u32(struct cursor *c)
{
	const uint8_t *at = take_bytes(c, 4);
	return at ? (uint32_t)little(at, 4) : 0;
}

static inline uint16_t take_u16(struct cursor *c)
{
	const uint8_t *at = take_bytes(c, 2);
	return at ? (uint16_t)little(at, 2) : 0;
}

static inline int32_t take_s32(struct cursor *c)
{
	return (int32_t)take_u32(c);
}

/** Takes all that is left as a string, which must have its zero inside. Returns "" with the
 * cursor bad. */
static inline const char *take_text(struct cursor *c)
{
	const char *text = (const char *)c->at;
	if (c->bad || !c->left || !memchr(text, 0, c->left)) {
		c->bad = true;
		return "";
	}
	c->at += c->left;
	c->left = 0;
	return text;
}

#endif
