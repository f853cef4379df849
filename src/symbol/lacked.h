/* SPDX-License-Identifier: MIT */
/* symbol/lacked.h - whether memory ran out in libelf or libdw. They say so in ways of their own or
 * not at all, and a file without symbols looks the same. malloc() says it by errno. */
#ifndef PMS_SYMBOL_LACKED_H
#define PMS_SYMBOL_LACKED_H

/** From here on, in this thread. */
void pms_lacked_begin(void);

/** Look whether it did, before calls that may fail for another reason. */
void pms_lacked_note(void);

/** Returns -PMS_ENOMEM if it did since pms_lacked_begin, else @status. */
int pms_lacked_or(int status);

/** Returns 1 if there is memory for a small table. Where libdw does not check: calling it without
 * would crash. */
int pms_lacked_none(void);

#endif
