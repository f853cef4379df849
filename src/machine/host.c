/* SPDX-License-Identifier: MIT */
/* machine/host.c - what this host can do, for `pmuscope doctor`. */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "machine/path.h"
#include "machine/qemu.h"
#include "pmuscope/collect.h"

#define CROSS_ROOT "/usr/aarch64-linux-gnu"

__attribute__((format(printf, 2, 3))) static void found(struct pms_host_check *check,
							const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(check->found, sizeof(check->found), format, args);
	va_end(args);
}

__attribute__((format(printf, 2, 3))) static void fix(struct pms_host_check *check,
						      const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(check->fix, sizeof(check->fix), format, args);
	va_end(args);
}

/* Show an error as a row's finding. */
static void refused(struct pms_host_check *check, const struct pms_error *err)
{
	check->ok = 0;
	found(check, "%.100s%s%.150s", err->source, err->source[0] ? ": " : "", err->text);
	fix(check, "%.255s", err->hint);
}

static void check_pmu(const struct pms_vcore_options *options, struct pms_host_check *check)
{
	(void)options;
	struct utsname name;
	check->ok = -1;
	found(check, "not used: on this %s host programs run on a modelled core",
	      uname(&name) ? "" : name.machine);
}

static void check_qemu(const struct pms_vcore_options *options, struct pms_host_check *check)
{
	char path[PMS_PATH_MAX], version[32];
	struct pms_error err = { 0 };
	if (pms_qemu_find(options->qemu, path, &err)) {
		refused(check, &err);
		return;
	}
	pms_qemu_version(path, version, sizeof(version));
	check->ok = version[0] != 0;
	if (check->ok) {
		found(check, "%.160s, version %s, plugin API 1", path, version);
	} else {
		found(check, "%.160s does not run, or does not tell its version", path);
		fix(check, "apt-get install --reinstall qemu-user");
	}
}

static void check_plugin(const struct pms_vcore_options *options, struct pms_host_check *check)
{
	char path[PMS_PATH_MAX];
	struct pms_error err = { 0 };
	check->ok = !pms_plugin_find(options->plugin, path, &err);
	if (check->ok)
		found(check, "%.200s", path);
	else
		refused(check, &err);
}

/* Wrong paths are read from the guest's memory by this call, which a container may forbid. */
static void check_wrong_paths(const struct pms_vcore_options *options, struct pms_host_check *check)
{
	(void)options;
	char from = 1, to = 0;
	struct iovec local = { &to, 1 }, remote = { &from, 1 };
	check->ok = process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1;
	found(check, "process_vm_readv %s", check->ok ? "works" : strerror(errno));
	if (!check->ok)
		fix(check, "allow process_vm_readv in the container's seccomp profile");
}

static void check_sysroot(const struct pms_vcore_options *options, struct pms_host_check *check)
{
	const char *root = options->sysroot ? options->sysroot : CROSS_ROOT;
	char path[PMS_PATH_MAX];
	snprintf(path, sizeof(path), "%s/lib/ld-linux-aarch64.so.1", root);
	if (!access(path, R_OK)) {
		check->ok = 1;
		found(check, "%.120s: use -L %.100s", path, root);
		return;
	}
	/* Static programs need none, so its absence is a fault only where one was named. */
	check->ok = options->sysroot ? 0 : -1;
	found(check, "%.200s is not there; static programs need none", path);
	fix(check, "apt-get install libc6-arm64-cross, then use -L " CROSS_ROOT);
}

static void check_compiler(const struct pms_vcore_options *options, struct pms_host_check *check)
{
	(void)options;
	char path[PMS_PATH_MAX];
	check->ok = pms_path_find("aarch64-linux-gnu-gcc", getenv("PATH"), path, NULL) ? -1 : 1;
	found(check, "%.200s", check->ok == 1 ? path : "none; needed only to build programs here");
	if (check->ok != 1)
		fix(check, "apt-get install gcc-aarch64-linux-gnu");
}

size_t pms_host_checks(const struct pms_vcore_options *options, struct pms_host_check *checks,
		       size_t max)
{
	static const struct {
		const char *what;
		void (*check)(const struct pms_vcore_options *options,
			      struct pms_host_check *check);
	} rows[] = {
		{ "Hardware counters", check_pmu },	{ "QEMU user-mode emulation", check_qemu },
		{ "Core model plugin", check_plugin },	{ "Wrong paths", check_wrong_paths },
		{ "AArch64 libraries", check_sysroot }, { "AArch64 compiler", check_compiler },
	};
	static const struct pms_vcore_options defaults;
	size_t count = sizeof(rows) / sizeof(rows[0]);
	for (size_t i = 0; i < count && i < max; i++) {
		checks[i] = (struct pms_host_check){ .what = rows[i].what };
		rows[i].check(options ? options : &defaults, &checks[i]);
	}
	return count;
}
