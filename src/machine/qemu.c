/* SPDX-License-Identifier: MIT */
#include "machine/qemu.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "machine/elf.h"
#include "vcore/isa/isa.h"

static const char install_hint[] =
	"install a QEMU with plugin API 1: apt-get install qemu-user (Debian 12 has 7.2)";

/* Functions that the plugin calls. The second is gone in API version 2, which has
 * qemu_plugin_num_vcpus. */
static const char any_api[] = "qemu_plugin_register_vcpu_tb_trans_cb";
static const char first_api[] = "qemu_plugin_n_vcpus";

/* Refuse a QEMU without plugins of our version, by its dynamic symbols. Starting it would take
 * as long as a small run, and a QEMU without plugins reports -plugin as wrong usage on stdout. */
static int plugins_check(const char *path, struct pms_error *err)
{
	struct pms_file file;
	struct pms_elf elf;
	int rc = pms_file_open(path, &file, err);
	if (rc)
		return rc;
	/* A wrapper script has no symbols; if it does not work, the plugin does not start. */
	if (pms_file_identify(&file, &elf, NULL) || elf.kind == PMS_FILE_ELF) {
		if (!pms_file_defines(&file, any_api))
			rc = pms_fail_at(err, PMS_EHOST, path, 0, 0,
					 "is not QEMU, or was built without plugins");
		else if (!pms_file_defines(&file, first_api))
			rc = pms_fail_at(err, PMS_EHOST, path, 0, 0,
					 "this QEMU has a newer plugin API than version 1");
	}
	pms_file_close(&file);
	return rc;
}

int pms_qemu_find(const char *wanted, char *path, struct pms_error *err)
{
	const char *name = wanted ? wanted : pms_isa.qemu;
	struct pms_error why = { 0 };
	int rc = pms_path_find(name, getenv("PATH"), path, &why);
	if (rc == -PMS_ENOEXEC)
		rc = pms_fail(err, PMS_EHOST, "QEMU is not installed: there is no %s%s", name,
			      strchr(name, '/') ? "" : " on PATH");
	else if (rc)
		rc = pms_fail_at(err, PMS_EHOST, why.source, 0, 0, "%s", why.text);
	else
		rc = plugins_check(path, err);
	if (rc)
		pms_hint(err, "%s", install_hint);
	return rc;
}

/* Run `path --version` and keep the start of its output. */
static void version_text(const char *path, char *text, size_t size)
{
	int fds[2];
	pid_t pid;
	posix_spawn_file_actions_t actions;
	char *argv[] = { (char *)path, (char[]){ "--version" }, NULL };
	char *env[] = { NULL };
	text[0] = 0;
	if (pipe2(fds, O_CLOEXEC))
		return;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	int error = posix_spawn(&pid, path, &actions, NULL, argv, env);
	posix_spawn_file_actions_destroy(&actions);
	close(fds[1]);
	size_t n = 0;
	ssize_t got = error ? 0 : read(fds[0], text, size - 1);
	for (; got > 0; got = read(fds[0], text + n, size - 1 - n))
		n += (size_t)got;
	text[n] = 0;
	close(fds[0]);
	while (!error && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

void pms_qemu_version(const char *path, char *out, size_t size)
{
	static const char key[] = " version ";
	char text[512];
	out[0] = 0;
	version_text(path, text, sizeof(text));
	const char *at = strncmp(text, "qemu-", 5) ? NULL : strstr(text, key);
	if (at) {
		at += sizeof(key) - 1;
		snprintf(out, size, "%.*s", (int)strcspn(at, " \n("), at);
	}
}

int pms_plugin_find(const char *wanted, const char *name, char *path, struct pms_error *err)
{
	static const char *const places[] = { "", "/../" PMS_LIBDIR "/pmuscope",
					      "/../lib/pmuscope" };
	char self[PMS_PATH_MAX];
	if (wanted) {
		snprintf(path, PMS_PATH_MAX, "%s", wanted);
		if (!access(path, R_OK))
			return 0;
		return pms_fail_at(err, PMS_EHOST, wanted, 0, 0,
				   "the core model's plugin cannot be read: %s", strerror(errno));
	}
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (n < 0)
		return pms_fail(err, PMS_EHOST,
				"/proc is not mounted, so the plugin cannot be found");
	self[n] = 0;
	const char *dir = dirname(self);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		int length = snprintf(path, PMS_PATH_MAX, "%s%s/%s", dir, places[i], name);
		if (length < PMS_PATH_MAX && !access(path, R_OK))
			return 0;
	}
	pms_fail(err, PMS_EHOST, "the core model's plugin, %s, is not beside %s", name, dir);
	pms_hint(err, "build it with ./dev build, or install pmuscope again");
	return -PMS_EHOST;
}
