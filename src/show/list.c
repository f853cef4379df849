/* SPDX-License-Identifier: MIT */
#include "show/list.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "show/csv.h"
#include "show/text.h"
#include "show/document.h"
#include "show/grid.h"

void pms_list_init(struct pms_list_table *list, const char *key, const struct pms_catalog *catalog,
		   const struct pms_list_column *columns, size_t n)
{
	*list = (struct pms_list_table){
		.key = key, .catalog = catalog, .columns = columns, .n_columns = n
	};
}

void pms_list_release(struct pms_list_table *list)
{
	for (size_t i = 0; i < list->n_rows * list->n_columns; i++)
		free(list->cells[i]);
	free(list->cells);
	free(list->parents);
	list->cells = NULL;
	list->parents = NULL;
	list->n_rows = 0;
}

size_t pms_list_row(struct pms_list_table *list, size_t parent)
{
	size_t rows = list->n_rows + 1;
	char **cells = reallocarray(list->cells, rows * list->n_columns, sizeof(*cells));
	if (cells)
		list->cells = cells;
	size_t *parents = reallocarray(list->parents, rows, sizeof(*parents));
	if (parents)
		list->parents = parents;
	if (!cells || !parents) {
		list->failed = 1;
		return PMS_NO_PARENT;
	}
	parents[list->n_rows] = parent;
	for (size_t i = 0; i < list->n_columns; i++)
		cells[list->n_rows * list->n_columns + i] = NULL;
	return list->n_rows++;
}

void pms_list_add(struct pms_list_table *list, size_t column, const char *format, ...)
{
	if (list->failed)
		return;
	char **cell = &list->cells[(list->n_rows - 1) * list->n_columns + column];
	char *text = NULL, *joined = NULL;
	va_list args;
	va_start(args, format);
	int length = vasprintf(&text, format, args);
	va_end(args);
	if (length < 0 || asprintf(&joined, "%s%s", *cell ? *cell : "", text) < 0) {
		list->failed = 1;
		joined = NULL;
	}
	if (length >= 0)
		free(text);
	if (joined) {
		free(*cell);
		*cell = joined;
	}
}

static const char *cell(const struct pms_list_table *list, size_t row, size_t column)
{
	return list->cells[row * list->n_columns + column];
}

/* For a shell's completion; the names are those of a file. */
static int put_names(FILE *out, const struct pms_list_table *list,
		     const struct pms_show_options *options)
{
	for (size_t row = 0; row < list->n_rows; row++) {
		const char *name = cell(list, row, 0);
		while (options->terminal && *name)
			name += pms_text_put(out, name, options->ascii);
		fprintf(out, "%s\n", name);
	}
	return 0;
}

static int put_table(FILE *out, const struct pms_list_table *list,
		     const struct pms_show_options *options)
{
	struct pms_column columns[16];
	size_t shown[16], n = 0;
	if (options->names)
		return put_names(out, list, options);
	for (size_t i = 0; i < list->n_columns && n < 16; i++)
		if (list->columns[i].title) {
			columns[n] = (struct pms_column){ list->columns[i].title,
							  list->columns[i].flags };
			shown[n++] = i;
		}
	struct pms_grid_line **lines = calloc(list->n_rows + 1, sizeof(struct pms_grid_line *));
	struct pms_grid grid;
	pms_grid_init(&grid, options, columns, n);
	for (size_t row = 0; lines && row < list->n_rows; row++) {
		size_t parent = list->parents[row];
		lines[row] = pms_grid_line(&grid, parent == PMS_NO_PARENT ? NULL : lines[parent]);
		for (size_t i = 0; i < n; i++)
			if (cell(list, row, shown[i]))
				pms_grid_set(&grid, lines[row], i, "%s", cell(list, row, shown[i]));
	}
	int rc = lines ? pms_grid_print(&grid, 1, out) : -PMS_ENOMEM;
	pms_grid_release(&grid);
	free(lines);
	return rc;
}

static int put_csv(FILE *out, const struct pms_list_table *list,
		   const struct pms_show_options *options)
{
	size_t n = list->n_columns;
	const char **fields = calloc(n, sizeof(*fields));
	if (!fields)
		return -PMS_ENOMEM;
	fprintf(out, "# pmuscope %s\n", PMS_VERSION);
	if (list->catalog)
		pms_csv_catalog(out, list->catalog);
	for (size_t i = 0; i < n; i++)
		fields[i] = list->columns[i].key;
	pms_csv_row(out, fields, n, options);
	for (size_t row = 0; row < list->n_rows; row++) {
		for (size_t i = 0; i < n; i++)
			fields[i] = cell(list, row, i) ? cell(list, row, i) : "";
		pms_csv_row(out, fields, n, options);
	}
	free(fields);
	return 0;
}

static json_t *words(struct pms_document *document, const char *text)
{
	json_t *array = json_array();
	char *copy = strdup(text ? text : ""), *rest = copy, *word;
	if (!copy)
		document->failed = 1;
	while (copy && (word = strsep(&rest, " ")))
		if (*word)
			pms_document_append(document, array, pms_document_string(word));
	free(copy);
	return array;
}

static json_t *cell_value(struct pms_document *document, const struct pms_list_column *column,
			  const char *text)
{
	switch (column->kind) {
	case PMS_LIST_NUMBER:
		return text ? json_integer(strtoll(text, NULL, 0)) : json_null();
	case PMS_LIST_WORDS:
		return words(document, text);
	case PMS_LIST_TEXT:
		break;
	}
	return pms_document_string(text);
}

static void set_catalog(struct pms_document *document, const struct pms_cpu *cpu)
{
	pms_document_set(document, document->root, "catalog",
			 json_pack("{s:o, s:o}", "name", pms_document_string(cpu->name), "version",
				   pms_document_string(cpu->version)));
}

static json_t *row_value(struct pms_document *document, const struct pms_list_table *list,
			 size_t row)
{
	json_t *object = json_object();
	for (size_t i = 0; i < list->n_columns; i++)
		pms_document_set(document, object, list->columns[i].key,
				 cell_value(document, &list->columns[i], cell(list, row, i)));
	return object;
}

static int put_json(FILE *out, const struct pms_list_table *list, struct pms_error *err)
{
	json_t *rows = json_array();
	struct pms_document document;
	pms_document_init(&document, list->key ? json_object() : rows);
	for (size_t row = 0; row < list->n_rows; row++)
		pms_document_append(&document, rows, row_value(&document, list, row));
	if (list->key) {
		pms_document_set(&document, document.root, "pmuscope",
				 json_pack("{s:s}", "version", PMS_VERSION));
		if (list->catalog)
			set_catalog(&document, pms_catalog_cpu(list->catalog));
		pms_document_set(&document, document.root, list->key, rows);
	}
	return pms_document_finish(&document, out, err);
}

int pms_list_put(FILE *out, const struct pms_list_table *list,
		 const struct pms_show_options *options, struct pms_error *err)
{
	int rc = list->failed ? -PMS_ENOMEM : 0;
	if (!rc && options->format == PMS_FORMAT_JSON)
		return put_json(out, list, err);
	if (!rc)
		rc = options->format == PMS_FORMAT_CSV ? put_csv(out, list, options)
						       : put_table(out, list, options);
	return rc ? pms_fail(err, PMS_ENOMEM, "out of memory") : 0;
}
