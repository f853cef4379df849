/* SPDX-License-Identifier: MIT */
/* Look things up in a settled history. Each answer cuts the caller's window to where it stays
 * true, so that not every record has to ask. */
#include "base/array.h"
#include "base/limits.h"
#include "spe/history.h"

enum { STRANGERS_MAX = 1 << 16 };

static void cut(struct pms_window *window, uint64_t from, uint64_t until)
{
	if (window->from < from)
		window->from = from;
	if (window->until > until)
		window->until = until;
}

const struct pms_history_on *pms_history_on_cpu(const struct pms_spe_history *h, uint32_t cpu,
						uint64_t time, struct pms_window *window)
{
	size_t low = 0, high = h->n_ons; /* low: rows at or before (cpu, time) */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct pms_history_on *on = &h->ons[middle];
		if (on->cpu < cpu || (on->cpu == cpu && on->time <= time))
			low = middle + 1;
		else
			high = middle;
	}
	if (low < h->n_ons && h->ons[low].cpu == cpu)
		cut(window, 0, h->ons[low].time);
	if (!low || h->ons[low - 1].cpu != cpu)
		return NULL;
	cut(window, h->ons[low - 1].time, UINT64_MAX);
	return &h->ons[low - 1];
}

/* Returns the place in by_tid after the last state of @tid at @time. */
static size_t states_until(const struct pms_spe_history *h, int32_t tid, uint64_t time)
{
	size_t low = 0, high = h->n_told;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct pms_history_thread *t = &h->threads[h->by_tid[middle]];
		if (t->thread.tid < tid || (t->thread.tid == tid && t->from <= time))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int is_state_of(const struct pms_spe_history *h, size_t at, int32_t tid)
{
	return at < h->n_told && h->threads[h->by_tid[at]].thread.tid == tid;
}

int pms_history_knows(const struct pms_spe_history *h, int32_t tid)
{
	size_t at = states_until(h, tid, 0);
	return is_state_of(h, at, tid) || (at && is_state_of(h, at - 1, tid));
}

static int stranger(struct pms_spe_history *h, int32_t tid, int32_t pid, uint32_t *thread)
{
	*thread = pms_numbers_get(&h->strangers, (uint32_t)tid);
	if (*thread != PMS_NONE || h->strangers.count == STRANGERS_MAX)
		return 0;
	struct pms_history_thread *threads =
		pms_array_room(h->threads, h->n_threads, sizeof(*threads));
	if (!threads)
		return -PMS_ENOMEM;
	h->threads = threads;
	threads[h->n_threads] = (struct pms_history_thread){ { pid, tid, "" }, 0 };
	*thread = (uint32_t)h->n_threads++;
	return pms_numbers_set(&h->strangers, (uint32_t)tid, *thread);
}

int pms_history_thread(struct pms_spe_history *h, int32_t tid, int32_t pid, uint64_t time,
		       uint32_t *thread, struct pms_window *window)
{
	size_t at = states_until(h, tid, time);
	int before = at && is_state_of(h, at - 1, tid), after = is_state_of(h, at, tid);
	if (!before && !after)
		return stranger(h, tid, pid, thread);
	if (after)
		cut(window, 0, h->threads[h->by_tid[at]].from);
	/* Before its first record, a thread is assumed to have been the same. */
	*thread = h->by_tid[before ? at - 1 : at];
	if (before)
		cut(window, h->threads[*thread].from, UINT64_MAX);
	return 0;
}

static size_t lives_until(const struct pms_spe_history *h, int32_t pid, uint64_t time)
{
	size_t low = 0, high = h->n_lives;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct pms_history_life *l = &h->lives[h->by_pid[middle]];
		if (l->pid < pid || (l->pid == pid && l->from <= time))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t pms_history_space(const struct pms_spe_history *h, int32_t pid, uint64_t time,
			   struct pms_window *window)
{
	size_t at = lives_until(h, pid, time);
	int before = at && h->lives[h->by_pid[at - 1]].pid == pid;
	int after = at < h->n_lives && h->lives[h->by_pid[at]].pid == pid;
	if (after)
		cut(window, 0, h->lives[h->by_pid[at]].from);
	if (!before && !after)
		return PMS_NONE;
	const struct pms_history_life *life = &h->lives[h->by_pid[before ? at - 1 : at]];
	if (before)
		cut(window, life->from, UINT64_MAX);
	uint32_t low = life->first_space, high = low + life->n_spaces;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (h->spaces[middle].from <= time)
			low = middle;
		else
			high = middle;
	}
	const struct pms_history_space *space = &h->spaces[low];
	cut(window, low > life->first_space ? space->from : 0, space->until);
	return low;
}

/* Returns the space that maps @address: @space itself, or for kernel addresses the space that
 * all share, in its final state. NULL: nothing is known. */
static const struct pms_history_space *space_of(const struct pms_spe_history *h, uint32_t space,
						uint64_t address)
{
	if (address >> 63 && h->n_lives)
		space = h->lives[0].first_space + h->lives[0].n_spaces - 1;
	return space < h->n_spaces ? &h->spaces[space] : NULL;
}

int pms_history_is_alike(const struct pms_spe_history *h, uint64_t first, uint64_t last)
{
	const struct pms_edges *edges = &h->maps.edges;
	return first >> 63 == last >> 63 &&
	       pms_edges_stretch(edges, first) == pms_edges_stretch(edges, last);
}

/* @map: NULL for none */
static void place_put(const struct pms_spe_history *h, const struct pms_map *map, uint64_t address,
		      struct pms_place *place)
{
	*place = (struct pms_place){ .index = PMS_NONE, .address = address };
	if (!map)
		return;
	place->object = &h->objects.rows[map->object].object;
	place->index = map->object;
	/* perf puts the symbol's address where the offset should be */
	place->offset = place->object->kind == PMS_OBJECT_KERNEL
				? address - map->offset
				: address - map->start + map->offset;
	place->start = map->start;
	place->executable = map->executable;
}

int pms_history_place(const struct pms_spe_history *h, uint32_t space, uint64_t address,
		      struct pms_place *place)
{
	const struct pms_history_space *of = space_of(h, space, address);
	const struct pms_map *map = of ? pms_maps_find(&h->maps, address, of->moment) : NULL;
	place_put(h, map, address, place);
	return map != NULL;
}

void pms_history_image(const struct pms_spe_history *h, uint32_t space, uint64_t address, int above,
		       struct pms_place *place)
{
	const struct pms_history_space *of = space_of(h, space, address);
	const struct pms_edges *edges = &h->maps.edges;
	const struct pms_map *image = NULL;
	uint32_t stretch = of ? pms_edges_stretch(edges, address) : 0;
	if (of && above && !stretch)
		stretch = 1; /* below all edges there is nothing */
	for (int i = 0; i < PMS_MOST_IMAGE_STRETCHES && stretch && stretch <= edges->count; i++) {
		const struct pms_map *map =
			pms_maps_find(&h->maps, edges->at[stretch - 1], of->moment);
		stretch += above ? 1 : UINT32_MAX;
		if (!map || h->objects.rows[map->object].object.kind != PMS_OBJECT_FILE)
			continue;
		if (image && map->object != image->object)
			break;
		if (!image || map->executable)
			image = map;
		if (map->executable)
			break;
	}
	place_put(h, image, image ? image->start : address, place);
}
