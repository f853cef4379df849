/* SPDX-License-Identifier: MIT */
/* Measurements on a made-up machine: its sysfs is a temporary directory, and what its kernel
 * refuses is up to the test. What it does not refuse is counted by the real kernel, as a software
 * event. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../machine/host_tree.h"
#include "collect/live/clock.h"
#include "collect/live/live.h"
#include "collect/live/trust.h"

#define DEVICES "sys/bus/event_source/devices/"

/* What the made-up kernel does. */
struct kernel {
	int number;		  /* refuses with this errno */
	uint64_t config;	  /* events of the PMU with this code; 0: all */
	int once, opened;	  /* 1: the first time alone; how many were opened */
	int kernel_denied;	  /* 1: EACCES unless the kernel is left out */
	int whole;		  /* 1: EINVAL when a mode is left out */
	uint64_t idle;		  /* this code opens and never gets a counter; 0: none */
	uint64_t crowded;	  /* this code opens alone, and not in a group; 0: none */
	int all_idle;		  /* so do all */
	const uint64_t *counting; /* codes that count, up to 0: others stay 0; NULL: all do */
	/* While this process is opened, it starts so many threads more. */
	pid_t crowd;
	unsigned newcomers;
	int start, started; /* pipes */
	uint64_t opened_types;
};

static bool stays_0(const struct kernel *kernel, uint64_t code)
{
	const uint64_t *at = kernel->counting;
	while (at && *at && *at != code)
		at++;
	return at && !*at;
}

static int fake_open(void *context, struct perf_event_attr *attr, pid_t pid, int cpu, int group,
		     unsigned long flags)
{
	struct kernel *kernel = context;
	if (kernel->crowd && pid == kernel->crowd && kernel->newcomers) {
		char byte = 0;
		kernel->newcomers--;
		assert_int_equal(write(kernel->start, &byte, 1), 1);
		assert_int_equal(read(kernel->started, &byte, 1), 1);
	}
	if (kernel->kernel_denied && !attr->exclude_kernel) {
		errno = EACCES;
		return -1;
	}
	if (kernel->number && attr->type != PERF_TYPE_SOFTWARE &&
	    (!kernel->config || attr->config == kernel->config)) {
		errno = kernel->number;
		kernel->number = kernel->once ? 0 : kernel->number;
		return -1;
	}
	if (kernel->crowded && group >= 0 && attr->config == kernel->crowded &&
	    attr->type != PERF_TYPE_SOFTWARE) {
		errno = EINVAL;
		return -1;
	}
	if (kernel->whole && attr->type != PERF_TYPE_SOFTWARE &&
	    (attr->exclude_kernel || attr->exclude_hv || attr->exclude_guest)) {
		errno = EINVAL;
		return -1;
	}
	if (attr->type != PERF_TYPE_SOFTWARE &&
	    (kernel->all_idle || (kernel->idle && attr->config == kernel->idle)))
		return open("/dev/zero", O_RDONLY | O_CLOEXEC); /* no time has run, ever */
	struct perf_event_attr real = *attr;
	kernel->opened++;
	kernel->opened_types |= (uint64_t)1 << (attr->type & 63);
	if (attr->type != PERF_TYPE_SOFTWARE) {
		real.type = PERF_TYPE_SOFTWARE;
		real.config = stays_0(kernel, attr->config) ? PERF_COUNT_SW_DUMMY
							    : PERF_COUNT_SW_PAGE_FAULTS;
		real.config1 = 0;
	}
	return (int)syscall(SYS_perf_event_open, &real, pid, cpu, group, flags);
}

static int can_count(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = sizeof(attr),
					.config = PERF_COUNT_SW_PAGE_FAULTS };
	int fd = pms_perf_open(&pms_perf_host, &attr, 0, -1, -1, 0);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* A Neoverse V1 with one PMU of six counters. */
static struct host_tree make_v1(void)
{
	struct host_tree tree = host_make("0\n");
	host_put_midr(&tree, 0, "0x00000000411fd401\n");
	host_put(&tree, "sys/devices/system/cpu/online", "0\n");
	host_put(&tree, "proc/sys/kernel/perf_event_paranoid", "3\n");
	host_put(&tree, DEVICES "armv8_pmuv3_0/type", "8\n");
	host_put(&tree, DEVICES "armv8_pmuv3_0/cpus", "0\n");
	return tree;
}

struct machine {
	struct host_tree tree;
	struct kernel kernel;
	struct pms_perf_system system;
	struct pms_catalog *catalog;
	size_t events[8];
	size_t n_events;
	struct pms_live *live;
	struct pms_counts *counts;
	struct pms_error err;
};

static void machine_init(struct machine *m, const char *const *words)
{
	*m = (struct machine){ .tree = make_v1() };
	m->system = (struct pms_perf_system){ m->tree.root, fake_open, &m->kernel };
	assert_int_equal(pms_catalog_load(NULL, "neoverse-v1", &m->catalog, NULL), 0);
	for (; words[m->n_events]; m->n_events++) {
		int64_t event = pms_live_event(m->catalog, words[m->n_events], NULL);
		assert_true(event >= 0);
		m->events[m->n_events] = (size_t)event;
	}
}

static int machine_open(struct machine *m, struct pms_live_options options)
{
	struct pms_live_part part = { .catalog = m->catalog,
				      .plan = { .events = m->events,
						.n_events = m->n_events,
						.no_metrics = 1,
						.counters = 6 } };
	options.system = &m->system;
	return pms_live_open(&part, 1, &options, &m->live, &m->err);
}

static char true_word[] = "true";
static char *const true_argv[] = { true_word, NULL };
static const struct pms_live_options of_true = { .target = { .command = true_argv } };

static int machine_run(struct machine *m, struct pms_counts **counts)
{
	int rc = machine_open(m, of_true);
	return rc ? rc : pms_live_run(m->live, NULL, NULL, counts, &m->err);
}

