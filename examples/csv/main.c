/* SPDX-License-Identifier: MIT */
/* csv_scalar, csv_neon: parse a table and add up its columns, over and over; or print a file's
 * fields.
 *
 *   csv_scalar [ROWS [PASSES]]      a made-up table; 10000 rows and 4 passes unless given
 *   csv_scalar --fields FILE [ESCAPE]   each field as its size, ':' and its bytes; each row ends in
 * ';'
 *
 * Both programs are built of the same source, but for the scan for tokens (scan.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "vehicles.h"

static const char *const what[] = {
	[CSV_MEMORY] = "out of memory",
	[CSV_OPEN_QUOTE] = "a quoted field is not closed",
	[CSV_RAGGED] = "a row has not as many fields as the first",
	[CSV_TOO_LARGE] = "more than 2 GiB",
};

static int failed(const char *name, enum csv_status status, size_t row)
{
	fprintf(stderr, "csv: %s: row %zu: %s\n", name, row + 1, what[status]);
	return 2;
}

static uint8_t *read_file(const char *name, size_t *size)
{
	FILE *in = fopen(name, "rb");
	char *data = NULL;
	FILE *all = in ? open_memstream(&data, size) : NULL;

	for (int byte; all && (byte = getc(in)) != EOF;)
		putc(byte, all);
	if (all)
		fclose(all);
	if (in)
		fclose(in);
	return (uint8_t *)data;
}

static int print_fields(const char *name, uint8_t escape)
{
	struct csv_table table = { 0 };
	struct csv_options options = { ',', '"', escape };
	size_t size = 0;
	uint8_t *data = read_file(name, &size);

	if (!data)
		return perror(name), 2;
	enum csv_status status = csv_parse(&table, &options, data, size);
	for (size_t i = 0; i < table.fields; i++) {
		struct csv_bytes field = csv_field(&table, i);
		printf("%zu:", field.size);
		fwrite(field.start, 1, field.size, stdout);
		if ((i + 1) % table.columns == 0)
			putchar(';');
	}
	free(data);
	size_t row = table.rows;
	csv_free(&table);
	return status ? failed(name, status, row) : 0;
}

static int print_table(size_t rows)
{
	size_t size = 0;
	uint8_t *data = vehicles_make(rows, &size);

	if (!data)
		return failed("table", CSV_MEMORY, 0);
	fwrite(data, 1, size, stdout);
	free(data);
	return ferror(stdout) != 0;
}

/* What visiting gives together: bytes and quoted fields of all columns. */
static uint64_t visit(const struct csv_table *table, uint64_t *quoted)
{
	uint64_t size = 0;

	for (size_t column = 0; column < table->columns; column++) {
		size_t some;
		size += csv_column_size(table, column, &some);
		*quoted += some;
	}
	return size;
}

static int parse_made(size_t rows, unsigned long passes)
{
	struct csv_table table = { 0 };
	const struct csv_options options = { ',', '"', '"' };
	size_t size = 0;
	uint8_t *data = vehicles_make(rows, &size);
	uint64_t values = 0, quoted = 0;
	enum csv_status status = data ? CSV_OK : CSV_MEMORY;

	for (unsigned long pass = 0; pass < passes && !status; pass++) {
		status = csv_parse(&table, &options, data, size);
		values += visit(&table, &quoted);
	}
	if (status)
		return failed("table", status, table.rows);
	printf("csv: %lu x %zu bytes: %zu rows, %zu fields, %llu bytes of values, %llu quoted\n",
	       passes, size, table.rows, table.fields, (unsigned long long)values,
	       (unsigned long long)quoted);
	free(data);
	csv_free(&table);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "--fields"))
		return print_fields(argv[2], (uint8_t)(argc > 3 ? argv[3][0] : '"'));
	if (argc > 2 && !strcmp(argv[1], "--table"))
		return print_table(strtoul(argv[2], NULL, 10));
	return parse_made(argc > 1 ? strtoul(argv[1], NULL, 10) : 10000,
			  argc > 2 ? strtoul(argv[2], NULL, 10) : 4);
}
