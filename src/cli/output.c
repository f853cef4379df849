/* SPDX-License-Identifier: MIT */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

static int cannot(const char *verb, const char *path, int number)
{
	struct pms_error err = { .status = PMS_EIO };
	snprintf(err.source, sizeof(err.source), "%s", path);
	snprintf(err.text, sizeof(err.text), "cannot %s: %s", verb, strerror(number));
	return cli_error(&err);
}

/* What a link to a file that is not there yet names; a link's name is relative to its folder. */
static char *resolve_new(const char *path)
{
	char target[PATH_MAX], *whole = NULL;
	const char *slash = strrchr(path, '/');
	ssize_t length = readlink(path, target, sizeof(target));
	if (length < 0)
		return strdup(path); /* no link either */
	int folder = slash && target[0] != '/' ? (int)(slash - path + 1) : 0;
	return asprintf(&whole, "%.*s%.*s", folder, path, (int)length, target) < 0 ? NULL : whole;
}

/* The file that a chain of links ends at: to be replaced itself, not a link to it. */
static char *resolve(const char *path)
{
	char *real = realpath(path, NULL);
	return real ? real : errno == ENOENT ? resolve_new(path) : NULL;
}

/* A regular file, or none yet, is replaced; anything else is written to. Returns -1 and errno for
 * what can be neither. */
static int is_replaced(const char *path)
{
	struct stat st;
	if (stat(path, &st))
		return errno == ENOENT ? 1 : -1;
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return -1;
	}
	if (access(path, W_OK))
		return -1;
	return S_ISREG(st.st_mode);
}

/* A new file beside @path, with the permissions of the one that it replaces or of any new file. */
static int open_temporary(const char *path, char **name)
{
	struct stat st;
	const char *slash = strrchr(path, '/');
	int directory = slash ? (int)(slash - path + 1) : 0;
	if (asprintf(name, "%.*s.pmuscope-XXXXXX", directory, path) < 0) {
		*name = NULL;
		return -1;
	}
	int fd = mkostemp(*name, O_CLOEXEC);
	if (fd < 0) {
		free(*name);
		*name = NULL;
		return -1;
	}
	mode_t mask = umask(0);
	umask(mask);
	if (fchmod(fd, stat(path, &st) ? 0666 & ~mask : st.st_mode & 07777)) {
		int number = errno;
		unlink(*name);
		close(fd);
		free(*name);
		*name = NULL;
		errno = number;
		return -1;
	}
	return fd;
}

void cli_hold_signals(sigset_t *old)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGQUIT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, old);
}

int cli_stopped(void)
{
	sigset_t set;
	return !sigpending(&set) && (sigismember(&set, SIGHUP) || sigismember(&set, SIGINT) ||
				     sigismember(&set, SIGQUIT) || sigismember(&set, SIGTERM));
}

int cli_output_check(const char *path)
{
	char *real = path ? resolve(path) : NULL, *temporary = NULL;
	int status = CLI_DONE, fd;
	sigset_t old;
	if (!path)
		return CLI_DONE;
	int replaced = real ? is_replaced(real) : -1;
	if (replaced < 0) {
		status = cannot("write", path, errno);
	} else if (replaced) {
		cli_hold_signals(&old);
		fd = open_temporary(real, &temporary);
		if (fd < 0) {
			status = cannot("write", path, errno);
		} else {
			unlink(temporary);
			close(fd);
		}
		sigprocmask(SIG_SETMASK, &old, NULL);
	}
	free(temporary);
	free(real);
	return status;
}

int cli_output_open(struct cli_output *output, const char *path, FILE *stream)
{
	*output = (struct cli_output){ .stream = stream };
	cli_hold_signals(&output->signals);
	if (!path)
		return CLI_DONE;
	char *real = resolve(path);
	int replaced = real ? is_replaced(real) : -1, fd = -1;
	if (replaced > 0)
		fd = open_temporary(real, &output->temporary);
	else if (replaced == 0)
		fd = open(real, O_WRONLY | O_CLOEXEC);
	output->path = real;
	output->stream = fd < 0 ? NULL : fdopen(fd, "w");
	if (output->stream)
		return CLI_DONE;
	int status = cannot("write", path, errno);
	if (fd >= 0)
		close(fd);
	cli_output_close(output, 0);
	return status;
}

int cli_output_close(struct cli_output *output, int keep)
{
	int status = CLI_DONE, failed = 0;
	if (output->path && output->stream && (fflush(output->stream) || ferror(output->stream)))
		failed = errno ? errno : EIO;
	if (output->path && output->stream && fclose(output->stream) && !failed)
		failed = errno;
	if (output->temporary && keep && !failed && rename(output->temporary, output->path))
		failed = errno;
	/* Where it is not to be kept, something was said already. */
	if (failed && keep)
		status = cannot("write", output->path, failed);
	if (output->temporary && (!keep || failed))
		unlink(output->temporary);
	free(output->temporary);
	free(output->path);
	output->temporary = output->path = NULL;
	sigprocmask(SIG_SETMASK, &output->signals, NULL);
	return status;
}

int cli_output_put(const struct cli_options *o, cli_writer *write, const void *what)
{
	struct pms_error err = { 0 };
	struct cli_output output;
	int status = cli_output_open(&output, o->output, stdout);
	if (status)
		return status;
	struct pms_show_options options = cli_show_options(o, fileno(output.stream));
	if (write(output.stream, what, &options, &err))
		status = cli_error(&err);
	int closed = cli_output_close(&output, !status);
	return status ? status : closed;
}
