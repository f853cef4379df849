/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../machine/host_tree.h"
#include "pmuscope/catalog.h"

static int host_cpu(const struct host_tree *tree, char cpu[64], struct pms_error *err)
{
	return pms_catalog_host_cpu(PMS_SOURCE, tree->root, cpu, 64, err);
}

/* Values of MIDR_EL1 as Linux prints them on these cores. */
static void arm_cores_are_known(void **state)
{
	(void)state;
	static const struct {
		const char *midr, *cpu;
	} cases[] = {
		{ "0x00000000413fd0c1\n", "neoverse-n1" },
		{ "0x00000000411fd401\n", "neoverse-v1" },
		{ "0x00000000410fd490\n", "neoverse-n2" },
		{ "0x00000000410fd4f0\n", "neoverse-v2" },
		{ "0x00000000410fd840\n", "neoverse-v3" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char cpu[64] = "";
		struct host_tree tree = host_make("0\n");
		host_put_midr(&tree, 0, cases[i].midr);
		assert_int_equal(host_cpu(&tree, cpu, NULL), 0);
		assert_string_equal(cpu, cases[i].cpu);
		host_remove(&tree);
	}
}

static void riscv_cores_are_known_by_their_codes_or_as_riscv(void **state)
{
	(void)state;
	/* The identities of Linux' mapfile.csv; the last of nobody. */
	static const struct {
		const char *cpuinfo, *cpu;
	} cases[] = {
		{ "mvendorid\t: 0x489\nmarchid\t\t: 0x8000000000000008\n", "riscv:sifive-p550" },
		{ "mvendorid\t: 0x489\nmarchid\t\t: 0x8000000000000007\nmimpid\t\t: 0x4210427\n",
		  "riscv:sifive-u74" },
		{ "mvendorid\t: 0x489\nmarchid\t\t: 0x8000000000000507\nmimpid\t\t: 0x7230110\n",
		  "riscv:sifive-bullet-07" },
		{ "mvendorid\t: 0x489\nmarchid\t\t: 0x8000000000000507\nmimpid\t\t: 0xd240110\n",
		  "riscv:sifive-bullet-0d" },
		{ "mvendorid\t: 0x489\nmarchid\t\t: 0x8000000000000108\nmimpid\t\t: 0x9230110\n",
		  "riscv:sifive-p650" },
		{ "mvendorid\t: 0x5b7\nmarchid\t\t: 0x0\nmimpid\t\t: 0x0\n", "riscv:thead-c9xx" },
		{ "mvendorid\t: 0x5b7\nmarchid\t\t: 0x8000000009201600\nmimpid\t\t: 0x0\n",
		  "riscv" },
		{ "mvendorid\t: 0x67e\nmarchid\t\t: 0x80000000db000090\n", "riscv:starfive-dubhe" },
		{ "mvendorid\t: 0x31e\nmarchid\t\t: 0x8000000000008a45\n", "riscv:andes-ax45" },
		{ "mvendorid\t: 0x602\nmarchid\t\t: 0x3\nmimpid\t\t: 0x0\n",
		  "riscv:openhwgroup-cva6" },
		{ "mvendorid\t: 0x1\nmarchid\t\t: 0x2\n", "riscv" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char cpu[64] = "";
		struct host_tree tree = host_make("0\n");
		host_put(&tree, "proc/cpuinfo", cases[i].cpuinfo);
		assert_int_equal(host_cpu(&tree, cpu, NULL), 0);
		assert_string_equal(cpu, cases[i].cpu);
		host_remove(&tree);
	}
}

static void unknown_cores_are_refused_with_what_there_is(void **state)
{
	(void)state;
	char cpu[64] = "";
	struct pms_error err = { 0 };
	struct host_tree tree = host_make("0\n");
	host_put_midr(&tree, 0, "0x00000000c00fac30\n"); /* Ampere-1 */
	assert_int_equal(host_cpu(&tree, cpu, &err), -PMS_ENAME);
	assert_string_equal(
		err.text,
		"there is no catalog of this host's CPU, made by Ampere (implementer 0xc0, "
		"part 0xac3)");
	assert_non_null(strstr(err.hint, "--spec FILE"));
	assert_non_null(strstr(err.hint, "neoverse-n1, "));
	err = (struct pms_error){ 0 };
	host_put_midr(&tree, 0, "0x00000000611f0221\n"); /* Apple M1, Icestorm */
	assert_int_equal(host_cpu(&tree, cpu, &err), -PMS_ENAME);
	assert_string_equal(err.text, "there is no catalog of this host's CPU, made by Apple "
				      "(implementer 0x61, part 0x22)");
	err = (struct pms_error){ 0 };
	host_put_midr(&tree, 0, "0x00000000001f0221\n");
	assert_int_equal(host_cpu(&tree, cpu, &err), -PMS_ENAME);
	assert_string_equal(err.text, "there is no catalog of this host's CPU (implementer 0x0, "
				      "part 0x22)");
	host_remove(&tree);
}

static void cores_of_two_kinds_are_the_users_to_choose_from(void **state)
{
	(void)state;
	char cpu[64] = "";
	struct pms_error err = { 0 };
	struct host_tree tree = host_make("0-1\n");
	host_put_midr(&tree, 0, "0x00000000413fd0c1\n");
	host_put_midr(&tree, 1, "0x00000000411fd401\n");
	assert_int_equal(host_cpu(&tree, cpu, &err), -PMS_ENAME);
	assert_string_equal(err.text,
			    "this host has CPUs of several kinds: neoverse-n1, neoverse-v1");
	host_remove(&tree);
}

static void a_host_that_does_not_tell_is_no_bad_name(void **state)
{
	(void)state;
	char cpu[64] = "";
	struct host_tree tree = host_make("0-1\n");
	assert_int_equal(host_cpu(&tree, cpu, NULL), -PMS_EHOST);
	host_remove(&tree);
}

/* A specification is only read whole when what it is of is not near its start. */
static void a_cpu_is_known_from_anywhere_in_its_specification(void **state)
{
	(void)state;
	static const char product[] = "\"product_configuration\" : {\"implementer\": \"0x41\", "
				      "\"part_num\": \"0xd0c\"}";
	static char text[20000];
	for (int length = 0; length <= 16000; length += 2000) {
		char cpu[64] = "";
		struct host_tree data = host_make(NULL);
		snprintf(text, sizeof(text), "{\"blanks\": \"%*s\", %s, \"more\": [1]}", length, "",
			 product);
		host_put(&data, "cpus/some/telemetry.json", text);
		assert_int_equal(pms_catalog_recorded_cpu(data.root, "0x410fd0c0", cpu, 64, NULL),
				 0);
		assert_string_equal(cpu, "some");
		assert_int_equal(pms_catalog_recorded_cpu(data.root, "0x410fd400", cpu, 64, NULL),
				 -PMS_ENAME);
		host_remove(&data);
	}
}

/* As perf writes them: MIDR_EL1 with or without its revision, mvendorid-marchid-mimpid. */
static void the_cpu_of_a_recording_is_known(void **state)
{
	(void)state;
	static const struct {
		const char *cpuid, *cpu;
	} cases[] = {
		{ "0x00000000413fd0c1", "neoverse-n1" },
		{ "0x00000000410fd400\n", "neoverse-v1" },
		{ "0x410fd840", "neoverse-v3" },
		{ "0x489-0x8000000000000008-0x6220425", "riscv:sifive-p550" },
		{ "0x5b7-0x0-0x0", "riscv:thead-c9xx" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char cpu[64] = "";
		assert_int_equal(
			pms_catalog_recorded_cpu(PMS_SOURCE, cases[i].cpuid, cpu, 64, NULL), 0);
		assert_string_equal(cpu, cases[i].cpu);
	}
}

static void what_recorded_elsewhere_is_said(void **state)
{
	(void)state;
	static const char *const foreign[] = {
		"", "GenuineIntel-6-8F-8", "AuthenticAMD,26,2,1", "0x410fd840x", "1-2", "0x1-0x2"
	};
	char cpu[64] = "";
	struct pms_error err = { 0 };
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		assert_int_equal(pms_catalog_recorded_cpu(PMS_SOURCE, foreign[i], cpu, 64, NULL),
				 -PMS_EHOST);
	assert_int_equal(pms_catalog_recorded_cpu(PMS_SOURCE, "0x410fd030", cpu, 64, &err),
			 -PMS_ENAME); /* Cortex-A53 */
	assert_string_equal(err.text,
			    "there is no catalog of the recording's CPU, made by Arm (implementer "
			    "0x41, part 0xd03)");
	assert_non_null(strstr(err.hint, "--spec FILE"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arm_cores_are_known),
		cmocka_unit_test(riscv_cores_are_known_by_their_codes_or_as_riscv),
		cmocka_unit_test(unknown_cores_are_refused_with_what_there_is),
		cmocka_unit_test(cores_of_two_kinds_are_the_users_to_choose_from),
		cmocka_unit_test(a_host_that_does_not_tell_is_no_bad_name),
		cmocka_unit_test(a_cpu_is_known_from_anywhere_in_its_specification),
		cmocka_unit_test(the_cpu_of_a_recording_is_known),
		cmocka_unit_test(what_recorded_elsewhere_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
