/* SPDX-License-Identifier: MIT */
/* twins: functions that are looked for. Of spin(n), a loop of two instructions runs n times. */
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>

int other_twin(int x);

static __attribute__((noinline)) int twin(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 1;
}

static inline __attribute__((always_inline)) int folded(int x)
{
	__asm__ volatile("" : "+r"(x));
	return 3 * x;
}

__attribute__((noinline)) void spin(long n)
{
	__asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(n) : : "cc");
}

static void *run(void *n)
{
	spin(*(long *)n);
	return NULL;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1000;
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, run, &n);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	spin(n);
	printf("%d\n", twin(folded(argc)) + other_twin(argc));
	return 0;
}
