/* SPDX-License-Identifier: MIT */
/* cli/interrupt.h - hold back signals that would end us, while unfinished files exist. */
#ifndef PMS_CLI_INTERRUPT_H
#define PMS_CLI_INTERRUPT_H

#include <signal.h>

/** Hold signals that would end us. @old: receives the mask to restore with sigprocmask. Only for
 * short jobs: held signals get no answer. */
void cli_hold_signals(sigset_t *old);

/** Returns whether a held signal waits: long jobs should stop then. */
int cli_stopped(void);

/** From here on, signals that would end us remove a file first; only one file at a time. @folder,
 * @name: borrowed until cli_unguard */
void cli_guard(int folder, const char *name);

/** Remove the file of cli_guard, if any. Safe in signal handlers. */
void cli_guard_remove(void);

/** Stop guarding, once the file is gone or complete. Signals act as before. */
void cli_unguard(void);

#endif
