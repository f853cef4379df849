/* SPDX-License-Identifier: MIT */
/* base/utf8.h - tell what is UTF-8, and which of its characters are unsafe to show. */
#ifndef PMS_BASE_UTF8_H
#define PMS_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/** Returns the length of the UTF-8 sequence at @text, 1 to 4; 0 when there is none. Overlong
 * forms, surrogates, code points past U+10FFFF and the end of the text give 0. */
size_t pms_utf8_length(const char *text);

/** Returns the code point of the character at @text, of @length bytes. */
uint32_t pms_utf8_code(const char *text, size_t length);

/** Returns whether the whole text is UTF-8. */
int pms_utf8_valid(const char *text);

/** Returns whether a terminal or viewer would act on the character at @text, of @length bytes,
 * instead of showing it: control characters (C0, DEL, C1), line and paragraph separators, and
 * format characters, which are invisible or reverse the text after them. */
int pms_utf8_acts(const char *text, size_t length);

/** Returns the length of the character at @text when it is safe to show; else 0. */
size_t pms_utf8_plain(const char *text);

#endif
