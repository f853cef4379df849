/* SPDX-License-Identifier: MIT */
#include "spe/maps.h"

#include <assert.h>
#include <stdlib.h>

#include "pmuscope/error.h"

/* The node in whose middle the stretches from @low to @high - 1 meet: the first of the upper half.
 * One stretch alone is kept with what meets there. */
static uint32_t node_of(uint32_t low, uint32_t high)
{
	uint32_t last = high - 1;
	if (low == last)
		return low;
	unsigned level = 31U - (unsigned)__builtin_clz(low ^ last);
	return last >> level << level;
}

/* Chains --------------------------------------------------------------------------------------- */

/* The first in the chain from @at on that begins at @stretch or before. */
static uint32_t find_lower(const struct pms_maps *m, uint32_t at, uint32_t stretch)
{
	while (m->low[at] > stretch) {
		const struct pms_map_link *link = &m->lower[at];
		at = m->low[link->jump] > stretch ? link->jump : link->next;
	}
	return at;
}

/* The first that ends behind @stretch. */
static uint32_t find_upper(const struct pms_maps *m, uint32_t at, uint32_t stretch)
{
	while (m->high[at] <= stretch) {
		const struct pms_map_link *link = &m->upper[at];
		at = m->high[link->jump] <= stretch ? link->jump : link->next;
	}
	return at;
}

/* A link to @next: it jumps as far again as the two jumps behind it, where these are alike. */
static struct pms_map_link link_to(const struct pms_map_link *links, uint32_t next)
{
	const struct pms_map_link *one = &links[next], *two = &links[one->jump];
	uint32_t far = one->depth - two->depth == two->depth - links[two->jump].depth;
	return (struct pms_map_link){ next, far ? two->jump : next, one->depth + 1 };
}

/* Settling ------------------------------------------------------------------------------------- */

/* What the walk through the moments needs. */
struct walk {
	uint32_t *end;	 /* behind the turns that a node has so far */
	uint32_t *last;	 /* seen at a node */
	uint32_t *below; /* of each mapping: what was seen at its node before */
	uint32_t *open;	 /* mappings that are seen, the earliest first */
	size_t n_open;
};

static int walk_init(struct walk *w, const struct pms_maps *m)
{
	size_t nodes = m->edges.count + 1;
	*w = (struct walk){ .end = calloc(nodes, sizeof(*w->end)),
			    .last = calloc(nodes, sizeof(*w->last)),
			    .below = calloc(m->count + 1, sizeof(*w->below)),
			    .open = calloc(m->count + 1, sizeof(*w->open)) };
	return w->end && w->last && w->below && w->open ? 0 : -PMS_ENOMEM;
}

static void walk_release(struct walk *w)
{
	free(w->end);
	free(w->last);
	free(w->below);
	free(w->open);
}

/* From @moment on @last is what is seen at the node. */
static void turn(struct pms_maps *m, struct walk *w, uint32_t node, uint32_t moment, uint32_t last)
{
	w->last[node] = last;
	if (w->end[node] > m->first[node] && m->turns[w->end[node] - 1].moment == moment)
		w->end[node]--;
	m->turns[w->end[node]++] = (struct pms_map_turn){ moment, last };
}

/* Those that are gone at @moment. */
static void leave(struct pms_maps *m, struct walk *w, uint32_t moment)
{
	while (w->n_open && m->rows[w->open[w->n_open - 1] - 1].gone <= moment) {
		uint32_t i = w->open[--w->n_open];
		turn(m, w, node_of(m->low[i], m->high[i]), m->rows[i - 1].gone, w->below[i]);
	}
}

static void enter(struct pms_maps *m, struct walk *w, uint32_t i)
{
	uint32_t node = node_of(m->low[i], m->high[i]), below = w->last[node];
	w->below[i] = below;
	w->open[w->n_open++] = i;
	m->lower[i] = link_to(m->lower, find_lower(m, below, m->low[i] - 1));
	m->upper[i] = link_to(m->upper, find_upper(m, below, m->high[i]));
	turn(m, w, node, m->rows[i - 1].seen, i);
}

