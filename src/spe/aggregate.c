/* SPDX-License-Identifier: MIT */
/* Group a batch in two passes: first find each record's group, then add to the sums. */
#include "spe/aggregate.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* A group's number, or one of these. */
enum { REST = UINT32_MAX - 1, KEYLESS = UINT32_MAX };

/* The groups of one of two keys only need numbers, so their latencies get the least room. */
enum { PMS_PAIR_BUCKETS = 1 };

int pms_aggregate_init(struct pms_aggregate *a, enum pms_spe_by by,
		       const struct pms_place_finder *finder, size_t most_groups,
		       size_t most_buckets)
{
	memset(a, 0, sizeof(*a));
	a->by = by;
	a->targets = by == PMS_SPE_BY_BRANCH;
	a->most = most_groups ? most_groups : PMS_MOST_SPE_GROUPS;
	a->budget.left = most_buckets ? most_buckets : PMS_MOST_SPE_BUCKETS;
	a->room = SIZE_MAX;
	a->latencies = UINT32_MAX;
	if (by == PMS_SPE_BY_OBJECT)
		a->pages = calloc(PMS_PAGE_GROUPS, sizeof(*a->pages));
	if ((by != PMS_SPE_BY_OBJECT || a->pages) && !pms_places_init(&a->places, finder) &&
	    !pms_table_init(&a->table, 1 << 10) && !pms_touches_init(&a->touches) &&
	    !pms_words_init(&a->files))
		return 0;
	pms_aggregate_release(a);
	return -PMS_ENOMEM;
}

void pms_aggregate_bound(struct pms_aggregate *a, uint64_t bytes, int buckets)
{
	uint64_t rows = PMS_FREE_SPE_ROWS + PMS_SPE_ROWS_TIMES * bytes;
	uint64_t all_buckets = PMS_FREE_SPE_BUCKETS + bytes / PMS_SPE_BUCKETS_PART;
	if (bytes > SIZE_MAX / 4)
		return;
	a->room = (size_t)rows;
	a->places.room = &a->room;
	a->touches.room = &a->room;
	if (buckets && all_buckets < a->budget.left)
		a->budget.left = (size_t)all_buckets;
	/* Each of the two keys has at most as many groups as there are rows. */
	for (int i = 0; i < 2 && a->pair[i]; i++)
		pms_aggregate_bound(a->pair[i], bytes / 2, 0);
}

int pms_aggregate_also(struct pms_aggregate *a, enum pms_spe_by also, size_t most_groups)
{
	const enum pms_spe_by by[] = { a->by, also };
	for (int i = 0; i < 2; i++) {
		a->pair[i] = calloc(1, sizeof(*a->pair[i]));
		if (!a->pair[i] || pms_aggregate_init(a->pair[i], by[i], &a->places.finder,
						      most_groups, PMS_PAIR_BUCKETS))
			return -PMS_ENOMEM;
	}
	return 0;
}

void pms_aggregate_release(struct pms_aggregate *a)
{
	for (int i = 0; i < 2; i++) {
		if (a->pair[i])
			pms_aggregate_release(a->pair[i]);
		free(a->pair[i]);
	}
	for (size_t i = 0; i < a->count; i++)
		pms_group_release(pms_aggregate_group(a, i), &a->budget);
	for (size_t i = 0; i < a->count; i += PMS_GROUP_CHUNK)
		free(a->chunks[i / PMS_GROUP_CHUNK]);
	pms_group_release(&a->rest, &a->budget);
	free(a->chunks);
	free(a->keys);
	free(a->group_of);
	free(a->pages);
	pms_places_release(&a->places);
	pms_table_release(&a->table);
	pms_touches_release(&a->touches);
	pms_words_release(&a->files);
}

/* Groups --------------------------------------------------------------------------------------- */

