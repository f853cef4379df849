/* SPDX-License-Identifier: MIT */
/* vcore/plugin/registers.h - the guest's general registers. Version 1 of the plugin API cannot
 * read them, but QEMU's executable exports the functions of its debugger stub. At the start of
 * a block all registers are up to date. */
#ifndef PMS_VCORE_PLUGIN_REGISTERS_H
#define PMS_VCORE_PLUGIN_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

struct byte_array; /* GLib's */

/** QEMU's functions that read registers. */
struct registers {
	void *(*get_cpu)(int index);
	int (*read)(void *cpu, struct byte_array *bytes, int number);
	struct byte_array *(*array_new)(void);
	struct byte_array *(*array_resize)(struct byte_array *bytes, unsigned size);
};

/** Returns whether this QEMU has all functions. @read: name of the one that reads a register of
 * this ISA */
bool registers_find(struct registers *registers, const char *read);

/** Returns a buffer to read into, for one thread; NULL when out of memory. It is never freed,
 * because it is GLib's. */
struct byte_array *registers_array(const struct registers *registers);

/** Returns register @number of the calling thread. @vcpu: its index */
uint64_t registers_read(const struct registers *registers, struct byte_array *bytes, unsigned vcpu,
			int number);

#endif
