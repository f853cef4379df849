/* SPDX-License-Identifier: MIT */
/* show/text.h - print text and numbers for people and programs. These functions need LC_NUMERIC
 * "C", which the pms_show_* functions set. */
#ifndef PMS_SHOW_TEXT_H
#define PMS_SHOW_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "pmuscope/show.h"

/** Bytes for any number that the functions below write. */
#define PMS_NUMBER_MAX 64

enum { PMS_TEXT_ONE = 17 }; /* one character escaped: four bytes become \xNN each, and a NUL */

/** Clean the character at @s as pms_text_clean does. Returns the bytes consumed, at least 1. */
size_t pms_text_one(char shown[PMS_TEXT_ONE], const char *s, int ascii);

/** Write the character at @s, cleaned as by pms_text_clean. Returns the bytes consumed, at least
 * 1. */
size_t pms_text_put(FILE *out, const char *s, int ascii);

/** Format as vprintf does, clean the text, and put @first before it. Returns a new string, NULL
 * when out of memory. */
__attribute__((format(printf, 3, 0))) char *pms_text_format(const char *first, int ascii,
							    const char *format, va_list args);

/** Returns the terminal columns of the first @bytes of @text in the current locale. */
size_t pms_text_columns(const char *text, size_t bytes);

/** Returns the terminal columns of all of @text. */
size_t pms_text_width(const char *text);

/** Write @text in lines of at most @width columns: @first before the first line, as many blanks
 * before the others, no final line break. A longer word stays whole. */
void pms_text_wrap(FILE *out, const char *first, const char *text, unsigned width);

/** Write @argv to be pasted into a shell: on one line, quoted where needed. */
void pms_text_command(FILE *out, char *const *argv);

/** Write a number's digits. */
void pms_text_integer(char text[PMS_NUMBER_MAX], uint64_t value);

/** Write the shortest decimal that reads back as the same double. @value is finite. */
void pms_text_double(char text[PMS_NUMBER_MAX], double value);

/** Write 1234567 as 1,234,567. */
void pms_text_count(char text[PMS_NUMBER_MAX], uint64_t value);

/** Write a value for people: percentages with one decimal, 52.6, others with four digits. A value
 * other than zero never prints as zero. */
void pms_text_value(char text[PMS_NUMBER_MAX], double value, const char *units);

/** Returns 1 when @units is a percentage. *rest receives the whole it is of ("slots"), else
 * @units. */
int pms_text_units(const char *units, const char **rest);

/** Write "50 %"; "<1 %" and ">99 %" where the share is neither nothing nor all. */
void pms_text_share(char text[PMS_NUMBER_MAX], double percent);

/** Append a bar to @text (of @size bytes): @percent of @width columns, clamped to 0..width. */
void pms_text_bar(char *text, size_t size, double percent, unsigned width);

#endif
