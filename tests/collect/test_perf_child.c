/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "collect/perf_live.h"

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
		cmocka_unit_test(one_that_was_killed_before_it_started_has_ended),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
