/* SPDX-License-Identifier: MIT */
/* symbol/demangle.h - names of C++ as they were written. */
#ifndef PMS_SYMBOL_DEMANGLE_H
#define PMS_SYMBOL_DEMANGLE_H

#include <stdint.h>

/** By the C++ library of this machine, if it has one: nothing else knows all of its rules.
 * Zero-initialise. */
struct pms_demangler {
	void *library;
	char *(*demangle)(const char *name, char *buffer, unsigned long *size, int *status);
	int tried;
	uint64_t granted, spent; /* bytes, by the limits of names together */
};

/** @name as it was written, to be freed; NULL when it is not mangled, is too much to write out, or
 * there is no library. */
char *pms_demangle(struct pms_demangler *d, const char *name);

void pms_demangler_release(struct pms_demangler *d);

#endif
