/* SPDX-License-Identifier: MIT */
/* Planted: a matrix product whose innermost loop goes down the columns (j, k, i).
 * Cause: two loads and a store a step, each in another line than the step before: a column of the
 * two matrices is 1,280 lines, more than L1D's 1,024, so every line comes from L2 again.
 * Mended: the order i, k, j reads and writes along the rows. */
#include <stdio.h>

enum { N = 640, K = 16, M = 16 };

static double a[N * K], b[K * M], c[N * M];

#ifdef MENDED
__attribute__((noinline)) static void multiply(const double *x, const double *y, double *z)
{
	for (int i = 0; i < N; i++)
		for (int k = 0; k < K; k++)
			for (int j = 0; j < M; j++)
				z[i * M + j] += x[i * K + k] * y[k * M + j];
}
#else
__attribute__((noinline)) static void multiply(const double *x, const double *y, double *z)
{
	for (int j = 0; j < M; j++)
		for (int k = 0; k < K; k++)
			for (int i = 0; i < N; i++)
				z[i * M + j] += x[i * K + k] * y[k * M + j]; /* planted: l2 */
}
#endif

int main(void)
{
	a[3 * K + 2] = 2;
	b[2 * M + 5] = 4;
	multiply(a, b, c);
	printf("%g\n", c[3 * M + 5]);
	return 0;
}
