/* SPDX-License-Identifier: MIT */
/* A small, complete core.json is made here; each case changes one place of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "collect/core/json.h"
#include "pmuscope/catalog.h"

static const char *const names[] = { "CPU_CYCLES", "L1D_CACHE", "REMOTE_ACCESS" };
enum { EVENTS = sizeof(names) / sizeof(names[0]) };
static const struct pms_core_events events = { .names = names, .count = EVENTS };

/* Sizes that make caches whose sets are a power of two; of every other parameter its least value.
 */
static const struct {
	const char *name;
	int value;
} sizes[] = {
	{ "slots", 8 },
	{ "l1i_bytes", 65536 },
	{ "l1i_ways", 4 },
	{ "l1d_bytes", 65536 },
	{ "l1d_ways", 4 },
	{ "l2_bytes", 1048576 },
	{ "l2_ways", 8 },
	{ "slc_bytes", 0 },
	{ "l2_tlb_entries", 2048 },
	{ "l2_tlb_ways", 4 },
	{ "btb_main_entries", 8192 },
	{ "btb_main_ways", 4 },
	{ "mop_cache_windows", 0 },
	{ "page_bytes", 4096 },
};

static int value_of(const struct pms_param_row *row)
{
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (!strcmp(sizes[i].name, row->name))
			return sizes[i].value;
	return (int)row->least;
}

static json_t *root_make(void)
{
	json_t *parameters = json_object(), *ops = json_object();
	for (unsigned i = 0; i < pms_param_count; i++)
		json_object_set_new(parameters, pms_param_rows[i].name,
				    json_pack("{s:i, s:s}", "value", value_of(&pms_param_rows[i]),
					      "source", "a test"));
	for (unsigned i = 0; i < PMS_OP_COUNT; i++)
		json_object_set_new(ops, pms_op_name((enum pms_op)i),
				    json_pack("{s:i, s:[s,s], s:s, s:s}", "latency", 2, "ports",
					      "M0", "V3", "queue", "int", "source", "a test"));
	json_t *ports =
		json_pack("{s:[s,s,s], s:s}", "names", "B0", "M0", "V3", "source", "a test");
	json_t *queues = json_pack("{s:{s:i,s:s}, s:{s:i,s:s}}", "branch", "entries", 3, "source",
				   "a test", "int", "entries", 127, "source", "a test");
	return json_pack(
		"{s:s, s:o, s:o, s:o, s:o, s:{s:{s:s,s:s}, s:{s:s,s:[s,s,s]}, s:{s:s,s:s}}}",
		"name", "Test core", "parameters", parameters, "ports", ports, "queues", queues,
		"ops", ops, "events", "CPU_CYCLES", "class", "modelled", "counter", "CPU_CYCLES",
		"L1D_CACHE", "class", "exact", "sum", "L1D_CACHE_RD", "L1D_CACHE_WR", "-L1I_CACHE",
		"REMOTE_ACCESS", "class", "not_modelled", "because", "there is one socket");
}

static int text_load(const char *text, struct pms_core_file *out, struct pms_error *err)
{
	struct pms_json json;
	int rc = pms_json_parse("core.json", text, strlen(text), &json, err);
	if (rc)
		return rc;
	rc = pms_core_file_read(&json, &events, out, err);
	pms_json_release(&json);
	return rc;
}

static int root_load(json_t *root, struct pms_core_file *out, struct pms_error *err)
{
	char *text = json_dumps(root, 0);
	int rc = text_load(text, out, err);
	free(text);
	return rc;
}

