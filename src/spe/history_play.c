/* SPDX-License-Identifier: MIT */
/* Put the noted records in the order of their times, and play them once: each is valid from its
 * time on. perf records no unmapping; a new mapping replaces what it covers. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "spe/history.h"
#include "spe/mapped.h"

/* Playing -------------------------------------------------------------------------------------- */

struct play {
	struct pms_spe_history *h;
	int bad; /* out of memory */
};

/* Returns room for one more row. When out of memory: NULL, and the play is bad. */
static void *room(struct play *p, void *array, size_t count, size_t size)
{
	void *rows = count < PMS_MET ? pms_array_room(array, count, size) : NULL;
	p->bad |= !rows;
	return rows;
}

static void number(struct play *p, struct pms_numbers *n, int32_t key, size_t row)
{
	p->bad |= pms_numbers_set(n, (uint32_t)key, (uint32_t)row) != 0;
}

/* Returns the row that a thread or process has now; PMS_NONE before anything of it was played. */
static uint32_t now(const struct pms_numbers *n, int32_t key)
{
	uint32_t row = pms_numbers_get(n, (uint32_t)key);
	return row == PMS_MET ? PMS_NONE : row;
}

static uint32_t life_begin(struct play *p, int32_t pid, uint64_t time, uint32_t parent)
{
	struct pms_spe_history *h = p->h;
	struct pms_history_life *lives = room(p, h->lives, h->n_lives, sizeof(*h->lives));
	if (!lives)
		return PMS_NONE;
	h->lives = lives;
	lives[h->n_lives] = (struct pms_history_life){ .pid = pid, .from = time, .parent = parent };
	number(p, &h->life_of_pid, pid, h->n_lives);
	return (uint32_t)h->n_lives++;
}

static uint32_t life_of(struct play *p, int32_t pid, uint64_t time)
{
	uint32_t life = now(&p->h->life_of_pid, pid);
	return life == PMS_NONE ? life_begin(p, pid, time, PMS_NONE) : life;
}

static void thread_begin(struct play *p, int32_t pid, int32_t tid, const char *name, uint64_t time)
{
	struct pms_spe_history *h = p->h;
	struct pms_history_thread *threads = room(p, h->threads, h->n_threads, sizeof(*threads));
	if (!threads)
		return;
	h->threads = threads;
	threads[h->n_threads] = (struct pms_history_thread){ { pid, tid, name }, time };
	number(p, &h->thread_of_tid, tid, h->n_threads++);
}

/* Note a thread that another record names. */
static void thread_hear(struct play *p, int32_t pid, int32_t tid, uint64_t time)
{
	if (pid >= 0 && tid >= 0 && now(&p->h->thread_of_tid, tid) == PMS_NONE)
		thread_begin(p, pid, tid, "", time);
}

static void map_play(struct play *p, struct pms_history_row *row)
{
	uint32_t life = row->flag ? 0 : life_of(p, row->pid, row->time);
	if (!row->flag)
		thread_hear(p, row->pid, row->tid, row->time);
	row->map.life = row->map.start < row->map.end ? life : PMS_NONE;
}

static void comm_play(struct play *p, struct pms_history_row *row)
{
	if (row->flag)
		life_begin(p, row->pid, row->time, PMS_NONE);
	thread_begin(p, row->pid, row->tid, row->name, row->time);
}

static void fork_play(struct play *p, struct pms_history_row *row)
{
	uint32_t parent = now(&p->h->thread_of_tid, row->parent.tid);
	uint32_t life = now(&p->h->life_of_pid, row->parent.pid);
	if (row->pid != row->parent.pid)
		life_begin(p, row->pid, row->time, row->flag ? life : PMS_NONE);
	thread_begin(p, row->pid, row->tid,
		     parent == PMS_NONE ? "" : p->h->threads[parent].thread.comm, row->time);
}

static void on_play(struct play *p, struct pms_history_row *row)
{
	struct pms_spe_history *h = p->h;
	struct pms_history_on *ons = room(p, h->ons, h->n_ons, sizeof(*ons));
	if (!ons)
		return;
	h->ons = ons;
	thread_hear(p, row->pid, row->tid, row->time);
	h->has_switches |= !row->flag;
	ons[h->n_ons++] = (struct pms_history_on){ .cpu = row->cpu,
						   .is_start = row->flag,
						   .pid = row->pid,
						   .tid = row->tid,
						   .time = row->time };
}

static int row_order(const void *a, const void *b)
{
	const struct pms_history_row *x = a, *y = b;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->seq < y->seq ? -1 : 1;
}

