/* SPDX-License-Identifier: MIT */
/* cli/mapped.h - files that somebody shortens while they are mapped. */
#ifndef PMS_CLI_MAPPED_H
#define PMS_CLI_MAPPED_H

/** From here on, a mapped file that is shorter than it was is an error that names it, with exit
 * status 2, and not a crash. What was not written completely is removed. */
void cli_watch_mapped(void);

#endif
