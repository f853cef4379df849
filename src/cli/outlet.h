/* SPDX-License-Identifier: MIT */
/* cli/outlet.h - a stream that keeps what its reader does not take yet: writing to it never waits.
 * A thread passes it on. */
#ifndef PMS_CLI_OUTLET_H
#define PMS_CLI_OUTLET_H

#include <stdio.h>

struct cli_outlet; /* opaque; owned by the caller of cli_outlet_new until cli_outlet_close */

/** Returns NULL when out of memory or of descriptors. */
struct cli_outlet *cli_outlet_new(void);

/** A descriptor that is readable while little is kept. */
int cli_outlet_room(const struct cli_outlet *outlet);

/** Begin to write to @fd, which stays the caller's. Returns the stream, owned by the outlet, or
 * NULL and errno. What is written to it when that has failed is an error, with its errno. */
FILE *cli_outlet_start(struct cli_outlet *outlet, int fd);

enum { CLI_OUTLET_LEFT = -1 };

/**
 * Wait until everything is written, and free.
 * @hurry: 1: not for long when nobody reads. A signal that would end us, and waits (see
 *         cli_hold_signals), means the same; a further one ends the waiting.
 * Returns 0, the errno of a write that failed, or CLI_OUTLET_LEFT when something was left
 * unwritten.
 */
int cli_outlet_close(struct cli_outlet *outlet, int hurry);

#endif