static void machine_release(struct machine *m)
{
	pms_counts_free(m->counts);
	pms_live_close(m->live);
	pms_catalog_free(m->catalog);
	host_remove(&m->tree);
}

static const char *const cycles_and_refills[] = { "CPU_CYCLES", "L1D_CACHE_REFILL", NULL };

/* A machine that counts these, where this one counts anything. */
static int begin(void **state)
{
	static struct machine machine;
	if (!can_count())
		return 0;
	machine_init(&machine, cycles_and_refills);
	*state = &machine;
	return 0;
}

static int end(void **state)
{
	if (*state)
		machine_release(*state);
	return 0;
}

static struct machine *counting(void **state)
{
	if (!*state)
		skip();
	return *state;
}

/* Every errno of the manual page: a status, words of the sentence, words of what to do. */
static const struct {
	int number;
	int status;
	const char *text, *hint;
} refusals[] = {
	{ EACCES, PMS_EHOST, "perf_event_paranoid is 3", "cap_perfmon" },
	{ EBUSY, PMS_EHOST, "another program has the PMU", "watchdog" },
	{ EMFILE, PMS_EHOST, "too many files are open", "ulimit -Hn" },
	{ ENFILE, PMS_EHOST, "no file left", "fs.file-max" },
	{ ENOMEM, PMS_ENOMEM, "out of memory", "" },
	{ ENOSYS, PMS_EHOST, "no perf_event_open", "seccomp" },
	{ ESRCH, PMS_ENAME, "does not exist", "ps -e" },
	{ E2BIG, PMS_EHOST, "too old", "4.14" },
	{ EFAULT, PMS_EIO, "could not read", "report" },
	{ EOVERFLOW, PMS_EHOST, "cannot describe CPU_CYCLES", "report" },
	{ EBADF, PMS_ENAME, "not a cgroup", "systemd-cgls" },
	{ EIO, PMS_EHOST, "refuses to count CPU_CYCLES", "" },
};

static void each_refusal_is_a_sentence_that_helps(void **state)
{
	(void)state;
	struct rlimit before;
	getrlimit(RLIMIT_NOFILE, &before);
	if (!can_count())
		skip();
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		struct machine m;
		struct pms_counts *counts = NULL;
		machine_init(&m, cycles_and_refills);
		m.kernel.number = refusals[i].number;
		int rc = machine_run(&m, &counts);
		if (rc != -refusals[i].status || !strstr(m.err.text, refusals[i].text) ||
		    !strstr(m.err.hint, refusals[i].hint))
			fail_msg("errno %d: rc %d, \"%s\", \"%s\"", refusals[i].number, rc,
				 m.err.text, m.err.hint);
		machine_release(&m);
	}
	setrlimit(RLIMIT_NOFILE, &before);
}

/* What the machine lacks has no value; the rest is counted. */
static void an_event_that_is_lacking_is_left_out(void **state)
{
	(void)state;
	static const int numbers[] = { ENOENT, EOPNOTSUPP, EINVAL, ENXIO, ENOSPC };
	if (!can_count())
		skip();
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct machine m;
		struct pms_counts *counts = NULL;
		machine_init(&m, cycles_and_refills);
		m.kernel.number = numbers[i];
		m.kernel.config = 0x03; /* L1D_CACHE_REFILL */
		assert_int_equal(machine_run(&m, &counts), 0);
		const struct pms_count *refills = &counts->total.counts[m.events[1]];
		assert_int_equal(counts->total.counts[m.events[0]].state, PMS_COUNTED);
		assert_int_equal(refills->state, PMS_NOT_SUPPORTED);
		assert_non_null(strstr(refills->because, "L1D_CACHE_REFILL"));
		pms_counts_free(counts);
		machine_release(&m);
	}
}

/* The kernel refuses groups that are too large as it refuses events that there are none of. */
static void an_event_for_which_a_group_has_no_room_is_not_lacking(void **state)
{
	struct machine *m = counting(state);
	m->kernel.crowded = 0x03;
	assert_int_equal(machine_run(m, &m->counts), 0);
	const struct pms_count *refills = &m->counts->total.counts[m->events[1]];
	assert_int_equal(m->counts->total.counts[m->events[0]].state, PMS_COUNTED);
	assert_int_equal(refills->state, PMS_NOT_COUNTED);
	assert_non_null(strstr(refills->because, "no counter for it beside the others"));
}

/* The PMU's list is asked, since such an event would open and read 0. */
static void an_event_that_is_not_listed_is_not_opened(void **state)
{
	struct machine *m = counting(state);
	host_put(&m->tree, DEVICES "armv8_pmuv3_0/events/cpu_cycles", "event=0x0011\n");
	m->kernel.number = EIO; /* would end it */
	m->kernel.config = 0x03;
	assert_int_equal(machine_run(m, &m->counts), 0);
	assert_int_equal(m->counts->total.counts[m->events[1]].state, PMS_NOT_SUPPORTED);
	assert_true(m->counts->total.counts[m->events[0]].value > 0);
}