static int play_all(struct pms_spe_history *h)
{
	static void (*const plays[])(
		struct play * p, struct pms_history_row * row) = { [PMS_HISTORY_MAP] = map_play,
								   [PMS_HISTORY_COMM] = comm_play,
								   [PMS_HISTORY_FORK] = fork_play,
								   [PMS_HISTORY_ON] = on_play };
	struct play p = { .h = h };
	life_begin(&p, -1, 0, PMS_NONE); /* the kernel's */
	thread_begin(&p, 0, 0, "swapper", 0);
	if (h->n_rows)
		qsort(h->rows, h->n_rows, sizeof(*h->rows), row_order);
	for (size_t i = 0; !p.bad && i < h->n_rows; i++)
		plays[h->rows[i].what](&p, &h->rows[i]);
	pms_numbers_release(&h->thread_of_tid);
	pms_numbers_release(&h->life_of_pid);
	return p.bad ? -PMS_ENOMEM : 0;
}

/* Threads and CPUs ----------------------------------------------------------------------------- */

static int on_order(const void *a, const void *b)
{
	const struct pms_history_on *x = a, *y = b;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->time < y->time ? -1 : x->time > y->time;
}

static int thread_order(const void *a, const void *b, void *context)
{
	const struct pms_history_thread *threads = context;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	if (threads[i].thread.tid != threads[j].thread.tid)
		return threads[i].thread.tid < threads[j].thread.tid ? -1 : 1;
	return i < j ? -1 : 1; /* as they were played */
}

static int life_order(const void *a, const void *b, void *context)
{
	const struct pms_history_life *lives = context;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	if (lives[i].pid != lives[j].pid)
		return lives[i].pid < lives[j].pid ? -1 : 1;
	return i < j ? -1 : 1;
}

static uint32_t *index_new(size_t count, int (*order)(const void *a, const void *b, void *context),
			   void *rows)
{
	uint32_t *index = calloc(count ? count : 1, sizeof(*index));
	for (size_t i = 0; index && i < count; i++)
		index[i] = (uint32_t)i;
	if (index)
		qsort_r(index, count, sizeof(*index), order, rows);
	return index;
}

static int threads_settle(struct pms_spe_history *h)
{
	h->n_told = h->n_threads;
	h->by_tid = index_new(h->n_told, thread_order, h->threads);
	h->by_pid = index_new(h->n_lives, life_order, h->lives);
	if (h->n_ons)
		qsort(h->ons, h->n_ons, sizeof(*h->ons), on_order);
	return h->by_tid && h->by_pid ? 0 : -PMS_ENOMEM;
}

/* Mappings ------------------------------------------------------------------------------------- */

/* Order by life, then time. Of mappings made at the same time, one that begins later is more
 * likely inside the other: it comes last. */
static int map_order(const void *a, const void *b)
{
	const struct pms_history_row *x = a, *y = b;
	if (x->map.life != y->map.life)
		return x->map.life < y->map.life ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->map.start != y->map.start)
		return x->map.start < y->map.start ? -1 : 1;
	return x->seq < y->seq ? -1 : 1;
}

/* Keep the rows of mappings alone, sorted by life. */
static void maps_sort(struct pms_spe_history *h)
{
	size_t kept = 0;
	for (size_t i = 0; i < h->n_rows; i++)
		if (h->rows[i].what == PMS_HISTORY_MAP && h->rows[i].map.life != PMS_NONE)
			h->rows[kept++] = h->rows[i];
	h->n_rows = kept;
	if (kept)
		qsort(h->rows, kept, sizeof(*h->rows), map_order);
	for (size_t i = 0; i < kept; i++) {
		struct pms_history_life *life = &h->lives[h->rows[i].map.life];
		if (!life->n_maps++)
			life->first_map = (uint32_t)i;
	}
}

static int edges_settle(struct pms_spe_history *h)
{
	struct pms_edges *edges = &h->maps.edges;
	edges->at = calloc(2 * h->n_rows + 1, sizeof(*edges->at));
	if (!edges->at)
		return -PMS_ENOMEM;
	for (size_t i = 0; i < h->n_rows; i++) {
		edges->at[edges->count++] = h->rows[i].map.start;
		edges->at[edges->count++] = h->rows[i].map.end;
	}
	pms_edges_settle(edges);
	return 0;
}

/* Whether two mappings put the same bytes of the same object at the addresses they share. */
static int agree(const void *context, uint32_t a, uint32_t b)
{
	const struct pms_history_row *rows = context, *x = &rows[a], *y = &rows[b];
	return x->map.object == y->map.object &&
	       x->map.offset - x->map.start == y->map.offset - y->map.start;
}

