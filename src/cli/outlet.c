/* SPDX-License-Identifier: MIT */
#include "outlet.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "interrupt.h"

/* There is no room beyond MOST_WAITING. A woken thread waits GATHER_NS for more text, to write
 * it in one go. A hurried close waits REST_MS for the reader to take something, and LONGEST_MS
 * in all. */
enum {
	MOST_WAITING = 16 << 20,
	GATHER_NS = 1000000,
	LOOK_MS = 20,
	REST_MS = 250,
	LONGEST_MS = 1000
};

struct text {
	char *bytes;
	size_t n, size;
};

struct cli_outlet {
	int fd, room; /* room: an eventfd, 1 while there is room */
	FILE *stream;
	pthread_t thread;
	pthread_mutex_t lock; /* guards the members below */
	pthread_cond_t more, done;
	struct text waiting;
	uint64_t taken; /* bytes taken, in total */
	int error;	/* errno of the write that failed */
	int is_full, is_idle, is_closing, is_done;
};

/* Append to the waiting text, which grows by half its size. */
static int add(struct text *text, const char *bytes, size_t n)
{
	if (n > text->size - text->n) {
		size_t size = text->size + text->size / 2 + n;
		char *grown = realloc(text->bytes, size);
		if (!grown)
			return -1;
		text->bytes = grown;
		text->size = size;
	}
	memcpy(text->bytes + text->n, bytes, n);
	text->n += n;
	return 0;
}

/* Take what is written to the stream, by a lock for each of its buffers. Returns 0 and errno for
 * an error. */
static ssize_t keep(void *context, const char *bytes, size_t n)
{
	struct cli_outlet *o = context;
	uint64_t count;
	pthread_mutex_lock(&o->lock);
	int number = o->error;
	if (!number && add(&o->waiting, bytes, n))
		number = ENOMEM;
	if (o->waiting.n > MOST_WAITING && !o->is_full)
		o->is_full = read(o->room, &count, sizeof(count)) > 0;
	if (o->is_idle)
		pthread_cond_signal(&o->more);
	pthread_mutex_unlock(&o->lock);
	errno = number;
	return number ? 0 : (ssize_t)n;
}

/* Write, and wait where the descriptor does not: whoever shares it may have made it
 * non-blocking. */
static ssize_t write_some(int fd, const char *bytes, size_t n)
{
	ssize_t written;
	while ((written = write(fd, bytes, n)) < 0 && (errno == EAGAIN || errno == EINTR)) {
		struct pollfd out = { .fd = fd, .events = POLLOUT };
		poll(&out, 1, -1);
	}
	return written;
}

/* Write a text in parts, so that the reader's progress shows. Returns 0 or errno. */
static int pass_on(struct cli_outlet *o, const struct text *text)
{
	struct stat st;
	size_t most = !fstat(o->fd, &st) && S_ISREG(st.st_mode) ? MOST_WAITING : PIPE_BUF;
	for (size_t at = 0; at < text->n;) {
		size_t left = text->n - at;
		ssize_t n = write_some(o->fd, text->bytes + at, left < most ? left : most);
		if (n < 0)
			return errno;
		at += (size_t)n;
		pthread_mutex_lock(&o->lock);
		o->taken += (size_t)n;
		pthread_mutex_unlock(&o->lock);
	}
	return 0;
}

/* Wait for text, and take all of it. Returns 0 when no more will come. The caller holds the
 * lock. */
static int take(struct cli_outlet *o, struct text *going)
{
	static const struct timespec gather = { .tv_nsec = GATHER_NS };
	static const uint64_t one = 1;
	while (!o->waiting.n && !o->is_closing) {
		o->is_idle = 1;
		pthread_cond_wait(&o->more, &o->lock);
		o->is_idle = 0;
	}
	if (!o->is_closing) {
		pthread_mutex_unlock(&o->lock);
		nanosleep(&gather, NULL);
		pthread_mutex_lock(&o->lock);
	}
	struct text empty = *going;
	*going = o->waiting;
	o->waiting = empty;
	o->waiting.n = 0;
	if (o->is_full && write(o->room, &one, sizeof(one)) > 0)
		o->is_full = 0;
	return going->n > 0;
}

