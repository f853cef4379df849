/* SPDX-License-Identifier: MIT */
/* cli/place.h - what a name stands for that somebody wants written. */
#ifndef PMS_CLI_PLACE_H
#define PMS_CLI_PLACE_H

#include <limits.h>
#include <sys/stat.h>

#include "cli.h"

enum cli_place_kind {
	CLI_PLACE_NEW,	 /* nothing is there */
	CLI_PLACE_FILE,	 /* a regular file */
	CLI_PLACE_OTHER, /* a FIFO, a terminal or another device: written to as it is */
	CLI_PLACE_OURS	 /* one of our own descriptors, as /dev/stdout */
};

/** Where links have led to. The folder is held, so that its name can come to mean another. */
struct cli_place {
	enum cli_place_kind kind;
	int folder; /* open as a path alone; -1: none */
	char name[NAME_MAX + 1];
	struct stat st; /* of what is there */
	int shared;	/* 1: a folder that others put files in, and remove only their own */
	int descriptor; /* CLI_PLACE_OURS: the number */
};

/**
 * Find the place that a chain of links ends at.
 *
 * In a folder such as /tmp, where anybody may put files, a link or a file of another user is not
 * followed or written: it may have been put there for us to come along, to have us write what he
 * may not, or read what we write. Linux refuses the same where fs.protected_symlinks and
 * fs.protected_regular are set.
 *
 * Release with cli_place_release, whatever is returned. Returns CLI_DONE, or the exit status after
 * a message.
 */
int cli_place_find(struct cli_place *place, const char *path);
void cli_place_release(struct cli_place *place);

/** Open what is there, to be written: nothing of it is cut, but a file is no longer setuid or
 * setgid. @flags: more, of open(2). Returns a descriptor, or -1 and errno. */
int cli_place_open(const struct cli_place *place, int flags);

#endif