/* Metrics that lack an event leave the counters to the others. */
static void what_cannot_be_measured_is_not_planned(void **state)
{
	static const char *const names[] = { "ipc",	     "l1d_cache_mpki", "l2_cache_mpki",
					     "l1d_tlb_mpki", "itlb_mpki",      "dtlb_mpki" };
	static const uint64_t codes[] = { 0x11, 0x08, 0 };
	struct machine *m = counting(state);
	host_put(&m->tree, DEVICES "armv8_pmuv3_0/events/cpu_cycles", "event=0x0011\n");
	host_put(&m->tree, DEVICES "armv8_pmuv3_0/events/inst_retired", "event=0x0008\n");
	m->kernel.counting = codes;
	struct pms_live_part part = { .catalog = m->catalog,
				      .plan = { .names = names, .n_names = 6, .counters = 3 } };
	struct pms_live_options options = of_true;
	options.system = &m->system;
	assert_int_equal(pms_live_open(&part, 1, &options, &m->live, &m->err), 0);
	assert_int_equal(pms_live_plan(m->live, 0)->n_passes, 1);
	assert_int_equal(pms_live_plan(m->live, 0)->n_metrics, 1);
	assert_int_equal(pms_live_run(m->live, NULL, NULL, &m->counts, &m->err), 0);
	size_t refills = (size_t)pms_catalog_find_event(m->catalog, "L1D_CACHE_REFILL");
	assert_int_equal(m->counts->total.counts[refills].state, PMS_NOT_SUPPORTED);
	assert_int_equal(m->counts->total.counts[m->events[0]].state, PMS_COUNTED);
	assert_int_equal(m->counts->provenance.counters_available, 3);
}

/* What is counted on a machine that lists some events, of which some count and some stay 0. */
static const struct believed {
	const char *what;
	const char *word;
	uint64_t listed[8], counting[8];
	enum pms_count_state state;
	const char *because; /* NULL: there is a count */
} believed[] = {
	{ "a hypervisor lists it and does not count it",
	  "STALL_FRONTEND",
	  { 0x11, 0x23 },
	  { 0x11, 0x03, 0x04, 0x10, 0x12 },
	  PMS_NOT_SUPPORTED,
	  "stayed 0 in a trial" },
	{ "KVM counts it and does not list it",
	  "STALL_SLOT",
	  { 0x11, 0x3c },
	  { 0x11, 0x3f },
	  PMS_COUNTED,
	  NULL },
	{ "by its code", "r3d", { 0x11, 0x3c }, { 0x11, 0x3d }, PMS_COUNTED, NULL },
	{ "it is neither listed nor counted",
	  "STALL_SLOT",
	  { 0x11, 0x3c },
	  { 0x11, 0x3c },
	  PMS_NOT_SUPPORTED,
	  "does not list it among its events, and in a trial it stayed 0" },
	{ "a 0 of a PMU that has all that each has",
	  "DTLB_WALK",
	  { 0x11, 0x34 },
	  { 0x11, 0x03, 0x04, 0x10, 0x12 },
	  PMS_COUNTED,
	  NULL },
	{ "a 0 of one that lists what it lacks",
	  "DTLB_WALK",
	  { 0x11, 0x34, 0x03, 0x04, 0x10, 0x12 },
	  { 0x11, 0x04, 0x10, 0x12 },
	  PMS_NOT_SUPPORTED,
	  "lacks others that every core has" },
	{ "a 0 of a code without a name on one of these",
	  "LD_SPEC",
	  { 0x11, 0x03, 0x04, 0x10, 0x12 },
	  { 0x11, 0x04, 0x10, 0x12 },
	  PMS_NOT_SUPPORTED,
	  "lacks others that every core has" },
	{ "a 0 of the core's own event",
	  "LD_SPEC",
	  { 0x11 },
	  { 0x11, 0x03, 0x04, 0x10, 0x12 },
	  PMS_COUNTED,
	  NULL },
	{ "a 0 of a code that nobody knows",
	  "rabc",
	  { 0x11 },
	  { 0x11, 0x03, 0x04, 0x10, 0x12 },
	  PMS_NOT_SUPPORTED,
	  "nothing says that this one has it" },
};

static void an_event_is_believed_when_it_counts(void **state)
{
	(void)state;
	if (!can_count())
		skip();
	for (size_t i = 0; i < sizeof(believed) / sizeof(believed[0]); i++) {
		const struct believed *b = &believed[i];
		const char *const words[] = { "CPU_CYCLES", b->word, NULL };
		struct machine m;
		struct pms_counts *counts = NULL;
		machine_init(&m, words);
		for (size_t k = 0; b->listed[k]; k++) {
			char path[128], text[32];
			snprintf(path, sizeof(path), DEVICES "armv8_pmuv3_0/events/e%zu", k);
			snprintf(text, sizeof(text), "event=0x%04x\n", (unsigned)b->listed[k]);
			host_put(&m.tree, path, text);
		}
		m.kernel.counting = b->counting;
		assert_int_equal(machine_run(&m, &counts), 0);
		const struct pms_count *count = &counts->total.counts[m.events[1]];
		const char *because = count->because ? count->because : "";
		assert_int_equal(counts->total.counts[m.events[0]].state, PMS_COUNTED);
		if (count->state != b->state || !strstr(because, b->because ? b->because : ""))
			fail_msg("%s: state %d, \"%s\"", b->what, count->state, because);
		pms_counts_free(counts);
		machine_release(&m);
	}
}

/* Where others have all counters nothing can be tried: the list is believed, and nothing waits for
 * each event anew. */
static void without_a_counter_the_list_is_believed(void **state)
{
	(void)state;
	static const char *const words[] = { "L1D_CACHE",    "L1D_CACHE_REFILL",
					     "L1D_TLB",	     "STALL_SLOT",
					     "BR_PRED",	     "BR_MIS_PRED",
					     "INST_RETIRED", NULL };
	struct machine m;
	struct timespec before, after;
	if (!can_count())
		skip();
	machine_init(&m, words);
	host_put(&m.tree, DEVICES "armv8_pmuv3_0/events/l1d_cache", "event=0x0004\n");
	host_put(&m.tree, DEVICES "armv8_pmuv3_0/events/stall", "event=0x003c\n");
	m.kernel.all_idle = 1;
	clock_gettime(CLOCK_MONOTONIC, &before);
	assert_int_equal(machine_open(&m, of_true), 0);
	clock_gettime(CLOCK_MONOTONIC, &after);
	assert_true(after.tv_sec - before.tv_sec < 2);
	for (size_t i = 0; i < m.n_events; i++)
		assert_int_equal(m.live->parts[0].trust[m.events[i]],
				 i ? PMS_TRUST_UNLISTED : PMS_TRUST_PARTIAL);
	machine_release(&m);
}

