/* SPDX-License-Identifier: MIT */
/* The measured command: forked early, so that counters can be opened on it, and started when
 * they are. */
#include "collect/live/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "machine/path.h"
#include "vcore/isa/isa.h"

static const struct pms_perf_child no_child = { .go = -1, .held = -1, .failed = -1 };

static int is_elf(const char *path)
{
	char magic[4];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int is = fd >= 0 && read(fd, magic, 4) == 4 && !memcmp(magic, "\177ELF", 4);
	if (fd >= 0)
		close(fd);
	return is;
}

/* Execute as execvp(3), which lets the shell run whatever the kernel cannot: a script without
 * #!, but not another machine's program. */
static void exec_command(char *const *argv)
{
	char path[PMS_PATH_MAX];
	if (!pms_path_find(argv[0], getenv("PATH"), path, NULL)) {
		execv(path, argv);
		if (errno == ENOEXEC && is_elf(path)) {
			errno = ENOEXEC;
			return;
		}
	}
	execvp(argv[0], argv);
}

/* Wait in the child, then become the command. */
static _Noreturn void wait_and_exec(int go, int failed, char *const *argv, const sigset_t *mask,
				    const struct rlimit *files)
{
	char byte;
	ssize_t n;
	while ((n = read(go, &byte, 1)) < 0 && errno == EINTR)
		;
	if (n == 1) {
		/* Restore the limit that was raised for the counters. */
		setrlimit(RLIMIT_NOFILE, files);
		sigprocmask(SIG_SETMASK, mask, NULL);
		exec_command(argv);
		int number = errno;
		while (write(failed, &number, sizeof(number)) < 0 && errno == EINTR)
			;
	}
	_exit(127);
}

static void close_both(const int fds[2])
{
	close(fds[0]);
	close(fds[1]);
}

int pms_perf_child_fork(struct pms_perf_child *child, char *const *argv, const sigset_t *mask,
			const struct rlimit *files, struct pms_error *err)
{
	int go[2], failed[2];
	*child = no_child;
	if (pipe2(go, O_CLOEXEC))
		return pms_fail(err, PMS_EHOST, "cannot make a pipe: %s", strerror(errno));
	if (pipe2(failed, O_CLOEXEC)) {
		close_both(go);
		return pms_fail(err, PMS_EHOST, "cannot make a pipe: %s", strerror(errno));
	}
	pid_t pid = fork();
	if (!pid) {
		close(go[1]);
		wait_and_exec(go[0], failed[1], argv, mask, files);
	}
	close(failed[1]);
	if (pid < 0) {
		close_both(go);
		close(failed[0]);
		return pms_fail(err, PMS_EHOST, "cannot start a process: %s", strerror(errno));
	}
	*child = (struct pms_perf_child){ pid, go[1], go[0], failed[0] };
	return 0;
}

static int not_started(const char *name, int number, struct pms_error *err)
{
	if (number == ENOENT)
		return pms_path_absent(name, err);
	int rc = pms_fail_at(err, PMS_EEXEC, name, 0, 0, "cannot be run: %s", strerror(number));
	if (number == ENOEXEC)
		pms_hint(err,
			 "it is no program for this machine; --source vcore runs %s "
			 "programs on a modelled core",
			 pms_isa.name);
	return rc;
}

int pms_perf_child_start(struct pms_perf_child *child, const char *name, struct pms_error *err)
{
	int number = 0;
	ssize_t n;
	while ((n = write(child->go, "", 1)) < 0 && errno == EINTR)
		;
	int unsent = n < 0 ? errno : 0; /* it reads the end, and ends */
	close(child->go);
	close(child->held);
	child->go = child->held = -1;
	while ((n = read(child->failed, &number, sizeof(number))) < 0 && errno == EINTR)
		;
	close(child->failed);
	child->failed = -1;
	if (n != (ssize_t)sizeof(number) && !unsent)
		return 0;
	waitpid(child->pid, NULL, 0);
	child->pid = 0;
	return not_started(name, unsent ? unsent : number, err);
}

void pms_perf_child_drop(struct pms_perf_child *child)
{
	if (child->go >= 0)
		close(child->go); /* it reads the end, and ends */
	if (child->held >= 0)
		close(child->held);
	if (child->failed >= 0)
		close(child->failed);
	if (child->pid && child->go >= 0)
		waitpid(child->pid, NULL, 0);
	*child = no_child;
}

bool pms_perf_child_ended(pid_t pid, int *status)
{
	pid_t got = waitpid(pid, status, WNOHANG);
	return got == pid || (got < 0 && errno != EINTR);
}

void pms_perf_child_end(pid_t pid)
{
	kill(pid, SIGTERM);
	kill(pid, SIGCONT); /* a stopped process takes no other signal */
}

void pms_perf_child_reap(pid_t pid, int *status)
{
	if (!pid)
		return;
	kill(pid, SIGKILL);
	while (waitpid(pid, status, 0) < 0 && errno == EINTR)
		;
}
