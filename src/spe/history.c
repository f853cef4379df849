/* SPDX-License-Identifier: MIT */
/* Records of threads and mappings are noted as they come, for as much memory as they may take. */
#include "spe/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"

/* What is known of a thing takes at the most, in bytes, while all is put in order: see maps.c and
 * history_play.c. A number has up to four slots of a table, and half as many while it grows. */
enum {
	NUMBER = 6 * sizeof(struct pms_number),
	THREAD = sizeof(struct pms_history_thread) + 4,
	LIFE = sizeof(struct pms_history_life) + sizeof(struct pms_history_space) + 20,
	MAP = sizeof(struct pms_map) + 2 * sizeof(struct pms_map_link) +
	      2 * sizeof(struct pms_map_turn) + sizeof(struct pms_history_space) + 56 -
	      sizeof(struct pms_history_row),
	OBJECT = sizeof(struct pms_object_row) + NUMBER,
	TEXT = 16 /* beside the text itself, by which places in the arena may go unused */
};

/* A record that is looked at. */
struct note {
	struct pms_history_row row;
	uint64_t cost;
	struct pms_object object;
	const char *name;		 /* of the thread, or the object's path */
	char text[PMS_MOST_OBJECT_PATH]; /* the name, where it was cut */
};

static uint64_t unmet(const struct pms_numbers *numbers, int32_t id, uint64_t cost)
{
	return pms_numbers_get(numbers, (uint32_t)id) == PMS_NONE ? cost + NUMBER : 0;
}

static int meet(struct pms_numbers *numbers, int32_t id)
{
	return pms_numbers_get(numbers, (uint32_t)id) == PMS_NONE
		       ? pms_numbers_set(numbers, (uint32_t)id, PMS_MET)
		       : 0;
}

/* Names that are longer than they can be on Linux take no more room than those. */
static void name_put(struct pms_spe_history *h, struct note *n, const char *name, size_t most)
{
	n->name = name;
	if (strnlen(name, most) < most)
		return;
	memcpy(n->text, name, most - 1);
	n->text[most - 1] = 0;
	n->name = n->text;
	h->names_cut++;
}

static int is_kernel(const struct pms_perfdata_record *r)
{
	enum { KERNEL = 1, GUEST_KERNEL = 4 };
	int mode = r->misc & PMS_PERFDATA_MISC_CPUMODE;
	return r->mmap.pid == -1 || mode == KERNEL || mode == GUEST_KERNEL;
}

static int map_note(struct pms_spe_history *h, const struct pms_perfdata_record *r, struct note *n)
{
	const struct pms_perfdata_mmap *m = &r->mmap;
	struct pms_history_row *row = &n->row;
	row->flag = is_kernel(r) != 0;
	row->pid = m->pid;
	row->tid = m->tid;
	row->map.start = m->start;
	if (__builtin_add_overflow(m->start, m->length, &row->map.end))
		row->map.end = UINT64_MAX;
	row->map.offset = m->file_offset;
	/* Of the older record this is all that tells; the kernel sets it in both. */
	row->map.executable = !(r->misc & PMS_PERFDATA_MISC_MMAP_DATA);
	name_put(h, n, m->path, PMS_MOST_OBJECT_PATH);
	n->object = (struct pms_object){ .path = n->name,
					 .kind = pms_object_kind_of(n->name, row->flag) };
	if (m->build_id && m->build_id_size <= sizeof(n->object.build_id)) {
		memcpy(n->object.build_id, m->build_id, m->build_id_size);
		n->object.build_id_size = m->build_id_size;
	}
	n->cost = MAP + unmet(&h->life_of_pid, m->pid, LIFE) +
		  unmet(&h->thread_of_tid, m->tid, THREAD);
	if (pms_objects_find(&h->objects, &n->object) == PMS_NONE)
		n->cost += OBJECT + TEXT + strlen(n->name);
	return 1;
}

static int map_keep(struct pms_spe_history *h, struct note *n)
{
	n->row.map.object = pms_objects_number(&h->objects, &n->object);
	if (n->row.map.object == PMS_NONE || meet(&h->life_of_pid, n->row.pid))
		return -PMS_ENOMEM;
	return meet(&h->thread_of_tid, n->row.tid);
}

static int comm_note(struct pms_spe_history *h, const struct pms_perfdata_record *r, struct note *n)
{
	n->row.flag = r->comm.exec != 0;
	n->row.pid = r->comm.pid;
	n->row.tid = r->comm.tid;
	name_put(h, n, r->comm.name, PMS_MOST_THREAD_NAME);
	n->cost = THREAD + TEXT + strlen(n->name) + unmet(&h->thread_of_tid, n->row.tid, 0);
	if (n->row.flag)
		n->cost += LIFE + unmet(&h->life_of_pid, n->row.pid, 0);
	return 1;
}

static int comm_keep(struct pms_spe_history *h, struct note *n)
{
	n->row.name = pms_arena_dup(&h->objects.arena, n->name);
	if (!n->row.name || (n->row.flag && meet(&h->life_of_pid, n->row.pid)))
		return -PMS_ENOMEM;
	return meet(&h->thread_of_tid, n->row.tid);
}

