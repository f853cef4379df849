/* SPDX-License-Identifier: MIT */
/* scan.h - is there a token in a block of bytes? Twice: with integers, four bytes at a time, and
 * with -DCSV_NEON with vectors, eight at a time. The first may say yes where there is none, never
 * the reverse; the parser then looks at one byte. */
#ifndef CSV_SCAN_H
#define CSV_SCAN_H
#include <stdbool.h>
#include <string.h>

#include "csv.h"

#ifdef CSV_NEON
#include <arm_neon.h>

enum { CSV_BLOCK = 8 };

/* A vector of each token. */
struct csv_scan {
	uint8x8_t cr, lf, delimiter, quote, escape;
};

static inline struct csv_scan csv_scan_init(const struct csv_options *options)
{
	return (struct csv_scan){ vdup_n_u8('\r'), vdup_n_u8('\n'), vdup_n_u8(options->delimiter),
				  vdup_n_u8(options->quote), vdup_n_u8(options->escape) };
}

/* Copy the block at from to to, unless it has a token. Returns whether it was copied. */
static inline bool csv_scan_copy(const struct csv_scan *scan, uint8_t *to, const uint8_t *from)
{
	uint8x8_t block = vld1_u8(from);
	uint8x8_t ends = vorr_u8(vceq_u8(block, scan->cr), vceq_u8(block, scan->lf));
	uint8x8_t quotes = vorr_u8(vceq_u8(block, scan->quote), vceq_u8(block, scan->escape));
	uint8x8_t any = vorr_u8(vorr_u8(ends, quotes), vceq_u8(block, scan->delimiter));

	if (vget_lane_u64(vreinterpret_u64_u8(any), 0))
		return false;
	vst1_u8(to, block);
	return true;
}

#else

enum { CSV_BLOCK = 4 };

/* A Bloom filter of one word: byte c is looked up at bit c modulo 64, where 'l' passes for ','. */
struct csv_scan {
	uint64_t tokens;
};

static inline struct csv_scan csv_scan_init(const struct csv_options *options)
{
	const uint8_t tokens[] = { '\r', '\n', options->delimiter, options->quote,
				   options->escape };
	struct csv_scan scan = { 0 };

	for (size_t i = 0; i < sizeof(tokens); i++)
		scan.tokens |= UINT64_C(1) << (tokens[i] & 63);
	return scan;
}

static inline bool csv_scan_copy(const struct csv_scan *scan, uint8_t *to, const uint8_t *from)
{
	uint32_t block;
	uint64_t any = 0;

	memcpy(&block, from, sizeof(block));
	for (int i = 0; i < CSV_BLOCK; i++)
		any |= scan->tokens >> (block >> 8 * i & 63);
	if (any & 1)
		return false;
	memcpy(to, &block, sizeof(block));
	return true;
}

#endif
#endif
