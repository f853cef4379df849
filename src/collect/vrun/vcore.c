/* SPDX-License-Identifier: MIT */
/* collect/vrun/vcore.c - launcher of the modelled core: checks, shared mapping, QEMU, counts. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "collect/core/model.h"
#include "collect/vrun/guest_env.h"
#include "collect/vrun/places.h"
#include "collect/vrun/run.h"
#include "collect/vrun/tally.h"
#include "machine/elf.h"
#include "machine/qemu.h"
#include "pmuscope/collect.h"
#include "symbol/function.h"
#include "vcore/isa/isa.h"
#include "vcore/share/ledger.h"
#include "vcore/share/share.h"

/* The arguments while they are put together; `words` owns the ones made here. */
struct words {
	char **words;
	size_t count, made; /* the first `made` are owned */
};

/* One run: its resources, which must be released after it. */
struct launch {
	const struct pms_catalog *catalog;
	const struct pms_vcore_options *options;
	char *const *argv;
	const char *qemu_cpu;
	char program[PMS_PATH_MAX];
	char qemu[PMS_PATH_MAX];
	char plugin[PMS_PATH_MAX];
	struct pms_core_file core;
	struct pms_function region; /* without parts: none */
	char **env;
	int share_fd; /* -1: none */
	struct pms_share *share;
	void *ledger; /* NULL: none */
	uint32_t ledger_chunks;
	bool dynamic; /* the program has an interpreter */
	struct words words;
	struct pms_child child;
	int status; /* of waitpid(2) */
};

/* the program */

static int refuse(const struct launch *l, const char *text, struct pms_error *err)
{
	return pms_fail_at(err, PMS_EEXEC, l->program, 0, 0, "%s", text);
}

static int machine_check(const struct launch *l, const struct pms_elf *elf, struct pms_error *err)
{
	const char *name = pms_elf_machine_name(elf->machine);
	if (elf->machine == pms_isa.elf_machine && elf->bits == 64 && !elf->big_endian)
		return 0;
	if (elf->machine == pms_isa.elf_machine)
		pms_fail_at(err, PMS_EEXEC, l->program, 0, 0,
			    "is a big-endian or 32-bit %s program; pmuscope models 64-bit "
			    "little-endian ones",
			    pms_isa.name);
	else
		pms_fail_at(err, PMS_EEXEC, l->program, 0, 0,
			    "is a program for %s; pmuscope models %s programs",
			    name ? name : "another machine", pms_isa.name);
	pms_hint(err, "build it for %s, for example with %s", pms_isa.name, pms_isa.compiler);
	return -PMS_EEXEC;
}

static bool readable_under(const char *root, const char *path)
{
	char full[PMS_PATH_MAX];
	int n = snprintf(full, sizeof(full), "%s/%s", root, path);
	return n > 0 && (size_t)n < sizeof(full) && !access(full, R_OK);
}

static int interp_check(const struct launch *l, const struct pms_elf *elf, struct pms_error *err)
{
	const char *root = l->options->sysroot;
	if (!elf->interp[0] || readable_under(root ? root : pms_isa.default_root, elf->interp) ||
	    readable_under("", elf->interp))
		return 0;
	pms_fail_at(err, PMS_EEXEC, l->program, 0, 0,
		    "needs the interpreter %.200s, not found%s%.150s", elf->interp,
		    root ? " under " : "", root ? root : "");
	if (readable_under(pms_isa.cross_root, elf->interp))
		pms_hint(err, "name the directory that holds %s libraries: -L %s", pms_isa.name,
			 pms_isa.cross_root);
	else
		pms_hint(err, "apt-get install %s, then use -L %s; or link the program statically",
			 pms_isa.libraries_package, pms_isa.cross_root);
	return -PMS_EEXEC;
}

/* Refuse a missing sysroot, which QEMU would silently ignore. */
static int sysroot_check(const struct launch *l, struct pms_error *err)
{
	struct stat st;
	const char *root = l->options->sysroot;
	if (!root || (!stat(root, &st) && S_ISDIR(st.st_mode)))
		return 0;
	return pms_fail_at(err, PMS_EINVAL, root, 0, 0, "is no directory to find libraries in");
}

