/* SPDX-License-Identifier: MIT */
/* Explain the kernel's refusals. Source: perf_event_open(2), ERRORS, and the places of
 * kernel/events/core.c and of the PMUs' drivers that give them. */
#include "collect/live/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "collect/live/live.h"
#include "collect/live/target.h"
#include "machine/sysfs.h"

/* In the texts, %e stands for the event, %t for what is measured. */
static const struct row {
	int number;
	enum pms_status status;
	const char *text;
	const char *hint;
} rows[] = {
	{ ENOENT, PMS_EHOST, "this machine has no event %e",
	  "in a virtual machine, its owner has to give it a PMU; pmuscope doctor says what there "
	  "is" },
	{ ENODEV, PMS_EHOST, "%t cannot count %e: the CPU is offline or its PMU is of another kind",
	  "choose other CPUs with -C" },
	{ ENXIO, PMS_EHOST, "%t has no PMU that counts %e", "pmuscope doctor says what there is" },
	{ EOPNOTSUPP, PMS_EHOST, "the PMU cannot count %e in this way",
	  "leave out its modifiers, or :h" },
	{ EINVAL, PMS_EHOST, "the kernel takes %e for invalid",
	  "too many events at once, or a modifier that the PMU lacks; try it alone with -e" },
	{ EMFILE, PMS_EHOST,
	  "too many files are open: each event needs a descriptor in each task or CPU, and the "
	  "limit cannot be raised further",
	  "ulimit -Hn 1048576 as root, or measure fewer events (-M), tasks or CPUs (-C)" },
	{ ENFILE, PMS_EHOST, "the system has no file left to open",
	  "sysctl -w fs.file-max=1000000 as root" },
	{ ENOMEM, PMS_ENOMEM, "the kernel is out of memory for counters", "" },
	{ ESRCH, PMS_ENAME, "%t does not exist", "ps -e lists processes" },
	{ EBUSY, PMS_EHOST, "another program has the PMU to itself",
	  "look for one that holds it: perf, a watchdog, a hypervisor's tool" },
	{ ENOSPC, PMS_EHOST, "there is no counter left for %e",
	  "another program uses them; measure fewer events" },
	{ E2BIG, PMS_EHOST, "the kernel is too old for this call", "use Linux 4.14 or newer" },
	{ ENOSYS, PMS_EHOST, "this kernel has no perf_event_open, or the container forbids it",
	  "a kernel with CONFIG_PERF_EVENTS; in a container allow perf_event_open in its seccomp "
	  "profile" },
	{ EBADF, PMS_ENAME, "what -G names is not a cgroup that events can be counted of",
	  "of version 2, its parent's cgroup.subtree_control has to enable a controller; of "
	  "version "
	  "1, the hierarchy perf_event has to be mounted; systemd-cgls lists them" },
	{ EFAULT, PMS_EIO, "the kernel could not read the request", "please report this" },
	{ EOVERFLOW, PMS_EHOST, "the kernel cannot describe %e", "please report this" },
};

bool pms_perf_is_lack(int number)
{
	return number == ENOENT || number == EOPNOTSUPP || number == ENXIO || number == EINVAL ||
	       number == ENOSPC;
}

static void describe_target(const struct pms_perf_place *place, char *text, size_t size)
{
	if (place->pid > 0)
		snprintf(text, size, "process %d", place->pid);
	else if (place->cpu >= 0)
		snprintf(text, size, "CPU %d", place->cpu);
	else
		snprintf(text, size, "the program");
}

/* Replace %e and %t by their texts. */
static void expand(const char *format, const struct pms_perf_place *place, char *text, size_t size)
{
	char target[64];
	size_t n = 0;
	describe_target(place, target, sizeof(target));
	for (; *format && n + 1 < size; format++) {
		int is_place = format[0] == '%' && (format[1] == 'e' || format[1] == 't');
		if (!is_place) {
			text[n++] = *format;
			continue;
		}
		const char *word = *++format == 'e' ? place->event : target;
		n += (size_t)snprintf(text + n, size - n, "%s", word);
	}
	text[n < size ? n : size - 1] = 0;
}

