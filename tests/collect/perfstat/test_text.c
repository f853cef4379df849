/* SPDX-License-Identifier: MIT */
/* What real perf wrote, and what it could have written, taken apart. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../catalog/small.h"
#include "collect/perfstat/text.h"

/* Those that are told apart, after the total. */
static size_t count_scopes(const struct pms_stat_text *text)
{
	return text->n_scopes - 1;
}

static size_t count_state(const struct pms_stat_text *text, enum pms_count_state state)
{
	size_t n = 0;
	for (size_t i = 0; i < text->n_records; i++)
		n += text->records[i].state == state;
	return n;
}

static size_t count_times(const struct pms_stat_text *text)
{
	size_t n = 0;
	for (size_t i = 0; i < text->n_records; i++)
		n += text->records[i].has_time &&
		     (!i || text->records[i].time != text->records[i - 1].time);
	return n;
}

/* Counts of lines taken from the files with grep. */
static void files_of_real_perf(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		size_t records, counted, not_counted, not_supported, times;
		enum pms_scope_kind kind;
		size_t scopes;
	} cases[] = {
		{ "one", 6, 3, 0, 3, 0, PMS_SCOPE_TOTAL, 0 },
		{ "repeat", 6, 3, 0, 3, 0, PMS_SCOPE_TOTAL, 0 },
		{ "interval", 18, 6, 3, 9, 3, PMS_SCOPE_TOTAL, 0 },
		{ "cpus", 8, 4, 0, 4, 0, PMS_SCOPE_CPU, 2 },
		{ "core", 8, 4, 0, 4, 0, PMS_SCOPE_CORE, 2 },
		{ "socket", 4, 2, 0, 2, 0, PMS_SCOPE_SOCKET, 1 },
		{ "node", 4, 2, 0, 2, 0, PMS_SCOPE_NODE, 1 },
		{ "cpus-interval", 16, 8, 0, 8, 2, PMS_SCOPE_CPU, 2 },
		{ "threads", 12, 6, 2, 4, 0, PMS_SCOPE_THREAD, 4 },
		{ "cgroup", 4, 1, 1, 2, 0, PMS_SCOPE_TOTAL, 0 },
		{ "names", 3, 3, 0, 0, 0, PMS_SCOPE_TOTAL, 0 },
	};
	static const char *const formats[] = { "plain", "csv", "json" };
	for (size_t i = 0; i < 3 * sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_stat_text t;
		struct pms_error err = { 0 };
		char path[512];
		snprintf(path, sizeof(path), "%s/perf-stat/%s.%s", PMS_TEST_DATA, cases[i / 3].name,
			 formats[i % 3]);
		FILE *in = fopen(path, "r");
		if (!in)
			fail_msg("%s: %s", path, strerror(errno));
		if (pms_stat_text_read(in, path, catalog, &t, &err))
			fail_msg("%s:%u: %s", path, err.line, err.text);
		if (t.n_records != cases[i / 3].records ||
		    count_state(&t, PMS_COUNTED) != cases[i / 3].counted ||
		    count_state(&t, PMS_NOT_COUNTED) != cases[i / 3].not_counted ||
		    count_state(&t, PMS_NOT_SUPPORTED) != cases[i / 3].not_supported ||
		    count_times(&t) != cases[i / 3].times ||
		    count_scopes(&t) != cases[i / 3].scopes ||
		    t.scopes[t.records[0].scope].kind != cases[i / 3].kind)
			fail_msg("%s: %zu records, %zu counted, %zu times, %zu scopes of kind %d",
				 path, t.n_records, count_state(&t, PMS_COUNTED), count_times(&t),
				 count_scopes(&t), (int)t.scopes[t.records[0].scope].kind);
		pms_stat_text_release(&t);
		fclose(in);
	}
}

static struct pms_stat_text read_text(const char *text)
{
	struct pms_stat_text t;
	struct pms_error err = { 0 };
	FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	assert_non_null(in);
	if (pms_stat_text_read(in, "test", catalog, &t, &err))
		fail_msg("%s: %u: %s", text, err.line, err.text);
	fclose(in);
	return t;
}

static void assert_view(struct pms_stat_view view, const char *text)
{
	if (view.length != strlen(text) || memcmp(view.at, text, view.length) != 0)
		fail_msg("\"%.*s\", want \"%s\"", (int)view.length, view.at, text);
}