/* Refuse a program that QEMU could not run: its own messages would confuse the user. */
static int program_check(struct launch *l, struct pms_error *err)
{
	struct pms_elf elf;
	struct pms_error why = { 0 };
	int rc = pms_path_find(l->argv[0], getenv("PATH"), l->program, err);
	if (rc)
		return rc;
	rc = pms_elf_read(l->program, &elf, &why);
	if (rc)
		return pms_fail_at(err, PMS_EEXEC, l->program, 0, 0, "%s", why.text);
	if (elf.kind == PMS_FILE_SCRIPT) {
		pms_fail_at(err, PMS_EEXEC, l->program, 0, 0, "is a script, not an %s program",
			    pms_isa.name);
		pms_hint(err, "name the %s binary of its interpreter (%s) and pass it the script",
			 pms_isa.name, elf.interp);
		return -PMS_EEXEC;
	}
	if (elf.kind != PMS_FILE_ELF)
		return refuse(l, "is not an ELF program", err);
	if (elf.type != ET_EXEC && elf.type != ET_DYN && elf.machine == pms_isa.elf_machine)
		return refuse(l, "is an ELF file, but not a program", err);
	l->dynamic = elf.interp[0] != 0;
	rc = machine_check(l, &elf, err);
	return rc ? rc : interp_check(l, &elf, err);
}

/* which part of it */

/* Refuse windows that are too small, and numbers that make no sense together. */
static int sample_check(const struct pms_vcore_options *o, struct pms_error *err)
{
	const uint64_t parts[] = { o->forward, o->warm, o->detail, o->skip };
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i] > PMS_SAMPLE_MOST)
			return pms_fail(err, PMS_EINVAL,
					"%" PRIu64 " instructions are more than any program has",
					parts[i]);
	if (!o->detail)
		return o->warm || o->skip ? pms_fail(err, PMS_EINVAL,
						     "windows of 0 instructions count nothing")
					  : 0;
	if (o->region)
		return pms_fail(err, PMS_EINVAL,
				"a region is counted whole: it cannot be sampled as well");
	if (o->detail >= PMS_SAMPLE_LEAST)
		return 0;
	return pms_fail(err, PMS_EINVAL,
			"windows of %" PRIu64 " instructions are too small: what is in flight at "
			"their ends would count too much; take %d or more",
			o->detail, PMS_SAMPLE_LEAST);
}

static int extent_check(struct launch *l, struct pms_error *err)
{
	int rc = sample_check(l->options, err);
	if (rc || !l->options->region)
		return rc;
	return pms_function_find(l->program, l->options->region, &l->region, err);
}

/* the shared mapping */

static void regions_put(struct pms_share_extent *extent, const struct pms_function *function)
{
	extent->n_regions = (uint32_t)function->n_parts;
	for (size_t i = 0; i < function->n_parts; i++)
		extent->regions[i] = (struct pms_share_region){ function->parts[i].address,
								function->parts[i].size };
}

/* Make room for the ledger behind the rest. It takes memory as it is written, so there is far more
 * room than any program needs; less where the host allows no more. */
static int ledger_make(struct launch *l, struct pms_error *err)
{
	enum { MOST_LOG2 = 36, LEAST_LOG2 = 22 };
	void *at = MAP_FAILED;
	unsigned log2 = MOST_LOG2;
	struct rlimit files = { RLIM_INFINITY, RLIM_INFINITY };
	getrlimit(RLIMIT_FSIZE, &files);
	errno = EFBIG;
	for (; log2 >= LEAST_LOG2; log2--) {
		/* Beyond the limit, SIGXFSZ would end this process. */
		if (PMS_SHARE_LEDGER + ((rlim_t)1 << log2) > files.rlim_cur ||
		    ftruncate(l->share_fd, (off_t)PMS_SHARE_LEDGER + ((off_t)1 << log2)))
			continue;
		at = mmap(NULL, (size_t)1 << log2, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_NORESERVE, l->share_fd, PMS_SHARE_LEDGER);
		if (at != MAP_FAILED)
			break;
	}
	if (at == MAP_FAILED)
		return pms_fail(err, PMS_EIO, "cannot map the memory shared with QEMU: %s",
				strerror(errno));
	l->ledger = at;
	l->ledger_chunks = l->share->ledger = (uint32_t)((UINT64_C(1) << log2) / PMS_LEDGER_CHUNK);
	pms_ledger_init(at, l->ledger_chunks, PMS_SHARE_THREADS);
	return 0;
}