/* Find the mappings that change what addresses mean; a mapping over nothing does not. Inherited
 * mappings are not tracked: they may have been mapped over. */
static int changes_find(struct pms_spe_history *h)
{
	struct pms_mapped pieces;
	if (pms_mapped_init(&pieces, h->maps.edges.count + 1))
		return -PMS_ENOMEM;
	for (size_t l = 0; l < h->n_lives; l++) {
		const struct pms_history_life *life = &h->lives[l];
		for (uint32_t i = life->first_map; i < life->first_map + life->n_maps; i++) {
			struct pms_history_row *row = &h->rows[i];
			uint32_t low = pms_edges_stretch(&h->maps.edges, row->map.start);
			uint32_t high = pms_edges_stretch(&h->maps.edges, row->map.end);
			int differs = pms_mapped_put(&pieces, low, high, i, agree, h->rows);
			row->changes = differs || life->parent != PMS_NONE;
		}
		pms_mapped_clear(&pieces);
	}
	pms_mapped_release(&pieces);
	return 0;
}

/* The lives as a tree, and the walk's progress in each. */
struct family {
	uint32_t *first;      /* index in `children` of each life's first child */
	uint32_t *children;   /* grouped by life, in the order of their times */
	uint32_t *next_child; /* of each life */
	uint32_t *next_map;
	uint32_t clock;
};

static int family_init(struct family *f, const struct pms_spe_history *h)
{
	size_t n = h->n_lives;
	*f = (struct family){ .first = calloc(n + 1, sizeof(*f->first)),
			      .children = calloc(n + 1, sizeof(*f->children)),
			      .next_child = calloc(n + 1, sizeof(*f->next_child)),
			      .next_map = calloc(n + 1, sizeof(*f->next_map)) };
	if (!f->first || !f->children || !f->next_child || !f->next_map)
		return -PMS_ENOMEM;
	for (size_t l = 0; l < n; l++)
		if (h->lives[l].parent != PMS_NONE)
			f->first[h->lives[l].parent + 1]++;
	for (size_t l = 0; l < n; l++)
		f->next_child[l] = f->first[l + 1] += f->first[l];
	/* Go backwards: each life is left at its first child. */
	for (size_t l = n; l > 0; l--)
		if (h->lives[l - 1].parent != PMS_NONE)
			f->children[--f->next_child[h->lives[l - 1].parent]] = (uint32_t)l - 1;
	return 0;
}

static void family_release(struct family *f)
{
	free(f->first);
	free(f->children);
	free(f->next_child);
	free(f->next_map);
}

/* Returns the life's next child if it was forked before the next mapping. */
static uint32_t child_of(const struct family *f, const struct pms_spe_history *h, uint32_t life)
{
	const struct pms_history_life *l = &h->lives[life];
	uint32_t child;
	if (f->next_child[life] == f->first[life + 1])
		return PMS_NONE;
	child = f->children[f->next_child[life]];
	return f->next_map[life] == l->n_maps || h->rows[l->first_map + f->next_map[life]].time >=
							 h->lives[child].from
		       ? child
		       : PMS_NONE;
}

static void map_begin(struct family *f, struct pms_spe_history *h, struct pms_history_row *row)
{
	h->maps.rows[h->maps.count] = (struct pms_map){ .start = row->map.start,
							.end = row->map.end,
							.offset = row->map.offset,
							.object = row->map.object,
							.executable = row->map.executable,
							.seen = ++f->clock };
	row->map.map = (uint32_t)h->maps.count++;
}

static void life_end(struct family *f, struct pms_spe_history *h,
		     const struct pms_history_life *life)
{
	uint32_t moment = ++f->clock;
	for (uint32_t i = 0; i < life->n_maps; i++)
		h->maps.rows[h->rows[life->first_map + i].map.map].gone = moment;
}

/* Walk through a life and all lives forked from it, and number the moments: see maps.h. */
static void walk(struct family *f, struct pms_spe_history *h, uint32_t life)
{
	h->lives[life].moment = ++f->clock;
	while (life != PMS_NONE) {
		struct pms_history_life *l = &h->lives[life];
		uint32_t child = child_of(f, h, life);
		if (child != PMS_NONE) {
			f->next_child[life]++;
			h->lives[child].moment = ++f->clock;
			life = child;
		} else if (f->next_map[life] < l->n_maps) {
			map_begin(f, h, &h->rows[l->first_map + f->next_map[life]++]);
		} else {
			life_end(f, h, l);
			life = l->parent;
		}
	}
}

