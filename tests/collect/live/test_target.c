/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/live/live.h"

static bool is_gone(int pid)
{
	struct pms_live live = { .options.target = { .pids = &pid, .n_pids = 1 } };
	return pms_perf_target_gone(&live);
}

static void *wait_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void end_first_thread(void)
{
	pthread_t other;
	pthread_create(&other, NULL, wait_for_ever, NULL);
	pthread_exit(NULL);
}

static void a_zombie_is_gone(void **state)
{
	siginfo_t info;
	(void)state;
	int pid = fork();
	if (!pid) {
		pause();
		_exit(0);
	}
	assert_false(is_gone(pid));
	kill(pid, SIGKILL);
	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	assert_true(is_gone(pid));
	waitpid(pid, NULL, 0);
	assert_true(is_gone(pid));
}

static char first_state(int pid)
{
	char path[64], text[256] = "";
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	assert_non_null(fgets(text, sizeof(text), file));
	fclose(file);
	return strrchr(text, ')')[2];
}

static void one_whose_first_thread_has_ended_is_not(void **state)
{
	(void)state;
	int pid = fork();
	if (!pid)
		end_first_thread();
	while (first_state(pid) != 'Z')
		usleep(1000);
	assert_false(is_gone(pid));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_zombie_is_gone),
		cmocka_unit_test(one_whose_first_thread_has_ended_is_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