static struct pms_spe_group *new_group(struct pms_aggregate *a)
{
	size_t chunk = a->count / PMS_GROUP_CHUNK;
	if (a->count % PMS_GROUP_CHUNK == 0) {
		struct pms_spe_group **chunks =
			pms_array_room((void *)a->chunks, chunk, sizeof(*chunks));
		if (!chunks)
			return NULL;
		a->chunks = chunks;
		chunks[chunk] = aligned_alloc(64, PMS_GROUP_CHUNK * sizeof(*chunks[chunk]));
		if (!chunks[chunk])
			return NULL;
		memset(chunks[chunk], 0, PMS_GROUP_CHUNK * sizeof(*chunks[chunk]));
	}
	return &a->chunks[chunk][a->count % PMS_GROUP_CHUNK];
}

static uint32_t add_group(struct pms_aggregate *a, struct pms_key key, uint32_t space,
			  uint64_t address)
{
	if (a->count >= a->most)
		return REST;
	if (!pms_room_take(&a->room, PMS_SPE_ROW_BYTES)) {
		a->most = a->count; /* reports name this as the bound */
		return REST;
	}
	struct pms_key *keys = pms_array_room(a->keys, a->count, sizeof(*keys));
	if (keys)
		a->keys = keys;
	struct pms_spe_group *group = keys ? new_group(a) : NULL;
	if (!group || pms_table_add(&a->table, key, (uint32_t)a->count)) {
		a->failed = 1;
		return REST;
	}
	keys[a->count] = key;
	group->space = space;
	group->address = address;
	return (uint32_t)a->count++;
}

static uint32_t find_group(struct pms_aggregate *a, struct pms_key key, uint32_t space,
			   uint64_t address)
{
	uint32_t found = pms_table_find(&a->table, key);
	return found == PMS_TABLE_NONE ? add_group(a, key, space, address) : found;
}

/* Groups of places ----------------------------------------------------------------------------- */

/* Returns a function's key: its object and start. All code without names in an object is one
 * group. */
static struct pms_key key_of_symbol(const struct pms_place *place, const struct pms_symbol *symbol)
{
	uint64_t object = place->object ? place->index : UINT32_MAX;
	return (struct pms_key){ object, symbol->known ? symbol->start : UINT64_MAX };
}

/* Returns a line's key: its file, with the high bit set to tell it from objects, and its number.
 * Code without lines is grouped by function. */
static struct pms_key key_of_line(struct pms_aggregate *a, const struct pms_place *place,
				  const struct pms_symbol *symbol)
{
	const struct pms_frame *frame = symbol->n_frames ? &symbol->frames[0] : NULL;
	if (!frame || !frame->file[0] || !frame->line)
		return key_of_symbol(place, symbol);
	uint32_t file = pms_words_number(&a->files, frame->file);
	a->failed |= file == PMS_TABLE_NONE;
	return (struct pms_key){ file | UINT64_C(1) << 63, frame->line };
}

static struct pms_key key_of_place(struct pms_aggregate *a, uint32_t number)
{
	const struct pms_place *place = &a->places.places[number];
	struct pms_symbol symbol;
	if (a->by == PMS_SPE_BY_OBJECT)
		return (struct pms_key){ 0, place->object ? place->index : UINT32_MAX };
	if (a->by != PMS_SPE_BY_SYMBOL && a->by != PMS_SPE_BY_LINE)
		return (struct pms_key){ 0, number };
	if (pms_symbols_find(a->symbols, place, &symbol)) {
		a->failed = 1;
		return (struct pms_key){ 0, 0 };
	}
	return a->by == PMS_SPE_BY_SYMBOL ? key_of_symbol(place, &symbol)
					  : key_of_line(a, place, &symbol);
}

static int room_for_place(struct pms_aggregate *a, uint32_t place)
{
	while (a->n_group_of <= place) {
		uint32_t *group_of = pms_array_room(a->group_of, a->n_group_of, sizeof(*group_of));
		if (!group_of)
			return 0;
		a->group_of = group_of;
		group_of[a->n_group_of++] = KEYLESS;
	}
	return 1;
}

