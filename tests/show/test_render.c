/* SPDX-License-Identifier: MIT */
/* One outline, in each format: what each kind of item and of value becomes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/status.h"
#include "fixture.h"
#include "show/grid.h"
#include "show/render.h"

/* To be freed. */
static char *show(pms_builder *build, void *subject, struct pms_show_options options, int want)
{
	struct fixture_text to;
	struct pms_error err = { 0 };
	FILE *out = fixture_open(&to);
	assert_int_equal(pms_show_built(out, &options, build, subject, &err), want);
	assert_int_equal(err.status, -want);
	return fixture_close(&to);
}

static void shows(pms_builder *build, void *subject, struct pms_show_options options,
		  const char *want)
{
	char *got = show(build, subject, options, 0);
	assert_string_equal(got, want);
	free(got);
}

/* A run with its parts ------------------------------------------------------------------------- */

enum { NAME, CODE, SHARE, WORDS, WHY, N };

static const struct pms_out_field fields[] = {
	[NAME] = PMS_OUT_FIELD("name", "NAME", PMS_GRID_TREE),
	[CODE] = { "code", "number", "CODE", PMS_GRID_RIGHT },
	[SHARE] = { "share", "share", "SHARE", PMS_GRID_RIGHT },
	[WORDS] = PMS_OUT_FIELD("words", NULL, 0),
	[WHY] = { "because", NULL, "WHY", PMS_OUT_OPTIONAL },
};

static void add_rows(struct pms_out_item *table)
{
	struct pms_out_words words = pms_out_words(table);
	pms_out_words_add(&words, "one");
	pms_out_words_add(&words, "two");
	pms_out_words_add(&words, "three");
	struct pms_out_item *row = pms_out_row(table, N);
	pms_out_cell(row, NAME, pms_out_of_text("A, with \"quotes\""));
	pms_out_cell(row, CODE, pms_out_of_code(17));
	pms_out_cell(row, SHARE, pms_out_of_real(0.1));
	pms_out_cell_print(row, SHARE, "%.0f %%", 10.0);
	pms_out_cell(row, WORDS, pms_out_of_words(&words));
	struct pms_out_item *below = pms_out_row(row, N);
	pms_out_cell(below, NAME, pms_out_of_text("B"));
	pms_out_cell(below, WHY, pms_out_of_note("was not counted"));
	struct pms_out_item *folded = pms_out_row(table, N);
	pms_out_cell(folded, NAME, pms_out_of_text("folded"));
	pms_out_cell(folded, SHARE, pms_out_of_real(INFINITY));
	pms_out_set_folded(folded, 1);
}

static int build_run(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	struct pms_out_item *root = outline->root;
	(void)subject;
	(void)err;
	pms_out_heading(root, "Run of %d", 3);
	pms_out_fact(root, "modelled", "model", pms_out_of_truth(1));
	pms_out_fact(root, "signal", "signal", pms_out_of_nothing());
	pms_out_comment_print(root, NULL, "for people: %d", 7);
	struct pms_out_item *size = pms_out_group(root, PMS_IN_JSON, "size");
	pms_out_member(size, "cycles", pms_out_of_count(12));
	pms_out_group(root, PMS_IN_JSON, "empty");
	struct pms_out_item *list = pms_out_list(root, PMS_IN_JSON, "list");
	pms_out_element(list, pms_out_of_integer(-1));
	pms_out_member(pms_out_group(list, PMS_IN_JSON, NULL), "x", pms_out_of_text("y"));
	struct pms_out_item *text = pms_out_group(root, PMS_EVERYWHERE, NULL);
	pms_out_set_labels(text, 2, 7);
	pms_out_paragraph(text, "label", "a paragraph that is longer than a line");
	pms_out_set_flags(pms_out_paragraph(text, "list", "an item"), PMS_OUT_BULLET);
	pms_out_set_flags(pms_out_paragraph(text, NULL, "more of it"), PMS_OUT_FURTHER);
	pms_out_member(text, "inside", pms_out_of_text("of the same object"));
	pms_out_line(root, "a line that is not broken, however long it is");
	pms_out_gap(root);
	add_rows(pms_out_table(root, PMS_EVERYWHERE, "rows", fields, N));
	return 0;
}

