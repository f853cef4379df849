/* SPDX-License-Identifier: MIT */
/* cli/outlet.h - a stream whose writers never wait: it keeps what its reader has not taken yet,
 * and a thread passes it on. */
#ifndef PMS_CLI_OUTLET_H
#define PMS_CLI_OUTLET_H

#include <stdio.h>

struct cli_outlet; /* opaque; owned by the caller of cli_outlet_new until cli_outlet_close */

/** Returns NULL when out of memory or of descriptors. */
struct cli_outlet *cli_outlet_new(void);

/** Returns a descriptor that is readable while little text is kept. */
int cli_outlet_room(const struct cli_outlet *outlet);

/** Begin to write to @fd, which the caller keeps owning. Returns the stream, which the outlet
 * owns, or NULL and errno. After a failed write, writing to the stream fails with the same
 * errno. */
FILE *cli_outlet_start(struct cli_outlet *outlet, int fd);

enum { CLI_OUTLET_LEFT = -1 };

/**
 * Wait until everything is written, and free.
 * @hurry: 1: do not wait long when nobody reads. A held signal (see cli_hold_signals) means the
 *         same; a second one ends the waiting.
 * Returns 0, the errno of a write that failed, or CLI_OUTLET_LEFT when some text was not written.
 */
int cli_outlet_close(struct cli_outlet *outlet, int hurry);

#endif
