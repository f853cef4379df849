/* SPDX-License-Identifier: MIT */
/* base/utf8.h - what is UTF-8 and what is not. */
#ifndef PMS_BASE_UTF8_H
#define PMS_BASE_UTF8_H

#include <stddef.h>

/** Length of the UTF-8 sequence at @text, 1 to 4; 0 when there is none. Overlong forms, surrogates
 * and code points past U+10FFFF are none, nor is the end of the text. */
size_t pms_utf8_length(const char *text);

/** Whether the whole text is UTF-8. */
int pms_utf8_valid(const char *text);

#endif
