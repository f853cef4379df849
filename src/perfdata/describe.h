/* SPDX-License-Identifier: MIT */
/* perfdata/describe.h - the description of a file, gathered from its header and its records.
 * Flow: reader -> [describe]; record decoding asks here which event an id belongs to.
 * Functions that take bytes return 0, -PMS_EPARSE when the bytes do not fit their format
 * (nothing is changed then), or -PMS_ENOMEM, also when the description would exceed its share of
 * memory. */
#ifndef PMS_PERFDATA_DESCRIBE_H
#define PMS_PERFDATA_DESCRIBE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "perfdata/cursor.h"
#include "pmuscope/perfdata.h"

/** Numbers of the sections after the data that this reader knows; perf calls them "features". */
enum {
	PMS_FEATURE_BUILD_ID = 2,
	PMS_FEATURE_HOSTNAME = 3,
	PMS_FEATURE_OS_RELEASE = 4,
	PMS_FEATURE_VERSION = 5,
	PMS_FEATURE_ARCH = 6,
	PMS_FEATURE_CPUS = 7,
	PMS_FEATURE_CPU_DESCRIPTION = 8,
	PMS_FEATURE_CPUID = 9,
	PMS_FEATURE_MEMORY = 10,
	PMS_FEATURE_CMDLINE = 11,
	PMS_FEATURE_EVENTS = 12,
	PMS_FEATURE_PMUS = 16,
	PMS_FEATURE_AUXTRACE = 18,
	PMS_FEATURE_COMPRESSED = 27,
	PMS_FEATURES = 256
};

struct pms_perfdata_description {
	struct pms_perfdata_info info; /* its arrays are the ones below */
	struct pms_arena arena;
	size_t used; /* bytes used, of PMS_MOST_DESCRIPTION_BYTES and twice the file's size */
	uint64_t file_size; /* of a stream: the bytes read so far */
	struct pms_perfdata_event *events;
	struct pms_perfdata_build_id *build_ids;
	struct pms_perfdata_id_entry *id_index;
	struct pms_numbers event_of_id;
	bool mixed_types;    /* events differ in sample_type */
	bool mixed_samples;  /* events differ in where a sample has its id */
	bool mixed_trailers; /* events differ in where a trailer has its id */
};

void pms_description_init(struct pms_perfdata_description *d);
void pms_description_release(struct pms_perfdata_description *d);

/** Returns zeroed memory that lives as long as the description; NULL when the limit is exceeded. */
void *pms_description_keep(struct pms_perfdata_description *d, size_t count, size_t size);
/** Returns room at the end of an array that grows by one, as pms_array_room does. */
void *pms_description_room(struct pms_perfdata_description *d, void *array, size_t count,
			   size_t size);
/** Returns a copy of a text; NULL as pms_description_keep. */
const char *pms_description_text(struct pms_perfdata_description *d, const char *text);

/** Add an event. @attr: its attribute, as the kernel writes it */
int pms_description_event(struct pms_perfdata_description *d, struct cursor attr,
			  struct cursor ids);

/** Returns the event that an id belongs to; -1: none. */
int pms_description_event_of(const struct pms_perfdata_description *d, uint64_t id);

/** Returns where a sample has its id, as an index of 8-byte numbers; -1: nowhere. A trailer's
 * index counts from its end. */
int pms_sample_id_at(uint64_t sample_type);
int pms_trailer_id_at(uint64_t sample_type);

/** feature.c: read a section after the data, or the content of a HEADER_FEATURE record. Unknown
 * ones are skipped. */
int pms_description_feature(struct pms_perfdata_description *d, unsigned feature, struct cursor c);
/** Returns whether pms_description_feature reads this section. */
bool pms_description_has_feature(unsigned feature);
/** Read a build-id record, header included. */
int pms_description_build_id(struct pms_perfdata_description *d, struct cursor c);

/** tables.c: read a record that describes the file: HEADER_ATTR, HEADER_BUILD_ID, ID_INDEX,
 * AUXTRACE_INFO, THREAD_MAP, CPU_MAP, EVENT_UPDATE, TIME_CONV, HEADER_FEATURE. Others are
 * skipped. */
int pms_description_record(struct pms_perfdata_description *d, uint32_t type, const uint8_t *bytes,
			   size_t size);

#endif