static int has_note(const struct pms_live *live, const char *words)
{
	for (size_t i = 0; pms_live_note(live, i); i++)
		if (strstr(pms_live_note(live, i), words))
			return 1;
	return 0;
}

static void without_the_right_user_mode_alone_is_counted(void **state)
{
	struct machine *m = counting(state);
	m->kernel.kernel_denied = 1;
	assert_int_equal(machine_open(m, of_true), 0);
	assert_true(has_note(m->live, "user mode alone"));
	pms_live_close(m->live);
	m->live = NULL;
	/* Who asks for the kernel does not get something else. */
	struct pms_live_options options = of_true;
	options.modes = PMS_LIVE_KERNEL;
	assert_int_equal(machine_open(m, options), -PMS_EHOST);
	assert_non_null(strstr(m->err.text, "perf_event_paranoid"));
}

/* User mode alone: what happens in the kernel has no count, and 0 would be one. What was counted
 * says so wherever it goes. */
static void user_mode_alone_is_said_with_the_counts(void **state)
{
	(void)state;
	static const char *const words[] = { "CPU_CYCLES",  "context-switches",	  "cpu-migrations",
					     "page-faults", "context-switches:u", NULL };
	struct machine m;
	struct pms_counts *counts = NULL;
	if (!can_count())
		skip();
	machine_init(&m, words);
	m.kernel.kernel_denied = 1;
	assert_int_equal(machine_run(&m, &counts), 0);
	assert_string_equal(counts->provenance.modes, "user");
	for (size_t i = 0; i < m.n_events; i++) {
		const struct pms_count *count = &counts->total.counts[m.events[i]];
		bool is_in_kernel = i == 1 || i == 2 || i == 4;
		assert_int_equal(count->state, is_in_kernel ? PMS_NOT_COUNTED : PMS_COUNTED);
		if (is_in_kernel)
			assert_non_null(strstr(count->because, "happens in the kernel"));
	}
	pms_counts_free(counts);
	pms_live_close(m.live);
	m.live = NULL;
	m.kernel.kernel_denied = 0;
	assert_int_equal(machine_run(&m, &counts), 0);
	assert_string_equal(counts->provenance.modes, "");
	assert_int_equal(counts->total.counts[m.events[1]].state, PMS_COUNTED);
	assert_int_equal(counts->total.counts[m.events[4]].state, PMS_NOT_COUNTED);
	pms_counts_free(counts);
	machine_release(&m);
}

/* A clock counts all of the time, whatever is left out. */
static void clocks_are_of_all_modes(void **state)
{
	(void)state;
	static const char *const words[] = { "task-clock", NULL };
	struct machine m;
	struct pms_counts *counts = NULL;
	if (!can_count())
		skip();
	machine_init(&m, words);
	m.kernel.kernel_denied = 1;
	assert_int_equal(machine_run(&m, &counts), 0);
	assert_string_equal(counts->provenance.modes, "");
	assert_string_equal(counts->provenance.core, "Neoverse V1");
	pms_counts_free(counts);
	pms_live_close(m.live);
	m.live = NULL;
	/* Linux's own events are counted anywhere, whatever catalog is named. */
	host_put_midr(&m.tree, 0, "0x00000000413fd0c1\n");
	assert_int_equal(machine_run(&m, &counts), 0);
	assert_string_equal(counts->provenance.core, "this machine, no Neoverse V1");
	assert_true(counts->provenance.midr == 0);
	pms_counts_free(counts);
	machine_release(&m);
}

/* CPU 0 of three is offline, and tells nothing of itself; 1 and 2 are r1p1 and r0p1. */
static void any_cpu_that_is_online_tells_the_core(void **state)
{
	(void)state;
	struct machine m = { .tree = host_make("0-2\n") };
	struct pms_counts *counts = NULL;
	if (!can_count())
		skip();
	host_put_midr(&m.tree, 1, "0x00000000411fd401\n");
	host_put_midr(&m.tree, 2, "0x00000000410fd401\n");
	host_put(&m.tree, "sys/devices/system/cpu/online", "1-2\n");
	host_put(&m.tree, "proc/sys/kernel/perf_event_paranoid", "1\n");
	host_put(&m.tree, DEVICES "armv8_pmuv3_0/type", "8\n");
	host_put(&m.tree, DEVICES "armv8_pmuv3_0/cpus", "0-2\n");
	m.system = (struct pms_perf_system){ m.tree.root, fake_open, &m.kernel };
	assert_int_equal(pms_catalog_load(NULL, "neoverse-v1", &m.catalog, NULL), 0);
	m.events[m.n_events++] = (size_t)pms_catalog_find_event(m.catalog, "CPU_CYCLES");
	assert_int_equal(machine_run(&m, &counts), 0);
	assert_false(has_note(m.live, "not a Neoverse V1"));
	assert_true(counts->provenance.midr == 0x410fd401);
	pms_counts_free(counts);
	machine_release(&m);
}

static void the_limit_of_descriptors_is_raised(void **state)
{
	(void)state;
	struct machine m;
	struct rlimit before, now;
	struct pms_counts *counts = NULL;
	getrlimit(RLIMIT_NOFILE, &before);
	if (!can_count() || before.rlim_max <= 64)
		skip();
	struct rlimit low = { 64, before.rlim_max };
	setrlimit(RLIMIT_NOFILE, &low);
	machine_init(&m, cycles_and_refills);
	m.kernel.number = EMFILE;
	m.kernel.once = 1;
	assert_int_equal(machine_run(&m, &counts), 0);
	getrlimit(RLIMIT_NOFILE, &now);
	assert_true(now.rlim_cur == before.rlim_max);
	pms_counts_free(counts);
	machine_release(&m);
	setrlimit(RLIMIT_NOFILE, &before);
}

