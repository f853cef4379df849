/* SPDX-License-Identifier: MIT */
/* Planted: one load of each of 4,096 pages, in an order that no prefetcher follows, again and
 * again. Cause: the TLBs hold 2,048 pages: every load waits for a walk of the page table. The lines
 * that it reads fit L2: they lie two lines further on each page. Mended: the same lines, side by
 * side. */
#include <stdint.h>
#include <stdio.h>

enum { PAGES = 4096, STEPS = 150000 };

#ifdef MENDED
enum { PAGE = 128 };
#else
enum { PAGE = 4096 + 128 };
#endif

static char pages[PAGES * PAGE];

__attribute__((noinline)) static uint64_t touch(const char *from, unsigned steps)
{
	uint64_t page = 0, sum = 0;
	for (unsigned i = 0; i < steps; i++) {
		uint64_t value = (unsigned char)from[page * PAGE]; /* planted: page_walk */
		sum += value;
		page = (page * 1229 + 4095 + value) % PAGES;
	}
	return sum;
}

int main(void)
{
	const char *from = pages;
	__asm__("" : "+r"(from)); /* compilers must not know that all are 0 */
	printf("%llu\n", (unsigned long long)touch(from, STEPS));
	return 0;
}