/* Make the memory that carries parameters to the plugin and counts back. */
static int share_make(struct launch *l, struct pms_error *err)
{
	l->share_fd = memfd_create("pmuscope", MFD_CLOEXEC);
	if (l->share_fd < 0 || ftruncate(l->share_fd, sizeof(*l->share)))
		return pms_fail(err, PMS_EIO, "no memory to share with QEMU: %s", strerror(errno));
	void *at =
		mmap(NULL, sizeof(*l->share), PROT_READ | PROT_WRITE, MAP_SHARED, l->share_fd, 0);
	if (at == MAP_FAILED)
		return pms_fail(err, PMS_EIO, "cannot map the memory shared with QEMU: %s",
				strerror(errno));
	l->share = at;
	l->share->magic = PMS_SHARE_MAGIC;
	l->share->size = sizeof(*l->share);
	l->share->wrong_path = !l->options->no_wrong_path;
	l->share->params = l->core.params;
	l->share->extent = (struct pms_share_extent){ .forward = l->options->forward,
						      .warm = l->options->warm,
						      .detail = l->options->detail,
						      .skip = l->options->skip,
						      .file_code = l->region.file_code };
	regions_put(&l->share->extent, &l->region);
	return l->options->places ? ledger_make(l, err) : 0;
}

/* QEMU's command line */

static int words_add(struct words *w, char *text)
{
	if (!text)
		return -PMS_ENOMEM;
	w->words[w->count++] = text;
	return 0;
}

__attribute__((format(printf, 2, 3))) static int words_printf(struct words *w, const char *format,
							      ...)
{
	char *text = NULL;
	va_list args;
	va_start(args, format);
	int n = vasprintf(&text, format, args);
	va_end(args);
	int rc = words_add(w, n < 0 ? NULL : text);
	w->made = w->count;
	return rc;
}

static void words_release(struct words *w)
{
	for (size_t i = 0; w->words && i < w->made; i++)
		free(w->words[i]);
	free(w->words);
}

/* Double the commas of a text, because QEMU splits the plugin's option at single ones. */
static void commas_double(const char *from, char *to, size_t size)
{
	size_t n = 0;
	for (; *from && n + 2 < size; from++) {
		to[n++] = *from;
		if (*from == ',')
			to[n++] = ',';
	}
	to[n] = 0;
}

/* Returns whether QEMU would obey a variable itself. Such a variable is set only for the guest. */
static bool env_is_hosts(const char *text)
{
	return !strncmp(text, "LD_", 3) || !strncmp(text, "QEMU_", 5) ||
	       !strncmp(text, "GLIBC_", 6) || !strncmp(text, "MALLOC_", 7);
}

static int words_env(struct words *w, const struct launch *l, struct pms_error *err)
{
	int rc = 0;
	size_t kept = 0;
	for (size_t i = 0; l->env[i]; i++) {
		char *text = l->env[i];
		if (!env_is_hosts(text) || rc) {
			l->env[kept++] = text;
			continue;
		}
		if (strchr(text, ','))
			rc = pms_fail(err, PMS_EINVAL, "%s: QEMU cannot take a comma here", text);
		else
			rc = words_printf(w, "-E") || words_printf(w, "%s", text) ? -PMS_ENOMEM : 0;
		free(text);
	}
	l->env[kept] = NULL;
	return rc;
}

static size_t length_of(char *const *list)
{
	size_t n = 0;
	while (list[n])
		n++;
	return n;
}

