/* SPDX-License-Identifier: MIT */
/* LLVM's sample profiles, as text: how often each line of a function ran, for -fprofile-sample-use.
 * Lines count from the function's own; what is inlined stands below the line that it was called at.
 * Source: LLVM 14, include/llvm/ProfileData/SampleProfReader.h, "Sample profile formats". */
#include "base/array.h"
#include "base/numbers.h"
#include "base/status.h"
#include "export/export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A line of a function; a compiler keeps 16 bits of its distance. */
struct body {
	uint32_t offset;
	uint32_t next; /* of the same function; PMS_NO_ROW: the last */
	uint64_t count;
};

/* A function, or what is inlined in one. */
struct node {
	uint32_t parent, function, offset; /* of the line that it is called at, in the parent */
	uint32_t first, last;		   /* bodies */
	uint32_t child, last_child, next;  /* nodes inlined here; the next of the same parent */
	uint64_t total, head;
};

/* The state while functions are put together. */
struct building {
	struct pms_exporting *x;
	struct node *nodes;
	size_t n_nodes;
	struct body *bodies;
	size_t n_bodies;
	struct pms_numbers callees; /* by parent and function, to a number */
	struct pms_numbers sites;   /* by that number and line */
	struct pms_numbers lines;   /* by node and line */
	uint32_t n_callees;
	size_t left_out; /* instructions without a line or a name that the format can have */
};

enum { OFFSET_MASK = 0xffff };

/* Returns the kind that counts how often instructions ran; of samples the usual one. */
static int64_t count_kind(const struct pms_profile *profile)
{
	for (size_t i = 0; i < profile->n_kinds; i++)
		if (profile->kinds[i].unit == PMS_PROFILE_INSTRUCTIONS &&
		    pms_profile_sum(profile, i))
			return (int64_t)i;
	if (profile->source == PMS_PROFILE_MODELLED)
		return -1;
	for (size_t i = 0; i < profile->n_kinds; i++)
		if (pms_profile_sum(profile, i))
			return (int64_t)i;
	return -1;
}

static uint32_t site_key(struct building *b, uint32_t parent, uint32_t function)
{
	uint64_t key = (uint64_t)parent << 32 | function;
	uint32_t number = pms_numbers_get(&b->callees, key);
	if (number == PMS_NO_ROW) {
		number = b->n_callees++;
		if (pms_numbers_set(&b->callees, key, number))
			return PMS_NO_ROW;
	}
	return number;
}

/* Returns the node of a function that is called in @parent; PMS_NO_ROW when out of memory. */
static uint32_t node_at(struct building *b, uint32_t parent, uint32_t offset, uint32_t function)
{
	uint32_t callee = site_key(b, parent, function);
	uint64_t key = (uint64_t)callee << 32 | offset;
	uint32_t row = callee == PMS_NO_ROW ? PMS_NO_ROW : pms_numbers_get(&b->sites, key);
	if (callee == PMS_NO_ROW || row != PMS_NO_ROW)
		return row;
	void *room = pms_array_room(b->nodes, b->n_nodes, sizeof(*b->nodes));
	if (!room)
		return PMS_NO_ROW;
	b->nodes = room;
	row = (uint32_t)b->n_nodes;
	if (pms_numbers_set(&b->sites, key, row))
		return PMS_NO_ROW;
	b->nodes[b->n_nodes++] = (struct node){ .parent = parent,
						.function = function,
						.offset = offset,
						.first = PMS_NO_ROW,
						.last = PMS_NO_ROW,
						.child = PMS_NO_ROW,
						.last_child = PMS_NO_ROW,
						.next = PMS_NO_ROW };
	if (parent != PMS_NO_ROW) {
		struct node *p = &b->nodes[parent];
		*(p->child == PMS_NO_ROW ? &p->child : &b->nodes[p->last_child].next) = row;
		p->last_child = row;
	}
	return row;
}

/* A line ran as often as the instruction of it that ran most. */
static int body_raise(struct building *b, uint32_t node, uint32_t offset, uint64_t count)
{
	uint64_t key = (uint64_t)node << 32 | offset;
	uint32_t row = pms_numbers_get(&b->lines, key);
	if (row == PMS_NO_ROW) {
		void *room = pms_array_room(b->bodies, b->n_bodies, sizeof(*b->bodies));
		row = (uint32_t)b->n_bodies;
		if (room)
			b->bodies = room;
		if (!room || pms_numbers_set(&b->lines, key, row))
			return -PMS_ENOMEM;
		b->bodies[b->n_bodies++] = (struct body){ offset, PMS_NO_ROW, 0 };
		struct node *n = &b->nodes[node];
		*(n->first == PMS_NO_ROW ? &n->first : &b->bodies[n->last].next) = row;
		n->last = row;
	}
	if (count > b->bodies[row].count)
		b->bodies[row].count = count;
	return 0;
}

static uint32_t offset_of(const struct pms_export_line *line)
{
	return (line->line - line->declared) & OFFSET_MASK;
}

