/* SPDX-License-Identifier: MIT */
/* A thread that reads and decodes a file ahead of what its records are used for. Batches are handed
 * over in the order in which one thread alone would decode them, so that nothing depends on it. One
 * thread is enough: what becomes of the records takes three times as long as decoding them. */
#include "base/limits.h"
#include "spe/samples.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

struct pms_samples_ahead {
	struct pms_spe_samples *samples;
	pthread_t thread;
	pthread_mutex_t decoding; /* held while the file and the decoder are in use */
	pthread_mutex_t lock;	  /* of what follows, but not of the batches: */
	pthread_cond_t room, some;
	size_t first, count; /* the batches that wait, and the one in use before them */
	int in_use;	     /* 1: batch `first` is in use, and counted */
	int ended;	     /* 1: no more come */
	int stop;
	struct pms_samples_decoded batches[PMS_SPE_AHEAD];
};

/* Both sides wake the other when the half is there, since to wake and to be woken takes as long as
 * some batches. */
enum { HALF = PMS_SPE_AHEAD / 2 };

/* Wait for room. Returns the batch to be filled, NULL to stop. */
static struct pms_samples_decoded *take_room(struct pms_samples_ahead *a)
{
	struct pms_samples_decoded *to = NULL;
	pthread_mutex_lock(&a->lock);
	while (a->count == PMS_SPE_AHEAD && !a->stop)
		pthread_cond_wait(&a->room, &a->lock);
	if (!a->stop)
		to = &a->batches[(a->first + a->count) % PMS_SPE_AHEAD];
	pthread_mutex_unlock(&a->lock);
	return to;
}

static void hand_over(struct pms_samples_ahead *a, int ended)
{
	pthread_mutex_lock(&a->lock);
	a->count++;
	a->ended = ended;
	if (ended || a->count - (size_t)a->in_use == HALF)
		pthread_cond_signal(&a->some);
	pthread_mutex_unlock(&a->lock);
}

static void *decode_all(void *context)
{
	struct pms_samples_ahead *a = context;
	struct pms_samples_decoded *to;
	for (int status = 1; status > 0 && (to = take_room(a));) {
		pthread_mutex_lock(&a->decoding);
		pms_samples_decode(a->samples, to);
		pthread_mutex_unlock(&a->decoding);
		status = to->status;
		hand_over(a, status <= 0);
	}
	return NULL;
}

static int has_processors(void)
{
	cpu_set_t cpus;
	/* It fails where there are more processors than a set has. */
	return sched_getaffinity(0, sizeof(cpus), &cpus) || CPU_COUNT(&cpus) > 1;
}

/* Signals are for the threads that the program knows of. */
static int start(struct pms_samples_ahead *a)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	int failed = pthread_create(&a->thread, NULL, decode_all, a);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failed;
}

void pms_samples_ahead_begin(struct pms_spe_samples *s)
{
	if (!s->several || pms_samples_bytes(s) < PMS_LEAST_SPE_AHEAD || s->options.parts > 1 ||
	    !has_processors())
		return;
	struct pms_samples_ahead *a = calloc(1, sizeof(*a));
	if (!a)
		return;
	a->samples = s;
	pthread_mutex_init(&a->decoding, NULL);
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->room, NULL);
	pthread_cond_init(&a->some, NULL);
	if (start(a))
		free(a);
	else
		s->ahead = a;
}

struct pms_samples_decoded *pms_samples_ahead_next(struct pms_samples_ahead *a)
{
	pthread_mutex_lock(&a->lock);
	/* The last one stays for whoever asks again. */
	if (a->in_use && !(a->ended && a->count == 1)) {
		a->first = (a->first + 1) % PMS_SPE_AHEAD;
		a->count--;
		a->in_use = 0;
		if (a->count == HALF)
			pthread_cond_signal(&a->room);
	}
	while (!a->count)
		pthread_cond_wait(&a->some, &a->lock);
	a->in_use = 1;
	struct pms_samples_decoded *next = &a->batches[a->first];
	pthread_mutex_unlock(&a->lock);
	return next;
}

void pms_samples_ahead_hold(struct pms_samples_ahead *a)
{
	if (a)
		pthread_mutex_lock(&a->decoding);
}

void pms_samples_ahead_go_on(struct pms_samples_ahead *a)
{
	if (a)
		pthread_mutex_unlock(&a->decoding);
}

void pms_samples_ahead_end(struct pms_samples_ahead *a)
{
	if (!a)
		return;
	pthread_mutex_lock(&a->lock);
	a->stop = 1;
	pthread_cond_signal(&a->room);
	pthread_mutex_unlock(&a->lock);
	pthread_join(a->thread, NULL);
	pthread_mutex_destroy(&a->decoding);
	pthread_mutex_destroy(&a->lock);
	pthread_cond_destroy(&a->room);
	pthread_cond_destroy(&a->some);
	free(a);
}
