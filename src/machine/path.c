/* SPDX-License-Identifier: MIT */
#include "machine/path.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"

/* Returns 0 when @path can be executed, else an errno; EISDIR for a directory. */
static int executable(const char *path)
{
	struct stat st;
	if (stat(path, &st))
		return errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	return access(path, X_OK) ? errno : 0;
}

static bool is_absent(int error)
{
	return error == ENOENT || error == ENOTDIR;
}

int pms_path_absent(const char *name, struct pms_error *err)
{
	int rc = pms_fail_at(err, PMS_ENOEXEC, name, 0, 0, "no such program");
	if (!strchr(name, '/') && !executable(name))
		pms_hint(err, "the one in this folder is ./%s", name);
	return rc;
}

static int refuse(const char *path, int error, struct pms_error *err)
{
	if (is_absent(error))
		return pms_path_absent(path, err);
	if (error == EISDIR)
		return pms_fail_at(err, PMS_EEXEC, path, 0, 0, "is a directory, not a program");
	return pms_fail_at(err, PMS_EEXEC, path, 0, 0, "cannot be executed: %s", strerror(error));
}

static int take(const char *path, char *out, struct pms_error *err)
{
	int error = executable(path);
	if (error)
		return refuse(path, error, err);
	snprintf(out, PMS_PATH_MAX, "%s", path);
	return 0;
}

int pms_path_find(const char *name, const char *path, char *out, struct pms_error *err)
{
	char candidate[PMS_PATH_MAX];
	int refused = ENOENT;
	if (strlen(name) >= PMS_PATH_MAX)
		return pms_fail(err, PMS_EEXEC, "the program's path is longer than %d bytes",
				PMS_PATH_MAX - 1);
	if (strchr(name, '/'))
		return take(name, out, err);
	if (!path)
		path = "/bin:/usr/bin";
	for (const char *dir = path; *name && dir;) {
		size_t length = strcspn(dir, ":");
		/* An empty entry is the current directory. */
		int n = length ? snprintf(candidate, sizeof(candidate), "%.*s/%s", (int)length, dir,
					  name)
			       : snprintf(candidate, sizeof(candidate), "./%s", name);
		int error = n > 0 && (size_t)n < sizeof(candidate) ? executable(candidate) : ENOENT;
		if (!error) {
			snprintf(out, PMS_PATH_MAX, "%s", candidate);
			return 0;
		}
		/* Go on: a later directory may have one that can be executed. */
		if (!is_absent(error) && error != EISDIR)
			refused = error;
		dir = dir[length] ? dir + length + 1 : NULL;
	}
	return refuse(name, refused, err);
}
