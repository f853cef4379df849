/* SPDX-License-Identifier: MIT */
/* Runs /bin/sh, which every host has, in place of QEMU. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "collect/vrun/run.h"

/* Run a line of shell with descriptor @fd. Returns waitpid's status. */
static int shell(const char *line, int fd)
{
	char text[256];
	snprintf(text, sizeof(text), "%s", line);
	char *argv[] = { (char[]){ "sh" }, (char[]){ "-c" }, text, NULL };
	char *env[] = { (char[]){ "PATH=/usr/bin:/bin" }, (char[]){ "ONLY=this" }, NULL };
	struct pms_child child = { .path = "/bin/sh", .argv = argv, .env = env, .keep_fd = fd };
	assert_int_equal(pms_run(&child, NULL), 0);
	return child.status;
}

static int descriptor(void)
{
	int fd = memfd_create("test", MFD_CLOEXEC);
	assert_true(fd >= 0);
	return fd;
}

static void status_is_the_programs(void **state)
{
	(void)state;
	int fd = descriptor();
	assert_int_equal(WEXITSTATUS(shell("exit 7", fd)), 7);
	int status = shell("kill -ABRT $$", fd);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
	close(fd);
}

static void only_the_descriptor_is_inherited(void **state)
{
	(void)state;
	int fd = descriptor(), other = descriptor();
	char line[128];
	snprintf(line, sizeof(line), "test -e /proc/$$/fd/%d && test ! -e /proc/$$/fd/%d", fd,
		 other);
	assert_int_equal(shell(line, fd), 0);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC); /* here it stays as it was */
	close(fd);
	close(other);
}

static void environment_and_mask_are_as_given(void **state)
{
	(void)state;
	int fd = descriptor();
	assert_int_equal(shell("test \"$ONLY\" = this && test -z \"$HOME\"", fd), 0);
	/* Blocked here while it runs, but not in the program: SIGINT is bit 2 of SigBlk. */
	assert_int_equal(shell("grep -q 'SigBlk:.*0000$' /proc/self/status", fd), 0);
	close(fd);
}

/* A child that waits until the run is on, then sends us the signal. */
static void send_soon(int number)
{
	pid_t self = getpid();
	if (fork() == 0) {
		usleep(100000);
		kill(self, number);
		_exit(0);
	}
}

static void signals_are_passed_on(void **state)
{
	(void)state;
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	int fd = descriptor();
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		signal(numbers[i], SIG_DFL); /* a shell's background jobs ignore some */
		send_soon(numbers[i]);
		int status = shell("exec sleep 10", fd);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), numbers[i]);
	}
	/* A program may outlive it. */
	send_soon(SIGTERM);
	assert_int_equal(WEXITSTATUS(shell("trap 'exit 5' TERM; sleep 0.3; exit 6", fd)), 5);
	while (wait(NULL) > 0)
		;
	sigset_t now;
	sigemptyset(&now);
	pthread_sigmask(SIG_SETMASK, NULL, &now);
	assert_false(sigismember(&now, SIGINT));
	close(fd);
}

/* One descriptor is left, which goes to the signals: none to wait for the program's end with. */
static void few_descriptors_suffice(void **state)
{
	(void)state;
	struct rlimit before, few;
	int fd = descriptor(), next = dup(fd);
	close(next);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = (struct rlimit){ (rlim_t)next + 1, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	alarm(10); /* it would wait for ever */
	int status = shell("exit 7", fd);
	send_soon(SIGTERM);
	int killed = shell("exec sleep 10", fd);
	alarm(0);
	setrlimit(RLIMIT_NOFILE, &before);
	assert_int_equal(WEXITSTATUS(status), 7);
	assert_true(WIFSIGNALED(killed));
	while (wait(NULL) > 0)
		;
	close(fd);
}

static void what_cannot_start_is_an_error(void **state)
{
	(void)state;
	char *argv[] = { (char[]){ "x" }, NULL };
	char *env[] = { NULL };
	struct pms_error err = { 0 };
	int fd = descriptor();
	struct pms_child child = { "/no/such/qemu", argv, env, fd, NULL, 0, 0, 0 };
	assert_int_equal(pms_run(&child, &err), -PMS_EHOST);
	assert_string_equal(err.source, "/no/such/qemu");
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(status_is_the_programs),
		cmocka_unit_test(only_the_descriptor_is_inherited),
		cmocka_unit_test(environment_and_mask_are_as_given),
		cmocka_unit_test(signals_are_passed_on),
		cmocka_unit_test(few_descriptors_suffice),
		cmocka_unit_test(what_cannot_start_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