static void a_table_is_text_and_grids(void **state)
{
	(void)state;
	shows(build_run, NULL, (struct pms_show_options){ .width = 30, .ascii = 1 },
	      "Run of 3\n"
	      "  label  a paragraph that is\n"
	      "         longer than a line\n"
	      "  list   - an item\n"
	      "           more of it\n"
	      "a line that is not broken, however long it is\n"
	      "\n"
	      "NAME                CODE  SHARE  WHY\n"
	      "A, with \"quotes\"  0x0011   10 %\n"
	      "`- B                             [1]\n"
	      "\n"
	      "[1] was not counted\n");
}

static void what_is_folded_is_shown_on_request(void **state)
{
	(void)state;
	char *text = show(build_run, NULL, (struct pms_show_options){ .all = 1, .ascii = 1 }, 0);
	assert_non_null(strstr(text, "\nfolded"));
	free(text);
}

static void json_is_objects_and_arrays(void **state)
{
	(void)state;
	shows(build_run, NULL, (struct pms_show_options){ .format = PMS_FORMAT_JSON },
	      "{\n"
	      "  \"modelled\": true,\n"
	      "  \"signal\": null,\n"
	      "  \"size\": {\n"
	      "    \"cycles\": 12\n"
	      "  },\n"
	      "  \"empty\": {},\n"
	      "  \"list\": [\n"
	      "    -1,\n"
	      "    {\n"
	      "      \"x\": \"y\"\n"
	      "    }\n"
	      "  ],\n"
	      "  \"inside\": \"of the same object\",\n"
	      "  \"rows\": [\n"
	      "    {\n"
	      "      \"name\": \"A, with \\\"quotes\\\"\",\n"
	      "      \"code\": 17,\n"
	      "      \"share\": 0.1,\n"
	      "      \"words\": [\n"
	      "        \"one\",\n"
	      "        \"two\",\n"
	      "        \"three\"\n"
	      "      ]\n"
	      "    },\n"
	      "    {\n"
	      "      \"name\": \"B\",\n"
	      "      \"code\": null,\n"
	      "      \"share\": null,\n"
	      "      \"words\": null,\n"
	      "      \"because\": null\n"
	      "    },\n"
	      "    {\n"
	      "      \"name\": \"folded\",\n"
	      "      \"code\": null,\n"
	      "      \"share\": null,\n"
	      "      \"words\": null\n"
	      "    }\n"
	      "  ]\n"
	      "}\n");
}

static void csv_is_comments_and_then_rows(void **state)
{
	(void)state;
	shows(build_run, NULL, (struct pms_show_options){ .format = PMS_FORMAT_CSV },
	      "# model: true\n"
	      "# for people: 7\n"
	      "name,number,share,words\n"
	      "\"A, with \"\"quotes\"\"\",0x0011,0.1,one two three\n"
	      "B,,,\n"
	      "folded,,inf,\n");
}

/* Pieces --------------------------------------------------------------------------------------- */

struct pieces {
	size_t n, fails_at;
};

static int make_piece(void *context, struct pms_out_item *parent, size_t i, struct pms_error *err)
{
	const struct pieces *pieces = context;
	if (i == pieces->fails_at)
		return pms_fail(err, PMS_EPARSE, "piece %zu", i);
	if (i == pieces->n)
		return 0;
	struct pms_out_item *group = pms_out_group(parent, PMS_EVERYWHERE, NULL);
	pms_out_member(group, "i", pms_out_of_count(i));
	pms_out_paragraph(group, NULL, "piece %zu", i);
	add_rows(pms_out_table(group, PMS_IN_CSV, NULL, fields, N));
	return 1;
}