static void slots_are_checked(void **state)
{
	struct machine *m = counting(state);
	host_put(&m->tree, DEVICES "armv8_pmuv3_0/caps/slots", "0x00000005\n");
	assert_int_equal(machine_open(m, of_true), 0);
	assert_true(has_note(m->live, "5 slots a cycle"));
}

static void another_core_than_the_catalogs_is_said(void **state)
{
	struct machine *m = counting(state);
	assert_int_equal(machine_open(m, of_true), 0);
	assert_false(has_note(m->live, "not a Neoverse V1"));
	pms_live_close(m->live);
	host_put_midr(&m->tree, 0, "0x00000000413fd0c1\n");
	assert_int_equal(machine_open(m, of_true), 0);
	assert_true(has_note(m->live, "not a Neoverse V1"));
}

/* A SiFive P550, whose PMU Linux calls "cpu". */
static void machine_init_p550(struct machine *m, const char *const *words)
{
	*m = (struct machine){ .tree = host_make("0\n") };
	host_put(&m->tree, "sys/devices/system/cpu/online", "0\n");
	host_put(&m->tree, "proc/sys/kernel/perf_event_paranoid", "2\n");
	host_put(&m->tree, "proc/cpuinfo",
		 "processor\t: 0\nmvendorid\t: 0x489\nmarchid\t\t: 0x8000000000000008\n");
	host_put(&m->tree, DEVICES "cpu/type", "4\n");
	m->system = (struct pms_perf_system){ m->tree.root, fake_open, &m->kernel };
	assert_int_equal(pms_catalog_load(NULL, "riscv", &m->catalog, NULL), 0);
	for (; words[m->n_events]; m->n_events++)
		m->events[m->n_events] =
			(size_t)pms_live_event(m->catalog, words[m->n_events], NULL);
}

static const char *const of_p550[] = { "INST.RET", "INST.LDST.RET", "INST.FP.RET", "INST.RET:u",
				       NULL };

/* Linux opens any code there, and looks for a counter when it is to count. */
static void a_code_that_no_counter_takes_is_left_out(void **state)
{
	(void)state;
	struct machine m;
	struct pms_counts *counts = NULL;
	if (!can_count())
		skip();
	machine_init_p550(&m, of_p550);
	m.kernel.idle = 0x180E00; /* INST.LDST.RET */
	assert_int_equal(machine_run(&m, &counts), 0);
	const struct pms_count *loads = &counts->total.counts[m.events[1]];
	assert_int_equal(loads->state, PMS_NOT_SUPPORTED);
	assert_string_equal(loads->because, "no counter of this machine takes it");
	for (size_t i = 0; i < 4; i++)
		if (i != 1)
			assert_int_equal(counts->total.counts[m.events[i]].state, PMS_COUNTED);
	pms_counts_free(counts);
	machine_release(&m);
}

/* Where no counter is free on Arm, others have them. RISC-V's cores may have none for the code that
 * is tried. */
static void others_are_named_only_where_they_have_the_counters(void **state)
{
	(void)state;
	if (!can_count())
		skip();
	/* A core of which none is online has counters that nobody can try. */
	enum { RISCV, ARM, OFFLINE };
	for (int kind = RISCV; kind <= OFFLINE; kind++) {
		struct machine m;
		if (kind == RISCV)
			machine_init_p550(&m, of_p550);
		else
			machine_init(&m, cycles_and_refills);
		if (kind == OFFLINE)
			host_put(&m.tree, DEVICES "armv8_pmuv3_0/cpus", "1000\n");
		m.kernel.all_idle = 1;
		struct pms_live_part part = {
			.catalog = m.catalog,
			.plan = { .events = m.events, .n_events = 1, .no_metrics = 1 }
		};
		struct pms_live_options options = of_true;
		options.system = &m.system;
		assert_int_equal(pms_live_open(&part, 1, &options, &m.live, &m.err), 0);
		assert_int_equal(has_note(m.live, "others have all counters"), kind == ARM);
		assert_int_equal(m.live->parts[0].counters, 0);
		machine_release(&m);
	}
}

/* Without Sscofpmf all modes are counted, or none. */
static void counters_that_tell_no_modes_apart_count_all(void **state)
{
	(void)state;
	struct machine m;
	struct pms_counts *counts = NULL;
	if (!can_count())
		skip();
	machine_init_p550(&m, of_p550);
	m.kernel.whole = 1;
	assert_int_equal(machine_run(&m, &counts), 0);
	const struct pms_count *user = &counts->total.counts[m.events[3]];
	assert_int_equal(user->state, PMS_NOT_SUPPORTED);
	assert_non_null(strstr(user->because, "do not tell user mode from the kernel"));
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(counts->total.counts[m.events[i]].state, PMS_COUNTED);
	pms_counts_free(counts);
	pms_live_close(m.live);
	m.live = NULL;
	/* Who may not count the kernel cannot count. */
	m.kernel.kernel_denied = 1;
	assert_int_equal(machine_open(&m, of_true), -PMS_EHOST);
	assert_non_null(strstr(m.err.text, "do not tell user mode from the kernel"));
	assert_non_null(strstr(m.err.text, "perf_event_paranoid (2)"));
	machine_release(&m);
}

static void no_pmu_is_an_error_of_the_host(void **state)
{
	(void)state;
	struct machine m;
	if (!can_count())
		skip();
	machine_init(&m, cycles_and_refills);
	host_remove(&m.tree);
	assert_int_equal(machine_open(&m, of_true), -PMS_EHOST);
	assert_non_null(strstr(m.err.text, "no PMU"));
	pms_catalog_free(m.catalog);
}

