/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pmuscope/beside.h"

struct folder {
	char path[64];
	int fd;
};

static int make(void **state)
{
	static struct folder f;
	strcpy(f.path, "/tmp/pmuscope-beside-XXXXXX");
	if (!mkdtemp(f.path))
		return -1;
	f.fd = open(f.path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	*state = &f;
	return f.fd < 0;
}

static int drop(void **state)
{
	struct folder *f = *state;
	close(f->fd);
	return rmdir(f->path);
}

static size_t entries(const struct folder *f)
{
	size_t n = 0;
	DIR *dir = opendir(f->path);
	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		n += entry->d_name[0] != '.' || !strncmp(entry->d_name, ".pmuscope-", 10);
	closedir(dir);
	return n;
}

static void a_file_without_a_name_is_seen_when_it_gets_one(void **state)
{
	struct folder *f = *state;
	struct stat st;
	int fd = pms_beside_nameless(f->fd);
	if (fd < 0)
		skip(); /* this file system has no such files */
	assert_int_equal(write(fd, "whole", 5), 5);
	assert_int_equal(entries(f), 0);
	assert_int_equal(pms_beside_link(fd, f->fd, "x"), 0);
	assert_int_equal(fstatat(f->fd, "x", &st, 0), 0);
	assert_int_equal(st.st_size, 5);
	assert_int_equal(st.st_mode & 0777, 0600);
	/* What is there is not replaced. */
	assert_int_equal(pms_beside_link(fd, f->fd, "x"), -1);
	assert_int_equal(errno, EEXIST);
	close(fd);
	assert_int_equal(unlinkat(f->fd, "x", 0), 0);
}

static void a_name_is_new_each_time(void **state)
{
	struct folder *f = *state;
	char first[PMS_BESIDE_NAME], second[PMS_BESIDE_NAME];
	int a = pms_beside_named(f->fd, first), b = pms_beside_named(f->fd, second);
	assert_true(a >= 0 && b >= 0);
	assert_string_not_equal(first, second);
	assert_int_equal(strlen(first), strlen(".pmuscope-XXXXXX"));
	assert_int_equal(entries(f), 2);
	close(a);
	close(b);
	assert_int_equal(unlinkat(f->fd, first, 0) | unlinkat(f->fd, second, 0), 0);
}

static void where_no_file_can_be_there_is_no_name(void **state)
{
	char name[PMS_BESIDE_NAME] = "x";
	(void)state;
	assert_int_equal(pms_beside_named(-1, name), -1);
	assert_int_equal(errno, EBADF);
	assert_string_equal(name, "");
	assert_int_equal(pms_beside_nameless(-1), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_without_a_name_is_seen_when_it_gets_one,
						make, drop),
		cmocka_unit_test_setup_teardown(a_name_is_new_each_time, make, drop),
		cmocka_unit_test(where_no_file_can_be_there_is_no_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
