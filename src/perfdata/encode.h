/* SPDX-License-Identifier: MIT */
/* perfdata/encode.h - records and sections into bytes: what record.h, feature.c and tables.c read.
 * Flow: [encode] -> writer. */
#ifndef PMS_PERFDATA_ENCODE_H
#define PMS_PERFDATA_ENCODE_H

#include "perfdata/bytes.h"
#include "pmuscope/perfdata.h"

/** Length of the attributes of a file, all alike: 112 bytes, which perf has known for long; 136
 * with an event that has a config3, as only perf of Linux 6.3 and newer reads. */
size_t pms_attr_size(const struct pms_perfdata_info *info);

/** The most bytes of records that one compressed record stands for: a file says it to its readers.
 */
enum { PMS_COMPRESSED_MAX = 128 << 10 };

/**
 * A record by its fields, without the data of AUXTRACE. @into may hold others before it.
 * Returns 0. Errors: -PMS_EINVAL, -PMS_ENOMEM as pms_perfdata_write says.
 */
int pms_record_encode(const struct pms_perfdata_info *info,
		      const struct pms_perfdata_record *record, struct pms_bytes *into);

/** @size: see pms_attr_size */
void pms_attr_encode(const struct pms_perfdata_event *event, size_t size, struct pms_bytes *into);

/**
 * The content of a section, of those that describe.h numbers; not of AUXTRACE, which the writer
 * knows. Returns whether the file is to have it.
 */
bool pms_section_encode(const struct pms_perfdata_info *info, unsigned feature,
			struct pms_bytes *into);

/** The records that describe, in the order in which perf wants them. With info->pipe also those
 * that stand for the header. Returns 0. Errors: -PMS_EINVAL one of 64 KiB or more. */
int pms_description_encode(const struct pms_perfdata_info *info, struct pms_bytes *into);

/** The header of a record whose content follows, and its length when that is complete. */
size_t pms_record_begin(struct pms_bytes *into, uint32_t type, uint16_t misc);
int pms_record_end(struct pms_bytes *into, size_t begin);

#endif
