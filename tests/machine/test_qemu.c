/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "elf_image.h"
#include "machine/qemu.h"
#include "pmuscope/collect.h"

static void program_make(char *path, const void *bytes, size_t size)
{
	strcpy(path, "/tmp/pms-qemu-XXXXXX");
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	assert_int_equal(fchmod(fd, 0755), 0);
	close(fd);
}

/* Judge a QEMU whose binary defines one symbol. */
static int judge(const char *symbol, struct pms_error *err)
{
	struct image image;
	char path[64], found[PMS_PATH_MAX];
	image_header(&image, 3, 62);
	image_symbol(&image, symbol, 7);
	program_make(path, image.bytes, sizeof(image.bytes));
	int rc = pms_qemu_find(path, found, err);
	unlink(path);
	return rc;
}

static void plugin_support_is_told_by_symbols(void **state)
{
	(void)state;
	struct pms_error err = { 0 };
	assert_int_equal(judge("main", &err), -PMS_EHOST);
	assert_non_null(strstr(err.text, "without plugins"));
	assert_non_null(strstr(err.hint, "apt-get install qemu-user"));
	err = (struct pms_error){ 0 };
	assert_int_equal(judge("qemu_plugin_register_vcpu_tb_trans_cb", &err), -PMS_EHOST);
	assert_non_null(strstr(err.text, "newer plugin API"));
}

static void a_missing_qemu_is_the_hosts_fault(void **state)
{
	(void)state;
	char path[PMS_PATH_MAX];
	struct pms_error err = { 0 };
	assert_int_equal(pms_qemu_find("no-such-qemu", path, &err), -PMS_EHOST);
	assert_non_null(strstr(err.text, "no-such-qemu on PATH"));
	err = (struct pms_error){ 0 };
	assert_int_equal(pms_qemu_find("/no/qemu", path, &err), -PMS_EHOST);
	assert_null(strstr(err.text, "on PATH"));
	assert_int_equal(pms_qemu_find("/tmp", path, NULL), -PMS_EHOST);
}

/* A wrapper is let through: whether it works is seen when it runs. */
static void a_wrapper_script_tells_its_version(void **state)
{
	(void)state;
	static const char script[] =
		"#!/bin/sh\necho \"qemu-aarch64 version 7.2.99 (some build)\"\nseq 1000\n";
	char path[64], found[PMS_PATH_MAX], version[32];
	program_make(path, script, sizeof(script) - 1);
	assert_int_equal(pms_qemu_find(path, found, NULL), 0);
	assert_string_equal(found, path);
	pms_qemu_version(path, version, sizeof(version));
	assert_string_equal(version, "7.2.99");
	unlink(path);
	pms_qemu_version("/bin/true", version, sizeof(version));
	assert_string_equal(version, "");
	pms_qemu_version("/no/qemu", version, sizeof(version));
	assert_string_equal(version, "");
}

static void a_named_plugin_must_be_there(void **state)
{
	(void)state;
	char path[PMS_PATH_MAX];
	struct pms_error err = { 0 };
	assert_int_equal(pms_plugin_find("/dev/null", PMS_PLUGIN, path, NULL), 0);
	assert_string_equal(path, "/dev/null");
	assert_int_equal(pms_plugin_find("/no/plugin.so", PMS_PLUGIN, path, &err), -PMS_EHOST);
	assert_string_equal(err.source, "/no/plugin.so");
}

static void every_check_says_something(void **state)
{
	(void)state;
	struct pms_vcore_options options = { .qemu = "/no/qemu",
					     .plugin = "/no/plugin.so",
					     .sysroot = "/no/root" };
	struct pms_host_check checks[16];
	size_t count = pms_host_checks(&options, checks, 16);
	assert_in_range(count, 4, 16);
	unsigned missing = 0;
	for (size_t i = 0; i < count; i++) {
		assert_true(checks[i].what[0] && checks[i].found[0]);
		missing += checks[i].ok == 0;
	}
	/* QEMU, plugin, libraries; a host that counts by itself can do without them. */
#if defined(__aarch64__) || defined(__riscv)
	assert_in_range(missing, 0, count);
#else
	assert_in_range(missing, 3, count);
#endif
	struct pms_host_check one;
	assert_int_equal(pms_host_checks(NULL, &one, 1), count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plugin_support_is_told_by_symbols),
		cmocka_unit_test(a_missing_qemu_is_the_hosts_fault),
		cmocka_unit_test(a_wrapper_script_tells_its_version),
		cmocka_unit_test(a_named_plugin_must_be_there),
		cmocka_unit_test(every_check_says_something),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