/* Put QEMU's command line together, with the variables that only the guest may see. */
static int words_make(const struct launch *l, struct words *w, struct pms_error *err)
{
	enum { OPTIONS = 16 };
	char plugin[2 * PMS_PATH_MAX];
	size_t n_argv = length_of(l->argv);
	*w = (struct words){ calloc(OPTIONS + 2 * length_of(l->env) + n_argv + 1, sizeof(char *)),
			     0, 0 };
	if (!w->words)
		return -PMS_ENOMEM;
	commas_double(l->plugin, plugin, sizeof(plugin));
	int rc = words_printf(w, "%s", l->qemu);
	rc = rc || words_printf(w, "-cpu") || words_printf(w, "%s", l->qemu_cpu);
	rc = rc || words_printf(w, "-seed") || words_printf(w, "1");
	if (l->options->sysroot)
		rc = rc || words_printf(w, "-L") || words_printf(w, "%s", l->options->sysroot);
	rc = rc || words_printf(w, "-plugin") ||
	     words_printf(w, "file=%s,share=%d", plugin, l->share_fd);
	rc = rc || words_printf(w, "-0") || words_printf(w, "%s", l->argv[0]);
	rc = rc ? -PMS_ENOMEM : words_env(w, l, err);
	/* A program whose name starts with a dash must not look like an option. */
	if (!rc)
		rc = words_printf(w, "%s%s", l->program[0] == '-' ? "./" : "", l->program);
	for (size_t i = 1; i < n_argv && !rc; i++)
		rc = words_add(w, l->argv[i]);
	return rc;
}

/* Get ready to start QEMU. @streams: see struct pms_child */
static int child_make(struct launch *l, const int *streams, struct pms_error *err)
{
	int rc = words_make(l, &l->words, err);
	if (rc == -PMS_ENOMEM)
		pms_no_memory(err);
	l->child = (struct pms_child){ .path = l->qemu,
				       .argv = l->words.words,
				       .env = l->env,
				       .keep_fd = l->share_fd,
				       .streams = streams };
	return rc;
}

/* Say why no block was started. A signal sent to QEMU says nothing about it. */
static int start_check(const struct launch *l, struct pms_error *err)
{
	static const int sent[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGKILL };
	if (atomic_load(&l->share->events) & PMS_SHARE_STARTED)
		return 0;
	for (size_t i = 0; WIFSIGNALED(l->status) && i < sizeof(sent) / sizeof(sent[0]); i++)
		if (WTERMSIG(l->status) == sent[i])
			return 0;
	if (atomic_load(&l->share->events) & PMS_SHARE_NO_REGISTERS) {
		pms_fail_at(err, PMS_EHOST, l->qemu, 0, 0,
			    "does not let the plugin read the guest's registers, by which it tells "
			    "when a function is left");
		pms_hint(err, "--roi needs the qemu-user of Debian 12, version 7.2");
		return -PMS_EHOST;
	}
	if (l->share->pid) {
		pms_fail_at(err, PMS_EEXEC, l->program, 0, 0,
			    "QEMU could not start the program on its CPU %s (status %d)",
			    l->qemu_cpu, pms_tally_exit_status(l->status));
		pms_hint(err, "QEMU's own message, if it has one, is above");
		return -PMS_EEXEC;
	}
	pms_fail_at(err, PMS_EHOST, l->qemu, 0, 0,
		    "QEMU did not load the plugin %.300s (status %d)", l->plugin,
		    pms_tally_exit_status(l->status));
	pms_hint(err, "`pmuscope doctor` says what this needs");
	return -PMS_EHOST;
}

static int crash_check(const struct launch *l, struct pms_error *err)
{
	if (!pms_tally_model_crashed(l->share, l->status))
		return 0;
	pms_fail_at(err, PMS_EHOST, l->plugin, 0, 0,
		    "the core model crashed (signal %d), not %.200s", WTERMSIG(l->status),
		    l->argv[0]);
	pms_hint(err, "this is a fault of pmuscope: please report it with the program");
	return -PMS_EHOST;
}

