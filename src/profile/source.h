/* SPDX-License-Identifier: MIT */
/* profile/source.h - lines of source files, each file read when it is first asked for. */
#ifndef PMS_PROFILE_SOURCE_H
#define PMS_PROFILE_SOURCE_H

#include "base/arena.h"

/** Zero-initialise. */
struct pms_source_files {
	struct pms_arena arena;
	struct pms_source_file {
		const char *path; /* borrowed */
		char **lines;	  /* n_lines; none where the file cannot be read */
		size_t n_lines;
	} * files;
	size_t n_files;
};

/** Returns the text of @line, from 1, without its line break; NULL where there is none: the file
 * is not here, is no regular file, or has more than PMS_MOST_SOURCE_BYTES. Borrowed. */
const char *pms_source_line(struct pms_source_files *sources, const char *path, unsigned line);
/** Returns the number of lines; 0 where the file cannot be read. */
size_t pms_source_lines(struct pms_source_files *sources, const char *path);
void pms_sources_release(struct pms_source_files *sources);

#endif
