/* SPDX-License-Identifier: MIT */
#include "vcore/plugin/registers.h"

#include <dlfcn.h>
#include <string.h>

/* As GLib lays out a GByteArray. */
struct byte_array {
	uint8_t *data;
	unsigned size;
};

/* A function by its name; ISO C has no cast from what dlsym gives. */
static bool find(const char *name, void *function, size_t size)
{
	void *at = dlsym(RTLD_DEFAULT, name);
	memcpy(function, &at, size);
	return at != NULL;
}

#define FIND(name, function) find(name, &(function), sizeof(function))

bool registers_find(struct registers *r, const char *read)
{
	return FIND("qemu_get_cpu", r->get_cpu) && FIND(read, r->read) &&
	       FIND("g_byte_array_new", r->array_new) &&
	       FIND("g_byte_array_set_size", r->array_resize);
}

struct byte_array *registers_array(const struct registers *r)
{
	return r->array_new();
}

uint64_t registers_read(const struct registers *r, struct byte_array *bytes, unsigned vcpu,
			int number)
{
	uint64_t value = 0;
	r->array_resize(bytes, 0);
	void *cpu = r->get_cpu((int)vcpu);
	if (cpu && r->read(cpu, bytes, number) == (int)sizeof(value))
		memcpy(&value, bytes->data, sizeof(value));
	return value;
}
