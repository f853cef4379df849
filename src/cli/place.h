/* SPDX-License-Identifier: MIT */
/* cli/place.h - find the file behind the name of an output. */
#ifndef PMS_CLI_PLACE_H
#define PMS_CLI_PLACE_H

#include <limits.h>
#include <sys/stat.h>

#include "cli.h"

enum cli_place_kind {
	CLI_PLACE_NEW,	 /* nothing is there */
	CLI_PLACE_FILE,	 /* a regular file */
	CLI_PLACE_OTHER, /* a FIFO, a terminal or another device: written directly */
	CLI_PLACE_OURS	 /* one of our own descriptors, such as /dev/stdout */
};

/** The end of a chain of links. The folder is kept open, so that renaming it cannot redirect us. */
struct cli_place {
	enum cli_place_kind kind;
	int folder; /* opened with O_PATH; -1: none */
	char name[NAME_MAX + 1];
	struct stat st; /* of the existing file */
	int shared;	/* 1: a shared folder, in which users can remove only their own files */
	int descriptor; /* for CLI_PLACE_OURS: the number */
};

/**
 * Find the end of a chain of links.
 *
 * In a folder such as /tmp, where anybody may put files, links of other users are not followed and
 * their files not written. Such a file may be a trap: it makes us write where its owner may not, or
 * lets him read what we write. Linux refuses the same where fs.protected_symlinks and
 * fs.protected_regular are set.
 *
 * Always release it with cli_place_release. Returns CLI_DONE, or the exit status after a message.
 */
int cli_place_find(struct cli_place *place, const char *path);
void cli_place_release(struct cli_place *place);

/** Open an existing file for writing, without truncating it; it loses setuid and setgid. @flags:
 * further flags of open(2). Returns a descriptor, or -1 and errno. */
int cli_place_open(const struct cli_place *place, int flags);

#endif
