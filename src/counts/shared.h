/* SPDX-License-Identifier: MIT */
/* counts/shared.h - a command shared by several sets of counts, such as the intervals of a
 * session. */
#ifndef PMS_COUNTS_SHARED_H
#define PMS_COUNTS_SHARED_H

#include "pmuscope/counts.h"

struct pms_shared_command {
	size_t users;
	char **words; /* NULL-terminated, owned */
};

/** Have @counts use the command until they are freed. All counts that share a command belong to one
 * thread. */
void pms_counts_share_command(struct pms_counts *counts, struct pms_shared_command *command);

/** Drop one user; the last one frees the command. @command may be NULL. */
void pms_shared_command_release(struct pms_shared_command *command);

#endif
