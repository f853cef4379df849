/* SPDX-License-Identifier: MIT */
/* Where the data directory is, and which CPUs it holds. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/status.h"
#include "pmuscope/catalog.h"

static int has_cpus(const char *folder)
{
	char path[4200];
	struct stat st;
	int n = snprintf(path, sizeof(path), "%s/cpus", folder);
	return n > 0 && (size_t)n < sizeof(path) && !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* Find the folder of the running program. Returns 0, or -1 when the system does not tell. */
static int program_folder(char *folder, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", folder, size - 1);
	if (length <= 0)
		return -1;
	folder[length] = '\0';
	char *slash = strrchr(folder, '/');
	if (!slash)
		return -1;
	*slash = '\0';
	return 0;
}

static int copy_path(char *path, size_t size, const char *from, struct pms_error *err)
{
	size_t need = strlen(from) + 1;
	if (need > size)
		return pms_fail(err, PMS_EIO, "the path of the data directory is too long");
	memcpy(path, from, need);
	return 0;
}

int pms_data_dir(char *path, size_t size, struct pms_error *err)
{
	/* The build tree in the checkout, a checkout's own root, an installed prefix. */
	static const char *const beside[] = { "..", ".", "../share/pmuscope" };
	const char *named = getenv("PMUSCOPE_DATA");
	char folder[2048], candidate[4096];
	if (named && named[0])
		return has_cpus(named)
			       ? copy_path(path, size, named, err)
			       : pms_fail(err, PMS_EIO,
					  "PMUSCOPE_DATA is %s, which holds no folder cpus", named);
	int known = !program_folder(folder, sizeof(folder));
	for (size_t i = 0; known && i < sizeof(beside) / sizeof(beside[0]); i++) {
		char plain[PATH_MAX]; /* for messages, without ".." */
		snprintf(candidate, sizeof(candidate), "%s/%s", folder, beside[i]);
		if (has_cpus(candidate) && realpath(candidate, plain))
			return copy_path(path, size, plain, err);
	}
	int rc = pms_fail(err, PMS_EIO, "found no data directory (it holds the folder cpus)");
	pms_hint(err,
		 "set PMUSCOPE_DATA to the checkout, or to share/pmuscope of the installation");
	return rc;
}

static int has_telemetry(const char *cpus, const char *name)
{
	char path[4600];
	int n = snprintf(path, sizeof(path), "%s/%s/telemetry.json", cpus, name);
	return name[0] != '.' && n > 0 && (size_t)n < sizeof(path) && !access(path, F_OK);
}

static int add_name(struct pms_names *names, const char *name)
{
	char **room = pms_array_room(names->names, names->count, sizeof(room[0]));
	if (!room)
		return -PMS_ENOMEM;
	names->names = room;
	room[names->count] = strdup(name);
	if (!room[names->count])
		return -PMS_ENOMEM;
	names->count++;
	return 0;
}

static int name_order(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_folder(const char *cpus, struct pms_names *names, struct pms_error *err)
{
	DIR *dir = opendir(cpus);
	if (!dir)
		return pms_fail_at(err, errno == ENOMEM ? PMS_ENOMEM : PMS_EIO, cpus, 0, 0, "%s",
				   strerror(errno));
	int rc = 0;
	for (struct dirent *entry; !rc && (entry = readdir(dir));)
		if (has_telemetry(cpus, entry->d_name))
			rc = add_name(names, entry->d_name);
	closedir(dir);
	return rc ? pms_no_memory(err) : 0;
}

int pms_catalog_cpus(const char *data, struct pms_names *out, struct pms_error *err)
{
	char found[4096], cpus[4200];
	struct pms_names names = { 0 };
	if (!data) {
		int rc = pms_data_dir(found, sizeof(found), err);
		if (rc)
			return rc;
		data = found;
	}
	int n = snprintf(cpus, sizeof(cpus), "%s/cpus", data);
	if (n < 0 || (size_t)n >= sizeof(cpus))
		return pms_fail(err, PMS_EIO, "the path of the data directory is too long");
	int rc = list_folder(cpus, &names, err);
	if (rc) {
		pms_names_free(&names);
		return rc;
	}
	if (names.count)
		qsort(names.names, names.count, sizeof(names.names[0]), name_order);
	*out = names;
	return 0;
}

void pms_names_free(struct pms_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->names[i]);
	free(names->names);
	*names = (struct pms_names){ 0 };
}
