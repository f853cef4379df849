/* SPDX-License-Identifier: MIT */
/* show/text.h - text and numbers as people and programs read them.
 * Nothing here depends on LC_NUMERIC being other than "C": pms_show_* see to that. */
#ifndef PMS_SHOW_TEXT_H
#define PMS_SHOW_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "pmuscope/show.h"

/** Room for any number that the functions below write. */
#define PMS_NUMBER_MAX 64

enum { PMS_TEXT_ONE = 17 }; /* four bytes of a character, escaped */

/** The character at @s as pms_text_clean has it. Returns the bytes consumed, at least 1. */
size_t pms_text_one(char shown[PMS_TEXT_ONE], const char *s, int ascii);

/** Write the character at @s as pms_text_clean has it. Returns the bytes consumed, at least 1. */
size_t pms_text_put(FILE *out, const char *s, int ascii);

/** Format as vprintf does, clean, and put @first before it. Returned as by pms_text_clean. */
__attribute__((format(printf, 3, 0))) char *pms_text_format(const char *first, int ascii,
							    const char *format, va_list args);

/** Columns that the first @bytes of @text take on a terminal, as the locale has it. */
size_t pms_text_columns(const char *text, size_t bytes);

/** Those of all of it. */
size_t pms_text_width(const char *text);

/** Write @text in lines of at most @width columns: @first before the first one, as many blanks
 * before the others, no line break after the last. A word that is longer stays whole. */
void pms_text_wrap(FILE *out, const char *first, const char *text, unsigned width);

/** Write @argv so that it can be pasted into a shell: on one line, quoted where needed. */
void pms_text_command(FILE *out, char *const *argv);

/** A number's digits. */
void pms_text_integer(char text[PMS_NUMBER_MAX], uint64_t value);

/** The shortest decimal that reads back as the same double. @value is finite. */
void pms_text_double(char text[PMS_NUMBER_MAX], double value);

/** 1234567 as 1,234,567. */
void pms_text_count(char text[PMS_NUMBER_MAX], uint64_t value);

/** A value to read: 52.6 with one decimal for percentages, else four digits. A value that is not
 * zero is never written as zero. */
void pms_text_value(char text[PMS_NUMBER_MAX], double value, const char *units);

/** 1 when @units is a percentage; *rest is then what of ("slots"), else @units. */
int pms_text_units(const char *units, const char **rest);

/** "50 %"; "<1 %" and ">99 %" of what is neither nothing nor all. */
void pms_text_share(char text[PMS_NUMBER_MAX], double percent);

/** Append a bar to @text (of @size bytes): @percent of @width columns, clamped to 0..width. */
void pms_text_bar(char *text, size_t size, double percent, unsigned width);

#endif