static int walk_all(struct pms_spe_history *h)
{
	struct family f;
	int status = family_init(&f, h);
	h->maps.rows = calloc(h->n_rows + 1, sizeof(*h->maps.rows));
	if (!h->maps.rows)
		status = -PMS_ENOMEM;
	for (uint32_t l = 0; !status && l < h->n_lives; l++)
		if (h->lives[l].parent == PMS_NONE)
			walk(&f, h, l);
	family_release(&f);
	return status;
}

/* Returns the moment just before the row's time: without its mapping, and without others of that
 * time. */
static uint32_t moment_before(const struct pms_spe_history *h, const struct pms_history_life *life,
			      uint32_t row)
{
	return row > life->first_map ? h->maps.rows[h->rows[row - 1].map.map].seen : life->moment;
}

static void spaces_of(struct pms_spe_history *h, uint32_t number)
{
	struct pms_history_life *life = &h->lives[number];
	uint32_t end = life->first_map + life->n_maps, same = life->first_map;
	uint64_t from = life->from;
	life->first_space = (uint32_t)h->n_spaces;
	for (uint32_t i = life->first_map; i < end; i++) {
		uint64_t time = h->rows[i].time;
		if (time != h->rows[same].time)
			same = i; /* the first of this time */
		if (!h->rows[i].changes || time <= from)
			continue;
		h->spaces[h->n_spaces++] =
			(struct pms_history_space){ number, moment_before(h, life, same), from,
						    time };
		from = time;
	}
	h->spaces[h->n_spaces++] =
		(struct pms_history_space){ number, moment_before(h, life, end), from, UINT64_MAX };
	life->n_spaces = (uint32_t)h->n_spaces - life->first_space;
}

static int spaces_settle(struct pms_spe_history *h)
{
	size_t n = h->n_lives;
	for (size_t i = 0; i < h->n_rows; i++)
		n += h->rows[i].changes;
	h->spaces = calloc(n, sizeof(*h->spaces));
	if (!h->spaces)
		return -PMS_ENOMEM;
	for (uint32_t l = 0; l < h->n_lives; l++)
		spaces_of(h, l);
	return 0;
}

static int maps_settle(struct pms_spe_history *h)
{
	maps_sort(h);
	int status = edges_settle(h);
	status = status ? status : changes_find(h);
	status = status ? status : walk_all(h);
	status = status ? status : spaces_settle(h);
	free(h->rows);
	h->rows = NULL;
	return status ? status : pms_maps_settle(&h->maps);
}

/* Objects -------------------------------------------------------------------------------------- */

/* Returns the first object that is the kernel, which has several names. */
static struct pms_object *kernel_of(struct pms_spe_history *h)
{
	for (size_t i = 0; i < h->objects.count; i++)
		if (h->objects.rows[i].object.kind == PMS_OBJECT_KERNEL)
			return &h->objects.rows[i].object;
	return NULL;
}

/* Returns the object without a build-id that the file's list means. */
static struct pms_object *object_meant(struct pms_spe_history *h,
				       const struct pms_perfdata_build_id *b,
				       struct pms_object *kernel)
{
	enum { KERNEL = 1 };
	int is_kernel = (b->misc & PMS_PERFDATA_MISC_CPUMODE) == KERNEL;
	struct pms_object object = { .path = b->path };
	object.kind = pms_object_kind_of(b->path, is_kernel);
	uint32_t found = pms_objects_find(&h->objects, &object);
	if (found < h->objects.count)
		return &h->objects.rows[found].object;
	return object.kind == PMS_OBJECT_KERNEL ? kernel : NULL;
}

static void build_ids_settle(struct pms_spe_history *h, const struct pms_perfdata_info *info)
{
	struct pms_object *kernel = kernel_of(h);
	for (size_t i = 0; i < info->n_build_ids; i++) {
		const struct pms_perfdata_build_id *b = &info->build_ids[i];
		struct pms_object *object = object_meant(h, b, kernel);
		if (!object || object->build_id_size || b->size > sizeof(object->build_id))
			continue;
		memcpy(object->build_id, b->id, b->size);
		object->build_id_size = b->size;
	}
}

int pms_history_settle(struct pms_spe_history *h, const struct pms_perfdata_info *info)
{
	int status = play_all(h);
	status = status ? status : threads_settle(h);
	status = status ? status : maps_settle(h);
	if (!status)
		build_ids_settle(h, info);
	return status;
}
