/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/live/child.h"

static int fork_it(struct pms_perf_child *child, char *name)
{
	char *argv[] = { name, NULL };
	sigset_t none;
	struct rlimit files;
	sigemptyset(&none);
	getrlimit(RLIMIT_NOFILE, &files);
	return pms_perf_child_fork(child, argv, &none, &files, NULL);
}

static void what_is_no_program_is_told(void **state)
{
	char name[] = "no-such-program";
	struct pms_perf_child child;
	struct pms_error err = { 0 };
	(void)state;
	assert_int_equal(fork_it(&child, name), 0);
	assert_int_equal(pms_perf_child_start(&child, name, &err), -PMS_ENOEXEC);
	assert_string_equal(err.source, name);
	pms_perf_child_drop(&child);
}

/* The start of a program for no machine. */
static void another_machines_program_is_no_script(void **state)
{
	char name[] = "/tmp/pms-elf-XXXXXX";
	struct pms_perf_child child;
	struct pms_error err = { 0 };
	int fd = mkstemp(name);
	(void)state;
	assert_int_equal(write(fd, "\177ELF\nexit 7\n", 12), 12);
	fchmod(fd, 0700);
	close(fd);
	assert_int_equal(fork_it(&child, name), 0);
	int rc = pms_perf_child_start(&child, name, &err);
	pms_perf_child_drop(&child);
	unlink(name);
	assert_int_equal(rc, -PMS_EEXEC);
	assert_non_null(strstr(err.hint, "--source vcore"));
}

/* As a shell and env(1) run them. */
static void a_script_without_its_first_line_is_run(void **state)
{
	char name[] = "/tmp/pms-script-XXXXXX";
	struct pms_perf_child child;
	int fd = mkstemp(name), status;
	(void)state;
	assert_int_equal(write(fd, "exit 7\n", 7), 7);
	fchmod(fd, 0700);
	close(fd);
	assert_int_equal(fork_it(&child, name), 0);
	assert_int_equal(pms_perf_child_start(&child, name, NULL), 0);
	assert_int_equal(waitpid(child.pid, &status, 0), child.pid);
	unlink(name);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

/* Starting it must not end this process by SIGPIPE: how it ended is its caller's to find. */
static void one_that_was_killed_before_it_started_has_ended(void **state)
{
	char name[] = "true";
	struct pms_perf_child child;
	siginfo_t info;
	int status;
	(void)state;
	assert_int_equal(fork_it(&child, name), 0);
	kill(child.pid, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)child.pid, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(pms_perf_child_start(&child, name, NULL), 0);
	assert_int_equal(waitpid(child.pid, &status, 0), child.pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	child.pid = 0;
	pms_perf_child_drop(&child);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_program_is_told),
		cmocka_unit_test(another_machines_program_is_no_script),
		cmocka_unit_test(a_script_without_its_first_line_is_run),
		cmocka_unit_test(one_that_was_killed_before_it_started_has_ended),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
