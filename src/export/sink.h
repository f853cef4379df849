/* SPDX-License-Identifier: MIT */
/* export/sink.h - where an export is written to, and texts as its formats take them. */
#ifndef PMS_EXPORT_SINK_H
#define PMS_EXPORT_SINK_H

#include <stddef.h>
#include <stdint.h>

/** Set write and context, zero the rest. */
struct pms_sink {
	int (*write)(void *context, const void *bytes, size_t length);
	void *context;
	int failed; /* 1: write() stopped; nothing is written from then on */
	size_t used;
	char buffer[16384];
};

void pms_sink_put(struct pms_sink *sink, const void *bytes, size_t length);
void pms_sink_text(struct pms_sink *sink, const char *text);
__attribute__((format(printf, 2, 3))) void pms_sink_printf(struct pms_sink *sink,
							   const char *format, ...);

/** Write the JSON string of @text. Bytes that are no UTF-8 become U+FFFD. */
void pms_sink_json(struct pms_sink *sink, const char *text);

/** Write @text on one line: a character that a viewer would act on, a byte that is no UTF-8, a
 * backslash and each byte of @reserved are written as \xNN. */
void pms_sink_line(struct pms_sink *sink, const char *text, const char *reserved);

/** Write what is left. Returns 0, or -1 when write() has stopped. */
int pms_sink_end(struct pms_sink *sink);

#endif