static void a_complete_file_is_read(void **state)
{
	(void)state;
	struct pms_core_file file;
	struct pms_error err = { 0 };
	json_t *root = root_make();
	json_object_set_new(json_object_get(json_object_get(root, "ops"), "load"), "busy",
			    json_integer(3));
	assert_int_equal(root_load(root, &file, &err), 0);
	assert_string_equal(file.name, "Test core");
	assert_int_equal(file.params.slots, 8);
	assert_int_equal(file.params.l2_bytes, 1048576);
	assert_int_equal(file.params.stride_distance, 1); /* the last of the list, its least */
	assert_int_equal(file.params.op[PMS_OP_ALU].latency, 2);
	assert_int_equal(file.params.op[PMS_OP_ALU].busy, 1);
	assert_int_equal(file.params.op[PMS_OP_LOAD].busy, 3);
	assert_int_equal(file.params.op[PMS_OP_UNDEF].ports, 1 << 1 | 1 << 2);
	assert_int_equal(file.params.op[PMS_OP_UNDEF].queue, 2);
	assert_int_equal(file.params.n_ports, 3);
	assert_int_equal(file.params.n_queues, 2);
	assert_int_equal(file.params.queue_entries[1], 3);
	assert_int_equal(file.params.queue_entries[2], 127);
	pms_core_file_release(&file);
	json_decref(root);
}

/* Put the JSON @value at the dotted @path of @root; NULL removes what is there. */
static void change(json_t *root, const char *path, const char *value)
{
	char part[64];
	const char *dot;
	while ((dot = strchr(path, '.'))) {
		snprintf(part, sizeof(part), "%.*s", (int)(dot - path), path);
		root = json_object_get(root, part);
		assert_non_null(root);
		path = dot + 1;
	}
	if (value)
		json_object_set_new(root, path, json_loads(value, JSON_DECODE_ANY, NULL));
	else
		json_object_del(root, path);
}

/* A form that the file leaves out takes one slot, a pair that it leaves out two. */
static void slots_and_pairs_are_the_cores(void **state)
{
	(void)state;
	struct pms_core_file file;
	json_t *root = root_make();
	assert_int_equal(root_load(root, &file, NULL), 0);
	assert_int_equal(file.params.form_slots[PMS_FORM_LD4_16], 1);
	assert_int_equal(file.params.pairs[PMS_FUSE_COMPARE], 0);
	pms_core_file_release(&file);
	change(root, "slots", "{\"ld4_16\": {\"value\": 7, \"source\": \"x\"}}");
	change(root, "fusion",
	       "[{\"first\": \"compare\", \"second\": \"conditional\", \"source\": \"x\"}]");
	assert_int_equal(root_load(root, &file, NULL), 0);
	assert_int_equal(file.params.form_slots[PMS_FORM_LD4_16], 7);
	assert_int_equal(file.params.form_slots[PMS_FORM_LD4_8], 1);
	assert_int_equal(file.params.form_slots[PMS_FORM_ONE], 1);
	assert_int_equal(file.params.pairs[PMS_FUSE_COMPARE], 1 << PMS_FUSE_CONDITIONAL);
	assert_int_equal(file.params.pairs[PMS_FUSE_AESE], 0);
	pms_core_file_release(&file);
	json_decref(root);
}

/* Of what the core never does, with the reason. */
static void an_event_may_be_always_0(void **state)
{
	(void)state;
	struct pms_core_file file;
	json_t *root = root_make();
	json_object_set_new(json_object_get(root, "events"), "REMOTE_ACCESS",
			    json_pack("{s:s, s:s}", "class", "modelled", "zero", "one socket"));
	assert_int_equal(root_load(root, &file, NULL), 0);
	assert_int_equal(file.rules[2].state, PMS_COUNTED);
	assert_int_equal(file.rules[2].cls, PMS_COUNT_MODELLED);
	assert_int_equal(file.rules[2].n_terms, 0);
	assert_string_equal(file.rules[2].because, "one socket");
	pms_core_file_release(&file);
	json_decref(root);
}

