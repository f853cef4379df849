/* SPDX-License-Identifier: MIT */
/* Cores that state only what differs: small ones are written beside the V1's, and read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/limits.h"
#include "collect/core/base.h"
#include "collect/core/json.h"
#include "collect/core/set.h"
#include "vcore/isa/insn.h"

static const char *const names[] = { "CPU_CYCLES", "INST_RETIRED", "L1D_CACHE" };
enum { EVENTS = sizeof(names) / sizeof(names[0]) };
static const struct pms_core_events events = { .names = names, .count = EVENTS };

static char root[64];

/* Write the core.json of a CPU of the test's own; @text NULL: that of the V1. */
static void write_core(const char *cpu, const char *text)
{
	char path[256];
	snprintf(path, sizeof(path), "%s/%s", root, cpu);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/%s/core.json", root, cpu);
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	assert_int_equal(fclose(out), 0);
}

static int load(const char *cpu, struct pms_core_file *out, struct pms_error *err)
{
	char path[256];
	snprintf(path, sizeof(path), "%s/%s/core.json", root, cpu);
	return pms_core_file_load(path, &events, out, err);
}

static int setup(void **state)
{
	(void)state;
	char path[256], v1[4096];
	snprintf(root, sizeof(root), "/tmp/test_base.XXXXXX");
	if (!mkdtemp(root))
		return -1;
	snprintf(path, sizeof(path), "%s/neoverse-v1", root);
	snprintf(v1, sizeof(v1), "%s/cpus/neoverse-v1", getenv("SOURCE"));
	return symlink(v1, path);
}

static int teardown(void **state)
{
	(void)state;
	char command[128];
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command);
}

/* The same numbers and the same rules: whatever runs on it counts the same. */
static void a_core_of_three_lines_is_its_base(void **state)
{
	(void)state;
	struct pms_core_file v1, same;
	struct pms_error err = { 0 };
	write_core("same", "{\"name\": \"Same\",\n \"base\": \"neoverse-v1\"\n}");
	assert_int_equal(load("neoverse-v1", &v1, &err), -PMS_EPARSE); /* rows of other events */
	struct pms_core_events all = events;
	all.foreign = 1;
	char path[256];
	snprintf(path, sizeof(path), "%s/neoverse-v1/core.json", root);
	assert_int_equal(pms_core_file_load(path, &all, &v1, NULL), 0);
	err = (struct pms_error){ 0 };
	if (load("same", &same, &err))
		fail_msg("%s: %s", err.source, err.text);
	assert_string_equal(same.name, "Same");
	assert_memory_equal(&same.params, &v1.params, sizeof(v1.params));
	for (size_t i = 0; i < EVENTS; i++) {
		assert_int_equal(same.rules[i].state, PMS_COUNTED);
		assert_int_equal(same.rules[i].n_terms, v1.rules[i].n_terms);
		assert_memory_equal(same.rules[i].terms, v1.rules[i].terms,
				    v1.rules[i].n_terms * sizeof(v1.rules[i].terms[0]));
	}
	pms_core_file_release(&same);
	pms_core_file_release(&v1);
}

/* The V1's: 256 entries of the reorder buffer, multiplication of 2 cycles, ld4 of 4 slots. */
static void what_is_stated_takes_the_bases_place(void **state)
{
	(void)state;
	struct pms_core_file file;
	struct pms_error err = { 0 };
	write_core("other",
		   "{\"name\": \"Other\", \"base\": \"neoverse-v1\",\n"
		   " \"parameters\": {\"rob_entries\": {\"value\": 128, \"source\": \"a test\"}},\n"
		   " \"slots\": {\"ld4_16\": {\"value\": 9, \"source\": \"a test\"}},\n"
		   " \"fusion\": [],\n"
		   " \"ops\": {\"mul64\": {\"latency\": 4, \"source\": \"a test\"}},\n"
		   " \"events\": {\"L1D_CACHE\": {\"class\": \"modelled\", \"counter\": "
		   "\"CPU_CYCLES\"}}}");
	write_core("third", "{\"name\": \"Third\", \"base\": \"other\"}");
	static const char *const cpus[] = { "other", "third" };
	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		if (load(cpus[i], &file, &err))
			fail_msg("%s: %s: %s", cpus[i], err.source, err.text);
		assert_int_equal(file.params.rob_entries, 128);
		assert_int_equal(file.params.slots, 8);
		assert_int_equal(file.params.form_slots[PMS_FORM_LD4_16], 9);
		assert_int_equal(file.params.form_slots[PMS_FORM_LD3_16], 3);
		assert_int_equal(file.params.pairs[PMS_FUSE_COMPARE], 0);
		assert_int_equal(file.params.op[PMS_OP_MUL64].latency, 4);
		assert_int_equal(file.params.op[PMS_OP_MUL64].ports,
				 file.params.op[PMS_OP_MUL32].ports);
		assert_int_equal(file.params.op[PMS_OP_MUL32].latency, 2);
		assert_int_equal(file.rules[0].n_terms, 1);
		assert_int_equal(file.rules[2].n_terms, 1);
		assert_int_equal(file.rules[2].terms[0].counter, PMS_COUNTER_CPU_CYCLES);
		pms_core_file_release(&file);
	}
}

