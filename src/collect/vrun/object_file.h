/* SPDX-License-Identifier: MIT */
/* collect/vrun/object_file.h - the addresses that a mapped file's code has of its own. */
#ifndef PMS_COLLECT_VRUN_OBJECT_FILE_H
#define PMS_COLLECT_VRUN_OBJECT_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "pmuscope/object.h"

enum { PMS_OBJECT_SEGMENTS = 16 };

struct pms_object_file {
	struct pms_object object; /* its path is borrowed */
	size_t n_segments;
	struct {
		uint64_t offset, size, address;
	} segments[PMS_OBJECT_SEGMENTS]; /* those that hold code */
};

/** Read the segments and the build-id of the file at @path; none of them if it cannot be read. */
void pms_object_file_read(const char *path, struct pms_object_file *out);

/** Returns the file's own address of the byte at @offset; @offset itself if no segment has it. */
uint64_t pms_object_file_address(const struct pms_object_file *file, uint64_t offset);

#endif