static void events_become_rules(void **state)
{
	(void)state;
	struct pms_core_file file;
	json_t *root = root_make();
	json_object_del(json_object_get(root, "events"), "CPU_CYCLES");
	assert_int_equal(root_load(root, &file, NULL), 0);
	assert_int_equal(file.n_rules, EVENTS);
	assert_int_equal(file.rules[0].state, PMS_NOT_MODELLED);
	assert_non_null(strstr(file.rules[0].because, "core.json"));
	assert_int_equal(file.rules[1].state, PMS_COUNTED);
	assert_int_equal(file.rules[1].cls, PMS_COUNT_EXACT);
	assert_int_equal(file.rules[1].n_terms, 3);
	assert_int_equal(file.rules[1].terms[1].counter, PMS_COUNTER_L1D_CACHE_WR);
	assert_int_equal(file.rules[1].terms[1].sign, 1);
	assert_int_equal(file.rules[1].terms[2].counter, PMS_COUNTER_L1I_CACHE);
	assert_int_equal(file.rules[1].terms[2].sign, -1);
	assert_int_equal(file.rules[2].state, PMS_NOT_MODELLED);
	assert_string_equal(file.rules[2].because, "there is one socket");
	pms_core_file_release(&file);
	json_decref(root);
}

static void each_fault_is_named_with_its_place(void **state)
{
	(void)state;
	static const struct {
		const char *path, *value; /* what to change */
		const char *text;	  /* what is said: place, and a word of the reason */
		const char *reason;
	} cases[] = {
		{ "name", NULL, "", "\"name\" is missing" },
		{ "name", "\"\"", "name:", "empty" },
		{ "name", "\"0123456789012345678901234567890123456789012345678901234567890123\"",
		  "", "shorter" },
		{ "name", "7", "name:", "string" },
		{ "nam", "\"x\"", "nam:", "belongs" },
		{ "parameters", NULL, "", "\"parameters\" is missing" },
		{ "parameters", "[]", "parameters:", "object" },
		{ "parameters.slots", NULL, "parameters:", "\"slots\" is missing" },
		{ "parameters.slots", "8", "parameters.slots:", "object" },
		{ "parameters.slot", "{}", "parameters.slot:", "no parameter" },
		{ "parameters.slots.value", NULL, "parameters.slots:", "\"value\" is missing" },
		{ "parameters.slots.value", "8.0", "parameters.slots.value:", "whole" },
		{ "parameters.slots.value", "\"8\"", "parameters.slots.value:", "whole" },
		{ "parameters.slots.value", "0",
		  "parameters.slots.value:", "is 0, must be 1 to 16" },
		{ "parameters.slots.value", "17",
		  "parameters.slots.value:", "is 17, must be 1 to 16" },
		{ "parameters.slots.value", "-1", "parameters.slots.value:", "is -1" },
		{ "parameters.slots.value", "4294967304", "parameters.slots.value:", "4294967304" },
		{ "parameters.slots.source", NULL, "parameters.slots:", "\"source\" is missing" },
		{ "parameters.slots.source", "\"\"", "parameters.slots.source:", "empty" },
		{ "parameters.slots.valeu", "8", "parameters.slots.valeu:", "belongs" },
		/* 65537 bytes are no whole lines; 3 ways and 5 ways leave no power of two */
		{ "parameters.l1d_bytes.value", "65537", "parameters.l1d_bytes:", "4 ways" },
		{ "parameters.l1i_ways.value", "3", "parameters.l1i_bytes:", "3 ways" },
		{ "parameters.l2_bytes.value", "786432", "parameters.l2_bytes:", "8 ways" },
		{ "parameters.l2_tlb_ways.value", "5", "parameters.l2_tlb_entries:", "5 ways" },
		{ "parameters.btb_main_entries.value", "6000",
		  "parameters.btb_main_entries:", "4 ways" },
		{ "parameters.slc_bytes.value", "100", "parameters.slc_bytes:", "1 ways" },
		{ "parameters.mop_cache_windows.value", "100",
		  "parameters.mop_cache_windows:", "power of two" },
		{ "parameters.stride_entries.value", "48",
		  "parameters.stride_entries:", "power of two" },
		{ "parameters.tage_history_2.value", "1",
		  "parameters.tage_history_2:", "is 1, which is not above tage_history_1, 1" },
		{ "parameters.tage_history_3.value", "5",
		  "parameters.tage_history_3:", "is 5, which is not above tage_history_2, 0" },
		{ "parameters.indirect_targets_2.value", "1",
		  "parameters.indirect_targets_2:", "not above indirect_targets_1, 1" },
		{ "parameters.page_bytes.value", "5000", "parameters.page_bytes:", "must be 4096" },
		{ "parameters.page_bytes.value", "8192", "parameters.page_bytes:", "must be 4096" },
		{ "ops", NULL, "", "\"ops\" is missing" },
		{ "ops.alu", NULL, "ops:", "\"alu\" is missing" },
		{ "ops.allu", "{}", "ops.allu:", "class" },
		{ "ops.alu.latency", NULL, "ops.alu:", "\"latency\" is missing" },
		{ "ops.alu.latency", "256", "ops.alu.latency:", "0 to 255" },
		{ "ops.alu.busy", "0", "ops.alu.busy:", "1 to 255" },
		{ "ops.alu.ports", NULL, "ops.alu:", "\"ports\" is missing" },
		{ "ops.alu.ports", "[\"M9\"]", "ops.alu.ports[0]:", "no port \"M9\"" },
		{ "ops.alu.ports", "[1]", "ops.alu.ports[0]:", "string" },
		{ "ops.alu.ports", "[]", "ops.alu:", "neither" },
		{ "ops.alu.queue", "\"none\"", "ops.alu:", "neither" },
		{ "ops.alu.queue", "\"fast\"", "ops.alu.queue:", "fast" },
		{ "ops.alu.queue", NULL, "ops.alu:", "\"queue\" is missing" },
		{ "ops.alu.source", NULL, "ops.alu:", "\"source\" is missing" },
		{ "ports", NULL, "", "\"ports\" is missing" },
		{ "ports", "[]", "ports:", "object" },
		{ "ports.source", NULL, "ports:", "\"source\" is missing" },
		{ "ports.names", "[]", "ports.names:", "has 0 names, must have 1 to 32" },
		{ "ports.names",
		  "[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\",\"10\",\"11\",\"12\","
		  "\"13\","
		  "\"14\",\"15\",\"16\",\"17\",\"18\",\"19\",\"20\",\"21\",\"22\",\"23\",\"24\","
		  "\"25\","
		  "\"26\",\"27\",\"28\",\"29\",\"30\",\"31\",\"32\",\"33\"]",
		  "ports.names:", "has 33 names" },
		{ "ports.names", "[\"B0\",\"M0\",\"B0\"]", "ports.names[2]:", "twice" },
		{ "ports.names", "[\"B0\",7]", "ports.names[1]:", "string" },
		{ "ports.order", "[]", "ports.order:", "belongs" },
		{ "queues", NULL, "", "\"queues\" is missing" },
		{ "queues.none", "{\"entries\": 1}", "queues.none:", "no queue" },
		{ "queues.int.entries", "0", "queues.int.entries:", "1 to 127" },
		{ "queues.int.entries", "128", "queues.int.entries:", "1 to 127" },
		{ "queues.int.source", NULL, "queues.int:", "\"source\" is missing" },
		{ "queues", "{\"a\":0,\"b\":0,\"c\":0,\"d\":0,\"e\":0,\"f\":0,\"g\":0,\"h\":0}",
		  "queues:", "has 8 queues, the model keeps 7" },
		{ "slots", "[]", "slots:", "object" },
		{ "slots", "{\"ld5_16\": {}}", "slots.ld5_16:", "no form" },
		{ "slots", "{\"one\": {\"value\": 1, \"source\": \"x\"}}",
		  "slots.one:", "no form" },
		{ "slots", "{\"ld4_16\": 4}", "slots.ld4_16:", "object" },
		{ "slots", "{\"ld4_16\": {\"value\": 4}}", "slots.ld4_16:", "\"source\"" },
		{ "slots", "{\"ld4_16\": {\"value\": 0, \"source\": \"x\"}}",
		  "slots.ld4_16.value:", "1 to 15" },
		{ "slots", "{\"ld4_16\": {\"value\": 16, \"source\": \"x\"}}",
		  "slots.ld4_16.value:", "1 to 15" },
		{ "fusion", "{}", "fusion:", "array" },
		{ "fusion",
		  "[{\"first\": \"cmp\", \"second\": \"conditional\", \"source\": \"x\"}]",
		  "fusion[0].first:", "half of a pair \"cmp\"" },
		{ "fusion", "[{\"first\": \"compare\", \"second\": \"none\", \"source\": \"x\"}]",
		  "fusion[0].second:", "half of a pair" },
		{ "fusion", "[{\"first\": \"compare\", \"second\": \"conditional\"}]",
		  "fusion[0]:", "\"source\"" },
		{ "events", NULL, "", "\"events\" is missing" },
		{ "events.CYCLES", "{}", "events.CYCLES:", "no event" },
		{ "events.CPU_CYCLES", "\"exact\"", "events.CPU_CYCLES:", "object" },
		{ "events.CPU_CYCLES.class", NULL, "events.CPU_CYCLES:", "\"class\" is missing" },
		{ "events.CPU_CYCLES.class", "\"right\"", "events.CPU_CYCLES.class:", "exact" },
		{ "events.CPU_CYCLES.counter", NULL, "events.CPU_CYCLES:", "counter" },
		{ "events.CPU_CYCLES.sum", "[\"CPU_CYCLES\"]", "events.CPU_CYCLES:", "not both" },
		{ "events.CPU_CYCLES.counter", "\"CYCLES\"",
		  "events.CPU_CYCLES.counter:", "CYCLES" },
		{ "events.CPU_CYCLES.because", "\"x\"", "events.CPU_CYCLES.because:", "belongs" },
		{ "events.CPU_CYCLES.zero", "\"none\"", "events.CPU_CYCLES.counter:", "belongs" },
		{ "events.REMOTE_ACCESS.zero", "\"none\"",
		  "events.REMOTE_ACCESS.zero:", "belongs" },
		{ "events.L1D_CACHE.sum", "[]", "events.L1D_CACHE.sum:", "empty" },
		{ "events.L1D_CACHE.sum", "{}", "events.L1D_CACHE.sum:", "array" },
		{ "events.L1D_CACHE.sum", "[1]", "events.L1D_CACHE.sum[0]:", "string" },
		{ "events.L1D_CACHE.sum", "[\"-\"]", "events.L1D_CACHE.sum[0]:", "no counter" },
		{ "events.REMOTE_ACCESS.because", NULL,
		  "events.REMOTE_ACCESS:", "\"because\" is missing" },
		{ "events.REMOTE_ACCESS.counter", "\"CPU_CYCLES\"",
		  "events.REMOTE_ACCESS.counter:", "belongs" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_core_file file = { .n_rules = 77 };
		struct pms_error err = { 0 };
		json_t *root = root_make();
		change(root, cases[i].path, cases[i].value);
		int rc = root_load(root, &file, &err);
		json_decref(root);
		if (rc != -PMS_EPARSE || strncmp(err.text, cases[i].text, strlen(cases[i].text)) ||
		    !strstr(err.text, cases[i].reason) || !err.line || file.n_rules != 77)
			fail_msg("%s = %s: rc %d, \"%s\"", cases[i].path, cases[i].value, rc,
				 err.text);
	}
}

static void too_long_a_sum_is_refused(void **state)
{
	(void)state;
	struct pms_core_file file;
	struct pms_error err = { 0 };
	json_t *root = root_make(), *sum = json_array();
	for (int i = 0; i < PMS_RULE_TERMS + 1; i++)
		json_array_append_new(sum, json_string("CPU_CYCLES"));
	json_object_set_new(json_object_get(json_object_get(root, "events"), "L1D_CACHE"), "sum",
			    sum);
	assert_int_equal(root_load(root, &file, &err), -PMS_EPARSE);
	assert_non_null(strstr(err.text, "L1D_CACHE.sum[24]: is one counter too many"));
	json_decref(root);
}

static void broken_json_is_placed_by_line(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		unsigned line;
	} cases[] = { { "", 1 },
		      { "{\n  \"name\": \"x\",\n}", 3 },
		      { "{\"a\":1,\n\"a\":2}", 2 },
		      { "[]", 1 },
		      { "{\"name\": \"\xff\"}", 1 } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_core_file file;
		struct pms_error err = { 0 };
		int rc = text_load(cases[i].text, &file, &err);
		if (rc != -PMS_EPARSE || err.line != cases[i].line || !err.source[0])
			fail_msg("case %zu: rc %d, line %u, \"%s\"", i, rc, err.line, err.text);
	}
	struct pms_core_file file;
	struct pms_error err = { 0 };
	assert_int_equal(pms_core_file_load("/no/core.json", &events, &file, &err), -PMS_EIO);
	assert_string_equal(err.source, "/no/core.json");
}

