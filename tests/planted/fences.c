/* SPDX-License-Identifier: MIT */
/* Planted: a full fence behind each message, where one release store would do.
 * Cause: what follows a fence waits until every access before it is done.
 * Mended: the counter is stored with release. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

enum { MESSAGES = 60000, RING = 256 };

static uint64_t ring[RING];
static _Atomic uint64_t written;

__attribute__((noinline)) static uint64_t publish(uint64_t *slots, uint64_t messages)
{
	uint64_t sum = 0;
	for (uint64_t i = 0; i < messages; i++) {
		slots[i % RING] = i;
#ifdef MENDED
		atomic_store_explicit(&written, i, memory_order_release);
#else
		atomic_store_explicit(&written, i, memory_order_relaxed);
		atomic_thread_fence(memory_order_seq_cst); /* planted: barrier */
#endif
		sum += slots[(i * 7 + 64) % RING];
	}
	return sum;
}

int main(void)
{
	printf("%llu\n", (unsigned long long)publish(ring, MESSAGES));
	return 0;
}
