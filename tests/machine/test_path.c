/* SPDX-License-Identifier: MIT */
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

#include "machine/path.h"

/* first/ holds a directory `tool` and a file `locked` that may not be run, second/ a program
 * `tool`, a program `locked` and nothing else. */
struct tree {
	char root[64];
	char path[256];
};

static void file_make(const struct tree *tree, const char *name, mode_t mode)
{
	char path[256];
	snprintf(path, sizeof(path), "%s/%s", tree->root, name);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fclose(file);
	assert_int_equal(chmod(path, mode), 0);
}

static void dir_make(const struct tree *tree, const char *name)
{
	char path[256];
	snprintf(path, sizeof(path), "%s/%s", tree->root, name);
	assert_int_equal(mkdir(path, 0755), 0);
}

static int tree_make(void **state)
{
	struct tree *tree = calloc(1, sizeof(*tree));
	strcpy(tree->root, "/tmp/pms-path-XXXXXX");
	if (!mkdtemp(tree->root))
		return -1;
	dir_make(tree, "first");
	dir_make(tree, "first/tool");
	dir_make(tree, "second");
	file_make(tree, "first/locked", 0644);
	file_make(tree, "first/shut", 0644);
	file_make(tree, "second/tool", 0755);
	file_make(tree, "second/locked", 0755);
	snprintf(tree->path, sizeof(tree->path), "%s/none:%s/first:%s/second", tree->root,
		 tree->root, tree->root);
	*state = tree;
	return 0;
}

static int tree_remove(void **state)
{
	struct tree *tree = *state;
	char command[128];
	snprintf(command, sizeof(command), "rm -r %s", tree->root);
	int rc = system(command);
	free(tree);
	return rc;
}

static void later_directories_are_tried(void **state)
{
	const struct tree *tree = *state;
	char out[PMS_PATH_MAX], want[256];
	assert_int_equal(pms_path_find("tool", tree->path, out, NULL), 0);
	snprintf(want, sizeof(want), "%s/second/tool", tree->root);
	assert_string_equal(out, want);
	assert_int_equal(pms_path_find("locked", tree->path, out, NULL), 0);
	snprintf(want, sizeof(want), "%s/second/locked", tree->root);
	assert_string_equal(out, want);
}

static void what_cannot_be_run_is_told_apart(void **state)
{
	const struct tree *tree = *state;
	char out[PMS_PATH_MAX] = "kept", path[256];
	struct pms_error err = { 0 };
	assert_int_equal(pms_path_find("absent", tree->path, out, &err), -PMS_ENOEXEC);
	assert_string_equal(err.source, "absent");
	assert_int_equal(pms_path_find("", tree->path, out, NULL), -PMS_ENOEXEC);
	assert_int_equal(pms_path_find("shut", tree->path, out, NULL), -PMS_EEXEC);
	snprintf(path, sizeof(path), "%s/first", tree->root);
	assert_int_equal(pms_path_find(path, NULL, out, NULL), -PMS_EEXEC);
	snprintf(path, sizeof(path), "%s/second/tool/below", tree->root);
	assert_int_equal(pms_path_find(path, NULL, out, NULL), -PMS_ENOEXEC);
	assert_string_equal(out, "kept");
}

static void a_slash_means_a_path(void **state)
{
	const struct tree *tree = *state;
	char out[PMS_PATH_MAX], path[256];
	snprintf(path, sizeof(path), "%s/second/tool", tree->root);
	assert_int_equal(pms_path_find(path, "/nowhere", out, NULL), 0);
	assert_string_equal(out, path);
}

static void an_empty_entry_is_the_current_directory(void **state)
{
	const struct tree *tree = *state;
	static const char *const paths[] = { ":/nowhere", "/nowhere:", "/nowhere::/nowhere", "" };
	char out[PMS_PATH_MAX], dir[256];
	snprintf(dir, sizeof(dir), "%s/second", tree->root);
	assert_int_equal(chdir(dir), 0);
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		assert_int_equal(pms_path_find("tool", paths[i], out, NULL), 0);
		assert_string_equal(out, "./tool");
	}
	assert_int_equal(chdir("/"), 0);
}

static void without_path_there_is_the_system(void **state)
{
	(void)state;
	char out[PMS_PATH_MAX];
	assert_int_equal(pms_path_find("sh", NULL, out, NULL), 0);
	assert_string_equal(out, "/bin/sh");
}

static void long_names_are_refused(void **state)
{
	(void)state;
	char name[PMS_PATH_MAX + 2], out[PMS_PATH_MAX];
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = 0;
	assert_int_equal(pms_path_find(name, "/bin", out, NULL), -PMS_EEXEC);
	name[PMS_PATH_MAX - 1] = 0; /* fits alone, but not below a directory */
	assert_int_equal(pms_path_find(name, "/bin", out, NULL), -PMS_ENOEXEC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(later_directories_are_tried),
		cmocka_unit_test(what_cannot_be_run_is_told_apart),
		cmocka_unit_test(a_slash_means_a_path),
		cmocka_unit_test(an_empty_entry_is_the_current_directory),
		cmocka_unit_test(without_path_there_is_the_system),
		cmocka_unit_test(long_names_are_refused),
	};
	return cmocka_run_group_tests(tests, tree_make, tree_remove);
}
