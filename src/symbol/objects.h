/* SPDX-License-Identifier: MIT */
/* symbol/objects.h - objects, each once, by number. */
#ifndef PMS_SYMBOL_OBJECTS_H
#define PMS_SYMBOL_OBJECTS_H

#include "base/arena.h"
#include "base/numbers.h"
#include "pmuscope/object.h"

/** Zero-initialise. The arena is the owner's to use for texts of the same life. */
struct pms_objects {
	struct pms_arena arena;
	struct pms_hash_key key;
	struct pms_numbers by_hash;
	struct pms_object_row {
		struct pms_object object;
		uint32_t next; /* of the same hash */
	} * rows;
	size_t count;
};

/** The object's number, PMS_NO_ROW when it was not met. */
uint32_t pms_objects_find(const struct pms_objects *o, const struct pms_object *object);

/** The object's number, a new one if it was not met; PMS_NO_ROW when out of memory. @object: its
 * path is copied */
uint32_t pms_objects_number(struct pms_objects *o, const struct pms_object *object);

void pms_objects_release(struct pms_objects *o);

#endif