/* Eight events, six counters: two passes; cycles have a counter of their own. */
static const char *const nine[] = { "CPU_CYCLES", "L1D_CACHE",	  "L1I_CACHE",
				    "BR_RETIRED", "BR_PRED",	  "L1D_CACHE_REFILL",
				    "INST_SPEC",  "INST_RETIRED", NULL };

static void passes_share_a_run_or_have_one_each(void **state)
{
	(void)state;
	static const struct {
		enum pms_live_passes passes;
		unsigned repeat;
		size_t runs;
	} cases[] = { { PMS_PASSES_DEFAULT, 0, 1 },   { PMS_PASSES_MULTIPLEX, 0, 1 },
		      { PMS_PASSES_MULTIRUN, 0, 2 },  { PMS_PASSES_DEFAULT, 3, 6 },
		      { PMS_PASSES_MULTIPLEX, 3, 3 }, { PMS_PASSES_MULTIRUN, 2, 4 } };
	if (!can_count())
		skip();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct machine m;
		struct pms_counts *counts = NULL;
		struct pms_live_options options = of_true;
		options.passes = cases[i].passes;
		options.repeat = cases[i].repeat;
		machine_init(&m, nine);
		assert_int_equal(machine_open(&m, options), 0);
		assert_int_equal(pms_live_plan(m.live, 0)->n_passes, 2);
		assert_int_equal(pms_live_runs(m.live), cases[i].runs);
		assert_true(has_note(m.live, "2 passes"));
		assert_int_equal(pms_live_run(m.live, NULL, NULL, &counts, &m.err), 0);
		for (size_t k = 0; k < m.n_events; k++)
			assert_int_equal(counts->total.counts[m.events[k]].state, PMS_COUNTED);
		/* All are the same software event here, which needs no turns: what two passes saw
		 * of cycles is not added up. */
		uint64_t cycles = counts->total.counts[m.events[0]].value;
		uint64_t other = counts->total.counts[m.events[1]].value;
		assert_true(cycles > 0 && cycles < other + other / 2);
		assert_int_equal(counts->total.n_passes, 2);
		/* What each run counted, of each pass. */
		assert_int_equal(counts->total.n_runs, cases[i].repeat > 1 ? 2 : 0);
		for (size_t k = 0; k < counts->total.n_runs; k++) {
			const struct pms_runs *runs = &counts->total.runs[k];
			const struct pms_count *pass = counts->total.passes[k];
			double sum = 0;
			assert_int_equal(runs->pass, k);
			assert_int_equal(runs->n_runs, cases[i].repeat);
			for (size_t run = 0; run < runs->n_runs; run++)
				sum += runs->values[run * runs->n_events];
			assert_true(fabs(sum / (double)runs->n_runs -
					 (double)pass[runs->events[0]].value) <= 0.5);
		}
		pms_counts_free(counts);
		machine_release(&m);
	}
}

/* A Neoverse N1 beside a V1: each has its PMU, its catalog, its counts. */
static void cores_of_two_kinds_have_a_part_each(void **state)
{
	struct machine *m = counting(state);
	struct pms_catalog *n1 = NULL;
	struct pms_counts *counts[2] = { NULL };
	host_put(&m->tree, "sys/devices/system/cpu/possible", "0-1\n");
	host_put_midr(&m->tree, 1, "0x00000000413fd0c1\n");
	host_put(&m->tree, DEVICES "armv8_pmuv3_1/type", "9\n");
	host_put(&m->tree, DEVICES "armv8_pmuv3_1/cpus", "1\n");
	assert_int_equal(pms_catalog_load(NULL, "neoverse-n1", &n1, NULL), 0);
	/* The second one is of V1 alone; asking for it again adds nothing. */
	assert_int_equal(pms_live_event(n1, "STALL_SLOT", NULL), -PMS_ENAME);
	size_t events[] = { (size_t)pms_live_event(n1, "CPU_CYCLES", NULL),
			    (size_t)pms_live_event_lacking(n1, "STALL_SLOT", NULL) };
	assert_int_equal(pms_live_event_lacking(n1, "stall_slot", NULL), events[1]);
	assert_int_equal(pms_live_event_lacking(n1, "CPU_CYCLES", NULL), events[0]);
	size_t event = events[0];
	struct pms_live_part parts[] = {
		{ .catalog = n1,
		  .plan = { .events = events, .n_events = 2, .no_metrics = 1, .counters = 6 } },
		{ .catalog = m->catalog,
		  .pmu = "armv8_pmuv3_0",
		  .plan = { .events = m->events, .n_events = 1, .no_metrics = 1, .counters = 6 } },
	};
	struct pms_live_options options = of_true;
	options.system = &m->system;
	assert_int_equal(pms_live_open(parts, 2, &options, &m->live, &m->err), 0);
	assert_int_equal(pms_live_run(m->live, NULL, NULL, counts, &m->err), 0);
	/* PMU types 8 and 9 were both opened. */
	assert_int_equal(m->kernel.opened_types & 0x300, 0x300);
	assert_string_equal(counts[0]->provenance.core, "Neoverse N1");
	assert_string_equal(counts[1]->provenance.core, "Neoverse V1");
	assert_true(counts[0]->total.counts[event].value > 0);
	const struct pms_count *lacking = &counts[0]->total.counts[events[1]];
	assert_int_equal(lacking->state, PMS_NOT_SUPPORTED);
	assert_string_equal(lacking->because, "Neoverse N1 cores have no such event");
	pms_counts_free(counts[0]);
	pms_counts_free(counts[1]);
	pms_catalog_free(n1);
}

