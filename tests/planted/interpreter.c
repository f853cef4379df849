/* SPDX-License-Identifier: MIT */
/* Planted: an interpreter of 64 handlers whose one dispatch runs a program without a pattern.
 * Cause: the jump to the next handler goes where no history tells: nearly every dispatch is
 * mispredicted.
 * Mended: the program repeats 16 operations, whose order the predictor learns. */
#include <stdint.h>
#include <stdio.h>

enum { LENGTH = 30000 };

static unsigned char program[LENGTH];

static void load(unsigned char *to)
{
	uint64_t random = 88172645463325252u;
	for (unsigned i = 0; i < LENGTH; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
#ifdef MENDED
		to[i] = (unsigned char)(i % 16 * 5 % 64);
#else
		to[i] = (unsigned char)(random >> 58);
#endif
	}
}

/* Each handler is another piece of code, or compilers make a table of them. */
#define HANDLER(N)                                                                                 \
	case N:                                                                                    \
		__asm__("" : "+r"(x));                                                             \
		x = (x ^ ((N)*UINT64_C(0x9e37))) + (x >> ((N) % 13 + 1));                          \
		break;
#define HANDLERS8(N)                                                                               \
	HANDLER(N)                                                                                 \
	HANDLER((N) + 1)                                                                           \
	HANDLER((N) + 2)                                                                           \
	HANDLER((N) + 3)                                                                           \
	HANDLER((N) + 4)                                                                           \
	HANDLER((N) + 5)                                                                           \
	HANDLER((N) + 6)                                                                           \
	HANDLER((N) + 7)

__attribute__((noinline)) static uint64_t run(const unsigned char *code, unsigned length)
{
	uint64_t x = 1;
	for (unsigned i = 0; i < length; i++) {
		switch (code[i]) { /* planted: branch_target */
			HANDLERS8(0)
			HANDLERS8(8)
			HANDLERS8(16)
			HANDLERS8(24)
			HANDLERS8(32)
			HANDLERS8(40)
			HANDLERS8(48)
			HANDLERS8(56)
		}
	}
	return x;
}

int main(void)
{
	load(program);
	printf("%llu\n", (unsigned long long)run(program, LENGTH));
	return 0;
}