static void each_wrong_base_is_named_with_its_place(void **state)
{
	(void)state;
	static const struct {
		const char *base; /* of the core "wrong" */
		unsigned line;
		const char *source, *text; /* what the error has */
	} cases[] = {
		{ "7", 2, "wrong/core.json", "base: must be a string" },
		{ "\"\"", 2, "wrong/core.json", "base: must be the name of a folder" },
		{ "\"../neoverse-v1\"", 2, "wrong/core.json",
		  "base: must be the name of a folder" },
		{ "\"/etc\"", 2, "wrong/core.json", "base: must be the name of a folder" },
		{ "\"..\"", 2, "wrong/core.json", "base: must be the name of a folder" },
		{ "\"nowhere\"", 0, "nowhere/core.json", "No such file" },
		{ "\"wrong\"", 2, "wrong/core.json", "base: wrong is its own base" },
		{ "\"round\"", 1, "round/core.json",
		  "base: wrong is its own base, by way of round" },
		{ "\"deep1\"", 1, "deep4/core.json", "base: is one base too many: 4" },
		{ "\"list\"", 1, "list/core.json", "must hold an object" },
		{ "\"broken\"", 1, "broken/core.json", "" },
	};
	write_core("round", "{\"name\": \"Round\", \"base\": \"wrong\"}");
	write_core("list", "[]");
	write_core("broken", "{");
	for (int i = 1; i <= 5; i++) {
		char cpu[16], text[64];
		snprintf(cpu, sizeof(cpu), "deep%d", i);
		snprintf(text, sizeof(text), "{\"name\": \"x\", \"base\": \"deep%d\"}", i + 1);
		write_core(cpu, text);
	}
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[128];
		struct pms_core_file file;
		struct pms_error err = { 0 };
		snprintf(text, sizeof(text), "{\"name\": \"Wrong\",\n \"base\": %s}",
			 cases[i].base);
		write_core("wrong", text);
		int rc = load("wrong", &file, &err);
		if (rc >= 0 || err.line != cases[i].line || !strstr(err.text, cases[i].text) ||
		    !strstr(err.source, cases[i].source))
			fail_msg("%s: rc %d, %s:%u: %s", cases[i].base, rc, err.source, err.line,
				 err.text);
	}
}

/* What a core states itself has to be right and to have a source; of its base's events the
 * catalog need not have all. */