static void what_makes_no_sense_is_refused(void **state)
{
	(void)state;
	int pid = (int)getpid();
	const struct {
		struct pms_live_options options;
		const char *text;
	} cases[] = {
		{ { .target = { 0 } }, "nothing to measure" },
		{ { .target = { .all_cpus = 1, .pids = &pid, .n_pids = 1 } }, "one of -p" },
		{ { .target = { .command = true_argv }, .by = PMS_BY_CPU }, "CPUs have to be" },
		{ { .target = { .command = true_argv }, .by = PMS_BY_THREAD }, "--per-thread" },
		{ { .target = { .all_cpus = 1 }, .passes = PMS_PASSES_MULTIRUN }, "--multirun" },
		{ { .target = { .all_cpus = 1 }, .repeat = 2 }, "-r runs" },
		{ { .target = { .command = true_argv }, .repeat = 2, .interval_ms = 9 }, "-I has" },
		{ { .target = { .command = true_argv }, .delay_ms = -1 }, "--control" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_error err = { 0 };
		assert_int_equal(pms_perf_target_check(&cases[i].options, &err), -PMS_EINVAL);
		if (!strstr(err.text, cases[i].text) || !err.hint[0])
			fail_msg("case %zu: %s", i, err.text);
	}
}

static void words_become_events(void **state)
{
	(void)state;
	static const struct {
		const char *word, *name;
	} cases[] = { { "inst_retired", "INST_RETIRED" },
		      { "instructions", "INST_RETIRED" },
		      { "r11", "CPU_CYCLES" },
		      { "cycles:uk", "CPU_CYCLES:uk" },
		      { "0x3", "L1D_CACHE_REFILL" },
		      { "faults", "page-faults" },
		      { "cs:u", "context-switches:u" },
		      { "rfffe", "rfffe" },
		      { "rfffe:k", "rfffe:k" } };
	static const struct {
		const char *word;
		int status;
	} wrong[] = { { "INST_RETIRD", PMS_ENAME },
		      { "r", PMS_ENAME },
		      { "rxyz", PMS_ENAME },
		      { "cycles:x", PMS_EINVAL },
		      { "cycles:", PMS_EINVAL } };
	struct pms_catalog *catalog = NULL;
	assert_int_equal(pms_catalog_load(NULL, "neoverse-v1", &catalog, NULL), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t event = pms_live_event(catalog, cases[i].word, NULL);
		assert_true(event >= 0);
		assert_string_equal(pms_catalog_event(catalog, (size_t)event)->name, cases[i].name);
		assert_int_equal(pms_live_event(catalog, cases[i].word, NULL), event);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(pms_live_event(catalog, wrong[i].word, NULL), -wrong[i].status);
	pms_catalog_free(catalog);
}

/* How long after its start a measurement gives its first interval, and when that one ended. */
struct first {
	uint64_t started_ns, given_ns;
	double ended;
	unsigned n;
};

static int take_first(void *context, struct pms_counts **counts, struct pms_error *err)
{
	struct first *first = context;
	(void)err;
	if (!first->n++) {
		first->given_ns = pms_perf_now() - first->started_ns;
		first->ended = counts[0]->time;
	}
	pms_counts_free(counts[0]);
	return 0;
}

static void intervals_wait_for_each_other_as_long_as_they_may(void **state)
{
	static char sleep_word[] = "sleep", how_long[] = "0.5";
	static char *const argv[] = { sleep_word, how_long, NULL };
	static const char *const words[] = { "page-faults", NULL };
	struct machine m;
	(void)state;
	if (!can_count())
		skip();
	for (unsigned gather = 0; gather <= 10000; gather += 10000) {
		struct pms_live_options options = { .target = { .command = argv },
						    .interval_ms = 10,
						    .gather_ms = gather };
		struct pms_counts *counts = NULL;
		struct first first = { 0 };
		machine_init(&m, words);
		assert_int_equal(machine_open(&m, options), 0);
		first.started_ns = pms_perf_now();
		assert_int_equal(pms_live_run(m.live, take_first, &first, &counts, &m.err), 0);
		/* Those that may wait longer than there are any come at the end, all of them. */
		assert_true(gather ? first.given_ns >= 500000000 : first.given_ns < 500000000);
		assert_true(first.ended < 0.4 && first.n > 2);
		pms_counts_free(counts);
		machine_release(&m);
	}
}

static bool has_warning(const struct pms_counts *counts, const char *words)
{
	for (size_t i = 0; i < counts->n_warnings; i++)
		if (strstr(counts->warnings[i], words))
			return true;
	return false;
}

/* Takes four times as long as an interval lasts. */
static int take_slowly(void *context, struct pms_counts **counts, struct pms_error *err)
{
	struct timespec spent;
	uint64_t *sum = context;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
	int64_t end = spent.tv_sec * 1000000000 + spent.tv_nsec + 20000000;
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
	while (spent.tv_sec * 1000000000 + spent.tv_nsec < end);
	(void)err;
	sum[0]++;
	sum[1] += counts[0]
			  ->total.counts[pms_catalog_find_event(counts[0]->catalog, "page-faults")]
			  .value;
	pms_counts_free(counts[0]);
	return 0;
}

static char shell_word[] = "sh", option_word[] = "-c";

/* Nothing is lost by it: the interval that follows has what was counted. */
static void intervals_that_take_too_long_to_make_are_skipped(void **state)
{
	static char script[] = "i=0; while [ $i -lt 100 ]; do i=$((i+1)); done; exec sleep 20";
	static char *const argv[] = { shell_word, option_word, script, NULL };
	static const char *const words[] = { "page-faults", NULL };
	struct pms_live_options options = { .target = { .command = argv },
					    .interval_ms = 5,
					    .timeout_ms = 400 };
	struct machine m;
	uint64_t sum[2] = { 0 };
	(void)state;
	if (!can_count())
		skip();
	machine_init(&m, words);
	assert_int_equal(machine_open(&m, options), 0);
	uint64_t start = pms_perf_now();
	assert_int_equal(pms_live_run(m.live, take_slowly, sum, &m.counts, &m.err), 0);
	assert_true(pms_perf_now() - start < 5000000000);
	assert_true(sum[0] > 2 && sum[0] < 60);
	assert_true(sum[1] > 10 && sum[1] == m.counts->total.counts[m.events[0]].value);
	assert_true(has_warning(m.counts, "skipped"));
	machine_release(&m);
}

static void a_command_that_does_not_end_is_killed(void **state)
{
	static char deaf[] = "trap '' TERM; exec sleep 20", stopped[] = "kill -STOP $$; sleep 20";
	static const struct {
		char *script;
		int signal;
	} cases[] = { { deaf, SIGKILL }, { stopped, SIGTERM } };
	static const char *const words[] = { "page-faults", NULL };
	(void)state;
	if (!can_count())
		skip();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *argv[] = { shell_word, option_word, cases[i].script, NULL };
		struct pms_live_options options = { .target = { .command = argv },
						    .timeout_ms = 200,
						    .kill_ms =
							    cases[i].signal == SIGKILL ? 100 : 0 };
		struct machine m;
		machine_init(&m, words);
		assert_int_equal(machine_open(&m, options), 0);
		uint64_t start = pms_perf_now();
		assert_int_equal(pms_live_run(m.live, NULL, NULL, &m.counts, &m.err), 0);
		assert_true(pms_perf_now() - start < 5000000000);
		assert_int_equal(m.counts->provenance.signal, cases[i].signal);
		machine_release(&m);
	}
}

/* A process of two threads, the second of which starts one more when it is told to. */
static int start_pipe[2], started_pipe[2];

static void *say_so(void *unused)
{
	if (write(started_pipe[1], "", 1) == 1)
		pause();
	return unused;
}

static void *start_when_told(void *unused)
{
	pthread_t thread;
	char byte;
	while (read(start_pipe[0], &byte, 1) == 1)
		pthread_create(&thread, NULL, say_so, NULL);
	return unused;
}

static pid_t start_crowd(struct kernel *kernel)
{
	pthread_t thread;
	char byte;
	assert_false(pipe(start_pipe) || pipe(started_pipe));
	pid_t pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pthread_create(&thread, NULL, start_when_told, NULL);
		say_so(NULL);
	}
	assert_int_equal(read(started_pipe[0], &byte, 1), 1);
	kernel->crowd = pid;
	kernel->start = start_pipe[1];
	kernel->started = started_pipe[0];
	return pid;
}