/* Where each node's turns begin: each mapping gives it two at most. */
static void place_turns(struct pms_maps *m, struct walk *w)
{
	uint32_t sum = 0;
	for (uint32_t i = 1; i <= m->count; i++)
		w->end[node_of(m->low[i], m->high[i])] += 2;
	for (size_t node = 0; node <= m->edges.count; node++) {
		uint32_t n = w->end[node];
		m->first[node] = w->end[node] = sum;
		sum += n;
	}
	m->first[m->edges.count + 1] = sum;
}

/* Move each node's turns together: behind them are some that nothing uses. */
static void close_up(struct pms_maps *m, const struct walk *w)
{
	uint32_t kept = 0;
	for (size_t node = 0; node <= m->edges.count; node++) {
		uint32_t from = m->first[node];
		m->first[node] = kept;
		while (from < w->end[node])
			m->turns[kept++] = m->turns[from++];
	}
	m->first[m->edges.count + 1] = kept;
}

static int make_room(struct pms_maps *m)
{
	size_t rows = m->count + 1;
	m->low = calloc(rows, sizeof(*m->low));
	m->high = calloc(rows, sizeof(*m->high));
	m->lower = calloc(rows, sizeof(*m->lower));
	m->upper = calloc(rows, sizeof(*m->upper));
	m->first = calloc(m->edges.count + 2, sizeof(*m->first));
	m->turns = calloc(2 * m->count + 1, sizeof(*m->turns));
	return m->low && m->high && m->lower && m->upper && m->first && m->turns ? 0 : -PMS_ENOMEM;
}

int pms_maps_settle(struct pms_maps *m)
{
	struct walk w = { 0 };
	if (!m->count)
		return 0;
	int status = make_room(m);
	status = status ? status : walk_init(&w, m);
	for (uint32_t i = 1; !status && i <= m->count; i++) {
		const struct pms_map *row = &m->rows[i - 1];
		assert(row->start < row->end && row->seen < row->gone);
		m->low[i] = pms_edges_stretch(&m->edges, row->start);
		m->high[i] = pms_edges_stretch(&m->edges, row->end);
	}
	if (!status) {
		m->high[0] = UINT32_MAX;
		place_turns(m, &w);
	}
	for (uint32_t i = 1; !status && i <= m->count; i++) {
		leave(m, &w, m->rows[i - 1].seen);
		enter(m, &w, i);
	}
	if (!status) {
		leave(m, &w, UINT32_MAX);
		close_up(m, &w);
	}
	walk_release(&w);
	return status;
}

/* Finding -------------------------------------------------------------------------------------- */

/* What is seen at the node last at @moment. */
static uint32_t last_at(const struct pms_maps *m, uint32_t node, uint32_t moment)
{
	uint32_t low = m->first[node], high = m->first[node + 1], begin = low;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (m->turns[middle].moment <= moment)
			low = middle + 1;
		else
			high = middle;
	}
	return low > begin ? m->turns[low - 1].last : 0;
}

const struct pms_map *pms_maps_find(const struct pms_maps *m, uint64_t address, uint32_t moment)
{
	uint32_t stretch = m->count ? pms_edges_stretch(&m->edges, address) : 0, best = 0;
	if (!stretch || stretch >= m->edges.count)
		return NULL;
	for (unsigned level = 0; m->edges.count >> level; level++) {
		/* The middle of the 2^(level + 1) stretches that this one is of. */
		uint32_t node = (stretch >> level | 1) << level;
		uint32_t last = node <= m->edges.count ? last_at(m, node, moment) : 0;
		last = node > stretch ? find_lower(m, last, stretch) : find_upper(m, last, stretch);
		best = last > best ? last : best;
	}
	return best ? &m->rows[best - 1] : NULL;
}

void pms_maps_release(struct pms_maps *m)
{
	free(m->rows);
	free(m->low);
	free(m->high);
	free(m->lower);
	free(m->upper);
	free(m->first);
	free(m->turns);
	pms_edges_release(&m->edges);
	*m = (struct pms_maps){ 0 };
}
