/* SPDX-License-Identifier: MIT */
/* Compiled for arm64 and not run: annotate.py says what its instructions counted. */
static inline __attribute__((always_inline)) int step(int x)
{
	return x * 3 + 1;
}

__attribute__((noinline)) int walk(const int *list, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += list[i];
	return sum;
}

__attribute__((noinline)) int mix(int x)
{
	return step(x) ^ step(x + 5);
}

int main(int argc, char **argv)
{
	(void)argv;
	int list[4] = { argc, mix(argc), 3, 4 };
	return walk(list, 4);
}
