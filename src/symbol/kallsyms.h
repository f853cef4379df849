/* SPDX-License-Identifier: MIT */
/* symbol/kallsyms.h - the kernel's own list of its symbols, in the form of /proc/kallsyms.
 * Flow: kallsyms -> [names] -> symbol. */
#ifndef PMS_SYMBOL_KALLSYMS_H
#define PMS_SYMBOL_KALLSYMS_H

#include "pmuscope/object.h"
#include "symbol/names.h"

/** Zero-initialise. */
struct pms_kallsyms {
	char *text; /* holds the names */
	struct pms_symbol_names names;
};

/** Read a list. Without one, or with one that hides the addresses, there are no names.
 * Errors: -PMS_ENOMEM */
int pms_kallsyms_read(struct pms_kallsyms *k, const char *path);

/** Whether @kernel is the one that runs here, by its build-id in @notes ("/sys/kernel/notes"). */
int pms_kallsyms_is_running(const struct pms_object *kernel, const char *notes);

void pms_kallsyms_release(struct pms_kallsyms *k);

#endif
