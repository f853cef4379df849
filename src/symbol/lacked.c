/* SPDX-License-Identifier: MIT */
#include "symbol/lacked.h"

#include <errno.h>
#include <stdlib.h>

#include "pmuscope/error.h"

enum { SMALL = 1 << 16 };

/* errno is the thread's, too. */
static _Thread_local int lacked;

void pms_lacked_begin(void)
{
	lacked = 0;
	errno = 0;
}

void pms_lacked_note(void)
{
	lacked |= errno == ENOMEM;
}

int pms_lacked_or(int status)
{
	pms_lacked_note();
	return lacked ? -PMS_ENOMEM : status;
}

int pms_lacked_none(void)
{
	/* Compilers leave out memory that nobody uses. */
	void *volatile memory = malloc(SMALL);
	int there = memory != NULL;
	pms_lacked_note();
	free(memory);
	return there;
}