static uint32_t group_of_place(struct pms_aggregate *a, uint32_t place, uint32_t space,
			       uint64_t address)
{
	if (place == PMS_TABLE_NONE) {
		a->most = a->count;
		return REST;
	}
	if (place < a->n_group_of && a->group_of[place] != KEYLESS)
		return a->group_of[place];
	if (!room_for_place(a, place)) {
		a->failed = 1;
		return REST;
	}
	return a->group_of[place] = find_group(a, key_of_place(a, place), space, address);
}

/* Groups of a batch's records ------------------------------------------------------------------ */

static void by_place(struct pms_aggregate *a, const struct pms_spe_samples_batch *batch,
		     const uint8_t *keep, uint32_t *groups)
{
	const struct pms_spe_batch *b = batch->records;
	uint64_t hashes[PMS_SPE_BATCH];
	for (size_t i = 0; i < b->count; i++)
		hashes[i] = pms_places_prefetch(&a->places, batch->space[i],
						pms_spe_canonical(b->pc[i]));
	for (size_t i = 0; i < b->count; i++) {
		uint64_t address = pms_spe_canonical(b->pc[i]);
		int has = b->has[i] & PMS_SPE_HAS_PC && (!keep || keep[i]) &&
			  (a->by != PMS_SPE_BY_BRANCH || b->class_[i] == 2);
		groups[i] = KEYLESS;
		if (has)
			groups[i] = group_of_place(a,
						   pms_places_number_of(&a->places, hashes[i],
									batch->space[i], address),
						   batch->space[i], address);
	}
}

/* Returns the group of a page of code. Most pages lie in one object, and then the page tells the
 * group. */
static uint32_t group_of_page(struct pms_aggregate *a, uint32_t space, uint64_t address)
{
	uint64_t page = address >> PMS_PAGE_SHIFT;
	struct pms_page_group *known = &a->pages[(page ^ space * UINT64_C(67)) % PMS_PAGE_GROUPS];
	if (known->group && known->page == page && known->space == space)
		return known->group - 1;
	const struct pms_place_finder *finder = &a->places.finder;
	uint32_t place = pms_places_number(&a->places, space, address);
	uint32_t group = group_of_place(a, place, space, address);
	if (group < REST && finder->is_alike &&
	    finder->is_alike(finder->context, page << PMS_PAGE_SHIFT))
		*known = (struct pms_page_group){ page, space, group + 1 };
	return group;
}

static void by_object(struct pms_aggregate *a, const struct pms_spe_samples_batch *batch,
		      const uint8_t *keep, uint32_t *groups)
{
	const struct pms_spe_batch *b = batch->records;
	for (size_t i = 0; i < b->count; i++) {
		int has = b->has[i] & PMS_SPE_HAS_PC && (!keep || keep[i]);
		groups[i] = has ? group_of_page(a, batch->space[i], pms_spe_canonical(b->pc[i]))
				: (uint32_t)KEYLESS;
	}
}

/* Get the key of a data address. A physical one is the same for all processes; a virtual one
 * belongs to a process or to the kernel. */
static int key_of_data(const struct pms_spe_samples_batch *batch, size_t i, unsigned shift,
		       struct pms_key *key, uint64_t *address)
{
	const struct pms_spe_batch *b = batch->records;
	uint64_t va = pms_spe_canonical(b->va[i]), pa = pms_spe_addr(b->pa[i]);
	int32_t whose = batch->knows[i] & PMS_SPE_KNOWS_PID ? batch->pid[i] : -1;
	*address = b->has[i] & PMS_SPE_HAS_VA ? va : 0;
	if (b->has[i] & PMS_SPE_HAS_PA)
		*key = (struct pms_key){ PMS_KEY_PHYSICAL, pa >> shift };
	else
		*key = (struct pms_key){ va >> 63 ? PMS_KEY_KERNEL : (uint32_t)whose, va >> shift };
	return (b->has[i] & (PMS_SPE_HAS_PA | PMS_SPE_HAS_VA)) != 0;
}