/* Whether the format can tell the lines of a spot. */
static int can_tell(const struct pms_export_places *p, const struct pms_export_spot *spot)
{
	for (uint32_t i = 0; i < spot->count; i++) {
		const struct pms_export_line *line = &p->lines[spot->first + i];
		if (!line->line || !line->declared ||
		    !pms_export_is_identifier(p->functions[line->function].linkage))
			return 0;
	}
	return 1;
}

static int spot_add(struct building *b, const struct pms_export_spot *spot, uint64_t count)
{
	const struct pms_export_places *p = &b->x->places;
	uint32_t node = PMS_NO_ROW, offset = 0;
	if (!can_tell(p, spot)) {
		b->left_out++;
		return 0;
	}
	for (uint32_t i = spot->count; i-- > 0;) {
		const struct pms_export_line *line = &p->lines[spot->first + i];
		node = node_at(b, node, offset, line->function);
		if (node == PMS_NO_ROW)
			return -PMS_ENOMEM;
		offset = offset_of(line);
		if (i + 1 == spot->count && spot->address == spot->start)
			b->nodes[node].head += count;
	}
	return body_raise(b, node, offset, count);
}

static void add_totals(struct building *b)
{
	for (size_t i = b->n_nodes; i-- > 0;) {
		struct node *n = &b->nodes[i];
		for (uint32_t row = n->first; row != PMS_NO_ROW; row = b->bodies[row].next)
			n->total += b->bodies[row].count;
		if (n->parent != PMS_NO_ROW)
			b->nodes[n->parent].total += n->total;
	}
}

static void put_indent(struct pms_sink *sink, unsigned depth)
{
	while (depth-- > 0)
		pms_sink_text(sink, " ");
}

static void put_bodies(struct building *b, const struct node *n, unsigned depth)
{
	for (uint32_t row = n->first; row != PMS_NO_ROW; row = b->bodies[row].next) {
		put_indent(&b->x->sink, depth);
		pms_sink_printf(&b->x->sink, "%" PRIu32 ": %" PRIu64 "\n", b->bodies[row].offset,
				b->bodies[row].count);
	}
}

/* Write what is inlined below @node, as deep as it goes. */
static void put_inlined(struct building *b, uint32_t node)
{
	unsigned depth = 1;
	uint32_t at = b->nodes[node].child;
	while (at != PMS_NO_ROW) {
		const struct node *n = &b->nodes[at];
		put_indent(&b->x->sink, depth);
		pms_sink_printf(&b->x->sink, "%" PRIu32 ": ", n->offset);
		pms_sink_text(&b->x->sink, b->x->places.functions[n->function].linkage);
		pms_sink_printf(&b->x->sink, ":%" PRIu64 "\n", n->total);
		put_bodies(b, n, depth + 1);
		if (n->child != PMS_NO_ROW) {
			at = n->child;
			depth++;
			continue;
		}
		while (at != node && b->nodes[at].next == PMS_NO_ROW) {
			at = b->nodes[at].parent;
			depth--;
		}
		at = at == node ? PMS_NO_ROW : b->nodes[at].next;
	}
}

static void put_all(struct building *b)
{
	struct pms_sink *sink = &b->x->sink;
	for (size_t i = 0; i < b->n_nodes; i++) {
		const struct node *n = &b->nodes[i];
		if (n->parent != PMS_NO_ROW)
			continue;
		pms_sink_text(sink, b->x->places.functions[n->function].linkage);
		pms_sink_printf(sink, ":%" PRIu64 ":%" PRIu64 "\n", n->total, n->head);
		put_bodies(b, n, 1);
		put_inlined(b, (uint32_t)i);
	}
	if (b->left_out)
		pms_sink_printf(sink, "# %zu instructions are left out: no line or name is known\n",
				b->left_out);
}

/* Returns how often each spot ran, in all threads; NULL when out of memory. */
static uint64_t *count_spots(const struct pms_exporting *x, size_t kind)
{
	uint64_t *counts = calloc(x->places.n_spots + 1, sizeof(*counts));
	for (size_t i = 0; counts && i < x->profile->n_rows; i++)
		counts[x->places.row_spots[i]] += pms_profile_value(x->profile, i, kind);
	return counts;
}

int pms_export_llvm_sample(struct pms_exporting *x)
{
	struct building b = { .x = x };
	int64_t kind = count_kind(x->profile);
	if (kind < 0)
		return pms_fail(x->err, PMS_EINVAL,
				"the profile does not say how often instructions ran");
	uint64_t *counts = count_spots(x, (size_t)kind);
	int rc = counts ? 0 : -PMS_ENOMEM;
	for (size_t i = 0; !rc && i < x->places.n_spots; i++)
		if (counts[i])
			rc = spot_add(&b, &x->places.spots[i], counts[i]);
	if (!rc) {
		add_totals(&b);
		put_all(&b);
	}
	free(counts);
	free(b.nodes);
	free(b.bodies);
	pms_numbers_release(&b.callees);
	pms_numbers_release(&b.sites);
	pms_numbers_release(&b.lines);
	return rc ? pms_no_memory(x->err) : 0;
}
