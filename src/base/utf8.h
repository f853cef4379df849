/* SPDX-License-Identifier: MIT */
/* base/utf8.h - what is UTF-8, and what of it is not safe to show. */
#ifndef PMS_BASE_UTF8_H
#define PMS_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/** Length of the UTF-8 sequence at @text, 1 to 4; 0 when there is none. Overlong forms, surrogates
 * and code points past U+10FFFF are none, nor is the end of the text. */
size_t pms_utf8_length(const char *text);

/** The code point of the character at @text, of @length bytes. */
uint32_t pms_utf8_code(const char *text, size_t length);

/** Whether the whole text is UTF-8. */
int pms_utf8_valid(const char *text);

/** Whether what shows text acts on the character at @text, of @length bytes, rather than show it:
 * control characters (C0, DEL, C1), line and paragraph separators, and format characters, which
 * turn the direction of what follows or are not to be seen. */
int pms_utf8_acts(const char *text, size_t length);

/** Length of the character at @text when it is safe to show; 0 when it acts or is no UTF-8. */
size_t pms_utf8_plain(const char *text);

#endif