static int build_pieces(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	static const char *const columns[] = { "share", "none", "name" };
	(void)err;
	outline->columns = columns;
	outline->n_columns = 3;
	outline->layout = PMS_OUT_ON_ONE_LINE;
	outline->is_continued = outline->options->continued;
	pms_out_each(outline->root, PMS_EVERYWHERE, "pieces", make_piece, subject);
	return 0;
}

static void pieces_are_made_one_after_the_other(void **state)
{
	struct pieces two = { 2, SIZE_MAX }, none = { 0, SIZE_MAX };
	struct pms_show_options json = { .format = PMS_FORMAT_JSON };
	struct pms_show_options csv = { .format = PMS_FORMAT_CSV, .separator = ';' };
	(void)state;
	shows(build_pieces, &two, json, "{\"pieces\": [{\"i\": 0}, {\"i\": 1}]}\n");
	shows(build_pieces, &none, json, "{\"pieces\": []}\n");
	shows(build_pieces, &two, (struct pms_show_options){ 0 }, "piece 0\npiece 1\n");
	shows(build_pieces, &none, csv, "share;none;name\n");
	csv.continued = 1;
	two.n = 1;
	shows(build_pieces, &two, csv, "0.1;;\"A, with \"\"quotes\"\"\"\n;;B\ninf;;folded\n");
}

static void a_piece_that_fails_is_an_error(void **state)
{
	(void)state;
	for (int format = PMS_FORMAT_TABLE; format <= PMS_FORMAT_CSV; format++) {
		struct pieces pieces = { 3, 1 };
		free(show(build_pieces, &pieces,
			  (struct pms_show_options){ .format = (enum pms_format)format },
			  -PMS_EPARSE));
	}
}

/* A table whose rows are made one by one, as reports of samples have: one builder of a row. */

static const struct pms_out_field long_fields[] = {
	{ "name", "name", "Name", 0 },
	{ "share", "share", "of\nall %", PMS_GRID_RIGHT },
	{ "parts", NULL, "Parts", PMS_OUT_LINES },
};

static int make_long_row(void *context, struct pms_out_item *parent, size_t i,
			 struct pms_error *err)
{
	static const struct pms_out_field part[] = { { "i", NULL, NULL, 0 } };
	const struct pieces *pieces = context;
	if (i == pieces->fails_at)
		return pms_fail(err, PMS_EPARSE, "row %zu", i);
	if (i == pieces->n)
		return 0;
	struct pms_out_item *row = pms_out_row(parent, 3);
	struct pms_out_item *parts = pms_out_detached_table(row, part, 1);
	pms_out_cell(row, 0, pms_out_of_text(pms_out_print(row, "row %zu", i)));
	pms_out_cell(row, 1, pms_out_of_real(i ? 0.25 : 12));
	for (size_t k = 0; k < i; k++)
		pms_out_cell(pms_out_row(parts, 1), 0, pms_out_of_count(k));
	pms_out_cell(row, 2, pms_out_of_item(parts));
	pms_out_cell_print(row, 2, "%zu\nof \x1b 2", i);
	return 1;
}

static int build_long_table(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	struct pms_out_item *root = outline->root;
	(void)err;
	outline->layout = PMS_OUT_ON_LINES;
	pms_out_member(pms_out_group(root, PMS_IN_JSON, "about"), "x", pms_out_of_count(1));
	struct pms_out_item *table = pms_out_table(root, PMS_EVERYWHERE, "rows", long_fields, 3);
	pms_out_each(table, PMS_EVERYWHERE, NULL, make_long_row, subject);
	if (pms_outline_is_in(table, PMS_IN_CSV))
		pms_out_cell(pms_out_row(table, 3), 0, pms_out_of_text("all"));
	pms_out_member(pms_out_group(root, PMS_IN_JSON, "total"), "of",
		       pms_out_of_item(pms_out_detached_list(root)));
	return 0;
}

