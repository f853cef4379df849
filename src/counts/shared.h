/* SPDX-License-Identifier: MIT */
/* counts/shared.h - a command that several sets of counts have: those of a session's intervals. */
#ifndef PMS_COUNTS_SHARED_H
#define PMS_COUNTS_SHARED_H

#include "pmuscope/counts.h"

struct pms_shared_command {
	size_t users;
	char **words; /* NULL-terminated, owned */
};

/** Have @counts use the command, until they are freed. One thread uses what shares a command. */
void pms_counts_share_command(struct pms_counts *counts, struct pms_shared_command *command);

/** One user less; the last frees it. @command may be NULL. */
void pms_shared_command_release(struct pms_shared_command *command);

#endif
