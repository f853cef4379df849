/* SPDX-License-Identifier: MIT */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "cli.h"
#include "interrupt.h"

enum { TRIES = 100 };

/* Unfinished files
 * ------------------------------------------------------------------------------ */

/* Open a file that is removed when a signal ends us. Returns a descriptor, or -1 and errno. */
static int open_guarded(int folder, char name[PMS_BESIDE_NAME])
{
	sigset_t old;
	cli_hold_signals(&old);
	int fd = pms_beside_named(folder, name);
	if (fd >= 0)
		cli_guard(folder, name);
	int number = errno;
	sigprocmask(SIG_SETMASK, &old, NULL);
	errno = number;
	return fd;
}

static void remove_temporary(struct cli_output *output)
{
	if (!output->temporary[0])
		return;
	unlinkat(output->place.folder, output->temporary, 0);
	cli_unguard();
	output->temporary[0] = 0;
}

/* Open a temporary file elsewhere, to be copied, where the folder takes no files. */
static int open_elsewhere(void)
{
	const char *directory = getenv("TMPDIR");
	int fd = directory && *directory
			 ? open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600)
			 : -1;
	return fd < 0 ? open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600) : fd;
}

static int takes_no_files(int number)
{
	return number == EACCES || number == EPERM || number == EROFS;
}

/* Open the unfinished file. Returns a descriptor, or -1 and errno. */
static int open_unfinished(struct cli_output *output, int named)
{
	int fd = named ? -1 : pms_beside_nameless(output->place.folder);
	if (fd < 0)
		fd = open_guarded(output->place.folder, output->temporary);
	output->is_new = fd >= 0;
	if (fd < 0 && output->target >= 0 && takes_no_files(errno)) {
		int number = errno;
		fd = open_elsewhere();
		errno = number;
	}
	return fd;
}

/* Files that are replaced or overwritten
 * -------------------------------------------------------- */

/* Returns the mode of the existing file, or of any new file. */
static mode_t mode_of(const struct cli_place *place)
{
	mode_t mask = umask(0);
	umask(mask);
	return place->kind == CLI_PLACE_FILE ? place->st.st_mode & 0777 : 0666 & ~mask;
}

/* Returns whether a file has an access list: without it, the permissions would let others in. */
static int has_access_list(int fd)
{
	return fgetxattr(fd, "system.posix_acl_access", NULL, 0) >= 0;
}

/* Give the new file the owner and permissions of the existing one. Returns 0 where it cannot
 * replace that file. In a shared folder the file's other names may be a trap, so it is replaced
 * despite them. */
static int can_replace(const struct cli_output *output, int fd)
{
	const struct cli_place *place = &output->place;
	const struct stat *there = &place->st;
	struct stat ours;
	if (!output->is_new || (there->st_nlink > 1 && !place->shared) ||
	    has_access_list(output->target) || fstat(fd, &ours))
		return 0;
	if (ours.st_uid != there->st_uid && fchown(fd, there->st_uid, (gid_t)-1))
		return 0;
	if (ours.st_gid != there->st_gid && fchown(fd, (uid_t)-1, there->st_gid))
		return 0;
	return 1;
}

/* Take over the existing file's identity. A folder's default access list is only for new files,
 * so a replacement drops it. */
static int take_identity(struct cli_output *output, int fd)
{
	if (output->target < 0)
		return fchmod(fd, mode_of(&output->place));
	if (!can_replace(output, fd)) {
		output->is_new = 0;
		return 0;
	}
	fremovexattr(fd, "system.posix_acl_access");
	close(output->target);
	output->target = -1;
	return fchmod(fd, mode_of(&output->place));
}

static int open_file(struct cli_output *output, int named)
{
	if (output->place.kind == CLI_PLACE_FILE) {
		output->target = cli_place_open(&output->place, 0);
		if (output->target < 0)
			return -1;
	}
	int fd = open_unfinished(output, named);
	if (fd >= 0 && take_identity(output, fd)) {
		int number = errno;
		close(fd);
		errno = number;
		return -1;
	}
	return fd;
}

/* Putting the file in place
 * --------------------------------------------------------------------- */

/* Give a nameless file the name of the place. Where that is taken, the file gets a temporary
 * name first, and then replaces the other. */
static int give_name(struct cli_output *output, int fd)
{
	char name[PMS_BESIDE_NAME];
	int folder = output->place.folder, rc = -1;
	if (output->place.kind == CLI_PLACE_NEW && !pms_beside_link(fd, folder, output->place.name))
		return 0;
	for (int i = 0; i < TRIES && rc; i++) {
		pms_beside_name(name);
		rc = pms_beside_link(fd, folder, name);
		if (rc && errno != EEXIST)
			return -1;
	}
	if (!rc && !renameat(folder, name, folder, output->place.name))
		return 0;
	int number = errno;
	unlinkat(folder, name, 0);
	errno = number;
	return -1;
}

static int rename_temporary(struct cli_output *output)
{
	int folder = output->place.folder;
	if (renameat(folder, output->temporary, folder, output->place.name))
		return -1;
	cli_unguard();
	output->temporary[0] = 0;
	return 0;
}

