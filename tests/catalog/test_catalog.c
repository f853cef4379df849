/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "catalog/catalog.h"

static struct pms_catalog *load(const char *cpu)
{
	struct pms_catalog *catalog = NULL;
	struct pms_error err = { 0 };
	if (pms_catalog_load(PMS_TEST_DATA, cpu, &catalog, &err))
		fail_msg("%s:%u:%u: %s", err.source, err.line, err.column, err.text);
	return catalog;
}

static const struct pms_metric *metric(const struct pms_catalog *catalog, const char *name)
{
	int64_t i = pms_catalog_find_metric(catalog, name);
	assert_true(i >= 0);
	return pms_catalog_metric(catalog, (size_t)i);
}

static void cpu_is_described(void **state)
{
	(void)state;
	struct pms_catalog *small = load("small"), *deep = load("deep");
	const struct pms_cpu *cpu = pms_catalog_cpu(small);
	assert_string_equal(cpu->name, "small");
	assert_string_equal(cpu->product, "Small Core");
	assert_string_equal(cpu->version, "7"); /* the revision goes before the timestamp */
	assert_int_equal(cpu->slots, 8);
	assert_int_equal(cpu->counters, 4);
	cpu = pms_catalog_cpu(deep);
	assert_string_equal(cpu->version, "2024-01-01");
	assert_int_equal(cpu->slots, 0);
	assert_int_equal(cpu->counters, 6);
	pms_catalog_free(small);
	pms_catalog_free(deep);
	pms_catalog_free(NULL);
}

static void events_are_read(void **state)
{
	(void)state;
	struct pms_catalog *catalog = load("small");
	assert_int_equal(pms_catalog_events(catalog), 13);
	const struct pms_event *event = pms_catalog_event(catalog, 0);
	assert_string_equal(event->name, "CPU_CYCLES");
	assert_string_equal(event->title, "Cycles");
	assert_string_equal(event->description, "Cycles.");
	assert_int_equal(event->code, 0x11);
	assert_int_equal(event->architecture_defined, 1);
	assert_int_equal(event->product_defined, 0);
	assert_int_equal(event->pmu_access, 1);
	int64_t i = pms_catalog_find_event(catalog, "l1d_cache_refill");
	assert_int_equal(pms_catalog_event(catalog, (size_t)i)->code, 3); /* a plain number */
	event = pms_catalog_event(catalog, 12);
	assert_string_equal(event->name, "SYSTEM_ONLY");
	assert_string_equal(event->title, "");
	assert_int_equal(event->code, -1);
	assert_int_equal(event->pmu_access, 0);
	assert_null(pms_catalog_event(catalog, 13));
	assert_int_equal(pms_catalog_find_event(catalog, "NO_SUCH"), -PMS_ENAME);
	pms_catalog_free(catalog);
}

static void metrics_are_read(void **state)
{
	(void)state;
	struct pms_catalog *catalog = load("small");
	const struct pms_metric *m = metric(catalog, "Backend_Bound");
	assert_string_equal(m->name, "backend_bound");
	assert_string_equal(m->formula, "100 * STALL_SLOT_BACKEND / (CPU_CYCLES * 8)");
	assert_string_equal(m->units, "percent of slots");
	assert_int_equal(m->n_events, 2); /* in the order of the formula */
	assert_string_equal(pms_catalog_event(catalog, m->events[0])->name, "STALL_SLOT_BACKEND");
	assert_string_equal(pms_catalog_event(catalog, m->events[1])->name, "CPU_CYCLES");
	assert_int_equal(m->n_sample_events, 1);
	assert_int_equal(m->sample_events[0], m->events[0]);
	pms_catalog_free(catalog);
}