static int paranoid_level(const struct pms_live *live)
{
	char text[32], *end;
	if (pms_sysfs_text(live->system->root, "/proc/sys/kernel/perf_event_paranoid", text,
			   sizeof(text)))
		return -2;
	int level = (int)strtol(text, &end, 10);
	return end == text ? -2 : level;
}

/* Explain EACCES, by which the paranoid level and ptrace's rules refuse. EPERM comes from
 * elsewhere, such as a container. */
static int forbidden(int level, struct pms_error *err)
{
	int rc = !geteuid()
			 ? pms_fail(err, PMS_EHOST, "the kernel does not let even root count here")
		 : level > -2
			 ? pms_fail(err, PMS_EHOST,
				    "counting is forbidden here, and not by perf_event_paranoid, "
				    "which is %d",
				    level)
			 : pms_fail(err, PMS_EHOST, "counting is forbidden here");
	pms_hint(err,
		 "in a container, allow perf_event_open in its seccomp profile, or add the "
		 "capability PERFMON; outside, look for a security module (SELinux, AppArmor)");
	return rc;
}

/* Explain EACCES and EPERM: the paranoid level, somebody else's process, or a container. */
static int not_permitted(const struct pms_live *live, const struct pms_perf_place *place,
			 int number, struct pms_error *err)
{
	int level = paranoid_level(live);
	bool is_foreign = place->pid > 0 && !pms_perf_target_is_command(&live->options.target);
	char target[64];
	describe_target(place, target, sizeof(target));
	if (number == EPERM && (!geteuid() || !is_foreign))
		return forbidden(level, err);
	if (is_foreign && level < 3) {
		int rc = pms_fail(err, PMS_EHOST, "%s is not yours to measure", target);
		pms_hint(err, "measure it as its owner, or as root or with CAP_PERFMON and "
			      "CAP_SYS_PTRACE");
		return rc;
	}
	int rc = place->cpu >= 0 && place->pid < 0
			 ? pms_fail(err, PMS_EHOST,
				    "everything on a CPU may not be counted: perf_event_paranoid "
				    "is %d",
				    level)
			 : pms_fail(err, PMS_EHOST,
				    "counting is not permitted: perf_event_paranoid is %d", level);
	pms_hint(err,
		 "sysctl -w kernel.perf_event_paranoid=%d as root, or give pmuscope the "
		 "capability: setcap cap_perfmon+ep pmuscope",
		 place->cpu >= 0 && place->pid < 0 ? 0 : 2);
	return rc;
}

int pms_perf_refused_mode(const struct pms_live *live, const char *event, struct pms_error *err)
{
	int rc = pms_fail(err, PMS_EHOST,
			  "%s would count nothing: perf_event_paranoid is %d, which leaves this "
			  "user user mode alone",
			  event, paranoid_level(live));
	pms_hint(err, "sysctl -w kernel.perf_event_paranoid=1 as root, or give pmuscope the "
		      "capability: setcap cap_perfmon+ep pmuscope");
	return rc;
}

int pms_perf_refused_whole(const struct pms_live *live, struct pms_error *err)
{
	int rc = pms_fail(err, PMS_EHOST,
			  "this machine's counters do not tell user mode from the kernel, which "
			  "perf_event_paranoid (%d) does not let this user count",
			  paranoid_level(live));
	pms_hint(err, "sysctl -w kernel.perf_event_paranoid=1 as root, or give pmuscope the "
		      "capability: setcap cap_perfmon+ep pmuscope");
	return rc;
}

int pms_perf_refused(const struct pms_live *live, const struct pms_perf_place *place, int number,
		     struct pms_error *err)
{
	char text[400];
	if (number == EACCES || number == EPERM)
		return not_permitted(live, place, number, err);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].number != number)
			continue;
		expand(rows[i].text, place, text, sizeof(text));
		int rc = pms_fail(err, rows[i].status, "%s", text);
		pms_hint(err, "%s", rows[i].hint);
		return rc;
	}
	return pms_fail(err, PMS_EHOST, "the kernel refuses to count %s: %s", place->event,
			strerror(number));
}
