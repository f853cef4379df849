/* SPDX-License-Identifier: MIT */
/* Prints the time of CLOCK_MONOTONIC at which it was started, ns. */
#include <stdio.h>
#include <time.h>

int main(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	printf("%lld\n", (long long)now.tv_sec * 1000000000 + now.tv_nsec);
	return 0;
}
