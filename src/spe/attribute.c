/* SPDX-License-Identifier: MIT */
/* Find whose thread a record is of. The best source wins:
 *   the buffer, if it belongs to one thread;
 *   the record's context packet, which Linux fills with the thread's number under
 *   CONFIG_PID_IN_CONTEXTIDR (EL2's where the kernel runs there, else EL1's);
 *   switches on the buffer's CPU, and the thread there at the start of tracing, if switches are
 *   recorded after it;
 *   for a process recording, the AUX record, which ends where a thread leaves the CPU, else the
 *   thread there at the start of tracing. */
#include "spe/samples.h"

/* One answer, and the context and time it is true for. */
struct answer {
	int known; /* 1: the answer is valid */
	int has_context;
	uint32_t context;
	struct pms_window window;
	uint8_t knows;
	int32_t pid, tid;
	uint32_t thread, space;
};

static int has_context(const struct pms_spe_batch *r, size_t i, uint32_t *context)
{
	*context = r->has[i] & PMS_SPE_HAS_CONTEXT_EL2 ? r->context_el2[i] : r->context_el1[i];
	return (r->has[i] & (PMS_SPE_HAS_CONTEXT_EL2 | PMS_SPE_HAS_CONTEXT_EL1)) != 0;
}

/* Returns the thread by everything but the context, or -1. */
static int32_t thread_of_buffer(const struct pms_spe_samples *s, uint64_t time, int32_t *pid,
				struct pms_window *window)
{
	const struct pms_spe_buffer *b = &s->decoded->buffer;
	const struct pms_perfdata_id *aux = &b->piece->aux_id;
	int of_process = b->tid >= 0;
	if (b->cpu < 0)
		return b->tid;
	const struct pms_history_on *on =
		pms_history_on_cpu(&s->history, (uint32_t)b->cpu, time, window);
	if (on && on->is_start && !s->history.has_switches &&
	    (!of_process || aux->have & PMS_PERFDATA_TID))
		on = NULL;
	if (on && on->tid >= 0) {
		*pid = on->pid;
		return on->tid;
	}
	if (!of_process || !(aux->have & PMS_PERFDATA_TID))
		return -1;
	*pid = aux->pid;
	return aux->tid;
}

/* Find the thread that @a's context means at @time, else the buffer's thread. */
static int answer_find(struct pms_spe_samples *s, struct answer *a, uint64_t time)
{
	struct pms_spe_history *h = &s->history;
	int32_t pid = -1, tid = -1;
	a->window = (struct pms_window){ 0, UINT64_MAX };
	a->thread = a->space = PMS_NONE;
	a->knows = 0;
	if (s->decoded->buffer.cpu >= 0 && a->has_context && a->context <= INT32_MAX)
		tid = (int32_t)a->context;
	/* An unknown number may be a guest's, or the host's number of a thread in a container. */
	if (tid < 0 || !pms_history_knows(h, tid)) {
		int32_t other = thread_of_buffer(s, time, &pid, &a->window);
		tid = other >= 0 ? other : tid;
	}
	a->tid = tid < 0 ? 0 : tid;
	a->pid = 0;
	if (tid < 0)
		return 0;
	a->knows = PMS_SPE_KNOWS_TID;
	int status = pms_history_thread(h, tid, pid, time, &a->thread, &a->window);
	if (a->thread != PMS_NONE)
		pid = h->threads[a->thread].thread.pid;
	if (pid >= 0) {
		a->knows |= PMS_SPE_KNOWS_PID;
		a->pid = pid;
		a->space = pms_history_space(h, pid, time, &a->window);
	}
	return status;
}

/* Returns the time of a record without one: when the kernel took over its bytes, else the end. */
static uint64_t time_of_buffer(const struct pms_spe_buffer *b)
{
	return b->piece->aux_id.have & PMS_PERFDATA_TIME ? b->piece->aux_id.time : PMS_LAST;
}

static void put(struct pms_spe_samples_batch *b, size_t i, const struct answer *a)
{
	b->knows[i] |= a->knows;
	b->pid[i] = a->pid;
	b->tid[i] = a->tid;
	b->thread[i] = a->thread;
	b->space[i] = a->space;
}

/* Convert the time of each record that has one to perf's clock. */
static void put_times(struct pms_spe_samples *s)
{
	const struct pms_perfdata_time_conv *conv = &s->decoded->time_conv;
	const struct pms_spe_batch *r = &s->decoded->records;
	struct pms_spe_samples_batch *b = &s->batch;
	for (size_t i = 0; i < r->count; i++) {
		b->knows[i] = 0;
		b->ns[i] = 0;
		if (r->has[i] & PMS_SPE_HAS_TIME && !pms_perfdata_time(conv, r->time[i], &b->ns[i]))
			b->knows[i] = PMS_SPE_KNOWS_NS;
		else
			s->without_time++;
	}
}

static void put_nothing(struct pms_spe_samples *s)
{
	static const struct answer nothing = { .thread = PMS_NONE, .space = PMS_NONE };
	for (size_t i = 0; i < s->decoded->records.count; i++) {
		s->batch.knows[i] = 0;
		s->batch.ns[i] = 0;
		put(&s->batch, i, &nothing);
	}
	s->without_time += s->decoded->records.count;
	s->without_tid += s->decoded->records.count;
}

int pms_samples_attribute(struct pms_spe_samples *s)
{
	const struct pms_spe_batch *r = &s->decoded->records;
	struct pms_spe_samples_batch *b = &s->batch;
	struct answer a = { 0 };
	if (!s->perfdata) {
		put_nothing(s);
		return 0;
	}
	put_times(s);
	for (size_t i = 0; i < r->count; i++) {
		uint32_t context;
		int has = has_context(r, i, &context);
		uint64_t time = b->knows[i] ? b->ns[i] : time_of_buffer(&s->decoded->buffer);
		if (!a.known || a.has_context != has || a.context != context ||
		    time < a.window.from || time >= a.window.until) {
			a = (struct answer){ .known = 1, .has_context = has, .context = context };
			if (answer_find(s, &a, time))
				return -PMS_ENOMEM;
		}
		put(b, i, &a);
		s->without_tid += !(a.knows & PMS_SPE_KNOWS_TID);
	}
	return 0;
}
