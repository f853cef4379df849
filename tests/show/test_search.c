/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "fixture.h"

/* The names found, in order: "event BR_RETIRED, …". To be freed. */
static char *search(const struct fixture *f, size_t n_catalogs, const char *const *words, size_t n)
{
	const struct pms_catalog *catalogs[] = { f->catalog, f->catalog };
	struct pms_show_options options = { .format = PMS_FORMAT_JSON };
	char *text = NULL, *names = NULL;
	size_t size = 0, found = 99, i;
	FILE *out = open_memstream(&text, &size);
	assert_int_equal(pms_show_search(out, catalogs, n_catalogs, PMS_TEST_DATA "/show/docs",
					 words, n, &options, &found, NULL),
			 0);
	fclose(out);
	json_t *root = json_loads(text, 0, NULL), *results = json_object_get(root, "results"), *row;
	assert_int_equal(json_array_size(results), found);
	out = open_memstream(&names, &size);
	json_array_foreach(results, i, row)
	{
		fprintf(out, "%s%s %s", i ? ", " : "",
			json_string_value(json_object_get(row, "kind")),
			json_string_value(json_object_get(row, "name")));
	}
	fclose(out);
	json_decref(root);
	free(text);
	return names;
}

/* tests/data/show/cpus/demo: names, titles and descriptions as they stand there. */
static void words_are_found_best_first(void **state)
{
	static const struct {
		const char *words[3], *names;
	} cases[] = {
		/* the name that it is, before others with it in the name */
		{ { "branch" },
		  "group Branch, metric branch_mpki, metric branch_miss_ratio, "
		  "group Branch_Effectiveness, event BR_RETIRED, event BR_MIS_PRED_RETIRED" },
		/* all of the words, wherever each is */
		{ { "BRANCH", "mispredicted" }, "event BR_MIS_PRED_RETIRED" },
		/* a description alone */
		{ { "waited for memory" }, "metric memory_bound" },
		{ { "no such word" }, "" },
		{ { "branch", "no such word" }, "" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t n = 0;
		while (cases[i].words[n])
			n++;
		char *names = search(*state, 1, cases[i].words, n);
		if (strncmp(names, cases[i].names, strlen(cases[i].names)) != 0 ||
		    !cases[i].names[0] != !names[0])
			fail_msg("%s: %s", cases[i].words[0], names);
		free(names);
	}
}

/* Two pages, and one on a shelf: the heading that has the words comes first, then the section that
 * has them more often; what stands in a block of code is no heading. */
static void pages_are_searched_by_section(void **state)
{
	static const struct {
		const char *words[3], *names;
	} cases[] = {
		{ { "walnut" }, "page docs/one.md, page docs/two.md, page docs/one.md" },
		{ { "Walnut", "shell" }, "page docs/one.md" },
		{ { "not a heading" }, "page docs/two.md" },
		{ { "hazelnut" }, "page docs/shelf/three.md" },
		{ { "walnut", "nowhere" }, "" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t n = 0;
		while (cases[i].words[n])
			n++;
		char *names = search(*state, 1, cases[i].words, n);
		if (strcmp(names, cases[i].names) != 0)
			fail_msg("%s: %s", cases[i].words[0], names);
		free(names);
	}
}

static void several_catalogs_are_searched(void **state)
{
	char *names = search(*state, 2, (const char *const[]){ "ipc" }, 1);
	assert_string_equal(names, "metric ipc, metric ipc");
	free(names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(words_are_found_best_first, fixture_begin,
						fixture_end),
		cmocka_unit_test_setup_teardown(pages_are_searched_by_section, fixture_begin,
						fixture_end),
		cmocka_unit_test_setup_teardown(several_catalogs_are_searched, fixture_begin,
						fixture_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