static void by_data(struct pms_aggregate *a, const struct pms_spe_samples_batch *batch,
		    const uint8_t *keep, uint32_t *groups)
{
	unsigned shift = a->by == PMS_SPE_BY_PAGE ? PMS_PAGE_SHIFT : PMS_LINE_SHIFT;
	for (size_t i = 0; i < batch->records->count; i++) {
		struct pms_key key;
		uint64_t address;
		groups[i] = KEYLESS;
		if ((!keep || keep[i]) && key_of_data(batch, i, shift, &key, &address))
			groups[i] = find_group(a, key, batch->space[i], address);
	}
}

/* Group by variable. All data without a variable in one object, or kind of memory, is one group. */
static void by_variable(struct pms_aggregate *a, const struct pms_spe_samples_batch *batch,
			const uint8_t *keep, uint32_t *groups)
{
	const struct pms_spe_batch *b = batch->records;
	for (size_t i = 0; i < b->count; i++) {
		uint64_t address = pms_spe_canonical(b->va[i]);
		struct pms_datum datum;
		groups[i] = KEYLESS;
		if ((keep && !keep[i]) || !(b->has[i] & PMS_SPE_HAS_VA))
			continue;
		if (pms_data_find(a->data, batch->space[i], address, &datum)) {
			a->failed = 1;
			continue;
		}
		const struct pms_key key = { datum.index,
					     datum.is_variable
						     ? datum.start
						     : UINT64_MAX - (uint64_t)datum.is_told };
		groups[i] = find_group(a, key, batch->space[i], address);
	}
}

static struct pms_key simple_key(enum pms_spe_by by, const struct pms_spe_samples_batch *batch,
				 size_t i)
{
	const struct pms_spe_batch *b = batch->records;
	const struct pms_key unknown = { 0, UINT64_MAX };
	switch (by) {
	case PMS_SPE_BY_SOURCE:
		return b->has[i] & PMS_SPE_HAS_SOURCE ? (struct pms_key){ 0, b->source[i] }
						      : unknown;
	case PMS_SPE_BY_OP:
		return b->has[i] & PMS_SPE_HAS_OP
			       ? (struct pms_key){ 0,
						   pms_spe_operation(b->class_[i], b->op[i])->kind |
							   (uint64_t)pms_spe_op_word(b->class_[i],
										     b->op[i])
								   << 8 }
			       : unknown;
	case PMS_SPE_BY_THREAD:
		return (struct pms_key){ 0, batch->thread[i] };
	default:
		return (struct pms_key){ 0, (uint64_t)(int64_t)batch->cpu };
	}
}

static void by_value(struct pms_aggregate *a, const struct pms_spe_samples_batch *batch,
		     const uint8_t *keep, uint32_t *groups)
{
	for (size_t i = 0; i < batch->records->count; i++)
		groups[i] = keep && !keep[i] ? (uint32_t)KEYLESS
					     : find_group(a, simple_key(a->by, batch, i),
							  batch->space[i], 0);
}

/* Ask the memory for a group AHEAD records before it is needed, and for its buckets NEAR records
 * before. */
enum { AHEAD = 16, NEAR = 8 };

static void prefetch(const struct pms_aggregate *a, const struct pms_spe_batch *b,
		     const uint32_t *groups, size_t i)
{
	size_t ahead = i + AHEAD, near = i + NEAR;
	if (ahead < b->count && groups[ahead] < REST)
		pms_group_prefetch(pms_aggregate_group(a, groups[ahead]));
	if (near < b->count && groups[near] < REST) {
		const struct pms_spe_group *group = pms_aggregate_group(a, groups[near]);
		if (a->latencies & PMS_SPE_HAS_TOTAL)
			pms_sketch_prefetch(&group->total, b->total[near]);
		if (a->latencies & PMS_SPE_HAS_ISSUE)
			pms_sketch_prefetch(&group->issue, b->issue[near]);
		pms_sketch_prefetch(&group->wait, (uint16_t)(b->total[near] - b->issue[near]));
	}
}

/* Sums ----------------------------------------------------------------------------------------- */