/* Every part of a line, one format after the other. */
static void lines_in_every_format(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		double value;
		const char *event;
		double time, run_pct, spread;
		uint64_t run_ns;
		enum pms_scope_kind kind;
		int64_t id;
		const char *scope, *cgroup;
	} cases[] = {
		/* -x */
		{ "12,,r11,500,25.00,,\n", 12, "r11", 0, 25, 0, 500, 0, 0, "", "" },
		{ "0.52,msec,task-clock,516841,100.00,246.820,CPUs utilized\n", 0.52, "task-clock",
		  0, 100, 0, 516841, 0, 0, "", "" },
		{ "12,,r11,1.25%,500,25.00,,\n", 12, "r11", 0, 25, 0.0125, 500, 0, 0, "", "" },
		{ "12,,r11,nan%,500,25.00,,\n", 12, "r11", 0, 25, 0, 500, 0, 0, "", "" },
		{ "12;;r11:u;500;25.00;;\n", 12, "r11:u", 0, 25, 0, 500, 0, 0, "", "" },
		{ "12|| r11|500|25.00\r\n", 12, "r11", 0, 25, 0, 500, 0, 0, "", "" },
		{ "12,,r11\n", 12, "r11", 0, 100, 0, 0, 0, 0, "", "" },
		{ "12,,p/event=0x1,long=1/u,500,25.00,,\n", 12, "p/event=0x1,long=1/u", 0, 25, 0,
		  500, 0, 0, "", "" },
		{ "     1.500000000,12,,r11,500,25.00,,\n", 12, "r11", 1.5, 25, 0, 500, 0, 0, "",
		  "" },
		{ "CPU7,12,,r11,500,25.00,,\n", 12, "r11", 0, 25, 0, 500, PMS_SCOPE_CPU, 7, "",
		  "" },
		{ "     1.500000000,S1-D0-C3,2,12,,r11,500,25.00,,\n", 12, "r11", 1.5, 25, 0, 500,
		  PMS_SCOPE_CORE, 3, "S1-D0-C3", "" },
		{ "S1-D2,4,1.00,msec,cpu-clock,500,25.00,,\n", 1, "cpu-clock", 0, 25, 0, 500,
		  PMS_SCOPE_DIE, 2, "S1-D2", "" },
		{ "S0-D0-L3-ID4,4,12,,r11,500,25.00,,\n", 12, "r11", 0, 25, 0, 500, PMS_SCOPE_CACHE,
		  4, "S0-D0-L3-ID4", "" },
		{ "S0-D0-CLS2,4,12,,r11,500,25.00,,\n", 12, "r11", 0, 25, 0, 500, PMS_SCOPE_CLUSTER,
		  2, "S0-D0-CLS2", "" },
		{ "w,x-1-55,12,,r11,500,25.00,,\n", 12, "r11", 0, 25, 0, 500, PMS_SCOPE_THREAD, 55,
		  "w,x-1", "" },
		{ "3,4-77,12,,r11,500,25.00,,\n", 12, "r11", 0, 25, 0, 500, PMS_SCOPE_THREAD, 77,
		  "3,4", "" },
		{ "12,,r11,/a/b,500,25.00,,\n", 12, "r11", 0, 25, 0, 500, 0, 0, "", "/a/b" },
		/* -j */
		{ "{\"counter-value\" : \"12.500000\", \"unit\" : \"\", \"event\" : \"r11\", "
		  "\"variance\" : 3.00, \"event-runtime\" : 500, \"pcnt-running\" : 25.00}\n",
		  12.5, "r11", 0, 25, 0.03, 500, 0, 0, "", "" },
		{ "{\"interval\" : 1.500000000, \"cpu\" : \"7\", \"counter-value\":\"12\",\n"
		  "\"event\":\"r11\",\"future\":\"x\\\"y\"}",
		  12, "r11", 1.5, 100, 0, 0, PMS_SCOPE_CPU, 7, "", "" },
		{ "[{\"core\" : \"S0-D0-C1\"\"counter-value\" : \"12\", \"event\" : \"r11\", "
		  "\"metric-value\" : -nan, \"cgroup\" : \"/a\"}\n]\n",
		  12, "r11", 0, 100, 0, 0, PMS_SCOPE_CORE, 1, "S0-D0-C1", "/a" },
		{ "{\"thread\" : \"a b-9\", \"counter-value\" : \"12\", \"event\" : \"r11\"}", 12,
		  "r11", 0, 100, 0, 0, PMS_SCOPE_THREAD, 9, "a b", "" },
		/* the table */
		{ "   1,234,567      r11       #  1.0 GHz      ( +-  1.50% )  (25.00%)\n", 1234567,
		  "r11", 0, 25, 0.015, 0, 0, 0, "", "" },
		{ " 1.234.567 r11 (25,00%)\n", 1234567, "r11", 0, 25, 0, 0, 0, 0, "", "" },
		{ " 1'234'567 r11\n", 1234567, "r11", 0, 100, 0, 0, 0, 0, "", "" },
		{ " 1\u202f234\u202f567 r11\n", 1234567, "r11", 0, 100, 0, 0, 0, 0, "", "" },
		{ " 12 r11\n", 12, "r11", 0, 100, 0, 0, 0, 0, "", "" },
		{ " 12 r11 [armv8_pmuv3_0]\n", 12, "r11", 0, 100, 0, 0, 0, 0, "", "" },
		{ " 1.25 msec task-clock  # 0.9 CPUs utilized\n", 1.25, "task-clock", 0, 100, 0, 0,
		  0, 0, "", "" },
		{ " 1.25 msec cpu-clock /a # 0.9 CPUs utilized\n", 1.25, "cpu-clock", 0, 100, 0, 0,
		  0, 0, "", "/a" },
		{ " 1.500000000 CPU3  12 r11\n", 12, "r11", 1.5, 100, 0, 0, PMS_SCOPE_CPU, 3, "",
		  "" },
		{ " S0  2  12 r11\n", 12, "r11", 0, 100, 0, 0, PMS_SCOPE_SOCKET, 0, "S0", "" },
		{ "  a 3-44     12      r11\n", 12, "r11", 0, 100, 0, 0, PMS_SCOPE_THREAD, 44,
		  "a 3", "" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_stat_text t = read_text(cases[i].text);
		const struct pms_stat_record *count = &t.records[0];
		const struct pms_stat_scope *scope = &t.scopes[count->scope];
		assert_int_equal(t.n_records, 1);
		if (count->state != PMS_COUNTED || count->value != cases[i].value ||
		    count->time != cases[i].time || count->run_pct != cases[i].run_pct ||
		    count->spread != cases[i].spread || count->run_ns != cases[i].run_ns ||
		    scope->kind != cases[i].kind || scope->id != cases[i].id)
			fail_msg("%s: %g at %g s, %g %% of %d %lld", cases[i].text, count->value,
				 count->time, count->run_pct, (int)scope->kind,
				 (long long)scope->id);
		assert_view(t.names[count->name].name, cases[i].event);
		assert_string_equal(scope->name, cases[i].scope);
		assert_view(t.cgroup, cases[i].cgroup);
		pms_stat_text_release(&t);
	}
}

