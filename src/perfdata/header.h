/* SPDX-License-Identifier: MIT */
/* perfdata/header.h - read what stands before and after the data: the file header, the events,
 * the sections. Flow: source -> [header] -> describe. */
#ifndef PMS_PERFDATA_HEADER_H
#define PMS_PERFDATA_HEADER_H

#include "perfdata/describe.h"
#include "perfdata/source.h"

/** Read the file header and, of a file that has them, the events and sections. Afterwards the
 * source's offset and end are the data's.
 * @stats: cut and malformed are set where the sections are incomplete or damaged
 * Returns 0. Errors: -PMS_EPARSE, -PMS_EIO, -PMS_ENOMEM, as pms_perfdata_open. */
int pms_header_read(struct pms_perfdata_source *source, struct pms_perfdata_description *d,
		    struct pms_perfdata_stats *stats, struct pms_error *err);

/** Set an error with its place in the file. Returns -status. */
__attribute__((format(printf, 4, 5))) int pms_fail_offset(struct pms_error *err,
							  enum pms_status status, uint64_t offset,
							  const char *format, ...);

/** Note that the file is cut short; only the first call counts. */
__attribute__((format(printf, 3, 4))) void pms_cut(struct pms_perfdata_stats *stats,
						   uint64_t offset, const char *format, ...);

#endif
