/* SPDX-License-Identifier: MIT */
/* cli/mapped.h - survive the truncation of mapped files. */
#ifndef PMS_CLI_MAPPED_H
#define PMS_CLI_MAPPED_H

/** From here on, a truncated mapped file is an error that names the file, with exit status 2, and
 * no crash. Unfinished output is removed. */
void cli_watch_mapped(void);

#endif