static void metrics_and_notes_are_passed_over(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"1,,r11,5,100.00,2.00,insn per cycle\n,,,,,0.20,stalled cycles per insn\n\n# c\n",
		"CPU0,1,,r11,5,100.00,,\nCPU0,,,,,0.20,stalled cycles per insn\n",
		"     1.500000000,S0,2,1,,r11,5,100.00,,\n     1.500000000,S0,2,,,,0.2,stalled\n",
		("{\"metric-value\" : 1.0, \"metric-unit\" : \"x\"}\n"
		 "{\"counter-value\" : \"1\", \"event\" : \"r11\"}\n# end\n"),
		"1 r11\n     # 0.20 stalled cycles per insn\nCPU0     # 0.3 frontend\n",
		("chatter\n1 cats\n Performance counter stats for 'x':\n\n 1 r11\n\n"
		 "1.0 seconds time elapsed\n\n0.1 seconds user\n1 dog\n"),
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct pms_stat_text t = read_text(texts[i]);
		if (t.n_records != 1)
			fail_msg("%s: %zu records", texts[i], t.n_records);
		pms_stat_text_release(&t);
	}
}

static void the_heading_tells_the_command(void **state)
{
	(void)state;
	static const struct {
		const char *heading, *command;
	} cases[] = {
		{ "'sleep 1'", "sleep 1" }, { "'it's' (3 runs)", "it's" }, { "'system wide'", "" },
		{ "'CPU(s) 0-3'", "" },	    { "process id '12'", "" },	   { "thread id '12'", "" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[256];
		snprintf(text, sizeof(text),
			 " Performance counter stats for %s:\n 1 r11\n"
			 "      0.25 +- 0.01 seconds time elapsed ( +- 4.00%% )\n",
			 cases[i].heading);
		struct pms_stat_text t = read_text(text);
		assert_view(t.command, cases[i].command);
		assert_true(t.elapsed == 0.25 && t.is_table);
		pms_stat_text_release(&t);
	}
}

static void bad_input_has_a_line(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		unsigned line;
		const char *says;
	} cases[] = {
		{ "\n", 0, "no counts" },
		{ "# nothing\n\n", 0, "no counts" },
		{ "hello\n", 1, "no count of perf stat: \"hello\"" },
		{ "1,,r11,5,100.00,,\n\nwhat,is,this\n", 3, "what,is,this" },
		{ "1,,r11,5,100.00,,\n1,,r8,-5,100.00,,\n", 2, "r8" },
		{ "1,,r11,5,100.00,,\n1,,r8,5,100.01,,\n", 2, "r8" },
		{ "1,,r11,5,100.00,,\n1,,r8,99999999999999999999,100.00,,\n", 2, "r8" },
		{ "1,,r11,5,100.00,,\nCPUx,1,,r8,5,100.00,,\n", 2, "CPUx" },
		{ "1,,r11,5,100.00,,\n1e6,,r8,5,100.00,,\n", 2, "1e6" },
		{ "1,,r11,5,100.00,,\n-1,,r8,5,100.00,,\n", 2, "-1" },
		{ "{\"counter-value\" : \"1\", \"event\" : \"r11\"}\n{\"event\" :\n", 2, "event" },
		{ "{\"counter-value\" : \"x\", \"event\" : \"r11\"}\n", 1, "counter-value" },
		{ "{\"counter-value\" : \"1\", \"event\" : \"r11\"}\n}\n", 2, "}" },
		{ "{\"counter-value\" : \"1\", \"event\" : \"r11\n\"}\n", 1, "event" },
		{ "{\"counter-value\" : \"1\", \"event\" : \"r11\", \"cpu\" : \"-1\"}\n", 1,
		  "cpu" },
		{ " Performance counter stats for 'x':\n\n 1 r11\n what is this\n", 4, "what" },
		{ " 12,34 567 r11\n", 1, "12,34" },
		{ " 12 r11\n 3 <not", 2, "<not" },
		{ "1,,r11,/a,5,100.00,,\n1,,r11,/b,5,100.00,,\n", 2, "more than one cgroup" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_stat_text t;
		struct pms_error err = { 0 };
		FILE *in = fmemopen((void *)(uintptr_t)cases[i].text, strlen(cases[i].text), "r");
		int rc = pms_stat_text_read(in, "file", catalog, &t, &err);
		if (rc != -PMS_EPARSE || err.line != cases[i].line ||
		    !strstr(err.text, cases[i].says) || strcmp(err.source, "file") != 0)
			fail_msg("%s: %d, %s:%u: %s", cases[i].text, rc, err.source, err.line,
				 err.text);
		pms_stat_text_release(&t);
		fclose(in);
	}
}

static void binary_files_are_refused(void **state)
{
	(void)state;
	char text[] = "PERFILE2\0\0\1,,r11,5,100.00,,\n";
	struct pms_stat_text t;
	struct pms_error err = { 0 };
	FILE *in = fmemopen(text, sizeof(text) - 1, "r");
	assert_int_equal(pms_stat_text_read(in, "file", catalog, &t, &err), -PMS_EPARSE);
	assert_non_null(strstr(err.hint, "perf.data"));
	pms_stat_text_release(&t);
	fclose(in);
}

/* Each count in a form of its own, of so many different events. */
static char *text_of_names(int n, const char *form)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	assert_non_null(out);
	for (int i = 0; i < n; i++)
		fprintf(out, form, i);
	fclose(out);
	return text;
}

