/* SPDX-License-Identifier: MIT */
/* What the workloads find in memory. A list is a cycle of pointers, one a cache line. */
#include <stdint.h>
#include <stdlib.h>

#include "fill.h"
#include "sizes.h"

/* x -> a x + c modulo a power of two visits every number when c is odd and a is 1 modulo 4. */
static uint64_t next_of(uint64_t i, uint64_t n)
{
	return (i * 1664525u + 1013904223u) % n;
}

static void link_lines(char *memory, uint64_t from, uint64_t to)
{
	*(char **)(memory + from * LINE_BYTES) = memory + to * LINE_BYTES;
}

void fill_shuffled(char *memory, uint64_t bytes)
{
	uint64_t n = bytes / LINE_BYTES;
	for (uint64_t i = 0; i < n; i++)
		link_lines(memory, i, next_of(i, n));
}

/* One line a page, not the same one in each: so that all fit the sets of the data cache. */
void fill_pages(char *memory, uint64_t bytes)
{
	uint64_t lines = PAGE_BYTES / LINE_BYTES, n = bytes / PAGE_BYTES;
	for (uint64_t i = 0; i < n; i++) {
		uint64_t to = next_of(i, n);
		link_lines(memory, i * lines + i % lines, to * lines + to % lines);
	}
}

enum { SEED = 88172645463325252u };

/* xorshift of 64 bits. */
static uint64_t random_next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

/* Numbers that no predictor can know. */
void fill_random(char *memory, uint64_t bytes)
{
	uint64_t x = SEED;
	for (uint64_t i = 0; i < bytes / sizeof(x); i++)
		((uint64_t *)memory)[i] = random_next(&x);
}

/* Returns a number below @n, 1 to 2^32. */
static uint64_t random_below(uint64_t *x, uint64_t n)
{
	return (random_next(x) >> 32) * n >> 32;
}

static void shuffle(uint16_t *what, uint64_t n, uint64_t *x)
{
	for (uint64_t i = n - 1; i > 0; i--) {
		uint64_t k = random_below(x, i + 1);
		uint16_t swap = what[i];
		what[i] = what[k];
		what[k] = swap;
	}
}

/* At each visit to a page so many of its words. */
enum { WORDS = PAGE_BYTES / 8, AT_ONCE = 4, VISITS = WORDS / AT_ONCE };

/* Whether word @k is of the same line as one before it at the same visit. */
static int line_again(const uint16_t *words, uint64_t k)
{
	for (uint64_t i = k - k % AT_ONCE; i < k; i++)
		if (words[i] / (LINE_BYTES / 8) == words[k] / (LINE_BYTES / 8))
			return 1;
	return 0;
}

/* An order of a page's words, four of different lines at a time. */
static void order_words(uint16_t words[WORDS], uint64_t *x)
{
	for (uint64_t k = 0; k < WORDS; k++)
		words[k] = (uint16_t)k;
	shuffle(words, WORDS, x);
	for (uint64_t k = 0; k < WORDS; k++)
		while (line_again(words, k)) {
			uint64_t other = random_below(x, WORDS);
			uint16_t swap = words[k];
			words[k] = words[other];
			words[other] = swap;
			k = 0; /* what was right may be so no more */
		}
}

/* A list of all words that goes where no pattern leads: to a random page, there to the next four
 * words in the order, of which each page begins at another place, and on. */
void fill_walk(char *memory, uint64_t bytes)
{
	uint64_t pages = bytes / PAGE_BYTES, x = SEED;
	uint16_t words[WORDS], *visits = malloc(pages * (VISITS + 1) * sizeof(*visits));
	if (!visits)
		abort();
	uint16_t *next = visits + pages * VISITS;
	order_words(words, &x);
	for (uint64_t i = 0; i < pages * VISITS; i++)
		visits[i] = (uint16_t)(i / VISITS);
	shuffle(visits, pages * VISITS, &x);
	for (uint64_t i = 0; i < pages; i++)
		next[i] = (uint16_t)(AT_ONCE * random_below(&x, VISITS));
	char *list = NULL, **last = &list;
	for (uint64_t i = 0; i < pages * VISITS; i++) {
		char *page = memory + visits[i] * PAGE_BYTES;
		uint64_t k = next[visits[i]];
		next[visits[i]] = (uint16_t)((k + AT_ONCE) % WORDS);
		for (uint64_t end = k + AT_ONCE; k < end; k++) {
			*last = page + 8 * words[k];
			last = (char **)*last;
		}
	}
	*last = list;
	free(visits);
}