static int command_keep(struct pms_provenance *provenance, char *const *argv)
{
	size_t n = length_of(argv);
	provenance->command = calloc(n + 1, sizeof(char *));
	for (size_t i = 0; provenance->command && i < n; i++)
		if (!(provenance->command[i] = strdup(argv[i])))
			return -PMS_ENOMEM;
	return provenance->command ? 0 : -PMS_ENOMEM;
}

static int extent_keep(struct pms_extent *extent, const struct launch *l)
{
	const struct pms_vcore_options *o = l->options;
	*extent = (struct pms_extent){
		.forward = o->forward, .warm = o->warm, .detail = o->detail, .skip = o->skip
	};
	if (o->region)
		extent->region = strdup(o->region);
	return o->region && !extent->region ? -PMS_ENOMEM : 0;
}

/* Make the counts, with names and warnings, from the shared memory after the run. */
static int counts_make(const struct launch *l, struct pms_counts **out, struct pms_error *err)
{
	struct pms_tally_run run = { l->argv[0],	  l->qemu_cpu, l->status,
				     l->options->sysroot, l->dynamic,  l->options->core_set,
				     l->region.n_inlined };
	struct pms_counts *counts = pms_counts_new(l->catalog);
	if (!counts)
		return pms_no_memory(err);
	struct pms_provenance *p = &counts->provenance;
	snprintf(p->source, sizeof(p->source), "vcore");
	p->modelled = 1;
	snprintf(p->core, sizeof(p->core), "%s", l->core.name);
	snprintf(p->model_version, sizeof(p->model_version), "%s", PMS_MODEL_VERSION);
	p->exit_status = pms_tally_exit_status(l->status);
	p->signal = WIFSIGNALED(l->status) ? WTERMSIG(l->status) : 0;
	p->counters_available = pms_catalog_cpu(l->catalog)->counters;
	int rc = command_keep(p, l->argv);
	if (!rc)
		rc = extent_keep(&p->extent, l);
	if (rc)
		pms_no_memory(err);
	else
		rc = pms_tally(counts, &l->core, l->share, &run, err);
	if (!rc && l->ledger)
		rc = pms_places_make(l->share, l->ledger, l->ledger_chunks, l->argv[0],
				     &counts->profile, err);
	if (rc)
		pms_counts_free(counts);
	else
		*out = counts;
	return rc;
}

static void launch_release(struct launch *l)
{
	if (l->ledger)
		munmap(l->ledger, (size_t)l->ledger_chunks * PMS_LEDGER_CHUNK);
	if (l->share)
		munmap(l->share, sizeof(*l->share));
	if (l->share_fd >= 0)
		close(l->share_fd);
	words_release(&l->words);
	pms_guest_env_free(l->env);
	pms_core_file_release(&l->core);
}

/* Check everything, and put together what a run needs. The launch must be released even then. */
static int launch_make(struct launch *l, const struct pms_catalog *catalog, char *const *argv,
		       const struct pms_vcore_options *options, const int *streams,
		       struct pms_error *err)
{
	*l = (struct launch){
		.catalog = catalog, .argv = argv, .share_fd = -1, .options = options
	};
	l->qemu_cpu = options->qemu_cpu ? options->qemu_cpu : pms_isa.qemu_cpu;
	if (!argv[0])
		return pms_fail(err, PMS_EINVAL, "there is no program to run");
	int rc = sysroot_check(l, err);
	if (!rc)
		rc = program_check(l, err);
	if (!rc)
		rc = extent_check(l, err);
	if (!rc)
		rc = pms_core_load(l->catalog, options->data, options->core_set, &l->core, err);
	if (!rc)
		rc = pms_qemu_find(options->qemu, l->qemu, err);
	if (!rc)
		rc = pms_plugin_find(options->plugin,
				     options->places ? PMS_PLUGIN_WHERE : PMS_PLUGIN, l->plugin,
				     err);
	if (!rc)
		rc = pms_guest_env(options->env, &l->env, err);
	if (!rc)
		rc = share_make(l, err);
	return rc ? rc : child_make(l, streams, err);
}

/* Make the counts of a run that has ended. */
static int launch_finish(struct launch *l, struct pms_counts **out, struct pms_error *err)
{
	l->status = l->child.status;
	int rc = start_check(l, err);
	if (!rc)
		rc = crash_check(l, err);
	return rc ? rc : counts_make(l, out, err);
}

