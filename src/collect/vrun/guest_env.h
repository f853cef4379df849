/* SPDX-License-Identifier: MIT */
/* collect/vrun/guest_env.h - the environment of a modelled program. It lies on the stack, so its
 * size moves addresses and changes the counts. Therefore it is the same for every user and
 * folder. */
#ifndef PMS_COLLECT_VRUN_GUEST_ENV_H
#define PMS_COLLECT_VRUN_GUEST_ENV_H

#include "pmuscope/error.h"

/**
 * Make the fixed environment with @added ("NAME=value", NULL-terminated; NULL: none) on top; a
 * variable added twice, or already there, keeps the later value.
 * @out: NULL-terminated; free with pms_guest_env_free
 * Returns 0. Errors: -PMS_EINVAL a string of @added without a name, -PMS_ENOMEM.
 */
int pms_guest_env(char *const *added, char ***out, struct pms_error *err);
void pms_guest_env_free(char **env);

#endif
