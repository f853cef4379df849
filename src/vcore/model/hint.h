/* SPDX-License-Identifier: MIT */
/* vcore/model/hint.h - where the compiler should draw the line between the usual path and the rest.
 * Left alone it splits the hot loop's own small parts off, and keeps seldom used ones in it. */
#ifndef PMS_VCORE_MODEL_HINT_H
#define PMS_VCORE_MODEL_HINT_H

/* A part of the hot loop: all that it calls becomes part of it, except ... */
#define PMS_HOT __attribute__((noinline, flatten))
/* ... what stays a function of its own. */
#define PMS_APART __attribute__((noinline))

#endif