/* Reserve the space before copying: the first byte written destroys the old content. */
static int copy_into(int target, int fd)
{
	off_t size = lseek(fd, 0, SEEK_END), at = 0;
	if (size < 0)
		return -1;
	if (size && fallocate(target, FALLOC_FL_KEEP_SIZE, 0, size) &&
	    (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
		return -1;
	while (at < size) {
		ssize_t n = sendfile(target, fd, &at, (size_t)(size - at));
		if (n <= 0)
			return -1;
	}
	return ftruncate(target, size);
}

static int put_in_place(struct cli_output *output)
{
	int fd = fileno(output->stream);
	sigset_t old;
	cli_hold_signals(&old);
	int rc = output->target >= 0	? copy_into(output->target, fd)
		 : output->temporary[0] ? rename_temporary(output)
		 : output->is_new	? give_name(output, fd)
					: 0;
	int number = errno;
	sigprocmask(SIG_SETMASK, &old, NULL);
	errno = number;
	return rc;
}

/* Some file systems report failed writes only at close. */
static int flush(FILE *stream)
{
	errno = 0;
	int failed = fflush(stream) || ferror(stream);
	if (!failed) {
		int again = dup(fileno(stream));
		failed = again < 0 || close(again);
	}
	if (failed && !errno)
		errno = EIO;
	return failed;
}

/* ---------------------------------------------------------------------------------------------- */

static int needs_file(const char *path)
{
	return cli_usage(NULL, "-o %s: a database needs a file of its own", path);
}

/* Find the place, and open an unfinished file or the place itself. */
static int open_output(struct cli_output *output, const char *path, int named)
{
	*output = (struct cli_output){ .path = path, .target = -1 };
	int status = cli_place_find(&output->place, path), fd = -1;
	int is_file = output->place.kind <= CLI_PLACE_FILE;
	if (!status && named && !is_file)
		status = needs_file(path);
	if (!status) {
		fd = is_file ? open_file(output, named) : cli_place_open(&output->place, 0);
		output->stream = fd < 0 ? NULL : fdopen(fd, "w");
		status = output->stream ? CLI_DONE : cli_cannot_write(path, errno);
	}
	if (status && fd >= 0 && !output->stream)
		close(fd);
	if (status)
		cli_output_close(output, 0);
	return status;
}

int cli_output_open(struct cli_output *output, const char *path, FILE *stream)
{
	if (path)
		return open_output(output, path, 0);
	*output = (struct cli_output){ .stream = stream, .target = -1, .place.folder = -1 };
	return CLI_DONE;
}

int cli_output_open_named(struct cli_output *output, const char *path)
{
	int status = open_output(output, path, 1);
	if (status)
		return status;
	if (output->target >= 0)
		status = needs_file(path);
	else if (fchmod(fileno(output->stream), 0600))
		status = cli_cannot_write(path, errno);
	if (status)
		cli_output_close(output, 0);
	return status;
}

int cli_output_close(struct cli_output *output, int keep)
{
	int status = CLI_DONE;
	if (!output->path)
		return status;
	/* An output that is not kept failed earlier, and was reported then. */
	if (output->stream && keep && (flush(output->stream) || put_in_place(output)))
		status = cli_cannot_write(output->path, errno);
	if (output->stream)
		fclose(output->stream);
	remove_temporary(output);
	if (output->target >= 0)
		close(output->target);
	cli_place_release(&output->place);
	*output = (struct cli_output){ .target = -1, .place.folder = -1 };
	return status;
}

/* Check a place without opening it, since opening a FIFO would wait for its reader. Returns -1
 * when only opening it can tell; else the exit status. */
static int check_place(const char *path)
{
	struct cli_place place;
	int status = cli_place_find(&place, path);
	if (!status && place.kind != CLI_PLACE_OTHER)
		status = -1;
	else if (!status && faccessat(place.folder, place.name, W_OK, AT_EACCESS))
		status = cli_cannot_write(path, errno);
	cli_place_release(&place);
	return status;
}

int cli_output_check(const char *path)
{
	struct cli_output output;
	int status = path ? check_place(path) : CLI_DONE;
	if (status < 0)
		status = open_output(&output, path, 0);
	else
		return status;
	return status ? status : cli_output_close(&output, 0);
}

int cli_output_write(struct cli_output *output, const void *bytes, size_t length)
{
	if (fwrite(bytes, 1, length, output->stream) == length)
		return 0;
	output->error = errno;
	return -1;
}

int cli_output_flush(struct cli_output *output)
{
	if (!fflush(output->stream))
		return 0;
	output->error = errno;
	return -1;
}

FILE *cli_output_stream(const char *path)
{
	static const int flags[] = { [CLI_PLACE_NEW] = O_CREAT | O_EXCL,
				     [CLI_PLACE_FILE] = O_TRUNC,
				     [CLI_PLACE_OTHER] = 0,
				     [CLI_PLACE_OURS] = 0 };
	struct cli_place place;
	FILE *stream = NULL;
	if (!cli_place_find(&place, path)) {
		int fd = cli_place_open(&place, flags[place.kind]);
		stream = fd < 0 ? NULL : fdopen(fd, "w");
		if (!stream)
			cli_cannot_write(path, errno);
		if (!stream && fd >= 0)
			close(fd);
	}
	cli_place_release(&place);
	return stream;
}

int cli_output_put(const struct cli_options *o, cli_writer *write, const void *what)
{
	struct pms_error err = { 0 };
	struct cli_output output;
	int status = cli_output_open(&output, o->output, stdout);
	if (status)
		return status;
	struct pms_show_options options = cli_show_options(o, fileno(output.stream));
	if (write(output.stream, what, &options, &err)) {
		if (err.status == PMS_EIO && !err.source[0] && o->output)
			snprintf(err.source, sizeof(err.source), "%s", o->output);
		status = cli_error(&err);
	}
	int closed = cli_output_close(&output, !status);
	return status ? status : closed;
}
