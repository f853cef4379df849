/* SPDX-License-Identifier: MIT */
/* collect/live/counter.h - read a counter without the kernel.
 * Source: Linux, include/uapi/linux/perf_event.h, struct perf_event_mmap_page; Arm ARM (DDI 0487),
 * PMEVCNTR<n>_EL0 and PMCCNTR_EL0; RISC-V Privileged Specification, hpmcounter3 and up. */
#ifndef PMS_COLLECT_LIVE_COUNTER_H
#define PMS_COLLECT_LIVE_COUNTER_H

#include <stdint.h>

/* clang-format flips back and forth on this one. */
/* clang-format off */
#define PMS_EACH_COUNTER(X) \
	X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) \
	X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30)
/* clang-format on */

/** Whether this architecture lets programs read counters, if the kernel allows it. */
#if defined(__aarch64__) || defined(__x86_64__) || defined(__riscv)
enum { PMS_COUNTERS_READABLE = 1 };
#else
enum { PMS_COUNTERS_READABLE = 0 };
#endif

/** The counter of this number, which the kernel's page gives. */
static inline uint64_t pms_counter_read(uint32_t number)
{
	uint64_t value = 0;
#if defined(__aarch64__)
	switch (number) {
#define PMS_READ(n)                                                                                \
	case n:                                                                                    \
		__asm__ volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(value));                      \
		break;
		PMS_EACH_COUNTER(PMS_READ)
#undef PMS_READ
	default: /* 31 */
		__asm__ volatile("mrs %0, pmccntr_el0" : "=r"(value));
	}
#elif defined(__x86_64__)
	uint32_t low, high;
	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(number));
	value = (uint64_t)high << 32 | low;
#elif defined(__riscv)
	switch (number) {
#define PMS_READ(n)                                                                                \
	case n:                                                                                    \
		__asm__ volatile("csrr %0, %1" : "=r"(value) : "i"(0xc00 + n));                    \
		break;
		PMS_EACH_COUNTER(PMS_READ)
#undef PMS_READ
	default:
		__asm__ volatile("csrr %0, %1" : "=r"(value) : "i"(0xc00 + 31));
	}
#else
	(void)number;
#endif
	return value;
}

#endif
