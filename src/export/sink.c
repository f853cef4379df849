/* SPDX-License-Identifier: MIT */
#include "export/sink.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void flush(struct pms_sink *sink)
{
	if (sink->used && !sink->failed && sink->write(sink->context, sink->buffer, sink->used))
		sink->failed = 1;
	sink->used = 0;
}

void pms_sink_put(struct pms_sink *sink, const void *bytes, size_t length)
{
	const char *from = bytes;
	while (length) {
		size_t room = sizeof(sink->buffer) - sink->used;
		size_t n = length < room ? length : room;
		memcpy(sink->buffer + sink->used, from, n);
		sink->used += n;
		from += n;
		length -= n;
		if (sink->used == sizeof(sink->buffer))
			flush(sink);
	}
}

void pms_sink_text(struct pms_sink *sink, const char *text)
{
	pms_sink_put(sink, text, strlen(text));
}

/* For numbers and words of our own: names from files are longer than any buffer. */
void pms_sink_printf(struct pms_sink *sink, const char *format, ...)
{
	char text[256];
	va_list args;
	va_start(args, format);
	int length = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (length < 0 || (size_t)length >= sizeof(text))
		sink->failed = 1;
	else
		pms_sink_put(sink, text, (size_t)length);
}

void pms_sink_json(struct pms_sink *sink, const char *text)
{
	pms_sink_text(sink, "\"");
	while (*text) {
		size_t length = pms_utf8_length(text);
		unsigned char c = (unsigned char)*text;
		if (!length)
			pms_sink_text(sink, "\xef\xbf\xbd");
		else if (c == '"' || c == '\\')
			pms_sink_printf(sink, "\\%c", c);
		else if (length == 1 && (c < 0x20 || c == 0x7f))
			pms_sink_printf(sink, "\\u%04x", c);
		else
			pms_sink_put(sink, text, length);
		text += length ? length : 1;
	}
	pms_sink_text(sink, "\"");
}

void pms_sink_line(struct pms_sink *sink, const char *text, const char *reserved)
{
	while (*text) {
		size_t length = pms_utf8_plain(text);
		if (length && *text != '\\' && !(length == 1 && strchr(reserved, *text))) {
			pms_sink_put(sink, text, length);
			text += length;
		} else {
			pms_sink_printf(sink, "\\x%02x", (unsigned char)*text++);
		}
	}
}

int pms_sink_end(struct pms_sink *sink)
{
	flush(sink);
	return sink->failed ? -1 : 0;
}
