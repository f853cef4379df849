/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collect/vrun/guest_env.h"

static size_t length(char **env)
{
	size_t n = 0;
	while (env[n])
		n++;
	return n;
}

static const char *value(char **env, const char *name)
{
	size_t n = strlen(name);
	for (; *env; env++)
		if (!strncmp(*env, name, n) && (*env)[n] == '=')
			return *env + n + 1;
	return NULL;
}

static void nothing_is_inherited(void **state)
{
	(void)state;
	char **env;
	assert_int_equal(setenv("PMS_TEST_INHERITED", "1", 1), 0);
	assert_int_equal(setenv("HOME", "/root/elsewhere", 1), 0);
	assert_int_equal(pms_guest_env(NULL, &env, NULL), 0);
	assert_int_equal(length(env), 4);
	assert_string_equal(value(env, "HOME"), "/");
	assert_string_equal(value(env, "LANG"), "C.UTF-8");
	assert_string_equal(value(env, "TERM"), "dumb");
	assert_non_null(value(env, "PATH"));
	pms_guest_env_free(env);
}

static void later_values_win(void **state)
{
	(void)state;
	char *added[] = { (char[]){ "A=1" }, (char[]){ "HOME=/me" }, (char[]){ "A=2=3" },
			  (char[]){ "AB=" }, NULL };
	char **env;
	assert_int_equal(pms_guest_env(added, &env, NULL), 0);
	assert_int_equal(length(env), 6);
	assert_string_equal(value(env, "A"), "2=3");
	assert_string_equal(value(env, "AB"), "");
	assert_string_equal(value(env, "HOME"), "/me");
	pms_guest_env_free(env);
}

static void names_are_required(void **state)
{
	(void)state;
	static const char *const wrong[] = { "", "=x", "NAME" };
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		char text[8];
		strcpy(text, wrong[i]);
		char *added[] = { text, NULL };
		char **env = NULL;
		struct pms_error err = { 0 };
		assert_int_equal(pms_guest_env(added, &env, &err), -PMS_EINVAL);
		assert_non_null(strstr(err.text, "NAME=value"));
		assert_null(env);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_inherited),
		cmocka_unit_test(later_values_win),
		cmocka_unit_test(names_are_required),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