static const struct pms_vcore_options defaults;

int pms_collect_vcore(const struct pms_catalog *catalog, char *const *argv,
		      const struct pms_vcore_options *options, struct pms_counts **out,
		      struct pms_error *err)
{
	struct launch l;
	int rc = launch_make(&l, catalog, argv, options ? options : &defaults, NULL, err);
	if (!rc)
		rc = pms_run(&l.child, err);
	if (!rc)
		rc = launch_finish(&l, out, err);
	launch_release(&l);
	return rc;
}

/* Many runs: each has options of its own, which the launch borrows. */
struct member {
	struct launch launch;
	struct pms_vcore_options options;
	size_t i;
	int streams[PMS_STREAMS];
};

struct runs {
	const struct pms_catalog *catalog;
	char *const *argv;
	const struct pms_vcore_options *options;
	char *const *const *core_sets;
	size_t n, next;
	int nothing; /* /dev/null */
	pms_vcore_put *put;
	void *context;
};

static void member_free(struct member *m)
{
	if (m->streams[0] >= 0)
		close(m->streams[0]);
	launch_release(&m->launch);
	free(m);
}

/* Returns a descriptor for what the program reads: from the start of a file, where standard input
 * is one, since each run has to read it anew; else nothing. */
static int input_open(void)
{
	struct stat st;
	bool file = !fstat(STDIN_FILENO, &st) && S_ISREG(st.st_mode);
	int fd = file ? open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC) : -1;
	return fd >= 0 ? fd : open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static int next_run(void *context, struct pms_child **child, struct pms_error *err)
{
	struct runs *r = context;
	if (r->next == r->n)
		return 0;
	struct member *m = calloc(1, sizeof(*m));
	if (!m)
		return pms_no_memory(err);
	m->i = r->next++;
	m->options = *r->options;
	m->options.core_set = r->core_sets[m->i];
	m->options.places = 0; /* only the counts are wanted */
	m->streams[0] = input_open();
	m->streams[1] = m->streams[2] = r->nothing;
	int rc = m->streams[0] < 0 ? pms_fail(err, PMS_EHOST, "/dev/null: %s", strerror(errno)) : 0;
	m->launch.share_fd = -1;
	if (!rc)
		rc = launch_make(&m->launch, r->catalog, r->argv, &m->options, m->streams, err);
	if (rc)
		member_free(m);
	else
		*child = &m->launch.child;
	return rc;
}

static struct member *member_of(struct pms_child *child)
{
	return (struct member *)(void *)((char *)child - offsetof(struct member, launch.child));
}

static void run_dropped(void *context, struct pms_child *child)
{
	(void)context;
	member_free(member_of(child));
}

static int run_ended(void *context, struct pms_child *child, struct pms_error *err)
{
	struct runs *r = context;
	struct member *m = member_of(child);
	struct pms_counts *counts = NULL;
	int rc = launch_finish(&m->launch, &counts, err);
	if (!rc)
		rc = r->put(r->context, m->i, counts, err);
	pms_counts_free(counts);
	member_free(m);
	return rc;
}

int pms_collect_vcore_each(const struct pms_catalog *catalog, char *const *argv,
			   const struct pms_vcore_options *options, char *const *const *core_sets,
			   size_t n, size_t at_once, pms_vcore_put *put, void *context,
			   struct pms_error *err)
{
	struct runs r = { catalog, argv,   options ? options : &defaults, core_sets, n, 0, -1,
			  put,	   context };
	const struct pms_crew crew = { .most = at_once < PMS_CREW_MOST ? (unsigned)at_once
								       : PMS_CREW_MOST,
				       .next = next_run,
				       .ended = run_ended,
				       .dropped = run_dropped,
				       .context = &r };
	r.nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (r.nothing < 0)
		return pms_fail(err, PMS_EHOST, "/dev/null: %s", strerror(errno));
	int rc = pms_run_crew(&crew, err);
	close(r.nothing);
	return rc;
}
