/* SPDX-License-Identifier: MIT */
/* Planted: 100,000 bytes written to /dev/null, each by a system call of its own.
 * Cause: a system call lets nothing pass it and takes 42 cycles of the core, before what the
 * kernel takes, which is not modelled.
 * Mended: 4,096 bytes a call. */
#include <fcntl.h>
#include <stdio.h>

enum { BYTES = 100000 };

/* As libc's write does, without its code for threads that are cancelled. */
static inline __attribute__((always_inline)) long put(int fd, const void *bytes, long size)
{
	register long x0 __asm__("x0") = fd;
	register const void *x1 __asm__("x1") = bytes;
	register long x2 __asm__("x2") = size;
	register long x8 __asm__("x8") = 64; /* write */
	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x8) : "memory");
	return x0;
}

__attribute__((noinline)) static long write_all(int fd, const char *from)
{
	long done = 0;
#ifdef MENDED
	while (done < BYTES)
		done += put(fd, from + done % 64, BYTES - done < 4096 ? BYTES - done : 4096);
#else
	while (done < BYTES)
		done += put(fd, from + done % 64, 1); /* planted: system_call */
#endif
	return done;
}

int main(void)
{
	static const char text[4096 + 64];
	int fd = open("/dev/null", O_WRONLY);
	if (fd < 0) {
		perror("/dev/null");
		return 1;
	}
	printf("%ld\n", write_all(fd, text));
	return 0;
}