static void what_is_stated_is_checked(void **state)
{
	(void)state;
	static const struct {
		const char *member, *text;
	} cases[] = {
		{ "\"parameters\": {\"rob_entries\": {\"value\": 128}}",
		  "parameters.rob_entries: \"source\" is missing" },
		{ "\"parameters\": {\"rob_entry\": {}}", "parameters.rob_entry: is no parameter" },
		{ "\"ops\": {\"mul64\": {\"latency\": 4}}", "ops.mul64: \"source\" is missing" },
		{ "\"ops\": {\"mul65\": {}}", "ops.mul65: is no class" },
		{ "\"ops\": []", "ops: must be an object" },
		{ "\"slots\": {\"ld9\": {}}", "slots.ld9: is no form" },
		{ "\"events\": {\"BR_PRED\": {}}", "events.BR_PRED: is no event of the catalog" },
		{ "\"events of the base\": {}", "\"events of the base\" is not a key" },
		{ "\"queues\": {\"all\": {\"entries\": 40, \"source\": \"a test\"}}",
		  "ops.alu.queue: the core has no queue \"int\"" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[256];
		struct pms_core_file file;
		struct pms_error err = { 0 };
		snprintf(text, sizeof(text),
			 "{\"name\": \"Wrong\", \"base\": \"neoverse-v1\",\n %s}", cases[i].member);
		write_core("stated", text);
		int rc = load("stated", &file, &err);
		if (rc != -PMS_EPARSE || !strstr(err.text, cases[i].text) ||
		    !strstr(err.source, "stated/core.json"))
			fail_msg("%s: rc %d, %s:%u: %s", cases[i].member, rc, err.source, err.line,
				 err.text);
	}
}

/* The V1's row of "move" stands for that of "zero" where a core has none. */
static void a_class_without_a_row_takes_another_ones(void **state)
{
	(void)state;
	struct pms_json json;
	static const char text[] =
		"{\"ops\": {\"alu\": {\"latency\": 7}, \"move\": {\"latency\": 3}}}";
	assert_int_equal(pms_json_parse("cpus/x/core.json", text, strlen(text), &json, NULL), 0);
	assert_int_equal(pms_core_complete(&json, NULL), 0);
	json_t *ops = json_object_get(json.root, "ops");
#define LATENCY(op) json_integer_value(json_object_get(json_object_get(ops, op), "latency"))
	assert_int_equal(LATENCY("zero"), 3);
	assert_int_equal(LATENCY("alu_lsl"), 7);
	assert_null(json_object_get(ops, "load"));
	pms_json_release(&json);
}

/* The two classes have one row in the file, and numbers of their own. */
static void a_row_that_stands_in_is_set_apart(void **state)
{
	(void)state;
	struct pms_json json;
	static const char text[] = "{\"ops\": {\"move\": {\"latency\": 3}}}";
	char setting[] = "zero.latency=5", *settings[] = { setting, NULL };
	assert_int_equal(pms_json_parse("cpus/x/core.json", text, strlen(text), &json, NULL), 0);
	assert_int_equal(pms_core_complete(&json, NULL), 0);
	assert_int_equal(pms_core_set(json.root, settings, NULL), 0);
	json_t *ops = json_object_get(json.root, "ops");
	assert_int_equal(LATENCY("zero"), 5);
	assert_int_equal(LATENCY("move"), 3);
	pms_json_release(&json);
}

/* Write a core.json with a list of @n numbers, and a base: @n + 4 values, with the file, its
 * object, two more members and the list, as a bound counts them. */
static void write_long(const char *cpu, size_t n, const char *base)
{
	char *list = calloc(2 * n, 1), *text;
	assert_non_null(list);
	for (size_t i = 0; i < 2 * n - 1; i++)
		list[i] = i % 2 ? ',' : '0';
	assert_true(asprintf(&text, "{\"name\": \"Long\", \"base\": \"%s\", \"notes\": [%s]}", base,
			     list) > 0);
	write_core(cpu, text);
	free(text);
	free(list);
}

static void a_core_and_its_bases_have_the_values_of_one_file(void **state)
{
	(void)state;
	enum { HALF = PMS_MOST_JSON_VALUES / 2 }; /* "end" has three values */
	struct pms_core_file file;
	struct pms_error err = { 0 };
	write_core("end", "{\"name\": \"End\", \"base\": \"..\"}");
	write_long("second", HALF - 5, "end");
	write_long("first", HALF - 6, "second");
	assert_int_equal(load("first", &file, &err), -PMS_EPARSE);
	assert_string_equal(err.text,
			    "base: must be the name of a folder beside this core's own, of "
			    "small letters, digits and dashes");
	err = (struct pms_error){ 0 };
	write_long("first", HALF - 5, "second");
	assert_int_equal(load("first", &file, &err), -PMS_EPARSE);
	assert_string_equal(err.text,
			    "has more than 262144 values, with the files that it is a base of");
	assert_non_null(strstr(err.source, "end/core.json"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_core_of_three_lines_is_its_base),
		cmocka_unit_test(what_is_stated_takes_the_bases_place),
		cmocka_unit_test(each_wrong_base_is_named_with_its_place),
		cmocka_unit_test(what_is_stated_is_checked),
		cmocka_unit_test(a_class_without_a_row_takes_another_ones),
		cmocka_unit_test(a_row_that_stands_in_is_set_apart),
		cmocka_unit_test(a_core_and_its_bases_have_the_values_of_one_file),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