static void groups_keep_kind_and_stage(void **state)
{
	(void)state;
	struct pms_catalog *catalog = load("small");
	int64_t of_events = pms_catalog_find_group(catalog, PMS_GROUP_FUNCTION, "mpki");
	int64_t of_metrics = pms_catalog_find_group(catalog, PMS_GROUP_METRICS, "mpki");
	assert_true(of_events >= 0 && of_metrics > of_events);
	const struct pms_group *group = pms_catalog_group(catalog, (size_t)of_events);
	assert_int_equal(group->stage, 0);
	assert_string_equal(pms_catalog_event(catalog, group->members[0])->name,
			    "L1D_CACHE_REFILL");
	group = pms_catalog_group(catalog, (size_t)of_metrics);
	assert_int_equal(group->kind, PMS_GROUP_METRICS);
	assert_int_equal(group->stage, 2);
	assert_int_equal(group->n_members, 3);
	assert_string_equal(pms_catalog_metric(catalog, group->members[1])->name, "l1d_cache_mpki");
	int64_t l1 = pms_catalog_find_group(catalog, PMS_GROUP_METRICS, "Topdown_L1");
	assert_int_equal(pms_catalog_group(catalog, (size_t)l1)->stage, 1);
	assert_int_equal(pms_catalog_find_group(catalog, PMS_GROUP_FUNCTION, "Topdown_L1"),
			 -PMS_ENAME);
	pms_catalog_free(catalog);
}

/* The order of the walk, whatever the order of the file. */
static void tree_is_in_the_order_of_the_walk(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int level;
		size_t n_children, n_next_groups;
	} want[] = {
		{ "lost", 1, 2, 0 },	{ "lost_core", 2, 0, 0 }, { "lost_memory", 2, 2, 0 },
		{ "lost_l2", 3, 0, 0 }, { "lost_dram", 3, 0, 1 }, { "retiring", 1, 0, 0 },
	};
	struct pms_catalog *catalog = load("deep");
	assert_int_equal(pms_catalog_nodes(catalog), 6);
	for (size_t i = 0; i < 6; i++) {
		const struct pms_tree_node *node = pms_catalog_node(catalog, i);
		assert_string_equal(pms_catalog_metric(catalog, node->metric)->name, want[i].name);
		assert_int_equal(node->level, want[i].level);
		assert_int_equal(node->n_children, want[i].n_children);
		assert_int_equal(node->n_next_groups, want[i].n_next_groups);
	}
	const struct pms_tree_node *lost = pms_catalog_node(catalog, 0);
	assert_int_equal(lost->children[0], 1);
	assert_int_equal(lost->children[1], 2);
	const struct pms_tree_node *dram = pms_catalog_node(catalog, 4);
	assert_string_equal(pms_catalog_group(catalog, dram->next_groups[0])->name, "Memory");
	assert_string_equal(pms_catalog_group(catalog, dram->group)->name, "Level_3");
	pms_catalog_free(catalog);
}

static void advice_is_read(void **state)
{
	(void)state;
	struct pms_catalog *catalog = load("small");
	assert_int_equal(pms_catalog_advices(catalog), 5);
	const struct pms_advice *advice = pms_catalog_advice(catalog, 0);
	assert_string_equal(advice->id, "dtlb");
	assert_string_equal(advice->node, "backend_bound");
	assert_string_equal(advice->group, "DTLB_Effectiveness");
	assert_string_equal(pms_formula_name(advice->condition, 0), "l2_tlb_mpki");
	assert_string_equal(pms_formula_name(advice->weight, 0), "backend_bound");
	assert_int_equal(advice->n_evidence, 2);
	assert_string_equal(advice->source, "the tests");
	assert_string_equal(pms_catalog_advice(catalog, 1)->source, "its own");
	advice = pms_catalog_advice(catalog, 2);
	assert_null(advice->group);
	assert_null(advice->condition);
	assert_null(advice->weight);
	double weight; /* a plain number is a formula, too */
	const struct pms_formula *five = pms_catalog_advice(catalog, 4)->weight;
	assert_int_equal(pms_formula_eval(five, NULL, &weight, NULL, NULL), PMS_DEFINED);
	assert_true(weight == 5);
	pms_catalog_free(catalog);
}

