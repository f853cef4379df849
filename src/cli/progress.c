/* SPDX-License-Identifier: MIT */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 40 };

static double seconds(const struct timespec *from, const struct timespec *to)
{
	return (double)(to->tv_sec - from->tv_sec) + (double)(to->tv_nsec - from->tv_nsec) / 1e9;
}

void cli_progress_begin(struct cli_progress *p, const char *what, int busy)
{
	*p = (struct cli_progress){ .what = what, .hidden = busy || !isatty(STDERR_FILENO) };
	clock_gettime(CLOCK_MONOTONIC, &p->begin);
	p->last = p->begin;
}

/* Print the seconds left at the speed so far, once that is known. */
static void rest(const struct cli_progress *p, uint64_t done, uint64_t total)
{
	double taken = seconds(&p->begin, &p->last), fraction = (double)done / (double)total;
	if (fraction > 0.02)
		fprintf(stderr, ", %.0f s left", taken / fraction * (1 - fraction) + 0.5);
}

static void draw(struct cli_progress *p, uint64_t done, uint64_t total)
{
	char bar[WIDTH + 1];
	double mib = (double)done / (1 << 20);
	if (!total || done > total) {
		fprintf(stderr, "\r%s %.0f MiB\033[K", p->what, mib);
	} else {
		size_t full = (size_t)((double)done / (double)total * WIDTH);
		memset(bar, '#', full);
		memset(bar + full, '.', WIDTH - full);
		bar[WIDTH] = 0;
		fprintf(stderr, "\r%s [%s] %3d %%", p->what, bar,
			(int)((double)done / (double)total * 100));
		rest(p, done, total);
		fputs("\033[K", stderr);
	}
	fflush(stderr);
	p->shown = 1;
}

void cli_progress_show(struct cli_progress *p, uint64_t done, uint64_t total)
{
	struct timespec now;
	if (p->hidden)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (seconds(&p->begin, &now) < 1 || seconds(&p->last, &now) < 0.1)
		return;
	p->last = now;
	draw(p, done, total);
}

void cli_progress_end(struct cli_progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = 0;
}
