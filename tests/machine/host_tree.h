/* SPDX-License-Identifier: MIT */
/* A made-up host: the files below a temporary directory that Linux has below / about its CPUs. */
#ifndef PMS_TEST_HOST_TREE_H
#define PMS_TEST_HOST_TREE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct host_tree {
	char root[64];
};

static void host_put(const struct host_tree *tree, const char *path, const char *text)
{
	char whole[512], command[1100];
	snprintf(whole, sizeof(whole), "%s/%s", tree->root, path);
	snprintf(command, sizeof(command), "mkdir -p \"$(dirname '%s')\"", whole);
	assert_int_equal(system(command), 0);
	FILE *file = fopen(whole, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static struct host_tree host_make(const char *possible)
{
	struct host_tree tree = { "/tmp/pms-host-XXXXXX" };
	assert_non_null(mkdtemp(tree.root));
	if (possible)
		host_put(&tree, "sys/devices/system/cpu/possible", possible);
	return tree;
}

__attribute__((unused)) static void host_put_midr(const struct host_tree *tree, unsigned cpu,
						  const char *text)
{
	char path[128];
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/regs/identification/midr_el1",
		 cpu);
	host_put(tree, path, text);
}

static void host_remove(struct host_tree *tree)
{
	char command[128];
	snprintf(command, sizeof(command), "rm -rf '%s'", tree->root);
	assert_int_equal(system(command), 0);
}

#endif