/* One valid file; each case below replaces one part of it with something wrong. */
static const char valid[] =
	"{\"document\": {\"timestamp\": \"now\"},\n"
	" \"product_configuration\": {\"product_name\": \"T\", \"num_slots\": 8},\n"
	" \"events\": {\n"
	"  \"A\": {\"code\": \"0x01\", \"accesses\": [\"PMU\"]},\n"
	"  \"B\": {\"code\": \"0x02\"}, \"FOOD\": {}},\n"
	" \"metrics\": {\n"
	"  \"ipc\": {\"title\": \"t\", \"description\": \"d\", \"units\": \"u\",\n"
	"   \"formula\": \"1000 * A / B\", \"sample_events\": [\"A\"]},\n"
	"  \"top\": {\"title\": \"t\", \"description\": \"d\", \"units\": \"u\", \"formula\": "
	"\"A\"}},\n"
	" \"groups\": {\n"
	"  \"function\": {\"F\": {\"title\": \"t\", \"description\": \"d\", \"events\": [\"A\", "
	"\"B\"]}},\n"
	"  \"metrics\": {\"M\": {\"title\": \"t\", \"description\": \"d\", \"metrics\": "
	"[\"ipc\"]}}},\n"
	" \"methodologies\": {\"m\": {\"metric_grouping\": {\"stage_1\": [\"M\"]},\n"
	"  \"decision_tree\": {\"root_nodes\": [\"ipc\"], \"metrics\": [\n"
	"   {\"name\": \"ipc\", \"group\": \"M\", \"next_items\": [\"top\"]},\n"
	"   {\"name\": \"top\", \"group\": \"M\", \"next_items\": [\"M\"]}]}}}}\n";

static char *replaced(const char *from, const char *to)
{
	const char *at = strstr(valid, from);
	char *text;
	assert_non_null(at);
	assert_true(asprintf(&text, "%.*s%s%s", (int)(at - valid), valid, to, at + strlen(from)) >
		    0);
	return text;
}

static int build(const char *text, const char *advice, struct pms_catalog **out,
		 struct pms_error *err)
{
	struct pms_json json = { 0 }, extra = { 0 };
	struct pms_catalog *catalog = NULL;
	int rc = pms_json_parse("telemetry.json", text, strlen(text), &json, err);
	if (!rc && advice)
		rc = pms_json_parse("advice.json", advice, strlen(advice), &extra, err);
	if (!rc)
		rc = pms_catalog_build("t", &json, &catalog, err);
	if (!rc && advice)
		rc = pms_catalog_add(catalog, "advice.json", &extra, err);
	if (rc)
		pms_catalog_free(catalog);
	else
		*out = catalog;
	pms_json_release(&json);
	pms_json_release(&extra);
	return rc;
}