/* Another's catalog of the same core need not have every event. */
static void rows_of_other_events_are_for_other_catalogs(void **state)
{
	(void)state;
	static const char *const one[] = { "L1D_CACHE" };
	struct pms_core_events fewer = { .names = one, .count = 1 };
	struct pms_core_file file;
	struct pms_error err = { 0 };
	struct pms_json json;
	json_t *root = root_make();
	char *text = json_dumps(root, 0);
	assert_int_equal(pms_json_parse("core.json", text, strlen(text), &json, &err), 0);
	assert_int_equal(pms_core_file_read(&json, &fewer, &file, &err), -PMS_EPARSE);
	fewer.foreign = 1;
	assert_int_equal(pms_core_file_read(&json, &fewer, &file, NULL), 0);
	assert_int_equal(file.n_rules, 1);
	assert_int_equal(file.rules[0].n_terms, 3);
	pms_core_file_release(&file);
	pms_json_release(&json);
	free(text);
	json_decref(root);
}

/* The file that users get: it loads, and has a row for every event of its catalog. */
static void the_v1_loads(void **state)
{
	(void)state;
	struct pms_catalog *catalog;
	struct pms_core_file file;
	struct pms_error err = { 0 };
	char path[4096];
	const char *own[512];
	assert_int_equal(pms_catalog_load(getenv("SOURCE"), "neoverse-v1", &catalog, NULL), 0);
	size_t count = pms_catalog_events(catalog);
	assert_in_range(count, 100, 512);
	for (size_t i = 0; i < count; i++)
		own[i] = pms_catalog_event(catalog, i)->name;
	snprintf(path, sizeof(path), "%s/cpus/neoverse-v1/core.json", getenv("SOURCE"));
	struct pms_core_events all = { .names = own, .count = count };
	if (pms_core_file_load(path, &all, &file, &err))
		fail_msg("%s: %s", err.source, err.text);
	assert_int_equal(file.params.slots, 8);
	for (size_t i = 0; i < count; i++)
		if (file.rules[i].because && strstr(file.rules[i].because, "no row"))
			fail_msg("%s has no row", own[i]);
	pms_core_file_release(&file);
	pms_catalog_free(catalog);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_complete_file_is_read),
		cmocka_unit_test(events_become_rules),
		cmocka_unit_test(slots_and_pairs_are_the_cores),
		cmocka_unit_test(an_event_may_be_always_0),
		cmocka_unit_test(each_fault_is_named_with_its_place),
		cmocka_unit_test(too_long_a_sum_is_refused),
		cmocka_unit_test(broken_json_is_placed_by_line),
		cmocka_unit_test(rows_of_other_events_are_for_other_catalogs),
		cmocka_unit_test(the_v1_loads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
