/* SPDX-License-Identifier: MIT */
/* base/field.h - texts in tables that spreadsheets read. They take a text that begins with =, +, -
 * or @ for a formula. Such a text, unless it is a number, gets an apostrophe in front, which makes
 * it text to them. One that begins with apostrophes and then such a character gets one more, so
 * that taking one away gives every text back. */
#ifndef PMS_BASE_FIELD_H
#define PMS_BASE_FIELD_H

/** Whether @text is to have an apostrophe in front. */
int pms_field_is_formula(const char *text);

#endif