static void wrong_files_are_refused_with_the_place(void **state)
{
	(void)state;
	static const struct {
		const char *from, *to;
		unsigned line, column;
		const char *text;
	} cases[] = {
		{ "\"events\": {\n", "\"event\": {\n", 1, 1, "\"events\" is missing: an object" },
		{ "\"num_slots\": 8", "\"num_slots\": \"8\"", 2, 62,
		  "product_configuration.num_slots: must be a whole number, not a string" },
		{ "\"num_slots\": 8", "\"num_slots\": -1", 2, 62,
		  "product_configuration.num_slots: is out of range (0 to 1024)" },
		{ "\"0x02\"", "\"0x02g\"", 5, 17, "events.B.code: is not an event code" },
		{ "\"0x02\"", "-2", 5, 17, "events.B.code: is not an event code" },
		{ "\"0x02\"", "\"0xffffffffffffffff\"", 5, 17,
		  "events.B.code: is not an event code" },
		{ "\"0x02\"", "true", 5, 17,
		  "events.B.code: must be a string or a whole number, not true" },
		{ "[\"PMU\"]", "[1]", 4, 38,
		  "events.A.accesses[0]: must be a string, not a whole number" },
		{ "1000 * A / B", "1000 * A / FOO", 8, 15,
		  "metrics.ipc.formula: column 12: unknown event \"FOO\"" },
		{ "1000 * A / B", "FOOD * (1 - FOO)", 8, 15,
		  "metrics.ipc.formula: column 13: unknown event \"FOO\"" },
		{ "1000 * A / B", "A.B / AB + A", 8, 15,
		  "metrics.ipc.formula: column 1: unknown event \"A.B\"" },
		{ "1000 * A / B", "1000 * (A / B", 8, 15,
		  "metrics.ipc.formula: column 8: this '(' is not closed" },
		{ "\"units\": \"u\",\n", "\"unit\": \"u\",\n", 7, 10,
		  "metrics.ipc: \"units\" is missing: a string" },
		{ "\"name\": \"top\"", "\"nam\": \"top\"", 16, 4,
		  "methodologies.m.decision_tree.metrics[1]: \"name\" is missing: a string" },
		{ "[\"top\"]", "[1]", 15, 49,
		  "methodologies.m.decision_tree.metrics[0].next_items[0]: must be a string, not a "
		  "whole number" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_catalog *catalog = NULL;
		struct pms_error err = { 0 };
		char *text = replaced(cases[i].from, cases[i].to);
		assert_int_equal(build(text, NULL, &catalog, &err), -PMS_EPARSE);
		assert_null(catalog);
		assert_string_equal(err.source, "telemetry.json");
		assert_string_equal(err.text, cases[i].text);
		if (err.line != cases[i].line || err.column != cases[i].column)
			fail_msg("%s: line %u, column %u", err.text, err.line, err.column);
		free(text);
	}
}

/* No number depends on it: the catalog is had without, and says what it passed over. */
static void what_no_number_needs_is_passed_over(void **state)
{
	(void)state;
	static const char tree[] = "methodologies.m.decision_tree.";
	static const struct {
		const char *from, *to, *path, *text;
		size_t nodes; /* that the tree has then */
	} cases[] = {
		{ "\"sample_events\": [\"A\"]", "\"sample_events\": [\"X\", \"B\"]",
		  "metrics.ipc.sample_events[0]", "\"X\" is no event", 2 },
		{ "[\"A\", \"B\"]", "[\"A\", \"C\"]", "groups.function.F.events[1]",
		  "\"C\" is no event", 2 },
		{ "[\"ipc\"]}}},", "[\"ipx\", \"top\"]}}},", "groups.metrics.M.metrics[0]",
		  "\"ipx\" is no metric", 2 },
		{ "\"stage_1\": [\"M\"]", "\"stage_1\": [\"N\", \"M\"]",
		  "methodologies.m.metric_grouping.stage_1[0]", "\"N\" is no metric group", 2 },
		{ "[\"top\"]", "[\"tip\", \"top\"]", "metrics[0].next_items[0]",
		  "\"tip\" is neither a metric of the tree nor a metric group", 2 },
		{ "\"next_items\": [\"M\"]", "\"next_items\": [\"M\", \"ipc\"]",
		  "metrics[1].next_items[1]", "\"ipc\" is reached a second time", 2 },
		{ "[\"top\"]", "[\"top\", \"top\"]", "metrics[0].next_items[1]",
		  "\"top\" is reached a second time", 2 },
		{ "[\"top\"]", "[]", "metrics[1].name", "\"top\" is not reached from root_nodes",
		  1 },
		{ "[\"M\"]}]}", "[\"M\"]}, {\"name\": \"ipc\", \"group\": \"M\"}]}",
		  "metrics[2].name", "\"ipc\" is listed twice", 2 },
		{ "[\"M\"]}]}", "[\"M\"]}, {\"name\": \"A\", \"group\": \"M\"}]}",
		  "metrics[2].name", "\"A\" is no metric", 2 },
		{ "\"root_nodes\": [\"ipc\"]", "\"root_nodes\": [\"A\", \"ipc\"]", "root_nodes[0]",
		  "\"A\" is not a metric of the tree", 2 },
		{ "\"ipc\", \"group\": \"M\"", "\"ipc\", \"group\": \"L\"", "metrics[0].group",
		  "\"L\" is no metric group", 2 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_catalog *catalog = NULL;
		struct pms_error err = { 0 };
		char *text = replaced(cases[i].from, cases[i].to);
		if (build(text, NULL, &catalog, &err))
			fail_msg("%s", err.text);
		assert_int_equal(pms_catalog_flaws(catalog), 1);
		const struct pms_flaw *flaw = pms_catalog_flaw(catalog, 0);
		size_t before = strncmp(flaw->path, tree, strlen(tree)) ? 0 : strlen(tree);
		assert_string_equal(flaw->path + before, cases[i].path);
		assert_string_equal(flaw->text, cases[i].text);
		assert_null(pms_catalog_flaw(catalog, 1));
		assert_int_equal(pms_catalog_nodes(catalog), cases[i].nodes);
		assert_int_equal(pms_catalog_groups(catalog), 2);
		pms_catalog_free(catalog);
		free(text);
	}
}

/* Of two ways to a node the shorter one is the tree's, whichever the file names first; the nodes
 * stand in the order of a walk all the same. Nodes that lead to each other alone are left out. */
static void a_graph_becomes_the_tree_of_its_shortest_ways(void **state)
{
	(void)state;
	static const char names[] = "abcdefg";
	static const struct {
		char name;
		const char *next;
	} nodes[] = { { 'a', "bc" }, { 'b', "d" }, { 'c', "a" }, { 'd', "ec" },
		      { 'e', "" },   { 'f', "g" }, { 'g', "f" } };
	static const struct {
		char name;
		int level;
		size_t children;
	} want[] = { { 'a', 1, 2 }, { 'b', 2, 1 }, { 'd', 3, 1 }, { 'e', 4, 0 }, { 'c', 2, 0 } };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	fputs("{\"document\": {}, \"product_configuration\": {\"product_name\": \"T\"},"
	      "\"events\": {\"A\": {}}, \"metrics\": {",
	      out);
	for (size_t i = 0; names[i]; i++)
		fprintf(out,
			"%s\"%c\": {\"title\": \"\", \"description\": \"\", \"units\": \"\", "
			"\"formula\": \"A\"}",
			i ? "," : "", names[i]);
	fputs("}, \"groups\": {\"metrics\": {\"M\": {\"title\": \"\", \"description\": \"\", "
	      "\"metrics\": [\"a\"]}}}, \"methodologies\": {\"m\": {\"metric_grouping\": {}, "
	      "\"decision_tree\": {\"root_nodes\": [\"a\"], \"metrics\": [",
	      out);
	for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++) {
		fprintf(out, "%s{\"name\": \"%c\", \"group\": \"M\", \"next_items\": [",
			i ? "," : "", nodes[i].name);
		for (size_t k = 0; nodes[i].next[k]; k++)
			fprintf(out, "%s\"%c\"", k ? "," : "", nodes[i].next[k]);
		fputs("]}", out);
	}
	fputs("]}}}}", out);
	fclose(out);
	struct pms_catalog *catalog = NULL;
	struct pms_error err = { 0 };
	if (build(text, NULL, &catalog, &err))
		fail_msg("%s", err.text);
	assert_int_equal(pms_catalog_nodes(catalog), 5);
	for (size_t i = 0; i < 5; i++) {
		const struct pms_tree_node *node = pms_catalog_node(catalog, i);
		assert_int_equal(pms_catalog_metric(catalog, node->metric)->name[0], want[i].name);
		assert_int_equal(node->level, want[i].level);
		assert_int_equal(node->n_children, want[i].children);
	}
	assert_int_equal(pms_catalog_node(catalog, 0)->children[0], 1);
	assert_int_equal(pms_catalog_node(catalog, 0)->children[1], 4);
	assert_int_equal(pms_catalog_flaws(catalog), 4); /* c to a, d to c, f, g */
	pms_catalog_free(catalog);
	free(text);
}

static void wrong_advice_is_refused_with_the_place(void **state)
{
	(void)state;
	static const struct {
		const char *advice, *text;
	} cases[] = {
		{ "[]", "must hold an object" },
		{ "{}", "\"advice\" is missing: an array" },
		{ "{\"advice\": [{\"id\": \"a\", \"node\": \"nope\"}]}",
		  "advice[0].node: unknown node of the decision tree \"nope\"" },
		{ "{\"advice\": [{\"id\": \"a\", \"node\": \"ipc\", \"group\": \"F\"}]}",
		  "advice[0].group: unknown metric group \"F\"" },
		{ "{\"advice\": [{\"id\": \"a\", \"node\": \"ipc\", \"condition\": \"A - 1\"}]}",
		  "advice[0].condition: column 1: unknown metric \"A\"" },
		{ "{\"advice\": [{\"id\": \"a\", \"node\": \"ipc\", \"weight\": \"ipc *\"}]}",
		  "advice[0].weight: column 6: ends where a number, a name or '(' should follow" },
		{ "{\"advice\": [{\"id\": \"a\", \"node\": \"ipc\", \"evidence\": [\"A\"]}]}",
		  "advice[0].evidence[0]: unknown metric \"A\"" },
		{ "{\"advice\": [{\"id\": \"a\", \"node\": \"ipc\", \"condition\": \"ipc\"}]}",
		  "advice[0]: \"title\" is missing: a string" },
		{ "{\"terms\": {\"ipc\": {\"formulas\": [\"1\"]}}, \"advice\": []}",
		  "terms.ipc: is the name of a metric or of another term" },
		{ "{\"terms\": {\"a\": {\"formulas\": [\"1\", \"a + 1\"]}}, \"advice\": []}",
		  "terms.a.formulas[1]: column 1: unknown metric \"a\"" },
		{ "{\"terms\": {\"a\": {}}, \"advice\": []}",
		  "terms.a: \"formulas\" is missing: an array" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_catalog *catalog = NULL;
		struct pms_error err = { 0 };
		assert_int_equal(build(valid, cases[i].advice, &catalog, &err), -PMS_EPARSE);
		assert_null(catalog);
		assert_string_equal(err.source, "advice.json");
		assert_string_equal(err.text, cases[i].text);
	}
	struct pms_catalog *catalog = NULL;
	assert_int_equal(build(valid, "{\"advice\": []}", &catalog, NULL), 0);
	pms_catalog_free(catalog);
}

static void unknown_cpus_are_refused_with_a_hint(void **state)
{
	(void)state;
	static const char *const names[] = { "smal", "", "../cpus/small", ".", "small/", "riscv" };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct pms_catalog *catalog = NULL;
		struct pms_error err = { 0 };
		assert_int_equal(pms_catalog_load(PMS_TEST_DATA, names[i], &catalog, &err),
				 -PMS_ENAME);
		assert_non_null(strstr(err.hint, "deep, small"));
		int is_near = !strcmp(names[i], "smal") || !strcmp(names[i], "small/");
		assert_int_equal(!!strstr(err.hint, "did you mean small?"), is_near);
	}
}

static void cpus_are_listed(void **state)
{
	(void)state;
	struct pms_names names;
	assert_int_equal(pms_catalog_cpus(PMS_TEST_DATA, &names, NULL), 0);
	assert_int_equal(names.count, 2);
	assert_string_equal(names.names[0], "deep");
	assert_string_equal(names.names[1], "small");
	pms_names_free(&names);
	struct pms_error err = { 0 };
	assert_int_equal(pms_catalog_cpus("/nonexistent", &names, &err), -PMS_EIO);
	assert_string_equal(err.source, "/nonexistent/cpus");
}

static void data_directory_is_the_named_one(void **state)
{
	(void)state;
	char path[4096], tiny[4];
	struct pms_error err = { 0 }, long_err = { 0 };
	setenv("PMUSCOPE_DATA", PMS_TEST_DATA, 1);
	assert_int_equal(pms_data_dir(path, sizeof(path), &err), 0);
	assert_string_equal(path, PMS_TEST_DATA);
	assert_int_equal(pms_data_dir(tiny, sizeof(tiny), &long_err), -PMS_EIO);
	setenv("PMUSCOPE_DATA", "/nonexistent", 1);
	assert_int_equal(pms_data_dir(path, sizeof(path), &err), -PMS_EIO);
	assert_string_equal(err.text, "PMUSCOPE_DATA is /nonexistent, which holds no folder cpus");
	unsetenv("PMUSCOPE_DATA");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpu_is_described),
		cmocka_unit_test(events_are_read),
		cmocka_unit_test(metrics_are_read),
		cmocka_unit_test(groups_keep_kind_and_stage),
		cmocka_unit_test(tree_is_in_the_order_of_the_walk),
		cmocka_unit_test(advice_is_read),
		cmocka_unit_test(wrong_files_are_refused_with_the_place),
		cmocka_unit_test(what_no_number_needs_is_passed_over),
		cmocka_unit_test(a_graph_becomes_the_tree_of_its_shortest_ways),
		cmocka_unit_test(wrong_advice_is_refused_with_the_place),
		cmocka_unit_test(unknown_cpus_are_refused_with_a_hint),
		cmocka_unit_test(cpus_are_listed),
		cmocka_unit_test(data_directory_is_the_named_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
