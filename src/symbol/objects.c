/* SPDX-License-Identifier: MIT */
/* Objects, each once; and what kind of thing a mapping's name means. */
#include "base/array.h"
#include "symbol/objects.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Names that perf and the kernel give to what is no file; the first that fits. */
static const struct {
	const char *begins;
	enum pms_object_kind kind;
} names[] = {
	{ "[vdso", PMS_OBJECT_VDSO },	      { "[heap", PMS_OBJECT_HEAP },
	{ "[stack", PMS_OBJECT_STACK },	      { "//anon", PMS_OBJECT_JIT },
	{ "/anon_hugepage", PMS_OBJECT_JIT }, { "[anon", PMS_OBJECT_JIT },
	{ "/dev/zero", PMS_OBJECT_JIT },      { "/memfd:", PMS_OBJECT_JIT },
	{ "/SYSV", PMS_OBJECT_JIT },	      { "[", PMS_OBJECT_OTHER },
	{ "//", PMS_OBJECT_OTHER },
};

static const char *const kinds[] = {
	[PMS_OBJECT_FILE] = "file", [PMS_OBJECT_KERNEL] = "kernel", [PMS_OBJECT_MODULE] = "module",
	[PMS_OBJECT_VDSO] = "vdso", [PMS_OBJECT_JIT] = "jit",	    [PMS_OBJECT_STACK] = "stack",
	[PMS_OBJECT_HEAP] = "heap", [PMS_OBJECT_OTHER] = "other",
};

const char *pms_object_kind_name(enum pms_object_kind kind)
{
	return (size_t)kind < COUNT(kinds) ? kinds[kind] : "?";
}

static enum pms_object_kind kind_in_kernel(const char *path)
{
	size_t length = strlen(path);
	if (!strncmp(path, "[kernel", 7) || !strncmp(path, "[guest.kernel", 13))
		return PMS_OBJECT_KERNEL;
	if (path[0] == '[' || (length > 3 && strstr(path, ".ko")))
		return PMS_OBJECT_MODULE;
	return PMS_OBJECT_KERNEL; /* a vmlinux */
}

enum pms_object_kind pms_object_kind_of(const char *path, int kernel)
{
	if (kernel)
		return kind_in_kernel(path);
	for (size_t i = 0; i < COUNT(names); i++)
		if (!strncmp(path, names[i].begins, strlen(names[i].begins)))
			return names[i].kind;
	return path[0] ? PMS_OBJECT_FILE : PMS_OBJECT_JIT;
}

static int same(const struct pms_object *a, const struct pms_object *b)
{
	return a->kind == b->kind && a->build_id_size == b->build_id_size &&
	       !memcmp(a->build_id, b->build_id, a->build_id_size) && !strcmp(a->path, b->path);
}

/* By a key that is drawn with the first object: no file can have many of the same hash. */
static uint64_t object_hash(const struct pms_objects *o, const struct pms_object *object)
{
	return pms_hash_bytes(&o->key, object->path, strlen(object->path)) ^
	       pms_hash_bytes(&o->key, object->build_id, object->build_id_size);
}

uint32_t pms_objects_find(const struct pms_objects *o, const struct pms_object *object)
{
	uint32_t i = pms_numbers_get(&o->by_hash, object_hash(o, object));
	while (i != PMS_NO_ROW && !same(&o->rows[i].object, object))
		i = o->rows[i].next;
	return i;
}

uint32_t pms_objects_number(struct pms_objects *o, const struct pms_object *object)
{
	uint32_t found = o->count ? pms_objects_find(o, object) : PMS_NO_ROW;
	if (found != PMS_NO_ROW)
		return found;
	if (!o->count)
		o->key = pms_hash_draw();
	uint64_t hash = object_hash(o, object);
	uint32_t first = pms_numbers_get(&o->by_hash, hash);
	struct pms_object_row *rows = pms_array_room(o->rows, o->count, sizeof(*rows));
	const char *path = rows ? pms_arena_dup(&o->arena, object->path) : NULL;
	if (rows)
		o->rows = rows;
	if (!path || pms_numbers_set(&o->by_hash, hash, (uint32_t)o->count))
		return PMS_NO_ROW;
	rows[o->count] = (struct pms_object_row){ *object, first };
	rows[o->count].object.path = path;
	return (uint32_t)o->count++;
}

void pms_objects_release(struct pms_objects *o)
{
	pms_arena_release(&o->arena);
	pms_numbers_release(&o->by_hash);
	free(o->rows);
	*o = (struct pms_objects){ 0 };
}
