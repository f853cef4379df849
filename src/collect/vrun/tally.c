/* SPDX-License-Identifier: MIT */
#include "collect/vrun/tally.h"

#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/status.h"
#include "vcore/isa/isa.h"

int pms_tally_exit_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Returns whether a fault raises this signal. */
static bool is_fault(int number)
{
	return number == SIGSEGV || number == SIGABRT || number == SIGBUS || number == SIGFPE ||
	       number == SIGILL || number == SIGTRAP;
}

int pms_tally_count(struct pms_counts *counts, const struct pms_rule *rule,
		    const uint64_t *counters, struct pms_count *out)
{
	*out = (struct pms_count){ .state = rule->state, .cls = rule->cls };
	if (rule->state != PMS_COUNTED) {
		out->because = pms_counts_keep(counts, rule->because);
		return out->because ? 0 : -PMS_ENOMEM;
	}
	uint64_t plus = 0, minus = 0;
	for (unsigned i = 0; i < rule->n_terms; i++)
		*(rule->terms[i].sign > 0 ? &plus : &minus) += counters[rule->terms[i].counter];
	out->value = plus - minus;
	if (plus >= minus)
		return 0;
	/* A negative sum: the program was killed between two counters. */
	*out = (struct pms_count){ .state = PMS_NOT_COUNTED, .cls = rule->cls };
	out->because = pms_counts_keep(counts, "its counters were caught half-way");
	return out->because ? 0 : -PMS_ENOMEM;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static int thread_add(struct pms_counts *counts, const struct pms_core_file *core,
		      const struct pms_share_thread *thread, unsigned ordinal, const char *program)
{
	struct pms_scope *scope = pms_counts_add_scope(counts, PMS_SCOPE_THREAD, ordinal);
	int rc = scope ? 0 : -PMS_ENOMEM;
	if (rc)
		return rc;
	bool named = thread->name[0] != 0;
	snprintf(scope->name, sizeof(scope->name), "%.*s", named ? (int)sizeof(thread->name) : 31,
		 named		? thread->name
		 : ordinal == 1 ? base_name(program)
				: "");
	for (size_t i = 0; i < core->n_rules && !rc; i++)
		rc = pms_tally_count(counts, &core->rules[i], thread->counters, &scope->counts[i]);
	return rc;
}

uint32_t pms_tally_threads(const struct pms_share *share)
{
	uint32_t n = atomic_load(&share->n_threads);
	return n < PMS_SHARE_THREADS ? n : PMS_SHARE_THREADS;
}

static uint32_t thread_state(const struct pms_share *share, uint32_t i)
{
	return atomic_load(&share->threads[i].state);
}

static unsigned threads_cut(const struct pms_share *share)
{
	unsigned cut = 0;
	for (uint32_t i = 0; i < pms_tally_threads(share); i++)
		cut += thread_state(share, i) == PMS_THREAD_RUNNING ||
		       thread_state(share, i) == PMS_THREAD_IN_MODEL;
	return cut;
}

static const struct {
	uint32_t bit;
	const char *text;
} event_texts[] = {
	{ PMS_SHARE_FORKED, "the program made child processes: they are not counted" },
	{ PMS_SHARE_EXECED,
	  "the program replaced itself by another with execve: only what ran before is counted" },
	{ PMS_SHARE_THREADS_OUT, "the program started more threads than can be told apart: the "
				 "later ones are not counted" },
	{ PMS_SHARE_BLIND, "this host forbids process_vm_readv: wrong paths were not walked, and "
			   "what they do to caches "
			   "and speculative events is missing" },
	{ PMS_SHARE_NOMEM,
	  "memory ran out for the model: some threads or code of the program are not counted" },
};

/* Returns whether the model crashed: a guest's own fault ends the process outside of the model.
 * While another thread was in the model, the culprit is unknown. */
bool pms_tally_model_crashed(const struct pms_share *share, int status)
{
	bool inside = false;
	for (uint32_t i = 0; i < pms_tally_threads(share); i++) {
		if (thread_state(share, i) == PMS_THREAD_RUNNING)
			return false;
		inside = inside || thread_state(share, i) == PMS_THREAD_IN_MODEL;
	}
	return inside && WIFSIGNALED(status) && is_fault(WTERMSIG(status));
}

static int event_warnings(struct pms_counts *counts, const struct pms_share *share)
{
	uint32_t events = atomic_load(&share->events);
	int rc = 0;
	for (size_t i = 0; i < sizeof(event_texts) / sizeof(event_texts[0]) && !rc; i++)
		if (events & event_texts[i].bit)
			rc = pms_counts_warn(counts, "%s", event_texts[i].text);
	return rc;
}

/* Warn of a missing library: the guest's loader ends with 127 then, after its own message. */
static int library_warning(struct pms_counts *counts, const struct pms_tally_run *run)
{
	if (!run->dynamic || !WIFEXITED(run->status) || WEXITSTATUS(run->status) != 127)
		return 0;
	return pms_counts_warn(counts,
			       "exit status 127 of a dynamically linked program can mean a missing "
			       "library: -L DIRECTORY names where %s libraries are (now %s)",
			       pms_isa.name, run->sysroot ? run->sysroot : "not given");
}

/* Warn that a signal cut the program or its threads short, so that counts may be missing. */
static int signal_warnings(struct pms_counts *counts, const struct pms_share *share,
			   const struct pms_tally_run *run)
{
	int number = WIFSIGNALED(run->status) ? WTERMSIG(run->status) : 0;
	unsigned cut = threads_cut(share);
	int rc = 0;
	if (number)
		rc = pms_counts_warn(
			counts,
			"the program was killed by signal %d (SIG%s): what ran until then "
			"is counted",
			number, sigabbrev_np(number) ? sigabbrev_np(number) : "?");
	if (!rc && cut)
		rc = pms_counts_warn(
			counts,
			"%u thread%s stopped in mid-run: the last instructions of each may be "
			"missing",
			cut, cut == 1 ? "" : "s");
	if (!rc && number == SIGILL)
		rc = pms_counts_warn(
			counts,
			"the guest CPU %s may lack an instruction that the program uses: "
			"--qemu-cpu max has them all, but memory accesses by SVE are not "
			"seen",
			run->qemu_cpu);
	return rc;
}

static int setting_warnings(struct pms_counts *counts, char *const *settings)
{
	int rc = 0;
	for (; !rc && settings && *settings; settings++)
		rc = pms_counts_warn(counts, "the core is another than is described: %s",
				     *settings);
	return rc;
}

int pms_tally(struct pms_counts *counts, const struct pms_core_file *core,
	      const struct pms_share *share, const struct pms_tally_run *run, struct pms_error *err)
{
	int rc = 0;
	for (uint32_t i = 0; i < pms_tally_threads(share) && !rc; i++)
		if (thread_state(share, i) != PMS_THREAD_UNUSED)
			rc = thread_add(counts, core, &share->threads[i], i + 1, run->program);
	pms_counts_sum(counts);
	if (!rc && share->extent.detail)
		rc = pms_tally_sample(counts, core, share);
	if (!rc)
		rc = pms_tally_extent(counts, share, run);
	if (!rc)
		rc = setting_warnings(counts, run->core_set);
	if (!rc)
		rc = signal_warnings(counts, share, run);
	if (!rc)
		rc = library_warning(counts, run);
	if (!rc)
		rc = event_warnings(counts, share);
	if (!rc)
		rc = pms_tally_sight(counts, share);
	return rc ? pms_no_memory(err) : 0;
}
