/* SPDX-License-Identifier: MIT */
/* Planted: lines at the same offset of 4 KiB pages: they share sets of L1D.
 * Cause: L1D has 256 sets of 4 lines, and pages of 4 KiB reach 4 of these sets: 64 rows of 4 KiB
 * are 64 lines where 16 fit. The lines of 4 KiB in all come from L2 each time.
 * (Loads that only look like a store's by their low 12 bits cost nothing in the model.)
 * Mended: a line of padding a row. */
#include <stdint.h>
#include <stdio.h>

#ifdef MENDED
enum { PADDING = 64 };
#else
enum { PADDING = 0 };
#endif

enum { ROWS = 64, ROW = (4096 + PADDING) / sizeof(uint64_t), TURNS = 1500 };

static uint64_t rows[ROWS * ROW];

/* The next row follows from what the last one holds. */
__attribute__((noinline)) static uint64_t follow(const uint64_t *from, unsigned turns)
{
	uint64_t row = 0, sum = 0;
	for (unsigned i = 0; i < turns * ROWS; i++) {
		uint64_t value = from[row * ROW]; /* planted: l2 */
		sum += value;
		row = (row * 5 + 3 + value) % ROWS;
	}
	return sum;
}

int main(void)
{
	const uint64_t *from = rows;
	__asm__("" : "+r"(from)); /* compilers must not know that all are 0 */
	printf("%llu\n", (unsigned long long)follow(from, TURNS));
	return 0;
}