/* Whether the data came from another core, cluster or chip, as far as Neoverse sources tell. */
static int is_from_peer(enum pms_spe_encoding encoding, unsigned source)
{
	enum { PEER_CORE = 9, LOCAL_CLUSTER = 10, PEER_CLUSTER = 12, REMOTE_CHIP = 13 };
	return encoding == PMS_SPE_ENCODING_NEOVERSE &&
	       (source == PEER_CORE || source == LOCAL_CLUSTER || source == PEER_CLUSTER ||
		source == REMOTE_CHIP);
}

/* Add a record to the sums of its place in a cache line. */
static void sum_touch(const struct pms_spe_samples_batch *batch, size_t i, struct pms_touch *touch)
{
	const struct pms_spe_batch *b = batch->records;
	enum pms_spe_op_word op = b->has[i] & PMS_SPE_HAS_OP
					  ? pms_spe_op_word(b->class_[i], b->op[i])
					  : PMS_SPE_UNKNOWN;
	touch->loads = op == PMS_SPE_LOAD;
	touch->stores = op == PMS_SPE_STORE;
	touch->waited = (uint32_t)pms_spe_waits(b, i);
	touch->wait = touch->waited ? pms_spe_wait(b, i) : 0;
	touch->peers = touch->loads && b->has[i] & PMS_SPE_HAS_SOURCE &&
		       is_from_peer(batch->encoding, b->source[i]);
}

static void add_touch(struct pms_aggregate *a, const struct pms_spe_samples_batch *batch, size_t i,
		      uint32_t group)
{
	const struct pms_spe_batch *b = batch->records;
	uint64_t data = b->has[i] & PMS_SPE_HAS_PA ? b->pa[i] : b->va[i];
	struct pms_touch touch = { .group = group,
				   .tid = batch->knows[i] & PMS_SPE_KNOWS_TID ? batch->tid[i] : -1,
				   .cpu = batch->cpu,
				   .place = PMS_TABLE_NONE,
				   .thread = batch->thread[i],
				   .timed = (b->has[i] & PMS_SPE_HAS_TIME) != 0,
				   .first = b->time[i],
				   .offset = data & ((1U << PMS_LINE_SHIFT) - 1),
				   .access = b->class_[i] != 1 ? PMS_SPE_READS
					     : pms_spe_is_atomic(b->class_[i], b->op[i])
						     ? PMS_SPE_ATOMIC
					     : b->op[i] & 1 ? PMS_SPE_WRITES
							    : PMS_SPE_READS };
	if (b->has[i] & PMS_SPE_HAS_PC)
		touch.place =
			pms_places_number(&a->places, batch->space[i], pms_spe_canonical(b->pc[i]));
	sum_touch(batch, i, &touch);
	pms_touches_add(&a->touches, &touch);
}

/* Add where a branch went, or where the branch taken before the operation went. */
static void add_target(struct pms_aggregate *a, const struct pms_spe_samples_batch *batch, size_t i,
		       uint32_t group, enum pms_touch_target what)
{
	const struct pms_spe_batch *b = batch->records;
	int before = what == PMS_TOUCH_PREVIOUS;
	struct pms_touch touch = { .group = group,
				   .tid = -1,
				   .cpu = -1,
				   .thread = batch->thread[i],
				   .access = (uint8_t)what };
	if (!(b->has[i] & (before ? PMS_SPE_HAS_PREVIOUS : PMS_SPE_HAS_TARGET)))
		return;
	touch.place = pms_places_number(&a->places, batch->space[i],
					pms_spe_canonical(before ? b->previous[i] : b->target[i]));
	pms_touches_add(&a->touches, &touch);
}

static void add_touches(struct pms_aggregate *a, const struct pms_spe_samples_batch *batch,
			size_t i, uint32_t group)
{
	if (!a->targets) {
		add_touch(a, batch, i, group);
		return;
	}
	add_target(a, batch, i, group, PMS_TOUCH_TARGET);
	add_target(a, batch, i, group, PMS_TOUCH_PREVIOUS);
}

