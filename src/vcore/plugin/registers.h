/* SPDX-License-Identifier: MIT */
/* vcore/plugin/registers.h - the guest's general registers. Version 1 of the plugin API has no call
 * for them; QEMU's executable exports what its debugger's stub reads them with. At the start of a
 * block they are all in place. */
#ifndef PMS_VCORE_PLUGIN_REGISTERS_H
#define PMS_VCORE_PLUGIN_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

struct byte_array; /* GLib's */

/** What is needed to read them. */
struct registers {
	void *(*get_cpu)(int index);
	int (*read)(void *cpu, struct byte_array *bytes, int number);
	struct byte_array *(*array_new)(void);
	struct byte_array *(*array_resize)(struct byte_array *bytes, unsigned size);
};

/** Returns whether this QEMU has all of it. @read: its function that reads a register of this
 * ISA */
bool registers_find(struct registers *registers, const char *read);

/** A place to read into, for one thread; NULL when out of memory. It is never freed: GLib's. */
struct byte_array *registers_array(const struct registers *registers);

/** Returns register @number of the thread that calls. @vcpu: its index */
uint64_t registers_read(const struct registers *registers, struct byte_array *bytes, unsigned vcpu,
			int number);

#endif
