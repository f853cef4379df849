/* SPDX-License-Identifier: MIT */
/* machine/qemu.h - find QEMU's user-mode emulation and our plugin for it. */
#ifndef PMS_MACHINE_QEMU_H
#define PMS_MACHINE_QEMU_H

#include <stddef.h>

#include "machine/path.h"
#include "pmuscope/error.h"

/**
 * Find a QEMU that the plugin can be loaded into.
 * @wanted: a path or name; NULL: qemu-aarch64
 * @path:   receives the program's path, PMS_PATH_MAX bytes
 * Returns 0. Errors: -PMS_EHOST not found, built without plugins, or its plugin API is not version
 *         1; the hint says what to install.
 */
int pms_qemu_find(const char *wanted, char *path, struct pms_error *err);

/**
 * Ask a QEMU for its version by running it ("7.2.22").
 * @out: at least 32 bytes; "" when it does not say
 */
void pms_qemu_version(const char *path, char *out, size_t size);

/**
 * Find the plugin: beside the running binary, as in a build tree, else where it is installed.
 * @wanted: a path; NULL: search
 * @name:   of the file: PMS_PLUGIN or PMS_PLUGIN_WHERE
 * @path:   receives its path, PMS_PATH_MAX bytes
 * Returns 0. Errors: -PMS_EHOST it is not there.
 */
#define PMS_PLUGIN	 "pmuscope-vcore.so"
#define PMS_PLUGIN_WHERE "pmuscope-vcore-where.so" /* it charges each instruction */
int pms_plugin_find(const char *wanted, const char *name, char *path, struct pms_error *err);

#endif
