/* SPDX-License-Identifier: MIT */
/* Names that stand for something else than a regular file. */
#include <errno.h>
#include <fcntl.h>
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

#include "base/regular.h"

static char folder[] = "/tmp/pmuscope-regular-XXXXXX";

static const char *in_folder(const char *name)
{
	static char path[64];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static int make(void **state)
{
	(void)state;
	char target[64];
	if (!mkdtemp(folder))
		return -1;
	int fd = open(in_folder("file"), O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0 || write(fd, "text", 4) != 4 || close(fd))
		return -1;
	strcpy(target, in_folder("file"));
	if (symlink(target, in_folder("link")) || mkfifo(in_folder("fifo"), 0600))
		return -1;
	strcpy(target, in_folder("fifo"));
	return symlink(target, in_folder("fifo-link")) || mkdir(in_folder("folder"), 0700);
}

static int clear(void **state)
{
	(void)state;
	static const char *const names[] = { "file", "link", "fifo", "fifo-link" };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlink(in_folder(names[i]));
	rmdir(in_folder("folder"));
	return rmdir(folder);
}

static void a_regular_file_is_opened(void **state)
{
	(void)state;
	static const char *const names[] = { "file", "link" };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char text[8] = "";
		int fd = pms_regular_open(in_folder(names[i]));
		assert_true(fd >= 0);
		assert_int_equal(read(fd, text, sizeof(text)), 4);
		assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
		close(fd);
		assert_string_equal(text, "text");
	}
}

/* The FIFOs have no writer: open(2) would wait for one. */
static void anything_else_is_refused_at_once(void **state)
{
	(void)state;
	static const char *const names[] = { "fifo", "fifo-link", "folder" };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(pms_regular_open(in_folder(names[i])), -1);
		assert_string_equal(pms_regular_reason(errno), "is not a regular file");
	}
	assert_int_equal(pms_regular_open("/dev/null"), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(pms_regular_open(in_folder("missing")), -1);
	assert_string_equal(pms_regular_reason(errno), "No such file or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_regular_file_is_opened),
		cmocka_unit_test(anything_else_is_refused_at_once),
	};
	return cmocka_run_group_tests(tests, make, clear);
}
