/* SPDX-License-Identifier: MIT */
/* base/status.h - fill a struct pms_error. Everything in src/ may include base/. */
#ifndef PMS_BASE_STATUS_H
#define PMS_BASE_STATUS_H

#include "pmuscope/error.h"

/**
 * Record an error unless @err is NULL or already holds one.
 * Returns -status, so that a caller can write `return pms_fail(err, PMS_EIO, "…");`.
 */
__attribute__((format(printf, 3, 4))) int pms_fail(struct pms_error *err, enum pms_status status,
						   const char *format, ...);

/** Record an error with its place: @source may be NULL, @line and @column are 1-based or 0. */
__attribute__((format(printf, 6, 7))) int pms_fail_at(struct pms_error *err, enum pms_status status,
						      const char *source, unsigned line,
						      unsigned column, const char *format, ...);

/* Tell clang's analyzer, which cannot look into the other file, that these return negative
 * numbers. */
#ifdef __clang_analyzer__
static inline int pms_failed(int rc)
{
	if (rc >= 0)
		__builtin_unreachable();
	return rc;
}
#define pms_fail(...)	 pms_failed(pms_fail(__VA_ARGS__))
#define pms_fail_at(...) pms_failed(pms_fail_at(__VA_ARGS__))
#endif

/** Record that memory has run out. Returns -PMS_ENOMEM. */
static inline int pms_no_memory(struct pms_error *err)
{
	return pms_fail(err, PMS_ENOMEM, "out of memory");
}

/** Set what to do next, if @err holds an error that has no hint yet. */
__attribute__((format(printf, 2, 3))) void pms_hint(struct pms_error *err, const char *format, ...);

#endif
