/* SPDX-License-Identifier: MIT */
int other_twin(int x);

static __attribute__((noinline)) int twin(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 2;
}

int other_twin(int x)
{
	return twin(x);
}
