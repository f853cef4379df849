/* SPDX-License-Identifier: MIT */
/* Records of threads and mappings are noted as they come, put in the order of their times, and
 * then played once: what each tells of is valid from then on. perf has no record of what is
 * unmapped; what is mapped over something replaces it. */
#include "spe/history.h"
#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 1 << 22 };

enum what { MAP, COMM, FORK, ON };

/* Noting --------------------------------------------------------------------------------------- */

static int is_kernel(const struct pms_perfdata_record *r)
{
	enum { KERNEL = 1, GUEST_KERNEL = 4 };
	int mode = r->misc & PMS_PERFDATA_MISC_CPUMODE;
	return r->mmap.pid == -1 || mode == KERNEL || mode == GUEST_KERNEL;
}

static int map_row(struct pms_history *h, const struct pms_perfdata_record *r,
		   struct pms_history_row *row)
{
	const struct pms_perfdata_mmap *m = &r->mmap;
	struct pms_object object = { .path = m->path };
	row->what = MAP;
	row->flag = is_kernel(r) != 0;
	row->pid = m->pid;
	row->tid = m->tid;
	object.kind = pms_object_kind_of(m->path, row->flag);
	if (m->build_id && m->build_id_size <= sizeof(object.build_id)) {
		memcpy(object.build_id, m->build_id, m->build_id_size);
		object.build_id_size = m->build_id_size;
	}
	row->map.start = m->start;
	if (__builtin_add_overflow(m->start, m->length, &row->map.end))
		row->map.end = UINT64_MAX;
	row->map.offset = m->file_offset;
	row->map.object = pms_objects_number(&h->objects, &object);
	return row->map.object == PMS_NONE ? -PMS_ENOMEM : 1;
}

static int comm_row(struct pms_history *h, const struct pms_perfdata_record *r,
		    struct pms_history_row *row)
{
	row->what = COMM;
	row->flag = r->comm.exec != 0;
	row->pid = r->comm.pid;
	row->tid = r->comm.tid;
	row->name = pms_arena_dup(&h->objects.arena, r->comm.name);
	return row->name ? 1 : -PMS_ENOMEM;
}

static int fork_row(struct pms_history *h, const struct pms_perfdata_record *r,
		    struct pms_history_row *row)
{
	(void)h;
	row->what = FORK;
	row->flag = !(r->misc & PMS_PERFDATA_MISC_FORK_EXEC);
	row->pid = r->task.pid;
	row->tid = r->task.tid;
	row->parent.pid = r->task.parent_pid;
	row->parent.tid = r->task.parent_tid;
	if (!row->time)
		row->time = r->task.time;
	return 1;
}

static int start_row(struct pms_history *h, const struct pms_perfdata_record *r,
		     struct pms_history_row *row)
{
	(void)h;
	row->what = ON;
	row->flag = 1;
	row->pid = r->itrace_start.pid;
	row->tid = r->itrace_start.tid;
	row->cpu = r->id.cpu;
	return (r->id.have & PMS_PERFDATA_CPU) != 0;
}

static int switch_row(struct pms_history *h, const struct pms_perfdata_record *r,
		      struct pms_history_row *row)
{
	const uint32_t need = PMS_PERFDATA_CPU | PMS_PERFDATA_TID | PMS_PERFDATA_TIME;
	(void)h;
	row->what = ON;
	row->pid = r->switch_.out ? r->switch_.pid : r->id.pid;
	row->tid = r->switch_.out ? r->switch_.tid : r->id.tid;
	row->cpu = r->id.cpu;
	return (r->id.have & need) == need;
}

/* Each fills a row of its kind. Returns 1, 0 where there is nothing to note, or -status. */
static const struct {
	uint32_t type;
	int (*fill)(struct pms_history *h, const struct pms_perfdata_record *r,
		    struct pms_history_row *row);
} kinds[] = {
	{ PMS_PERFDATA_MMAP, map_row },		  { PMS_PERFDATA_MMAP2, map_row },
	{ PMS_PERFDATA_COMM, comm_row },	  { PMS_PERFDATA_FORK, fork_row },
	{ PMS_PERFDATA_SWITCH, switch_row },	  { PMS_PERFDATA_SWITCH_CPU_WIDE, switch_row },
	{ PMS_PERFDATA_ITRACE_START, start_row },
};

