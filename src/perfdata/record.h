/* SPDX-License-Identifier: MIT */
/* perfdata/record.h - decode a record's bytes into its fields. Flow: reader -> [record]. Where
 * the fields lie depends on the event, which describe.h knows. */
#ifndef PMS_PERFDATA_RECORD_H
#define PMS_PERFDATA_RECORD_H

#include "perfdata/describe.h"

/** The result of decoding. */
enum pms_decoded {
	PMS_DECODED,
	PMS_DECODED_UNKNOWN,	  /* an unknown type: type, misc and bytes are set */
	PMS_DECODED_UNIDENTIFIED, /* its event is unknown, so its sample or trailer is not decoded
				   */
	PMS_DECODED_MALFORMED	  /* it is too short, or a text in it has no end */
};

/** Decode a record. @record: type, misc, offset, bytes and size are set by the caller, the rest
 * here */
enum pms_decoded pms_record_decode(const struct pms_perfdata_description *d,
				   struct pms_perfdata_record *record);

/** sample.c: decode a sample. @body: what follows the header. Returns false when malformed. */
bool pms_sample_decode(const struct pms_perfdata_event *event, struct cursor *body,
		       struct pms_perfdata_record *record);
/** Decode a trailer and take it off the end of @body. Returns false when malformed. */
bool pms_trailer_decode(uint64_t sample_type, struct cursor *body, struct pms_perfdata_id *id);

#endif
