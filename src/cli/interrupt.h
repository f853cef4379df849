/* SPDX-License-Identifier: MIT */
/* cli/interrupt.h - signals that would end us, while there is something that must not be left. */
#ifndef PMS_CLI_INTERRUPT_H
#define PMS_CLI_INTERRUPT_H

#include <signal.h>

/** Let signals that would end us wait. @old: receives those to go back to with sigprocmask. For
 * what is short: signals that wait are not answered. */
void cli_hold_signals(sigset_t *old);

/** Whether a signal that would end us waits: what takes long is then to stop. */
int cli_stopped(void);

/** From here on, signals that would end us remove a file first. One file at a time.
 * @folder, @name: borrowed until cli_unguard */
void cli_guard(int folder, const char *name);

/** Remove the file of cli_guard, if there is one. For signal handlers. */
void cli_guard_remove(void);

/** The file is gone, or complete. Signals do what they did before. */
void cli_unguard(void);

#endif