static void rows_are_made_one_after_the_other(void **state)
{
	struct pieces two = { 2, SIZE_MAX }, none = { 0, SIZE_MAX };
	struct pms_show_options json = { .format = PMS_FORMAT_JSON };
	struct pms_show_options csv = { .format = PMS_FORMAT_CSV };
	(void)state;
	shows(build_long_table, &two, json,
	      "{\"about\":{\"x\": 1}\n"
	      ",\"rows\":[\n"
	      "{\"name\": \"row 0\", \"share\": 12.0, \"parts\": []}\n"
	      ",{\"name\": \"row 1\", \"share\": 0.25, \"parts\": [{\"i\": 0}]}\n"
	      "],\"total\":{\"of\": []}\n"
	      "}\n");
	shows(build_long_table, &none, json,
	      "{\"about\":{\"x\": 1}\n,\"rows\":[\n],\"total\":{\"of\": []}\n}\n");
	shows(build_long_table, &two, csv, "name,share\nrow 0,12\nrow 1,0.25\nall,\n");
	shows(build_long_table, &two, (struct pms_show_options){ .ascii = 1 },
	      "          of\n"
	      "Name   all %  Parts\n"
	      "row 0     12  0\n"
	      "              of \\x1b 2\n"
	      "row 1   0.25  1\n"
	      "              of \\x1b 2\n");
}

static void a_row_that_fails_is_an_error(void **state)
{
	(void)state;
	for (int format = PMS_FORMAT_TABLE; format <= PMS_FORMAT_CSV; format++) {
		struct pieces rows = { 3, 1 };
		free(show(build_long_table, &rows,
			  (struct pms_show_options){ .format = (enum pms_format)format },
			  -PMS_EPARSE));
	}
}

/* Values --------------------------------------------------------------------------------------- */

static int build_values(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	const struct pms_out_datum *values = subject;
	struct pms_out_item *list = pms_out_list(outline->root, PMS_IN_JSON, "v");
	(void)err;
	for (size_t i = 0; values[i].kind != PMS_OUT_DATUM_NONE; i++)
		pms_out_element(list, values[i]);
	outline->layout = PMS_OUT_ON_ONE_LINE;
	return 0;
}

/* The shortest that reads back as the same, and a real stays one. */
static void json_numbers_are_short_and_exact(void **state)
{
	struct pms_out_datum values[] = {
		pms_out_of_real(0.1),	       pms_out_of_real(3),
		pms_out_of_real(-0.0),	       pms_out_of_real(1e15),
		pms_out_of_real(1e17),	       pms_out_of_real(1e20),
		pms_out_of_real(1.5e20),       pms_out_of_real(1e23),
		pms_out_of_real(-2e30),	       pms_out_of_real(1e-5),
		pms_out_of_real(1.0 / 3),      pms_out_of_real(NAN),
		pms_out_of_real(-INFINITY),    pms_out_of_count(0),
		pms_out_of_count(INT64_MAX),   pms_out_of_count(UINT64_MAX),
		pms_out_of_integer(INT64_MIN), pms_out_of_nothing(),
	};
	(void)state;
	shows(build_values, values, (struct pms_show_options){ .format = PMS_FORMAT_JSON },
	      "{\"v\": [0.1, 3.0, -0.0, 1e+15, 1e17, 1e20, 1.5e+20, 1e+23, -2e30, 1e-05, "
	      "0.3333333333333333, null, null, 0, 9223372036854775807, "
	      "1.8446744073709552e+19, -9223372036854775808]}\n");
}

static void json_text_is_safe_and_whole(void **state)
{
	struct pms_out_datum values[] = {
		pms_out_of_text("\b\f\n\r\t\"\\/ \x01\x7f"),
		pms_out_of_text("é \u202e \U000e0041 —"),
		pms_out_of_text("not \xff UTF-8\n"),
		pms_out_of_text(""),
		pms_out_of_nothing(),
	};
	(void)state;
	shows(build_values, values, (struct pms_show_options){ .format = PMS_FORMAT_JSON },
	      "{\"v\": [\"\\b\\f\\n\\r\\t\\\"\\\\/ \\u0001\\u007F\", "
	      "\"é \\u202E \\uDB40\\uDC41 —\", \"not \\\\xff UTF-8 \", \"\"]}\n");
}

