/* SPDX-License-Identifier: MIT */
/* perfdata/record.h - a record's bytes into its fields.
 * Flow: reader -> [record]; where the fields lie depends on the event, which describe.h knows. */
#ifndef PMS_PERFDATA_RECORD_H
#define PMS_PERFDATA_RECORD_H

#include "perfdata/describe.h"

/** How decoding ended. */
enum pms_decoded {
	PMS_DECODED,
	PMS_DECODED_UNKNOWN,	  /* a type not heard of: type, misc and bytes are set */
	PMS_DECODED_UNIDENTIFIED, /* its event is not known, so neither are its sample or trailer */
	PMS_DECODED_MALFORMED	  /* it is too short, or a text in it does not end */
};

/** @record: type, misc, offset, bytes and size are set; the rest is set here */
enum pms_decoded pms_record_decode(const struct pms_perfdata_description *d,
				   struct pms_perfdata_record *record);

/** sample.c. @body: after the header. Return false when malformed. */
bool pms_sample_decode(const struct pms_perfdata_event *event, struct cursor *body,
		       struct pms_perfdata_record *record);
/** The trailer is taken off the end of @body. */
bool pms_trailer_decode(uint64_t sample_type, struct cursor *body, struct pms_perfdata_id *id);

#endif
