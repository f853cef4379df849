/* SPDX-License-Identifier: MIT */
/* For LD_PRELOAD: memory runs out in pmuscope, where faults.py says.
 *
 * FAULT_AT=N     the Nth allocation fails
 * FAULT_FROM=N   the Nth fails, and all behind it
 * FAULT_LIST=F   none fails. The numbers of those that are the first from their callers go to the
 *                file F, a line each. FAULT_FRAMES says how many frames tell them apart.
 * FAULT_TRACE=1  the callers of the first that fails go to standard error.
 *
 * What pmuscope starts is left alone: QEMU, and the programs that it measures. So is setlocale(),
 * which cannot tell memory that is missing from a locale that is. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <locale.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

enum { CALLERS = 64, SEEN = 1 << 16 };

static struct {
	bool on, trace;
	long at, from;
	const char *list;
	int frames;
	long n;
	uint64_t seen[SEEN]; /* hashes of callers; 0 is free */
} fault;
static __thread bool inside; /* of what is left alone */

static long number_of(const char *name)
{
	const char *text = getenv(name);
	return text ? atol(text) : 0;
}

__attribute__((constructor)) static void start(void)
{
	void *callers[1];
	if (strncmp(program_invocation_short_name, "pmuscope", 8) != 0)
		return;
	backtrace(callers, 1); /* loads libgcc, which allocates */
	fault.at = number_of("FAULT_AT");
	fault.from = number_of("FAULT_FROM");
	fault.list = getenv("FAULT_LIST");
	fault.frames = (int)number_of("FAULT_FRAMES");
	fault.trace = number_of("FAULT_TRACE") != 0;
	fault.on = true;
}

static bool seen_before(void *const *callers, int n)
{
	uint64_t hash = 1;
	for (int i = 0; i < n; i++)
		hash = (hash ^ (uintptr_t)callers[i]) * UINT64_C(0x9e3779b97f4a7c15) ^ hash >> 29;
	hash += !hash;
	size_t at = hash % SEEN;
	for (size_t tries = 0; tries < SEEN; tries++, at = (at + 1) % SEEN) {
		if (fault.seen[at] == hash)
			return true;
		if (!fault.seen[at])
			break;
	}
	fault.seen[at] = hash;
	return false;
}

static void list(long n)
{
	void *callers[CALLERS];
	int frames = backtrace(callers, CALLERS);
	if (seen_before(callers, frames < fault.frames ? frames : fault.frames))
		return;
	char text[32];
	int length = snprintf(text, sizeof(text), "%ld\n", n);
	int fd = open(fault.list, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, text, (size_t)length) != length)
		abort();
	close(fd);
}

static void trace(void)
{
	void *callers[CALLERS];
	backtrace_symbols_fd(callers, backtrace(callers, CALLERS), STDERR_FILENO);
	fault.trace = false;
}

/* Whether this allocation fails. */
static bool fails(void)
{
	if (!fault.on || inside)
		return false;
	int kept = errno;
	inside = true;
	long n = __atomic_add_fetch(&fault.n, 1, __ATOMIC_RELAXED);
	bool failing = n == fault.at || (fault.from && n >= fault.from);
	if (fault.list)
		list(n);
	if (failing && fault.trace)
		trace();
	inside = false;
	errno = failing ? ENOMEM : kept;
	return failing;
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
	return fails() ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size)
{
	return fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
	void *got = memalign(alignment, size);
	if (got)
		*out = got;
	return got ? 0 : ENOMEM;
}

char *setlocale(int category, const char *locale)
{
	char *(*next)(int category, const char *locale);
	*(void **)&next = dlsym(RTLD_NEXT, "setlocale");
	inside = true;
	char *set = next(category, locale);
	inside = false;
	return set;
}
