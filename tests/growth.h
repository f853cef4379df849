/* SPDX-License-Identifier: MIT */
/* growth.h - for tests that time grows with the input's size, and not with its square. Such a test
 * takes so many things that a square of them outlasts the test's timeout, and asserts no time:
 * machines are busy, and builds slow. */
#ifndef PMS_TESTS_GROWTH_H
#define PMS_TESTS_GROWTH_H

#include <stdlib.h>

/* Skip the test on an emulated machine, which is too slow to tell linear from quadratic time. How
 * time grows does not depend on the machine. */
static inline void growth_needs_a_fast_machine(void)
{
	if (getenv("MESON_EXE_WRAPPER")) /* meson runs the tests through an emulator */
		skip();
}

#endif