int pms_history_add(struct pms_history *h, const struct pms_perfdata_record *r)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (kinds[i].type != r->type)
			continue;
		if (h->n_rows == (h->most ? h->most : ROWS_MAX)) {
			h->left_out++;
			return 0;
		}
		struct pms_history_row *rows = pms_array_room(h->rows, h->n_rows, sizeof(*rows));
		if (!rows)
			return -PMS_ENOMEM;
		h->rows = rows;
		struct pms_history_row row = { .seq = (uint32_t)h->n_rows };
		row.time = r->id.have & PMS_PERFDATA_TIME ? r->id.time : 0;
		int filled = kinds[i].fill(h, r, &row);
		if (filled > 0)
			rows[h->n_rows++] = row;
		return filled < 0 ? filled : 0;
	}
	return 0;
}

/* Playing -------------------------------------------------------------------------------------- */

/* A stretch of addresses as it is now. */
struct piece {
	uint64_t start, end, offset;
	uint32_t object;
};

struct pieces {
	struct piece *rows;
	size_t count;
};

struct change {
	uint32_t life;
	uint64_t time;
};

/* What is so at the time that was played up to. */
struct play {
	struct pms_history *h;
	struct pms_numbers thread_of_tid, life_of_pid;
	struct pieces *mapped; /* by life */
	struct change *changes;
	size_t n_changes;
	int bad; /* out of memory */
};

/* Room for one more row. NULL, with the play bad, when out of memory. */
static void *room(struct play *p, void *array, size_t count, size_t size)
{
	void *rows = count < PMS_NONE ? pms_array_room(array, count, size) : NULL;
	p->bad |= !rows;
	return rows;
}

static void number(struct play *p, struct pms_numbers *n, int32_t key, size_t row)
{
	p->bad |= pms_numbers_set(n, (uint32_t)key, (uint32_t)row) != 0;
}

static uint32_t life_begin(struct play *p, int32_t pid, uint64_t time, uint32_t parent)
{
	struct pms_history *h = p->h;
	void *lives = room(p, h->lives, h->n_lives, sizeof(*h->lives));
	void *mapped = room(p, p->mapped, h->n_lives, sizeof(*p->mapped));
	h->lives = lives ? lives : h->lives;
	p->mapped = mapped ? mapped : p->mapped;
	if (p->bad)
		return PMS_NONE;
	h->lives[h->n_lives] =
		(struct pms_history_life){ .pid = pid, .from = time, .parent = parent };
	p->mapped[h->n_lives] = (struct pieces){ 0 };
	number(p, &p->life_of_pid, pid, h->n_lives);
	return (uint32_t)h->n_lives++;
}

static uint32_t life_of(struct play *p, int32_t pid, uint64_t time)
{
	uint32_t life = pms_numbers_get(&p->life_of_pid, (uint32_t)pid);
	return life == PMS_NONE ? life_begin(p, pid, time, PMS_NONE) : life;
}

static void thread_begin(struct play *p, int32_t pid, int32_t tid, const char *name, uint64_t time)
{
	struct pms_history *h = p->h;
	struct pms_history_thread *threads = room(p, h->threads, h->n_threads, sizeof(*threads));
	if (!threads)
		return;
	h->threads = threads;
	threads[h->n_threads] = (struct pms_history_thread){ { pid, tid, name }, time };
	number(p, &p->thread_of_tid, tid, h->n_threads++);
}

/* A thread that was named in passing. */
static void thread_hear(struct play *p, int32_t pid, int32_t tid, uint64_t time)
{
	if (pid >= 0 && tid >= 0 && pms_numbers_get(&p->thread_of_tid, (uint32_t)tid) == PMS_NONE)
		thread_begin(p, pid, tid, "", time);
}

static void change_note(struct play *p, uint32_t life, uint64_t time)
{
	struct change *changes = room(p, p->changes, p->n_changes, sizeof(*changes));
	if (!changes)
		return;
	p->changes = changes;
	changes[p->n_changes++] = (struct change){ life, time };
}

/* Whether addresses that both have are the same bytes of the same object. */
static int agree(const struct piece *a, const struct piece *b)
{
	return a->object == b->object && a->offset - a->start == b->offset - b->start;
}

