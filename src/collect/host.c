/* SPDX-License-Identifier: MIT */
/* Check what this host can do, for `pmuscope doctor`. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "machine/identity.h"
#include "machine/path.h"
#include "machine/pmu.h"
#include "machine/qemu.h"
#include "machine/sysfs.h"
#include "pmuscope/collect.h"
#include "vcore/isa/isa.h"

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

/* List the PMUs of this host's cores, or say how to get one. */
static void check_pmu(const struct pms_vcore_options *options, struct pms_host_check *check)
{
	(void)options;
	struct utsname name;
	struct pms_pmus pmus;
	char list[128], *at = check->found;
	size_t left = sizeof(check->found);
	int rc = pms_pmus_read("", &pmus, NULL);
	check->ok = !pms_host_is_measured() ? -1 : !rc && pmus.count;
	if (!pms_host_is_measured())
		found(check, "not used: on this %s host programs run on a modelled core",
		      uname(&name) ? "" : name.machine);
	else if (!check->ok)
		found(check, "this machine has no PMU, or its kernel has no driver for it");
	for (size_t i = 0; check->ok == 1 && i < pmus.count && left > 1; i++) {
		pms_cpus_text(&pmus.pmus[i].cpus, list, sizeof(list));
		int n = snprintf(at, left, "%s%s on CPUs %s, %zu events named", i ? "; " : "",
				 pmus.pmus[i].name, list, pmus.pmus[i].n_events);
		size_t wrote = n > 0 && (size_t)n < left ? (size_t)n : left - 1;
		at += wrote;
		left -= wrote;
	}
	if (!check->ok)
		fix(check, "in a virtual machine have its owner give it a PMU (QEMU: -cpu host); "
			   "programs run on a modelled core with --source vcore");
	pms_pmus_release(&pmus);
}

/* Open an event that every kernel has. Returns 0 or an errno. */
static int try_event(int exclude_kernel, pid_t pid, int cpu)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = sizeof(attr),
					.config = PERF_COUNT_SW_PAGE_FAULTS,
					.disabled = 1 };
	attr.exclude_kernel = exclude_kernel != 0;
	attr.exclude_hv = exclude_kernel != 0;
	int fd = (int)syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static void check_perf(const struct pms_vcore_options *options, struct pms_host_check *check)
{
	(void)options;
	int number = try_event(1, 0, -1);
	char level[16] = "?";
	pms_sysfs_text("", "/proc/sys/kernel/perf_event_paranoid", level, sizeof(level));
	check->ok = !number ? 1 : pms_host_is_measured() ? 0 : -1;
	found(check, "perf_event_open %s; perf_event_paranoid is %s",
	      number ? strerror(number) : "works", level);
	/* The paranoid level refuses with EACCES. */
	if (number == ENOSYS)
		fix(check, "a kernel with CONFIG_PERF_EVENTS; in a container allow "
			   "perf_event_open in its seccomp profile");
	else if (number == EPERM)
		fix(check, "in a container allow perf_event_open in its seccomp profile, or add "
			   "the capability PERFMON");
	else if (number)
		fix(check, "sysctl -w kernel.perf_event_paranoid=2 as root");
}

static void check_modes(const struct pms_vcore_options *options, struct pms_host_check *check)
{
	(void)options;
	int kernel = !try_event(0, 0, -1), cpus = !try_event(0, -1, 0);
	check->ok = kernel && cpus ? 1 : -1;
	if (!kernel && try_event(1, 0, -1)) { /* the row before says why */
		found(check, "nothing");
		return;
	}
	found(check, "user mode%s of one's own programs%s", kernel ? " and kernel" : "",
	      cpus ? "; everything on a CPU (-a)" : "");
	if (!kernel || !cpus)
		fix(check,
		    "sysctl -w kernel.perf_event_paranoid=%d as root, or "
		    "setcap cap_perfmon+ep pmuscope",
		    kernel ? 0 : 1);
}

/* Check for a watchdog, which takes a counter of each CPU to count cycles. */
static void check_watchdog(const struct pms_vcore_options *options, struct pms_host_check *check)
{
	(void)options;
	uint64_t on = 0;
	int there = !pms_sysfs_number("", "/proc/sys/kernel/nmi_watchdog", &on);
	check->ok = there && on ? -1 : 1;
	found(check, "%s",
	      there && on ? "the NMI watchdog may hold a counter of each CPU"
			  : "no watchdog holds one");
	if (there && on)
		fix(check, "sysctl -w kernel.nmi_watchdog=0 as root while measuring");
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
	check->ok = !pms_plugin_find(options->plugin, PMS_PLUGIN, path, &err);
	if (check->ok)
		found(check, "%.200s", path);
	else
		refused(check, &err);
}

/* Check the call that reads the guest's memory for wrong paths: a container may forbid it. */
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
	const char *root = options->sysroot ? options->sysroot : pms_isa.cross_root;
	char path[PMS_PATH_MAX];
	snprintf(path, sizeof(path), "%s/%s", root, pms_isa.loader);
	if (!access(path, R_OK)) {
		check->ok = 1;
		found(check, "%.120s: use -L %.100s", path, root);
		return;
	}
	/* Static programs need no sysroot, so only a named one must exist. */
	check->ok = options->sysroot ? 0 : -1;
	found(check, "%.200s is not there; static programs need none", path);
	fix(check, "apt-get install %s, then use -L %s", pms_isa.libraries_package,
	    pms_isa.cross_root);
}

static void check_compiler(const struct pms_vcore_options *options, struct pms_host_check *check)
{
	(void)options;
	char path[PMS_PATH_MAX];
	check->ok = pms_path_find(pms_isa.compiler, getenv("PATH"), path, NULL) ? -1 : 1;
	found(check, "%.200s", check->ok == 1 ? path : "none; needed only to build programs here");
	if (check->ok != 1)
		fix(check, "apt-get install %s", pms_isa.compiler_package);
}

size_t pms_host_checks(const struct pms_vcore_options *options, struct pms_host_check *checks,
		       size_t max)
{
	const struct {
		const char *what;
		void (*check)(const struct pms_vcore_options *options,
			      struct pms_host_check *check);
	} rows[] = {
		{ "Hardware counters", check_pmu },
		{ "Counting", check_perf },
		{ "What may be counted", check_modes },
		{ "Counters held", check_watchdog },
		{ "QEMU user-mode emulation", check_qemu },
		{ "Core model plugin", check_plugin },
		{ "Wrong paths", check_wrong_paths },
		{ pms_isa.libraries_title, check_sysroot },
		{ pms_isa.compiler_title, check_compiler },
	};
	static const struct pms_vcore_options defaults;
	enum { first_of_model = 4 };
	size_t count = sizeof(rows) / sizeof(rows[0]);
	for (size_t i = 0; i < count && i < max; i++) {
		checks[i] = (struct pms_host_check){ .what = rows[i].what };
		rows[i].check(options ? options : &defaults, &checks[i]);
		/* A machine that measures does not need the model's parts. */
		if (i >= first_of_model && pms_host_is_measured() && !checks[i].ok)
			checks[i].ok = -1;
	}
	return count;
}
