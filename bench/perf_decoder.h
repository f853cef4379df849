/* SPDX-License-Identifier: MIT */
/* bench/perf_decoder.h - what bench_spe asks of the library that bench/perf_decoder.c becomes. Both
 * return how many they read, and add to @sum so that the compiler keeps the work. */
#ifndef BENCH_PERF_DECODER_H
#define BENCH_PERF_DECODER_H

#include <stddef.h>
#include <stdint.h>

/** Count packets, without padding; @sum: of their payloads. */
uint64_t perf_decoder_packets(const uint8_t *bytes, size_t length, uint64_t *sum);

/** Count records; @sum: of their instruction addresses and latencies. */
uint64_t perf_decoder_records(const uint8_t *bytes, size_t length, uint64_t *sum);

#endif
