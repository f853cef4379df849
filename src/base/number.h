/* SPDX-License-Identifier: MIT */
/* base/number.h - whole numbers in texts of files: /sys, /proc/cpuinfo, catalogs. */
#ifndef PMS_BASE_NUMBER_H
#define PMS_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Read a text that is one whole number without sign, hexadecimal with 0x, octal with 0.
 * Blanks may stand before it; what of @behind is behind it is ignored.
 * @number: out, written on success
 * Returns whether the text is such a number, of at most 64 bits.
 */
bool pms_number_read(const char *text, const char *behind, uint64_t *number);

#endif