static void names_up_to_the_limit_are_read(void **state)
{
	static const char *const forms[] = {
		"1,,r%x,1000,100.00,,\n",
		"{\"counter-value\" : \"1\", \"event\" : \"r%x\"}\n",
		" 1 r%x\n",
	};
	enum { MOST = 4096 };
	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct pms_stat_text t;
		struct pms_error err = { 0 };
		char *text = text_of_names(MOST, forms[i]);
		t = read_text(text);
		assert_int_equal(t.n_names, MOST);
		pms_stat_text_release(&t);
		free(text);
		text = text_of_names(MOST + 1, forms[i]);
		FILE *in = fmemopen(text, strlen(text), "r");
		assert_int_equal(pms_stat_text_read(in, "file", catalog, &t, &err), -PMS_EPARSE);
		assert_non_null(strstr(err.text, "4096"));
		assert_int_equal(err.line, MOST + 1);
		pms_stat_text_release(&t);
		fclose(in);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_of_real_perf),
		cmocka_unit_test(lines_in_every_format),
		cmocka_unit_test(metrics_and_notes_are_passed_over),
		cmocka_unit_test(the_heading_tells_the_command),
		cmocka_unit_test(bad_input_has_a_line),
		cmocka_unit_test(binary_files_are_refused),
		cmocka_unit_test(names_up_to_the_limit_are_read),
	};
	return cmocka_run_group_tests(tests, open_catalog, close_catalog);
}
