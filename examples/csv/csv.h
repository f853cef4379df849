/* SPDX-License-Identifier: MIT */
/* csv.h - a parser of comma-separated values: bytes in, fields out.
 * Tokens are the delimiter, the quote, the escape, CR and LF. A quoted field may hold any of them,
 * and
 * "" for a quote; an escape makes the byte behind it an ordinary one. CR, LF and CR LF end a row;
 * empty lines are passed over. */
#ifndef CSV_H
#define CSV_H
#include <stddef.h>
#include <stdint.h>

struct csv_options {
	uint8_t delimiter; /* usually ',' */
	uint8_t quote;	   /* usually '"' */
	uint8_t escape;	   /* '\\', or the quote again when nothing escapes */
};

/* All fields, row after row, in one piece: field i is bytes [end of i - 1, end of i) of values. */
struct csv_table {
	uint8_t *values;
	uint32_t *ends; /* twice the offset where the field ends, plus 1 if it was quoted */
	size_t fields, room;
	size_t columns, rows;
};

enum csv_status {
	CSV_OK,
	CSV_MEMORY,
	CSV_OPEN_QUOTE, /* the input ends within a quoted field */
	CSV_RAGGED,	/* a row, table->rows counted from 0, has not as many fields as the first */
	CSV_TOO_LARGE,	/* more than 2 GiB */
};

/**
 * Parse all of data.
 * @table: all zero or from an earlier call, whose memory is used again; csv_free() it at the end
 * Returns CSV_OK or what is wrong; the table then holds the rows before.
 */
enum csv_status csv_parse(struct csv_table *table, const struct csv_options *options,
			  const uint8_t *data, size_t size);
void csv_free(struct csv_table *table);

/* A field's bytes, which belong to the table. */
struct csv_bytes {
	const uint8_t *start;
	size_t size;
};

static inline struct csv_bytes csv_field(const struct csv_table *table, size_t i)
{
	uint32_t start = i ? table->ends[i - 1] >> 1 : 0;

	return (struct csv_bytes){ table->values + start, (table->ends[i] >> 1) - start };
}

/* Visit a column: how many bytes its fields have together, and how many of them were quoted. */
uint64_t csv_column_size(const struct csv_table *table, size_t column, size_t *quoted);

#endif
