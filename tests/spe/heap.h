/* SPDX-License-Identifier: MIT */
/* How much memory is allocated now, for tests of what a file can make grow. */
#ifndef TESTS_SPE_HEAP_H
#define TESTS_SPE_HEAP_H

#include <stddef.h>

#ifdef __has_feature
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
/* Of the sanitizer's <sanitizer/allocator_interface.h>, which gcc's packages have not. */
size_t __sanitizer_get_current_allocated_bytes(void);

static inline size_t heap_bytes(void)
{
	return __sanitizer_get_current_allocated_bytes();
}
#else
#include <malloc.h>

static inline size_t heap_bytes(void)
{
	struct mallinfo2 info = mallinfo2();
	return info.uordblks + info.hblkhd;
}
#endif

#endif
