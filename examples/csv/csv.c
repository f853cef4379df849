/* SPDX-License-Identifier: MIT */
/* The parser is the same for both scans: it copies blocks of bytes as long as the scan finds
 * no token in them, else takes one byte by itself and tries again. */
#include <stdlib.h>

#include "csv.h"
#include "scan.h"

/* Where the parser is; in registers throughout. */
struct cursor {
	const uint8_t *at, *end;
	uint8_t *out;
};

/* Room for all values, which are at most as many bytes as the input has. */
static enum csv_status table_begin(struct csv_table *table, size_t size)
{
	if (size > INT32_MAX)
		return CSV_TOO_LARGE;
	uint8_t *values = realloc(table->values, size + CSV_BLOCK);
	if (!values)
		return CSV_MEMORY;
	table->values = values;
	table->fields = table->rows = table->columns = 0;
	return CSV_OK;
}

static bool ends_grow(struct csv_table *table)
{
	size_t room = table->room ? 2 * table->room : 1024;
	uint32_t *ends = realloc(table->ends, room * sizeof(*ends));

	if (!ends)
		return false;
	table->ends = ends;
	table->room = room;
	return true;
}

static inline bool field_end(struct csv_table *table, const uint8_t *out, bool quoted)
{
	if (table->fields == table->room && !ends_grow(table))
		return false;
	table->ends[table->fields++] = (uint32_t)(out - table->values) << 1 | quoted;
	return true;
}

/* Copy what needs no look at single bytes. */
static inline struct cursor copy_blocks(const struct csv_scan *scan, struct cursor c)
{
	while (c.end - c.at >= CSV_BLOCK && csv_scan_copy(scan, c.out, c.at)) {
		c.at += CSV_BLOCK;
		c.out += CSV_BLOCK;
	}
	return c;
}

/* The inside of quotes, up to behind the closing one. Returns whether it was there. */
static inline bool quoted_part(const struct csv_options *options, const struct csv_scan *scan,
			       struct cursor *cursor)
{
	struct cursor c = *cursor;
	bool closed = false;

	for (;;) {
		c = copy_blocks(scan, c);
		if (c.at == c.end)
			break;
		uint8_t byte = *c.at++;
		if (byte == options->quote) {
			if (c.at == c.end || *c.at != options->quote) {
				closed = true;
				break;
			}
			c.at++;
		} else if (byte == options->escape && c.at < c.end) {
			byte = *c.at++;
		}
		*c.out++ = byte;
	}
	*cursor = c;
	return closed;
}

/* What is not in quotes, up to the token that ends the field. Returns that, at the end of the input
 * LF. */
static inline uint8_t plain_part(const struct csv_options *options, const struct csv_scan *scan,
				 struct cursor *cursor)
{
	struct cursor c = *cursor;
	uint8_t byte = '\n';

	for (;;) {
		c = copy_blocks(scan, c);
		if (c.at == c.end) {
			byte = '\n';
			break;
		}
		byte = *c.at++;
		if (byte == options->delimiter || byte == '\n' || byte == '\r')
			break;
		if (byte == options->escape && byte != options->quote && c.at < c.end)
			byte = *c.at++;
		*c.out++ = byte;
	}
	*cursor = c;
	return byte;
}

static const uint8_t *skip_line_ends(const uint8_t *at, const uint8_t *end)
{
	while (at < end && (*at == '\n' || *at == '\r'))
		at++;
	return at;
}

static enum csv_status parse_row(struct csv_table *table, const struct csv_options *options,
				 const struct csv_scan *scan, struct cursor *cursor)
{
	uint8_t token;

	do {
		bool quoted = cursor->at < cursor->end && *cursor->at == options->quote;
		if (quoted) {
			cursor->at++;
			if (!quoted_part(options, scan, cursor))
				return CSV_OPEN_QUOTE;
		}
		token = plain_part(options, scan, cursor);
		if (!field_end(table, cursor->out, quoted))
			return CSV_MEMORY;
	} while (token == options->delimiter);
	return CSV_OK;
}

enum csv_status csv_parse(struct csv_table *table, const struct csv_options *options,
			  const uint8_t *data, size_t size)
{
	struct csv_scan scan = csv_scan_init(options);
	enum csv_status status = table_begin(table, size);

	if (status)
		return status;
	struct cursor c = { data, data + size, table->values };
	while ((c.at = skip_line_ends(c.at, c.end)) < c.end) {
		size_t before = table->fields;
		status = parse_row(table, options, &scan, &c);
		if (!status && !table->rows)
			table->columns = table->fields;
		else if (!status && table->fields - before != table->columns)
			status = CSV_RAGGED;
		if (status) {
			table->fields = before;
			return status;
		}
		table->rows++;
	}
	return CSV_OK;
}

void csv_free(struct csv_table *table)
{
	free(table->values);
	free(table->ends);
	*table = (struct csv_table){ 0 };
}

uint64_t csv_column_size(const struct csv_table *table, size_t column, size_t *quoted)
{
	uint64_t size = 0;

	*quoted = 0;
	for (size_t i = column; i < table->fields; i += table->columns) {
		size += csv_field(table, i).size;
		*quoted += table->ends[i] & 1;
	}
	return size;
}
