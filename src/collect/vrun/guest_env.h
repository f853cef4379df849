/* SPDX-License-Identifier: MIT */
/* collect/vrun/guest_env.h - the environment that a modelled program gets.
 * It lies on the stack, so that its size moves addresses and with them the counts: it is the same
 * whoever runs the program, and from where. */
#ifndef PMS_COLLECT_VRUN_GUEST_ENV_H
#define PMS_COLLECT_VRUN_GUEST_ENV_H

#include "pmuscope/error.h"

/**
 * The fixed environment with @added ("NAME=value", NULL-terminated; NULL: none) on top; a variable
 * added twice, or already there, keeps the later value.
 * @out: NULL-terminated; free with pms_guest_env_free
 * Returns 0. Errors: -PMS_EINVAL a string of @added without a name, -PMS_ENOMEM.
 */
int pms_guest_env(char *const *added, char ***out, struct pms_error *err);
void pms_guest_env_free(char **env);

#endif
