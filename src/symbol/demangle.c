/* SPDX-License-Identifier: MIT */
#include "symbol/demangle.h"

#include "base/limits.h"
#include "symbol/mangled.h"

#include <dlfcn.h>
#include <string.h>

static void load(struct pms_demangler *d)
{
	d->tried = 1;
	d->library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
	if (d->library)
		*(void **)&d->demangle = dlsym(d->library, "__cxa_demangle");
}

/* The library itself stops at nothing: its time and memory are bounded by what the name costs, and
 * by what all of them may cost. */
char *pms_demangle(struct pms_demangler *d, const char *name)
{
	int status;
	size_t length = strnlen(name, PMS_MOST_MANGLED + 1);
	if (strncmp(name, "_Z", 2) != 0 || length > PMS_MOST_MANGLED)
		return NULL;
	if (!d->tried)
		load(d);
	uint64_t cost = d->demangle ? pms_mangled_cost(name) : PMS_MANGLED_UNREAD;
	d->granted += (uint64_t)PMS_MOST_DEMANGLED_TIMES * length;
	if (cost > PMS_MOST_DEMANGLED || d->spent > PMS_FREE_DEMANGLED + d->granted)
		return NULL;
	char *written = d->demangle(name, NULL, NULL, &status);
	d->spent += cost / PMS_DEMANGLED_PARTS_BYTE + (written ? strlen(written) : 0);
	return written;
}

void pms_demangler_release(struct pms_demangler *d)
{
	if (d->library)
		dlclose(d->library);
	*d = (struct pms_demangler){ 0 };
}
