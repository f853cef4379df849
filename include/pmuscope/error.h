/* SPDX-License-Identifier: MIT */
/* pmuscope/error.h - status codes and the record that describes an error. */
#ifndef PMUSCOPE_ERROR_H
#define PMUSCOPE_ERROR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Functions return 0 or a documented count on success, and minus one of these on failure. */
enum pms_status {
	PMS_OK = 0,
	PMS_EINVAL, /* the caller passed a value that the function's comment forbids */
	PMS_ENOMEM, /* out of memory */
	PMS_EIO,    /* the system refused a read, a write or an open */
	PMS_EPARSE, /* a file or an expression breaks the rules of its format */
	PMS_ENAME,  /* an unknown name: event, metric, group, CPU, file */
	PMS_EHOST,  /* this machine cannot do it: no QEMU, no plugin support, no PMU */
	PMS_EEXEC,  /* the program to measure cannot be started: found, but not runnable */
	PMS_ENOEXEC /* the program to measure does not exist */
};

/**
 * Says what went wrong, where, and what to do next. The first error wins: a filled record is kept.
 * Zero-initialise before use: `struct pms_error err = { 0 };`.
 */
struct pms_error {
	enum pms_status status;
	char source[256];      /* file or expression; "" when none applies */
	unsigned line, column; /* 1-based; 0 when unknown */
	uint64_t offset;       /* byte offset in files without lines; else 0 */
	char text[512];	       /* one sentence without a full stop */
	char hint[512];	       /* what to do next; may be "" */
};

/** Returns the name of a status ("PMS_EPARSE"), "?" for an unknown value. Static storage. */
const char *pms_status_name(enum pms_status status);

/** Returns the name in @names, which is NULL-terminated, that is most like @word, ignoring case.
 * Returns NULL when none is near enough to be meant. */
const char *pms_name_nearest(const char *word, const char *const *names);

#ifdef __cplusplus
}
#endif
#endif
