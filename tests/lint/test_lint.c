/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "pmuscope/catalog.h"
#include "pmuscope/lint.h"

/* A specification without contradictions. Cases change a piece of it. */
static const char sound[] =
	"{\"document\": {}, \"product_configuration\": {\"num_slots\": 4},\n"
	"\"events\": {\"A\": {\"code\": \"0x1\"}, \"INST_RETIRED\": {\"code\": 8},\n"
	" \"CPU_CYCLES\": {\"code\": \"0x11\"}, \"L1_MISS\": {\"code\": \"0x20\"},\n"
	" \"LL_MISS\": {\"code\": \"0x21\"}},\n"
	"\"metrics\": {\n"
	" \"bound\": {\"formula\": \"100 * A / (CPU_CYCLES * 4)\", \"units\": \"percent of "
	"slots\",\n"
	"  \"events\": [\"A\", \"CPU_CYCLES\"], \"sample_events\": [\"A\"]},\n"
	" \"miss_mpki\": {\"formula\": \"L1_MISS / INST_RETIRED * 1000\", \"units\": \"MPKI\",\n"
	"  \"events\": [\"INST_RETIRED\", \"L1_MISS\"]},\n"
	" \"ipc\": {\"formula\": \"INST_RETIRED / CPU_CYCLES\", \"units\": \"per cycle\"}},\n"
	"\"groups\": {\"function\": {\"F\": {\"events\": [\"A\", \"L1_MISS\"]}},\n"
	" \"metrics\": {\"Top\": {\"metrics\": [\"bound\"]},\n"
	"  \"Rest\": {\"metrics\": [\"miss_mpki\", \"ipc\"]}}},\n"
	"\"methodologies\": {\"m\": {\"metric_grouping\": {\"stage_1\": [\"Top\"],\n"
	"  \"stage_2\": [\"Rest\"]}, \"decision_tree\": {\"root_nodes\": [\"bound\"],\n"
	"  \"metrics\": [{\"name\": \"bound\", \"group\": \"Top\", \"next_items\": "
	"[\"Rest\"]}]}}}}\n";

static struct pms_lint *lint_text(const char *text, struct pms_error *err, int *rc)
{
	char path[] = "/tmp/pms-lint-XXXXXX";
	const char *paths[] = { path };
	struct pms_lint *lint = NULL;
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	*rc = pms_lint_files(paths, 1, &lint, err);
	unlink(path);
	return lint;
}

/* To be freed. */
static char *changed(const char *from, const char *to)
{
	const char *at = strstr(sound, from);
	char *text;
	if (!at)
		fail_msg("%s is not there", from);
	assert_true(asprintf(&text, "%.*s%s%s", (int)(at - sound), sound, to, at + strlen(from)) >
		    0);
	return text;
}

static void expect(const char *text, const char *rule, const char *path, const char *says,
		   unsigned line)
{
	int rc;
	struct pms_error err = { 0 };
	struct pms_lint *lint = lint_text(text, &err, &rc);
	if (rc)
		fail_msg("%s: %s", says, err.text);
	const struct pms_lint_finding *f = pms_lint_finding(lint, 0);
	if (pms_lint_findings(lint) != 1 || strcmp(f->rule, rule) != 0 ||
	    strcmp(f->path, path) != 0 || strcmp(f->text, says) != 0 || f->line != line) {
		for (size_t i = 0; i < pms_lint_findings(lint); i++) {
			f = pms_lint_finding(lint, i);
			print_error("%u: %s: %s: %s\n", f->line, f->rule, f->path, f->text);
		}
		fail_msg("wanted: %u: %s: %s: %s", line, rule, path, says);
	}
	pms_lint_free(lint);
}

static void a_sound_specification_is_met_with_silence(void **state)
{
	(void)state;
	int rc;
	struct pms_lint *lint = lint_text(sound, NULL, &rc);
	assert_int_equal(rc, 0);
	assert_int_equal(pms_lint_findings(lint), 0);
	assert_null(pms_lint_finding(lint, 0));
	pms_lint_free(lint);
	pms_lint_free(NULL);
}

