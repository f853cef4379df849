/* SPDX-License-Identifier: MIT */
/* vehicles.h - a table of advertisements for cars, made up, to parse. */
#ifndef CSV_VEHICLES_H
#define CSV_VEHICLES_H
#include <stddef.h>
#include <stdint.h>

/**
 * Make a table. Two advertisements, a long one and a short one, take turns; the same call makes the
 * same bytes everywhere.
 * Returns the table, size bytes, to be freed; NULL without memory.
 */
uint8_t *vehicles_make(size_t rows, size_t *size);

#endif
