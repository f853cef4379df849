/* SPDX-License-Identifier: MIT */
/* Planted: a hash join probes 24 MiB in random order, one row after the other of the other table.
 * Cause: 400,000 lines, 24 MiB, fit no cache but the system's, which has none of them yet: nearly
 * every probe waits for memory. The probes are independent, so some 20 wait at once.
 * Mended: the rows come in the order of their places, as after a partition of both tables. */
#include <stdint.h>
#include <stdio.h>

enum { SLOTS = 3 << 19, PROBES = 120000 };

struct slot {
	uint64_t key, row;
};

static struct slot table[SLOTS];

static uint64_t place(uint64_t probe)
{
#ifdef MENDED
	return probe * (SLOTS / PROBES) / 16;
#else
	return (probe * UINT64_C(0x9e3779b97f4a7c15) >> 32) * SLOTS >> 32;
#endif
}

__attribute__((noinline)) static uint64_t join(const struct slot *slots, uint64_t probes)
{
	uint64_t found = 0;
	for (uint64_t i = 0; i < probes; i++) {
		uint64_t at = place(i);
		found += slots[at].key; /* planted: memory */
	}
	return found;
}

int main(void)
{
	const struct slot *slots = table;
	__asm__("" : "+r"(slots)); /* compilers must not know that all are 0 */
	printf("%llu\n", (unsigned long long)join(slots, PROBES));
	return 0;
}