/* One change, one finding. */
static void each_contradiction_is_found_where_it_stands(void **state)
{
	(void)state;
	static const struct {
		const char *from, *to, *rule, *path, *says;
		unsigned line;
	} cases[] = {
		{ "[\"INST_RETIRED\", \"L1_MISS\"]}", "[\"INST_RETIRED\", \"L1_MISS\", \"A\"]}",
		  "event-list", "metrics.miss_mpki.events[2]",
		  "miss_mpki lists A, which its formula does not use", 9 },
		{ "INST_RETIRED / CPU_CYCLES", "INST_RETIRE / CPU_CYCLES", "unknown-event",
		  "metrics.ipc.formula",
		  "ipc uses INST_RETIRE, which is no event; there is INST_RETIRED", 10 },
		{ "INST_RETIRED / CPU_CYCLES", "L2_MISS / CPU_CYCLES", "unknown-event",
		  "metrics.ipc.formula",
		  "ipc uses L2_MISS, but no event has this level: there is L1_MISS, LL_MISS", 10 },
		{ "INST_RETIRED / CPU_CYCLES", "INST_RETIRED / (CPU_CYCLES", "formula",
		  "metrics.ipc.formula", "column 16: this '(' is not closed", 10 },
		{ "[\"INST_RETIRED\", \"L1_MISS\"]}", "[\"INST_RETIRED\"]}", "event-list",
		  "metrics.miss_mpki", "miss_mpki does not list L1_MISS, which its formula uses",
		  8 },
		{ "[\"A\"]}", "[\"Z\"]}", "unknown-event", "metrics.bound.sample_events[0]",
		  "bound is to be sampled by Z, which is no event", 7 },
		{ "[\"A\", \"L1_MISS\"]", "[\"A\", \"B\"]", "unknown-member",
		  "groups.function.F.events[1]", "F holds B, which is no event", 11 },
		{ "\"miss_mpki\", \"ipc\"]", "\"miss_mpki\", \"ipc\", \"x\"]", "unknown-member",
		  "groups.metrics.Rest.metrics[2]", "Rest holds x, which is no metric", 13 },
		{ "\"miss_mpki\", \"ipc\"]", "\"miss_mpki\"]", "no-group", "metrics.ipc",
		  "ipc is in no group", 10 },
		{ "[\"A\", \"L1_MISS\"]", "[]", "empty-group", "groups.function.F",
		  "F holds no event", 11 },
		{ "\"0x21\"", "\"0x11\"", "duplicate-code", "events.LL_MISS.code",
		  "LL_MISS has the number 0x11 of CPU_CYCLES", 4 },
		{ "\"0x21\"", "\"0x2g\"", "layout", "events.LL_MISS.code", "is not an event code",
		  4 },
		{ "CPU_CYCLES * 4", "CPU_CYCLES * 8", "slots", "metrics.bound.formula",
		  "bound counts 8 slots a cycle, product_configuration 4", 6 },
		{ "100 * A", "A", "units", "metrics.bound.formula",
		  "bound is in percent of slots, but its formula has no factor 100", 6 },
		{ "INST_RETIRED / CPU_CYCLES", "100 * INST_RETIRED / CPU_CYCLES", "units",
		  "metrics.ipc.formula", "ipc is in per cycle, but its formula has a factor 100",
		  10 },
		{ "INST_RETIRED * 1000", "INST_RETIRED * 100000", "units",
		  "metrics.miss_mpki.formula",
		  "miss_mpki is in MPKI, but its formula has no factor 1000", 8 },
		{ "\"units\": \"MPKI\"", "\"units\": \"per miss\"", "units",
		  "metrics.miss_mpki.units", "miss_mpki is named MPKI, but is in per miss", 8 },
		{ "\"stage_2\": [\"Rest\"]", "\"stage_2\": [\"Best\"]", "tree",
		  "methodologies.m.metric_grouping.stage_2[0]", "Best is no group of metrics", 15 },
		{ "\"next_items\": [\"Rest\"]", "\"next_items\": [\"Best\"]", "tree",
		  "methodologies.m.decision_tree.metrics[0].next_items[0]",
		  "Best is neither a metric nor a group of metrics: it leads nowhere", 16 },
		{ "\"next_items\": [\"Rest\"]", "\"next_items\": [\"ipc\"]", "tree",
		  "methodologies.m.decision_tree.metrics[0].next_items[0]",
		  "ipc is a metric, but no node of the tree: it leads nowhere", 16 },
		{ "\"next_items\": [\"Rest\"]", "\"next_items\": [\"bound\"]", "tree",
		  "methodologies.m.decision_tree.metrics[0].next_items[0]",
		  "bound is reached a second time", 16 },
		{ "\"root_nodes\": [\"bound\"]", "\"root_nodes\": []", "tree",
		  "methodologies.m.decision_tree.metrics[0].name",
		  "bound is a node that nothing leads to", 16 },
		{ "\"next_items\": [\"Rest\"]}",
		  "\"next_items\": [\"Rest\"]}, {\"name\": \"bound\", \"group\": \"Top\"}", "tree",
		  "methodologies.m.decision_tree.metrics[1].name", "bound is listed twice", 16 },
		{ "\"next_items\": [\"Rest\"]}",
		  "\"next_items\": [\"Rest\"]}, {\"name\": \"ipc\", \"group\": \"Rest\","
		  " \"next_items\": [\"ipc\"]}",
		  "tree", "methodologies.m.decision_tree.metrics[1].name",
		  "ipc is a node that no root leads to", 16 },
		{ "\"group\": \"Top\"", "\"group\": \"Rest\"", "tree",
		  "methodologies.m.decision_tree.metrics[0].group",
		  "bound is to be shown in Rest, which does not hold it", 16 },
		{ "\"group\": \"Top\"", "\"group\": \"Tip\"", "tree",
		  "methodologies.m.decision_tree.metrics[0].group",
		  "bound is to be shown in Tip, which is no group of metrics", 16 },
		{ "\"units\": \"per cycle\"", "\"unit\": \"per cycle\"", "layout", "metrics.ipc",
		  "\"units\" is missing: a string", 10 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = changed(cases[i].from, cases[i].to);
		expect(text, cases[i].rule, cases[i].path, cases[i].says, cases[i].line);
		free(text);
	}
}

static void a_formula_that_is_its_neighbours_is_found(void **state)
{
	(void)state;
	char *text = changed("INST_RETIRED / CPU_CYCLES\", \"units\": \"per cycle\"",
			     "1000 * L1_MISS / INST_RETIRED\", \"units\": \"MPKI\"");
	/* The same in other words counts as the same. */
	expect(text, "same-formula", "metrics.ipc.formula",
	       "ipc has the formula of miss_mpki, in the same group", 10);
	free(text);
	/* In another group it is another name for the same. */
	text = changed("100 * A / (CPU_CYCLES * 4)\", \"units\": \"percent of slots\",\n"
		       "  \"events\": [\"A\", \"CPU_CYCLES\"]",
		       "INST_RETIRED / CPU_CYCLES\", \"units\": \"per cycle\"");
	int rc;
	struct pms_lint *lint = lint_text(text, NULL, &rc);
	assert_int_equal(pms_lint_findings(lint), 0);
	pms_lint_free(lint);
	free(text);
}

static void perfs_layout_is_read_as_well(void **state)
{
	(void)state;
	static const struct {
		const char *text, *rule, *path, *says;
	} cases[] = {
		{ "[{\"EventName\": \"A\"}, {\"EventName\": \"a\"}]", "defined-twice",
		  "[1].EventName", "" },
		{ "[{\"EventName\": \"A\", \"EventCode\": \"0x0\"},"
		  " {\"EventName\": \"B\", \"EventCode\": \"0x0\"},"
		  " {\"EventName\": \"C\", \"EventCode\": \"0x0\"}]",
		  "duplicate-code", "[0].EventCode",
		  "3 events have the number 0, A the first of them: the numbers are not there" },
		{ "[{\"EventName\": \"INST.RET\"}, {\"MetricName\": \"M\", \"MetricGroup\": \"G\","
		  " \"MetricExpr\": \"X.MISPRED / INST.RET\"}, {\"EventName\": \"X.MISPREDICT\"}]",
		  "unknown-event", "[1].MetricExpr",
		  "M uses X.MISPRED, which is no event; there is X.MISPREDICT" },
		{ "[{\"EventName\": \"A\"}, {\"MetricName\": \"M\", \"MetricGroup\": \"G\","
		  " \"MetricExpr\": \"A\", \"MetricThreshold\": \"N > 0.1\"}]",
		  "threshold", "[1].MetricThreshold",
		  "the threshold of M is of N, which is no metric" },
		{ "[{\"EventName\": \"A\"}, {\"MetricName\": \"M\", \"MetricGroup\": \"G\","
		  " \"MetricExpr\": \"A * 100\", \"ScaleUnit\": \"100%\"}]",
		  "units", "[1].MetricExpr", "M is in 100%, but its formula has a factor 100" },
		{ "[{\"EventName\": \"A\"}, {\"MetricName\": \"M\", \"MetricExpr\": \"A\"}]",
		  "no-group", "[1].MetricName",
		  "1 metric has no MetricGroup, M the first of them" },
		{ "[{\"EventName\": \"A\"}, {\"Unit\": \"core\"}]", "layout", "[1]",
		  "has neither an EventName nor a MetricName" },
		/* a metric over another one is fine, over itself not */
		{ "[{\"EventName\": \"A\"}, {\"MetricName\": \"M\", \"MetricGroup\": \"G\","
		  " \"MetricExpr\": \"A\"}, {\"MetricName\": \"N\", \"MetricGroup\": \"G\","
		  " \"MetricExpr\": \"M / N\"}]",
		  "unknown-event", "[2].MetricExpr", "N uses N, which is no event; there is A" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int rc;
		struct pms_lint *lint = lint_text(cases[i].text, NULL, &rc);
		assert_int_equal(rc, 0);
		const struct pms_lint_finding *f = pms_lint_finding(lint, 0);
		if (pms_lint_findings(lint) != 1 || strcmp(f->rule, cases[i].rule) != 0 ||
		    strcmp(f->path, cases[i].path) != 0 ||
		    (cases[i].says[0] && strcmp(f->text, cases[i].says) != 0))
			fail_msg("%s: %zu: %s: %s: %s", cases[i].says, pms_lint_findings(lint),
				 f ? f->rule : "", f ? f->path : "", f ? f->text : "");
		pms_lint_free(lint);
	}
}

static int has(const struct pms_lint *lint, const char *rule, const char *text)
{
	for (size_t i = 0; i < pms_lint_findings(lint); i++) {
		const struct pms_lint_finding *f = pms_lint_finding(lint, i);
		if (!strcmp(f->rule, rule) && strstr(f->text, text))
			return 1;
	}
	return 0;
}

/* What is known to be wrong in RISC-V International's files, found by reading them. */
static void the_published_riscv_files_are_seen_through(void **state)
{
	(void)state;
	static const struct {
		const char *rule, *text;
	} wanted[] = {
		{ "duplicate-code", "20 events have the number 0, TOPDOWN.SLOTS the first" },
		{ "same-formula", "TOPDOWN.BAD_SPECULATION.OTHER.RATE has the formula of "
				  "TOPDOWN.BAD_SPECULATION.MEM_ORDERING.RATE" },
		{ "unknown-event", "uses TOPDOWN.BAD_SPECULATION.MISPRED.SLOTS, which is no "
				   "event; there is TOPDOWN.BAD_SPECULATION.MISPREDICT.SLOTS" },
		{ "unknown-event", "uses TOPDOWN.BACKEND_BOUND.MEMORY.DATA.L3_MISS.SLOTS, but no "
				   "event has this level" },
		{ "unknown-event", "uses TOPDOWN.BACKEND_BOUND.MEMORY.ADDR.TLB.L2_MISS.SLOTS" },
		{ "threshold", "TOPDOWN.BACKEND_BOUND.MEMORY_BOUND.L1_BOUND.RATE, which is no "
			       "metric" },
	};
	static const char *const paths[] = { PMS_TEST_DATA "/riscv" };
	struct pms_lint *lint = NULL;
	struct pms_error err = { 0 };
	if (pms_lint_files(paths, 1, &lint, &err))
		fail_msg("%s: %s", err.source, err.text);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		if (!has(lint, wanted[i].rule, wanted[i].text))
			fail_msg("not found: %s", wanted[i].text);
	pms_lint_free(lint);
}

static void own_catalogs_are_met_with_silence(void **state)
{
	(void)state;
	struct pms_names cpus;
	assert_int_equal(pms_catalog_cpus(PMS_SOURCE, &cpus, NULL), 0);
	for (size_t i = 0; i < cpus.count; i++) {
		char path[4096];
		const char *paths[] = { path };
		struct pms_lint *lint = NULL;
		struct pms_error err = { 0 };
		snprintf(path, sizeof(path), "%s/cpus/%s/telemetry.json", PMS_SOURCE,
			 cpus.names[i]);
		if (pms_lint_files(paths, 1, &lint, &err))
			fail_msg("%s: %s", err.source, err.text);
		if (pms_lint_findings(lint))
			fail_msg("%s: %s", path, pms_lint_finding(lint, 0)->text);
		pms_lint_free(lint);
	}
	pms_names_free(&cpus);
}

static void what_is_no_specification_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *says;
	} cases[] = { { "3", "" }, { "{", "" }, { "{\"a\": 1, \"a\": 2}", "" } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_error err = { 0 };
		int rc;
		assert_null(lint_text(cases[i].text, &err, &rc));
		assert_int_equal(rc, -PMS_EPARSE);
		assert_true(err.line == 1 && err.text[0]);
	}
	struct pms_lint *lint = NULL;
	assert_int_equal(pms_lint_files((const char *const[]){ "/nonexistent" }, 1, &lint, NULL),
			 -PMS_EIO);
	assert_int_equal(pms_lint_files((const char *const[]){ "/proc/self/fd" }, 1, &lint, NULL),
			 -PMS_EIO);
}

/* An empty object lacks everything, and each thing is said. */
static void all_that_is_missing_is_said(void **state)
{
	(void)state;
	int rc;
	struct pms_lint *lint = lint_text("{}", NULL, &rc);
	assert_int_equal(rc, 0);
	assert_int_equal(pms_lint_findings(lint), 4);
	assert_true(has(lint, "layout", "\"events\" is missing: an object"));
	assert_true(has(lint, "layout", "\"metrics\" is missing: an object"));
	assert_true(has(lint, "layout", "\"groups\" is missing: an object"));
	assert_true(has(lint, "layout", "\"product_configuration\" is missing: an object"));
	pms_lint_free(lint);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_specification_is_met_with_silence),
		cmocka_unit_test(each_contradiction_is_found_where_it_stands),
		cmocka_unit_test(a_formula_that_is_its_neighbours_is_found),
		cmocka_unit_test(perfs_layout_is_read_as_well),
		cmocka_unit_test(the_published_riscv_files_are_seen_through),
		cmocka_unit_test(own_catalogs_are_met_with_silence),
		cmocka_unit_test(what_is_no_specification_is_refused),
		cmocka_unit_test(all_that_is_missing_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
