/* SPDX-License-Identifier: MIT */
/* Planted: lookups in a balanced tree of 65,535 nodes, each a cache line of its own, as std::map's.
 * Cause: the place of a node is known when its parent has come, and 4 MiB of nodes lie in no order
 * that a prefetcher could follow: from the twelfth level on, each step waits for the system cache.
 * Mended: the nodes are narrow and lie side by side: 0.5 MiB in all, which fit L2. */
#include <stdint.h>
#include <stdio.h>

enum { LEVELS = 16, NODES = 1 << LEVELS, LOOKUPS = 5000 };

#ifdef MENDED
enum { WIDTH = 16 };
#else
enum { WIDTH = 64 };
#endif

struct node {
	uint32_t key, child[2];
} __attribute__((aligned(WIDTH)));

static struct node nodes[NODES];

/* Node number i of a heap lies at a place that a permutation gives; 0 is none's. */
static uint32_t place(uint32_t i)
{
	return i * 40503u % NODES;
}

/* The tree as a heap: node i has children 2 i and 2 i + 1; its key splits the range between. */
static void build(void)
{
	for (uint32_t i = 1; i < NODES; i++) {
		unsigned level = 31 - (unsigned)__builtin_clz(i);
		uint32_t span = 1u << (LEVELS - level);
		struct node *node = &nodes[place(i)];
		node->key = (i - (1u << level)) * span + span / 2;
		node->child[0] = 2 * i < NODES ? place(2 * i) : 0;
		node->child[1] = 2 * i < NODES ? place(2 * i + 1) : 0;
	}
}

__attribute__((noinline)) static uint64_t find(uint32_t root, uint32_t wanted)
{
	uint64_t last = 0;
	for (uint32_t at = root; at;) {
		uint32_t key = nodes[at].key; /* planted: memory */
		last = key;
		at = nodes[at].child[wanted > key];
	}
	return last;
}

int main(void)
{
	uint64_t sum = 0;
	build();
	/* One lookup waits for the one before. */
	for (uint32_t i = 0; i < LOOKUPS; i++)
		sum += find(place(1), (i * 2654435761u + (uint32_t)(sum & 1)) >> (32 - LEVELS));
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
