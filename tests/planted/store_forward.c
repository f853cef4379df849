/* SPDX-License-Identifier: MIT */
/* Planted: one byte of a header is stored, then the header is read as a word.
 * Cause: the store queue cannot give a load more bytes than one store has: the load waits until
 * the store is in L1D, and the next byte depends on it.
 * Mended: the byte is put into the word in a register. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 60000 };

static unsigned char header[8];

__attribute__((noinline)) static uint64_t stamp(unsigned char *bytes, unsigned steps)
{
	uint64_t word = 0;
	for (unsigned i = 0; i < steps; i++) {
		unsigned at = i % 8;
		unsigned char byte = (unsigned char)(word + i);
#ifdef MENDED
		word = (word & ~(UINT64_C(255) << 8 * at)) | (uint64_t)byte << 8 * at;
#else
		bytes[at] = byte;
		memcpy(&word, bytes, sizeof(word)); /* planted: store_forward */
#endif
		word ^= word >> 7;
	}
	memcpy(bytes, &word, sizeof(word));
	return word;
}

int main(void)
{
	printf("%llu\n", (unsigned long long)stamp(header, STEPS));
	return 0;
}
