/* SPDX-License-Identifier: MIT */
/* base/field.h - texts in tables for spreadsheets. A spreadsheet takes a text that begins with
 * =, +, - or @ for a formula. Unless it is a number, such a text gets an apostrophe in front,
 * which marks it as text. A text of apostrophes before such a character gets one more. So
 * removing one apostrophe restores every text. */
#ifndef PMS_BASE_FIELD_H
#define PMS_BASE_FIELD_H

/** Returns whether @text needs an apostrophe in front. */
int pms_field_is_formula(const char *text);

#endif