static void *carry(void *context)
{
	struct cli_outlet *o = context;
	struct text going = { 0 };
	pthread_mutex_lock(&o->lock);
	while (!o->error && take(o, &going)) {
		pthread_mutex_unlock(&o->lock);
		int number = pass_on(o, &going);
		pthread_mutex_lock(&o->lock);
		o->error = number;
	}
	o->is_done = 1;
	pthread_cond_signal(&o->done);
	pthread_mutex_unlock(&o->lock);
	free(going.bytes);
	return NULL;
}

static void release(struct cli_outlet *o)
{
	close(o->room);
	pthread_mutex_destroy(&o->lock);
	pthread_cond_destroy(&o->more);
	pthread_cond_destroy(&o->done);
	free(o->waiting.bytes);
	free(o);
}

struct cli_outlet *cli_outlet_new(void)
{
	struct cli_outlet *o = calloc(1, sizeof(*o));
	pthread_condattr_t monotonic;
	if (!o)
		return NULL;
	o->room = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
	if (o->room < 0) {
		free(o);
		return NULL;
	}
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_mutex_init(&o->lock, NULL);
	pthread_cond_init(&o->more, NULL);
	pthread_cond_init(&o->done, &monotonic);
	pthread_condattr_destroy(&monotonic);
	return o;
}

int cli_outlet_room(const struct cli_outlet *outlet)
{
	return outlet->room;
}

FILE *cli_outlet_start(struct cli_outlet *o, int fd)
{
	sigset_t before, all;
	o->fd = fd;
	o->stream = fopencookie(o, "w", (cookie_io_functions_t){ .write = keep });
	if (!o->stream)
		return NULL;
	/* Leave signals to the thread that measures, except those that writing raises. */
	sigfillset(&all);
	sigdelset(&all, SIGPIPE);
	sigdelset(&all, SIGXFSZ);
	sigdelset(&all, SIGTTOU);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int number = pthread_create(&o->thread, NULL, carry, o);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!number)
		return o->stream;
	fclose(o->stream);
	o->stream = NULL;
	errno = number;
	return NULL;
}

static uint64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Wait until everything is written, or it takes too long. The caller holds the lock. */
static void wait_for_reader(struct cli_outlet *o, int hurry)
{
	uint64_t hurry_at = hurry ? now_ms() : 0, took_at = now_ms(), taken = o->taken;
	while (!o->is_done) {
		struct timespec next;
		clock_gettime(CLOCK_MONOTONIC, &next);
		next.tv_nsec += LOOK_MS * 1000000;
		next.tv_sec += next.tv_nsec / 1000000000;
		next.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&o->done, &o->lock, &next);
		uint64_t now = now_ms();
		if (taken != o->taken || !hurry_at)
			took_at = now;
		taken = o->taken;
		if (cli_stopped() && hurry)
			return;
		if (cli_stopped() && !hurry_at)
			hurry_at = now;
		if (hurry_at && (now - took_at > REST_MS || now - hurry_at > LONGEST_MS))
			return;
	}
}

int cli_outlet_close(struct cli_outlet *o, int hurry)
{
	int failed = o->stream && fclose(o->stream) ? errno : 0;
	if (!o->stream) {
		release(o);
		return 0;
	}
	pthread_mutex_lock(&o->lock);
	o->is_closing = 1;
	pthread_cond_signal(&o->more);
	wait_for_reader(o, hurry);
	int is_done = o->is_done;
	failed = o->error ? o->error : failed;
	pthread_mutex_unlock(&o->lock);
	if (!is_done)
		return CLI_OUTLET_LEFT; /* the thread uses it until the process ends */
	pthread_join(o->thread, NULL);
	release(o);
	return failed;
}