/* The first piece that ends behind @address. */
static size_t piece_after(const struct pieces *pieces, uint64_t address)
{
	size_t low = 0, high = pieces->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (pieces->rows[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void piece_insert(struct play *p, struct pieces *pieces, size_t at, struct piece piece)
{
	if (piece.start >= piece.end)
		return;
	struct piece *rows = room(p, pieces->rows, pieces->count, sizeof(*rows));
	if (!rows)
		return;
	pieces->rows = rows;
	memmove(rows + at + 1, rows + at, (pieces->count - at) * sizeof(*rows));
	rows[at] = piece;
	pieces->count++;
}

/* Map @new over what is there. Returns 1 when an address becomes another place by it. */
static int piece_put(struct play *p, struct pieces *pieces, const struct piece *new)
{
	size_t first = piece_after(pieces, new->start), last = first;
	int differs = 0;
	while (last < pieces->count && pieces->rows[last].start < new->end)
		differs |= !agree(&pieces->rows[last++], new);
	struct piece before = { 0 }, after = { 0 };
	if (last > first) {
		before = pieces->rows[first];
		before.end = new->start;
		after = pieces->rows[last - 1];
		after.offset += new->end - after.start;
		after.start = new->end;
	}
	if (last > first) {
		memmove(pieces->rows + first, pieces->rows + last,
			(pieces->count - last) * sizeof(*pieces->rows));
		pieces->count -= last - first;
	}
	piece_insert(p, pieces, first, after);
	piece_insert(p, pieces, first, *new);
	piece_insert(p, pieces, first, before);
	return differs;
}

static void map_play(struct play *p, const struct pms_history_row *row)
{
	struct pms_history *h = p->h;
	struct piece piece = { row->map.start, row->map.end, row->map.offset, row->map.object };
	uint32_t life = row->flag ? 0 : life_of(p, row->pid, row->time);
	if (!row->flag)
		thread_hear(p, row->pid, row->tid, row->time);
	struct pms_history_map *maps = room(p, h->maps, h->n_maps, sizeof(*maps));
	if (maps)
		h->maps = maps;
	if (p->bad || piece.start >= piece.end)
		return;
	maps[h->n_maps++] = (struct pms_history_map){ .life = life,
						      .object = row->map.object,
						      .start = piece.start,
						      .end = piece.end,
						      .offset = piece.offset,
						      .from = row->time };
	int differs = piece_put(p, &p->mapped[life], &piece);
	/* What it inherited is not kept track of: it may have been mapped over. */
	if (differs || h->lives[life].parent != PMS_NONE)
		change_note(p, life, row->time);
}

static void comm_play(struct play *p, const struct pms_history_row *row)
{
	if (row->flag)
		life_begin(p, row->pid, row->time, PMS_NONE);
	thread_begin(p, row->pid, row->tid, row->name, row->time);
}

static void fork_play(struct play *p, const struct pms_history_row *row)
{
	uint32_t parent = pms_numbers_get(&p->thread_of_tid, (uint32_t)row->parent.tid);
	uint32_t life = pms_numbers_get(&p->life_of_pid, (uint32_t)row->parent.pid);
	if (row->pid != row->parent.pid)
		life_begin(p, row->pid, row->time, row->flag ? life : PMS_NONE);
	thread_begin(p, row->pid, row->tid,
		     parent == PMS_NONE ? "" : p->h->threads[parent].thread.comm, row->time);
}

static void on_play(struct play *p, const struct pms_history_row *row)
{
	struct pms_history *h = p->h;
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

/* Settling ------------------------------------------------------------------------------------- */

static int row_order(const void *a, const void *b)
{
	const struct pms_history_row *x = a, *y = b;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->seq < y->seq ? -1 : 1;
}

static int map_order(const void *a, const void *b)
{
	const struct pms_history_map *x = a, *y = b;
	if (x->life != y->life)
		return x->life < y->life ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

static int on_order(const void *a, const void *b)
{
	const struct pms_history_on *x = a, *y = b;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->time < y->time ? -1 : x->time > y->time;
}

static int change_order(const void *a, const void *b)
{
	const struct change *x = a, *y = b;
	if (x->life != y->life)
		return x->life < y->life ? -1 : 1;
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

static void maps_settle(struct pms_history *h)
{
	if (h->n_maps)
		qsort(h->maps, h->n_maps, sizeof(*h->maps), map_order);
	for (size_t i = 0; i < h->n_maps; i++) {
		struct pms_history_map *m = &h->maps[i];
		struct pms_history_life *life = &h->lives[m->life];
		if (!life->n_maps++)
			life->first_map = (uint32_t)i;
		m->reach = m->end;
		if (life->n_maps > 1 && m[-1].reach > m->end)
			m->reach = m[-1].reach;
	}
}

static void spaces_settle(struct play *p)
{
	struct pms_history *h = p->h;
	size_t next = 0;
	if (p->n_changes)
		qsort(p->changes, p->n_changes, sizeof(*p->changes), change_order);
	h->spaces = calloc(h->n_lives + p->n_changes, sizeof(*h->spaces));
	p->bad |= !h->spaces;
	for (uint32_t l = 0; !p->bad && l < h->n_lives; l++) {
		struct pms_history_life *life = &h->lives[l];
		uint64_t from = life->from;
		life->first_space = (uint32_t)h->n_spaces;
		for (; next < p->n_changes && p->changes[next].life == l; next++) {
			if (p->changes[next].time <= from)
				continue;
			h->spaces[h->n_spaces++] =
				(struct pms_history_space){ l, from, p->changes[next].time };
			from = p->changes[next].time;
		}
		h->spaces[h->n_spaces++] = (struct pms_history_space){ l, from, UINT64_MAX };
		life->n_spaces = (uint32_t)h->n_spaces - life->first_space;
	}
}

/* The object without a build-id that the file's list means. The kernel has several names. */
static struct pms_object *object_meant(struct pms_history *h, const struct pms_perfdata_build_id *b)
{
	enum { KERNEL = 1 };
	int kernel = (b->misc & PMS_PERFDATA_MISC_CPUMODE) == KERNEL;
	struct pms_object object = { .path = b->path };
	object.kind = pms_object_kind_of(b->path, kernel);
	uint32_t found = pms_objects_find(&h->objects, &object);
	if (found < h->objects.count)
		return &h->objects.rows[found].object;
	for (size_t i = 0; object.kind == PMS_OBJECT_KERNEL && i < h->objects.count; i++)
		if (h->objects.rows[i].object.kind == PMS_OBJECT_KERNEL)
			return &h->objects.rows[i].object;
	return NULL;
}

static void build_ids_settle(struct pms_history *h, const struct pms_perfdata_info *info)
{
	for (size_t i = 0; i < info->n_build_ids; i++) {
		const struct pms_perfdata_build_id *b = &info->build_ids[i];
		struct pms_object *object = object_meant(h, b);
		if (!object || object->build_id_size || b->size > sizeof(object->build_id))
			continue;
		memcpy(object->build_id, b->id, b->size);
		object->build_id_size = b->size;
	}
}

static void play_release(struct play *p)
{
	for (size_t i = 0; p->mapped && i < p->h->n_lives; i++)
		free(p->mapped[i].rows);
	free(p->mapped);
	free(p->changes);
	pms_numbers_release(&p->thread_of_tid);
	pms_numbers_release(&p->life_of_pid);
}

int pms_history_settle(struct pms_history *h, const struct pms_perfdata_info *info)
{
	static void (*const plays[])(struct play * p, const struct pms_history_row *row) = {
		[MAP] = map_play, [COMM] = comm_play, [FORK] = fork_play, [ON] = on_play
	};
	struct play p = { .h = h };
	life_begin(&p, -1, 0, PMS_NONE); /* the kernel's */
	thread_begin(&p, 0, 0, "swapper", 0);
	if (h->n_rows)
		qsort(h->rows, h->n_rows, sizeof(*h->rows), row_order);
	for (size_t i = 0; !p.bad && i < h->n_rows; i++)
		plays[h->rows[i].what](&p, &h->rows[i]);
	free(h->rows);
	h->rows = NULL;
	h->n_told = h->n_threads;
	if (!p.bad) {
		h->by_tid = index_new(h->n_told, thread_order, h->threads);
		h->by_pid = index_new(h->n_lives, life_order, h->lives);
		p.bad = !h->by_tid || !h->by_pid;
		if (h->n_ons)
			qsort(h->ons, h->n_ons, sizeof(*h->ons), on_order);
		maps_settle(h);
		spaces_settle(&p);
		build_ids_settle(h, info);
	}
	play_release(&p);
	return p.bad ? -PMS_ENOMEM : 0;
}

void pms_history_release(struct pms_history *h)
{
	pms_objects_release(&h->objects);
	free(h->rows);
	free(h->threads);
	free(h->by_tid);
	free(h->lives);
	free(h->by_pid);
	free(h->maps);
	free(h->spaces);
	free(h->ons);
	pms_numbers_release(&h->strangers);
	*h = (struct pms_history){ 0 };
}