static void add_record(struct pms_aggregate *a, const struct pms_spe_batch *b, size_t i,
		       struct pms_spe_group *group)
{
	struct pms_group_record record = {
		.has = b->has[i],
		.latencies = b->has[i] & a->latencies,
		.events = b->events[i],
		.total = b->total[i],
		.issue = b->issue[i],
		.translation = b->translation[i],
		.source = b->source[i],
		.atomic = (uint8_t)pms_spe_is_atomic(b->class_[i], b->op[i]),
		.op = b->has[i] & PMS_SPE_HAS_OP ? pms_spe_op_word(b->class_[i], b->op[i])
						 : PMS_SPE_UNKNOWN,
	};
	pms_group_add(group, &record, &a->sources, &a->budget);
}

static void by_pair(struct pms_aggregate *a, const struct pms_spe_samples_batch *batch,
		    const uint8_t *keep, uint32_t *groups);

/* Find the group of each record in the batch. */
static void assign_groups(struct pms_aggregate *a, const struct pms_spe_samples_batch *batch,
			  const uint8_t *keep, uint32_t *groups)
{
	static void (*const assign[PMS_SPE_BYS])(struct pms_aggregate *,
						 const struct pms_spe_samples_batch *,
						 const uint8_t *, uint32_t *) = {
		[PMS_SPE_BY_LINE] = by_place,	     [PMS_SPE_BY_SYMBOL] = by_place,
		[PMS_SPE_BY_PC] = by_place,	     [PMS_SPE_BY_OBJECT] = by_object,
		[PMS_SPE_BY_BRANCH] = by_place,	     [PMS_SPE_BY_CACHELINE] = by_data,
		[PMS_SPE_BY_VARIABLE] = by_variable, [PMS_SPE_BY_PAGE] = by_data,
		[PMS_SPE_BY_SOURCE] = by_value,	     [PMS_SPE_BY_OP] = by_value,
		[PMS_SPE_BY_THREAD] = by_value,	     [PMS_SPE_BY_CPU] = by_value,
	};
	(a->pair[0] ? by_pair : assign[a->by])(a, batch, keep, groups);
}

/* Group by pairs of keys. A record that lacks a key has no group; one beyond the bound goes to
 * the rest. */
static void by_pair(struct pms_aggregate *a, const struct pms_spe_samples_batch *batch,
		    const uint8_t *keep, uint32_t *groups)
{
	uint32_t second[PMS_SPE_BATCH];
	assign_groups(a->pair[0], batch, keep, groups);
	assign_groups(a->pair[1], batch, keep, second);
	for (size_t i = 0; i < batch->records->count; i++) {
		const struct pms_key key = { groups[i], second[i] };
		if (groups[i] == KEYLESS || second[i] == KEYLESS)
			groups[i] = KEYLESS;
		else if (groups[i] == REST || second[i] == REST)
			groups[i] = REST;
		else
			groups[i] = find_group(a, key, batch->space[i], 0);
	}
	for (int i = 0; i < 2; i++)
		a->failed |= a->pair[i]->failed || a->pair[i]->places.failed;
}

int pms_aggregate_add(struct pms_aggregate *a, const struct pms_spe_samples_batch *batch,
		      const uint8_t *keep)
{
	uint32_t groups[PMS_SPE_BATCH];
	int touching = !a->pair[0] && (a->by == PMS_SPE_BY_CACHELINE || a->targets);
	assign_groups(a, batch, keep, groups);
	for (size_t i = 0; i < batch->records->count; i++) {
		prefetch(a, batch->records, groups, i);
		if (groups[i] == KEYLESS) {
			a->dropped += keep && !keep[i];
			a->keyless += !keep || keep[i];
			continue;
		}
		add_record(a, batch->records, i,
			   groups[i] == REST ? &a->rest : pms_aggregate_group(a, groups[i]));
		if (touching && groups[i] != REST)
			add_touches(a, batch, i, groups[i]);
	}
	return a->failed || a->places.failed || a->touches.failed || a->budget.failed ? -PMS_ENOMEM
										      : 0;
}
