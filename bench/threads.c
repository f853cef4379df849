/* SPDX-License-Identifier: MIT */
/* threads N: N threads (1 or 2), each does the same work on its own data. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TURNS = 4000000, WORDS = 4096 };

static void *work(void *seed)
{
	uint64_t table[WORDS] = { 0 }, x = *(const uint64_t *)seed;
	for (unsigned i = 0; i < TURNS; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		table[x % WORDS] += i;
	}
	*(uint64_t *)seed = table[0] ^ x;
	return NULL;
}

int main(int argc, char **argv)
{
	uint64_t seeds[2] = { 1, 1 };
	pthread_t other;
	bool two = argc > 1 && atoi(argv[1]) == 2;
	if (two && pthread_create(&other, NULL, work, &seeds[1]))
		return 1;
	work(&seeds[0]);
	if (two)
		pthread_join(other, NULL);
	printf("%llu\n", (unsigned long long)seeds[0]);
	return 0;
}