/* One that is started by a thread that is not attached to yet is not counted by the kernel. */
static void threads_that_start_meanwhile_are_attached_to_or_told(void **state)
{
	static const struct {
		unsigned newcomers;
		size_t scopes; /* 0: it cannot get them all */
	} cases[] = { { 0, 2 }, { 1, 3 }, { 3, 5 }, { 1000000, 0 } };
	static const char *const words[] = { "page-faults", NULL };
	(void)state;
	if (!can_count())
		skip();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct machine m;
		machine_init(&m, words);
		int pid = start_crowd(&m.kernel);
		m.kernel.newcomers = cases[i].newcomers;
		struct pms_live_options options = { .target = { .pids = &pid, .n_pids = 1 },
						    .by = PMS_BY_THREAD,
						    .timeout_ms = 20 };
		assert_int_equal(machine_open(&m, options), 0);
		uint64_t start = pms_perf_now();
		assert_int_equal(pms_live_run(m.live, NULL, NULL, &m.counts, &m.err), 0);
		assert_true(pms_perf_now() - start < 3000000000);
		if (cases[i].scopes)
			assert_int_equal(m.counts->n_scopes, cases[i].scopes);
		assert_int_equal(has_warning(m.counts, "may not be counted"), !cases[i].scopes);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		for (size_t k = 0; k < 2; k++) {
			close(start_pipe[k]);
			close(started_pipe[k]);
		}
		machine_release(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_refusal_is_a_sentence_that_helps),
		cmocka_unit_test(an_event_that_is_lacking_is_left_out),
		cmocka_unit_test_setup_teardown(an_event_that_is_not_listed_is_not_opened, begin,
						end),
		cmocka_unit_test_setup_teardown(
			an_event_for_which_a_group_has_no_room_is_not_lacking, begin, end),
		cmocka_unit_test_setup_teardown(what_cannot_be_measured_is_not_planned, begin, end),
		cmocka_unit_test(an_event_is_believed_when_it_counts),
		cmocka_unit_test(without_a_counter_the_list_is_believed),
		cmocka_unit_test_setup_teardown(without_the_right_user_mode_alone_is_counted, begin,
						end),
		cmocka_unit_test(user_mode_alone_is_said_with_the_counts),
		cmocka_unit_test(clocks_are_of_all_modes),
		cmocka_unit_test(any_cpu_that_is_online_tells_the_core),
		cmocka_unit_test(the_limit_of_descriptors_is_raised),
		cmocka_unit_test_setup_teardown(slots_are_checked, begin, end),
		cmocka_unit_test_setup_teardown(another_core_than_the_catalogs_is_said, begin, end),
		cmocka_unit_test(a_code_that_no_counter_takes_is_left_out),
		cmocka_unit_test(others_are_named_only_where_they_have_the_counters),
		cmocka_unit_test(counters_that_tell_no_modes_apart_count_all),
		cmocka_unit_test(no_pmu_is_an_error_of_the_host),
		cmocka_unit_test(passes_share_a_run_or_have_one_each),
		cmocka_unit_test_setup_teardown(cores_of_two_kinds_have_a_part_each, begin, end),
		cmocka_unit_test(what_makes_no_sense_is_refused),
		cmocka_unit_test(words_become_events),
		cmocka_unit_test(intervals_wait_for_each_other_as_long_as_they_may),
		cmocka_unit_test(intervals_that_take_too_long_to_make_are_skipped),
		cmocka_unit_test(a_command_that_does_not_end_is_killed),
		cmocka_unit_test(threads_that_start_meanwhile_are_attached_to_or_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
