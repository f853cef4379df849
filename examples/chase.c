/* SPDX-License-Identifier: MIT */
/* chase: follows a chain of pointers through 64 MiB, one cache line a step.
 * Limited by: data cache misses, one after the other
 * Each load gives the next one's address, so none can start before the last is done, and nearly
 * all of them miss every cache and the TLBs: the backend waits. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINES = 1 << 20 };

struct line {
	struct line *next;
	char rest[64 - sizeof(struct line *)];
};

/* One cycle through all lines, in no order that a prefetcher could follow: i -> a i + c modulo a
 * power of two visits every number when c is odd and a is 1 modulo 4. */
static void chain(struct line *lines)
{
	for (uint32_t i = 0; i < LINES; i++)
		lines[i].next = &lines[(i * 1664525u + 1013904223u) % LINES];
}

static const struct line *walk(const struct line *line, uint64_t steps)
{
	for (uint64_t i = 0; i < steps; i++)
		line = line->next;
	return line;
}

int main(int argc, char **argv)
{
	uint64_t steps = argc > 1 ? strtoull(argv[1], NULL, 10) : LINES;
	struct line *lines = aligned_alloc(64, sizeof(*lines) * LINES);

	if (!lines) {
		perror("chase");
		return 1;
	}
	chain(lines);
	printf("chase: line %td after %llu steps\n", walk(lines, steps) - lines,
	       (unsigned long long)steps);
	free(lines);
	return 0;
}
