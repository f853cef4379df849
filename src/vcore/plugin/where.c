/* SPDX-License-Identifier: MIT */
#include "vcore/plugin/where.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void where_init(struct where *w, void *ledger, unsigned shift)
{
	*w = (struct where){ .ledger = ledger, .shift = shift, .stale = true };
	pthread_mutex_init(&w->lock, NULL);
}

void where_remap(struct where *w)
{
	atomic_store_explicit(&w->stale, true, memory_order_relaxed);
}

/* mappings */

/* Returns the object of a path, a new one if it was not met. */
static uint32_t object_of(struct where *w, const char *path, size_t length)
{
	struct pms_ledger_head *head = w->ledger;
	uint32_t at = atomic_load(&head->objects);
	for (const struct pms_ledger_object *object; at; at = object->next) {
		object = pms_ledger_at(w->ledger, at);
		if (object->length == length && !memcmp(object->path, path, length))
			return at;
	}
	size_t bytes = sizeof(struct pms_ledger_object) + length;
	at = pms_ledger_take(w->ledger,
			     (uint32_t)((bytes + PMS_LEDGER_CHUNK - 1) / PMS_LEDGER_CHUNK));
	if (!at)
		return 0;
	struct pms_ledger_object *object = pms_ledger_at(w->ledger, at);
	object->length = (uint32_t)length;
	memcpy(object->path, path, length);
	object->next = atomic_load(&head->objects);
	atomic_store(&head->objects, at);
	return at;
}

/* Read /proc/self/maps whole. Returns its text, to be freed; NULL when it cannot be read. */
static char *maps_text(void)
{
	size_t room = 1 << 16, size = 0;
	char *text = malloc(room);
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	for (ssize_t n = 1; text && fd >= 0 && n > 0;) {
		if (size + 1 == room) {
			char *more = realloc(text, room *= 2);
			if (!more)
				break;
			text = more;
		}
		n = read(fd, text + size, room - size - 1);
		size += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0)
		close(fd);
	if (text)
		text[size] = 0;
	return text;
}

/* Read one line of the mappings. */
static void map_line(struct where *w, char *line, struct where_map *out)
{
	int path = 0;
	*out = (struct where_map){ 0 };
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &out->start,
		   &out->end, &out->offset, &path) < 3)
		return;
	if (path && line[path] == '/')
		out->object = object_of(w, line + path, strlen(line + path));
}

/* Read the process's mappings, where they changed. */
static void maps_read(struct where *w)
{
	if (!atomic_exchange(&w->stale, false))
		return;
	char *text = maps_text();
	size_t lines = 0;
	for (const char *c = text; c && *c; c++)
		lines += *c == '\n';
	struct where_map *maps = calloc(lines + 1, sizeof(*maps));
	free(w->maps);
	w->maps = maps;
	w->n_maps = 0;
	char *save = NULL;
	for (char *line = text && maps ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		map_line(w, line, &maps[w->n_maps]);
		w->n_maps += maps[w->n_maps].object != 0;
	}
	free(text);
}

/* Where code comes from. */
struct origin {
	uint32_t object; /* chunk; 0: the ledger is full */
	uint64_t offset; /* in a file; its address in memory without one */
};

/* Returns where the code at @pc, at @host for the host, comes from. */
static struct origin origin_of(struct where *w, uint64_t pc, uint64_t host)
{
	maps_read(w);
	for (size_t i = 0; i < w->n_maps; i++) {
		const struct where_map *map = &w->maps[i];
		if (host - map->start < map->end - map->start)
			return (struct origin){ map->object, host - map->start + map->offset };
	}
	return (struct origin){ object_of(w, "", 0), pc };
}

/* blocks */

static uint32_t *by_pc(const struct where_thread *t, uint64_t pc, uint32_t probe)
{
	uint64_t hash = pc * UINT64_C(0x9e3779b97f4a7c15) >> (64 - t->pcs_log2);
	return &t->by_pc[(hash + probe) & ((1u << t->pcs_log2) - 1)];
}

static void enter(const struct where *w, const struct where_thread *t, uint32_t chunk)
{
	const struct pms_ledger_block *block = pms_ledger_at(w->ledger, chunk);
	uint32_t probe = 0;
	while (*by_pc(t, block->pc, probe))
		probe++;
	*by_pc(t, block->pc, probe) = chunk;
}

/* Make room for one more. Returns false when out of memory. */
static bool grow(const struct where *w, struct where_thread *t)
{
	if (t->by_pc && t->n_pcs < 1u << t->pcs_log2 >> 1)
		return true;
	uint32_t *old = t->by_pc, n = old ? 1u << t->pcs_log2 : 0;
	uint32_t log2 = old ? t->pcs_log2 + 1 : 10;
	uint32_t *more = calloc((size_t)1 << log2, sizeof(*more));
	if (!more)
		return false;
	t->by_pc = more;
	t->pcs_log2 = log2;
	for (uint32_t i = 0; i < n; i++)
		if (old[i])
			enter(w, t, old[i]);
	free(old);
	return true;
}

/* Returns the rows that the thread has for such a block: QEMU translates the same code anew after
 * a while. NULL: none. */
static struct pms_ledger_block *known(const struct where *w, const struct where_thread *t,
				      const struct pms_block *block, struct origin from)
{
	for (uint32_t probe = 0; *by_pc(t, pms_block_pc(block), probe); probe++) {
		struct pms_ledger_block *rows =
			pms_ledger_at(w->ledger, *by_pc(t, pms_block_pc(block), probe));
		if (rows->object == from.object && rows->offset == from.offset &&
		    pms_core_charge_same(rows, block))
			return rows;
	}
	return NULL;
}

static bool number_room(struct where_thread *t, uint32_t number)
{
	if (number < t->n_numbers)
		return true;
	uint32_t n = t->n_numbers ? t->n_numbers : 1024;
	while (n <= number)
		n *= 2;
	struct pms_ledger_block **more = realloc(t->by_number, n * sizeof(*more));
	if (!more)
		return false;
	memset(more + t->n_numbers, 0, (n - t->n_numbers) * sizeof(*more));
	t->by_number = more;
	t->n_numbers = n;
	return true;
}

static struct pms_ledger_block *first_met(struct where *w, struct where_thread *t,
					  const struct pms_block *block, const char *base)
{
	if (!grow(w, t))
		return NULL;
	pthread_mutex_lock(&w->lock);
	const struct origin from = origin_of(w, pms_block_pc(block),
					     (uint64_t)(uintptr_t)(base + pms_block_pc(block)));
	pthread_mutex_unlock(&w->lock);
	struct pms_ledger_block *rows = known(w, t, block, from);
	if (rows)
		return rows;
	rows = pms_core_charge_new(block, w->ledger, t->slot, w->shift);
	if (!rows)
		return NULL;
	rows->object = from.object;
	rows->offset = from.offset;
	enter(w, t, (uint32_t)(((char *)rows - (char *)w->ledger) / PMS_LEDGER_CHUNK));
	t->n_pcs++;
	return rows;
}

struct pms_ledger_block *where_rows(struct where *w, struct where_thread *t, uint32_t number,
				    const struct pms_block *block, const char *base)
{
	if (number < t->n_numbers && t->by_number[number])
		return t->by_number[number];
	if (!number_room(t, number))
		return NULL;
	return t->by_number[number] = first_met(w, t, block, base);
}

void where_thread_release(struct where_thread *t)
{
	free(t->by_number);
	free(t->by_pc);
}
