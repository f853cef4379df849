/* SPDX-License-Identifier: MIT */
/* vcore/model/hint.h - tell the compiler what is the usual path. Without these hints gcc splits
 * small parts off the hot loop, and keeps rare parts in it. */
#ifndef PMS_VCORE_MODEL_HINT_H
#define PMS_VCORE_MODEL_HINT_H

/* A part of the hot loop: everything that it calls is inlined, except ... */
#define PMS_HOT __attribute__((noinline, flatten))
/* ... functions marked as apart. */
#define PMS_APART __attribute__((noinline))

#endif
