/* SPDX-License-Identifier: MIT */
/* measure/note.h - tell the user something about a measurement. */
#ifndef PMS_MEASURE_NOTE_H
#define PMS_MEASURE_NOTE_H

#include "pmuscope/measurement.h"

/** Tell @note a sentence; do nothing where it is NULL. */
__attribute__((format(printf, 3, 4))) void pms_note_printf(pms_note *note, void *context,
							   const char *format, ...);

#endif