/* Trees --------------------------------------------------------------------------------------- */

static int build_tree(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	static const struct pms_value half = { .state = PMS_VALUE_EXACT, .value = 50 };
	static const struct pms_value some = {
		.state = PMS_VALUE_SCALED, .value = 2, .low = 1, .high = HUGE_VAL, .run_pct = 25
	};
	static const struct pms_value none = { .state = PMS_VALUE_UNDEFINED,
					       .because = "was not counted" };
	static const char *const notes[] = { "first", "second", "first" };
	static const size_t findings[] = { 1, 3 };
	struct pms_out_branch branch = { .kind = PMS_OUT_BRANCH_SHARE,
					 .title = "Share",
					 .quantity = { &half, "percent of slots", 0 },
					 .footnotes = notes + 1,
					 .n_footnotes = 1,
					 .findings = findings,
					 .n_findings = 2 };
	struct pms_out_item *tree = pms_out_tree(outline->root);
	struct pms_out_item *root = pms_out_branch(tree, &branch);
	(void)subject;
	(void)err;
	pms_out_branch(root, &(struct pms_out_branch){ .kind = PMS_OUT_BRANCH_VALUE,
						       .title = "Value",
						       .quantity = { &some, "each", 0 },
						       .footnotes = notes,
						       .n_footnotes = 3 });
	pms_out_branch(root, &(struct pms_out_branch){ .kind = PMS_OUT_BRANCH_VALUE,
						       .title = "None",
						       .quantity = { &none, "each", 0 } });
	pms_out_branch(root, &(struct pms_out_branch){ .kind = PMS_OUT_BRANCH_SEE,
						       .title = "Elsewhere",
						       .instead = "under it" });
	pms_out_footnotes(outline->root);
	return 0;
}

/* Marks are in the order of the letters, whatever that of the notes. */
static void a_tree_has_bars_intervals_and_marks(void **state)
{
	(void)state;
	shows(build_tree, NULL, (struct pms_show_options){ .width = 72, .ascii = 1 },
	      "Share          50.0 %  ##### [a] <- 1, 3\n"
	      "|- Value      2.000    each (1.000 ... ?, ran 25 %) [a, b]\n"
	      "|- None            -   [1]\n"
	      "`- Elsewhere           under it\n"
	      "\n"
	      "[1] was not counted\n"
	      "\n"
	      "[a] second\n"
	      "[b] first\n");
}

/* What the library itself would do wrong ------------------------------------------------------- */

static int build_nothing(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	(void)outline;
	(void)subject;
	return pms_fail(err, PMS_ENAME, "no such thing");
}

static void what_cannot_be_built_is_not_begun(void **state)
{
	(void)state;
	char *text = show(build_nothing, NULL, (struct pms_show_options){ 0 }, -PMS_ENAME);
	assert_string_equal(text, "");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_is_text_and_grids),
		cmocka_unit_test(what_is_folded_is_shown_on_request),
		cmocka_unit_test(json_is_objects_and_arrays),
		cmocka_unit_test(csv_is_comments_and_then_rows),
		cmocka_unit_test(pieces_are_made_one_after_the_other),
		cmocka_unit_test(a_piece_that_fails_is_an_error),
		cmocka_unit_test(rows_are_made_one_after_the_other),
		cmocka_unit_test(a_row_that_fails_is_an_error),
		cmocka_unit_test(json_numbers_are_short_and_exact),
		cmocka_unit_test(json_text_is_safe_and_whole),
		cmocka_unit_test(a_tree_has_bars_intervals_and_marks),
		cmocka_unit_test(what_cannot_be_built_is_not_begun),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
