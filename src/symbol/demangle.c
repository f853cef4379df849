/* SPDX-License-Identifier: MIT */
#include "symbol/demangle.h"

#include <dlfcn.h>
#include <string.h>

static void load(struct pms_demangler *d)
{
	d->tried = 1;
	d->library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
	if (d->library)
		*(void **)&d->demangle = dlsym(d->library, "__cxa_demangle");
}

char *pms_demangle(struct pms_demangler *d, const char *name)
{
	int status;
	if (strncmp(name, "_Z", 2) != 0)
		return NULL;
	if (!d->tried)
		load(d);
	return d->demangle ? d->demangle(name, NULL, NULL, &status) : NULL;
}

void pms_demangler_release(struct pms_demangler *d)
{
	if (d->library)
		dlclose(d->library);
	*d = (struct pms_demangler){ 0 };
}
