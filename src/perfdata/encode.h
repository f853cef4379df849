/* SPDX-License-Identifier: MIT */
/* perfdata/encode.h - encode records and sections into the bytes that record.h, feature.c and
 * tables.c read. Flow: [encode] -> writer. */
#ifndef PMS_PERFDATA_ENCODE_H
#define PMS_PERFDATA_ENCODE_H

#include "perfdata/bytes.h"
#include "pmuscope/perfdata.h"

/** Returns the size of each attribute in a file: 112 bytes, which old versions of perf read, or
 * 136 if an event has a config3, which only perf of Linux 6.3 and newer reads. */
size_t pms_attr_size(const struct pms_perfdata_info *info);

/** The most bytes of records in one compressed record. The file tells its readers. */
enum { PMS_COMPRESSED_MAX = 128 << 10 };

/** Encode a record from its fields, without the data of AUXTRACE.
 * @into: the record is appended
 * Returns 0. Errors: -PMS_EINVAL, -PMS_ENOMEM, as pms_perfdata_write. */
int pms_record_encode(const struct pms_perfdata_info *info,
		      const struct pms_perfdata_record *record, struct pms_bytes *into);

/** Encode an attribute. @size: from pms_attr_size */
void pms_attr_encode(const struct pms_perfdata_event *event, size_t size, struct pms_bytes *into);

/** Encode the content of a section that describe.h numbers, except AUXTRACE, which the writer
 * knows. Returns whether the file is to have it. */
bool pms_section_encode(const struct pms_perfdata_info *info, unsigned feature,
			struct pms_bytes *into);

/** Encode the describing records in the order that perf needs. With info->pipe, also encode the
 * records that replace the header. Returns 0. Errors: -PMS_EINVAL one of 64 KiB or more,
 * -PMS_ENOMEM. */
int pms_description_encode(const struct pms_perfdata_info *info, struct pms_bytes *into);

/** Append the header of a record whose content follows. Returns where the record begins, for
 * pms_record_end. */
size_t pms_record_begin(struct pms_bytes *into, uint32_t type, uint16_t misc);
int pms_record_end(struct pms_bytes *into, size_t begin);

#endif
