/* SPDX-License-Identifier: MIT */
/* pmuscope/version.h - which version of the library this is. */
#ifndef PMUSCOPE_VERSION_H
#define PMUSCOPE_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

/** Returns the version of the library, "0.1.0". Static storage. */
const char *pms_version(void);

#ifdef __cplusplus
}
#endif
#endif
