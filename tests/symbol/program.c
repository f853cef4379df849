/* SPDX-License-Identifier: MIT */
/* What the tests of symbols look into: calls inlined in calls, names of one file alone, a name
 * of C++, data. */
#include <stdint.h>

volatile int sink;
uint64_t table[512];

static inline __attribute__((always_inline)) int innermost(int x)
{
	return x * 3 + sink;
}

static inline __attribute__((always_inline)) int middle(int x)
{
	int y = innermost(x);
	return y ^ innermost(y + 5);
}

__attribute__((noinline)) static int hidden(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += middle(i);
	return sum;
}

/* Of C++, as its compiler would name it. */
int written(int n) __asm__("_ZN5space7writtenEi");

__attribute__((noinline)) int written(int n)
{
	return n ^ sink;
}

__attribute__((noinline)) int work(int n)
{
	sink = hidden(n) + middle(n) + written(n);
	table[n & 511]++;
	return sink;
}

int main(int argc, char **argv)
{
	(void)argv;
	return work(argc) == 1;
}
