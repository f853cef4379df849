/* SPDX-License-Identifier: MIT */
#include "measure/note.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void pms_note_printf(pms_note *note, void *context, const char *format, ...)
{
	char *text = NULL;
	va_list args;
	if (!note)
		return;
	va_start(args, format);
	int length = vasprintf(&text, format, args);
	va_end(args);
	note(context, length < 0 ? "out of memory" : text);
	if (length >= 0)
		free(text);
}