static int fork_note(struct pms_spe_history *h, const struct pms_perfdata_record *r, struct note *n)
{
	struct pms_history_row *row = &n->row;
	row->flag = !(r->misc & PMS_PERFDATA_MISC_FORK_EXEC);
	row->pid = r->task.pid;
	row->tid = r->task.tid;
	row->parent.pid = r->task.parent_pid;
	row->parent.tid = r->task.parent_tid;
	if (!row->time)
		row->time = r->task.time;
	n->cost = THREAD + unmet(&h->thread_of_tid, row->tid, 0);
	if (row->pid != row->parent.pid)
		n->cost += LIFE + unmet(&h->life_of_pid, row->pid, 0);
	return 1;
}

static int fork_keep(struct pms_spe_history *h, struct note *n)
{
	if (n->row.pid != n->row.parent.pid && meet(&h->life_of_pid, n->row.pid))
		return -PMS_ENOMEM;
	return meet(&h->thread_of_tid, n->row.tid);
}

static int start_note(struct pms_spe_history *h, const struct pms_perfdata_record *r,
		      struct note *n)
{
	n->row.flag = 1;
	n->row.pid = r->itrace_start.pid;
	n->row.tid = r->itrace_start.tid;
	n->row.cpu = r->id.cpu;
	n->cost = sizeof(struct pms_history_on) + unmet(&h->thread_of_tid, n->row.tid, THREAD);
	return (r->id.have & PMS_PERFDATA_CPU) != 0;
}

static int switch_note(struct pms_spe_history *h, const struct pms_perfdata_record *r,
		       struct note *n)
{
	const uint32_t need = PMS_PERFDATA_CPU | PMS_PERFDATA_TID | PMS_PERFDATA_TIME;
	n->row.pid = r->switch_.out ? r->switch_.pid : r->id.pid;
	n->row.tid = r->switch_.out ? r->switch_.tid : r->id.tid;
	n->row.cpu = r->id.cpu;
	n->cost = sizeof(struct pms_history_on) + unmet(&h->thread_of_tid, n->row.tid, THREAD);
	return (r->id.have & need) == need;
}

static int on_keep(struct pms_spe_history *h, struct note *n)
{
	return meet(&h->thread_of_tid, n->row.tid);
}

/* Of each type of record: fill a note, with what it will take; returns 1, or 0 where there is
 * nothing to note. And keep what its row needs; returns 0 or -PMS_ENOMEM. */
static const struct kind {
	uint32_t type;
	uint8_t what;
	int (*note)(struct pms_spe_history *h, const struct pms_perfdata_record *r, struct note *n);
	int (*keep)(struct pms_spe_history *h, struct note *n);
} kinds[] = {
	{ PMS_PERFDATA_MMAP, PMS_HISTORY_MAP, map_note, map_keep },
	{ PMS_PERFDATA_MMAP2, PMS_HISTORY_MAP, map_note, map_keep },
	{ PMS_PERFDATA_COMM, PMS_HISTORY_COMM, comm_note, comm_keep },
	{ PMS_PERFDATA_FORK, PMS_HISTORY_FORK, fork_note, fork_keep },
	{ PMS_PERFDATA_SWITCH, PMS_HISTORY_ON, switch_note, on_keep },
	{ PMS_PERFDATA_SWITCH_CPU_WIDE, PMS_HISTORY_ON, switch_note, on_keep },
	{ PMS_PERFDATA_ITRACE_START, PMS_HISTORY_ON, start_note, on_keep },
};

static const struct kind *kind_of(uint32_t type)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].type == type)
			return &kinds[i];
	return NULL;
}

/* Whether there is memory for one more thing, by the bound. */
static int afford(struct pms_spe_history *h, uint64_t cost)
{
	uint64_t most = (h->spare ? h->spare : PMS_SPARE_HISTORY_BYTES) + 4 * h->told;
	most = most < PMS_MOST_HISTORY_BYTES ? most : PMS_MOST_HISTORY_BYTES;
	if (h->cost + cost > most || h->n_rows >= PMS_MET)
		return 0;
	h->cost += cost;
	return 1;
}

int pms_history_add(struct pms_spe_history *h, const struct pms_perfdata_record *r)
{
	const struct kind *kind = kind_of(r->type);
	struct note note;
	if (!kind)
		return 0;
	h->told += r->size;
	note.row = (struct pms_history_row){ .seq = (uint32_t)h->n_rows, .what = kind->what };
	note.row.time = r->id.have & PMS_PERFDATA_TIME ? r->id.time : 0;
	if (!kind->note(h, r, &note))
		return 0;
	if (!afford(h, note.cost + sizeof(note.row))) {
		h->left_out++;
		return 0;
	}
	struct pms_history_row *rows = pms_array_room(h->rows, h->n_rows, sizeof(*rows));
	if (rows)
		h->rows = rows;
	if (!rows || kind->keep(h, &note))
		return -PMS_ENOMEM;
	rows[h->n_rows++] = note.row;
	return 0;
}

void pms_history_release(struct pms_spe_history *h)
{
	pms_objects_release(&h->objects);
	free(h->rows);
	pms_numbers_release(&h->thread_of_tid);
	pms_numbers_release(&h->life_of_pid);
	free(h->threads);
	free(h->by_tid);
	free(h->lives);
	free(h->by_pid);
	pms_maps_release(&h->maps);
	free(h->spaces);
	free(h->ons);
	pms_numbers_release(&h->strangers);
	*h = (struct pms_spe_history){ 0 };
}
