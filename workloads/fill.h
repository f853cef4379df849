/* SPDX-License-Identifier: MIT */
#ifndef PMS_WORKLOAD_FILL_H
#define PMS_WORKLOAD_FILL_H

#include <stdint.h>

/* Each writes @memory, of @bytes, which are a power of two of lines or pages. */
void fill_shuffled(char *memory, uint64_t bytes);
void fill_walk(char *memory, uint64_t bytes);
void fill_pages(char *memory, uint64_t bytes);
void fill_random(char *memory, uint64_t bytes);

#endif
