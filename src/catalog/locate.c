/* SPDX-License-Identifier: MIT */
/* Lines and columns of parsed values. The text is walked once, in step with the values, and only
 * into arrays and objects that hold a wanted value. It is valid JSON, so only the ends of values
 * need to be found.
 */
#include "catalog/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

struct walk {
	const char *at, *end;
	const char *counted, *line_start; /* lines are counted up to here */
	unsigned line;
	struct pms_json_spot **wanted; /* in the order of spot_order */
	size_t n_wanted;
	const json_t **ways; /* arrays and objects that lead to wanted values, by address */
	size_t n_ways;
};

static void skip_blanks(struct walk *w)
{
	while (w->at < w->end && strchr(" \t\r\n", *w->at))
		w->at++;
}

static void skip_string(struct walk *w)
{
	for (w->at++; w->at < w->end && *w->at != '"'; w->at++)
		if (*w->at == '\\')
			w->at++;
	w->at++;
}

static void skip_value(struct walk *w)
{
	size_t depth = 0;
	do {
		if (*w->at == '"') {
			skip_string(w);
			continue;
		}
		if (*w->at == '{' || *w->at == '[')
			depth++;
		else if ((*w->at == '}' || *w->at == ']') && depth)
			depth--;
		w->at++;
	} while (w->at < w->end && (depth || !strchr(",]} \t\r\n", *w->at)));
}

static int address_order(const void *a, const void *b)
{
	const json_t *const *x = a, *const *y = b;
	return (*x > *y) - (*x < *y);
}

static int place_order(const struct pms_json_place *a, const struct pms_json_place *b)
{
	const json_t *x = a->parent ? a->parent->value : NULL;
	const json_t *y = b->parent ? b->parent->value : NULL;
	if (x != y)
		return x < y ? -1 : 1;
	if (a->key && b->key)
		return strcmp(a->key, b->key);
	return (a->index > b->index) - (a->index < b->index);
}

/* Order the spots by file, and within a file by array or object. */
static int spot_order(const void *a, const void *b)
{
	const struct pms_json_spot *const *x = a, *const *y = b;
	if ((*x)->at->json != (*y)->at->json)
		return (*x)->at->json < (*y)->at->json ? -1 : 1;
	return place_order((*x)->at, (*y)->at);
}

static int is_way(const struct walk *w, const json_t *value)
{
	return bsearch(&value, w->ways, w->n_ways, sizeof(value), address_order) != NULL;
}

static void count_lines(struct walk *w)
{
	for (const char *p; (p = memchr(w->counted, '\n', (size_t)(w->at - w->counted)));) {
		w->line++;
		w->counted = w->line_start = p + 1;
	}
	w->counted = w->at;
}

/* Set the spots of the value @place, which starts here. */
static void tell(struct walk *w, const struct pms_json_place *place)
{
	size_t low = 0, high = w->n_wanted;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (place_order(w->wanted[middle]->at, place) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < w->n_wanted && !place_order(w->wanted[low]->at, place); low++) {
		count_lines(w);
		w->wanted[low]->line = w->line;
		w->wanted[low]->column = (unsigned)(w->at - w->line_start) + 1;
	}
}

static void visit(struct walk *w, json_t *value);

/* Members come in the order of the text. */
static void visit_members(struct walk *w, json_t *value)
{
	struct pms_json_place parent = { .value = value }, member = { .parent = &parent };
	void *next = json_is_object(value) ? json_object_iter(value) : NULL;
	for (w->at++;; member.index++) {
		skip_blanks(w);
		if (w->at >= w->end || *w->at == ']' || *w->at == '}')
			break;
		member.value = json_array_get(value, member.index);
		if (next) {
			skip_string(w);
			skip_blanks(w);
			w->at++; /* the colon */
			skip_blanks(w);
			member.key = json_object_iter_key(next);
			member.value = json_object_iter_value(next);
			next = json_object_iter_next(value, next);
		}
		tell(w, &member);
		visit(w, member.value);
		skip_blanks(w);
		if (w->at < w->end && *w->at == ',')
			w->at++;
	}
	w->at++;
}

static void visit(struct walk *w, json_t *value)
{
	if (is_way(w, value))
		visit_members(w, value);
	else
		skip_value(w);
}

/* Find the spots of one file, in order. @ways: room for all arrays and objects on their paths */
static void locate_in(struct pms_json_spot **spots, size_t n, const json_t **ways)
{
	const struct pms_json *json = spots[0]->at->json;
	struct pms_json_place root = { .json = json };
	struct walk w = { .at = json->text,
			  .end = json->text + json->length,
			  .counted = json->text,
			  .line_start = json->text,
			  .line = 1,
			  .wanted = spots,
			  .n_wanted = n,
			  .ways = ways };
	for (size_t i = 0; i < n; i++)
		for (const struct pms_json_place *at = spots[i]->at->parent; at; at = at->parent)
			ways[w.n_ways++] = at->value;
	if (w.n_ways)
		qsort(ways, w.n_ways, sizeof(ways[0]), address_order);
	skip_blanks(&w);
	tell(&w, &root);
	visit(&w, json->root);
}

int pms_json_locate_all(struct pms_json_spot *spots, size_t n)
{
	size_t n_ways = 1;
	for (size_t i = 0; i < n; i++) {
		spots[i].line = spots[i].column = 0;
		for (const struct pms_json_place *at = spots[i].at->parent; at; at = at->parent)
			n_ways++;
	}
	struct pms_json_spot **order = calloc(n + 1, sizeof(struct pms_json_spot *));
	const json_t **ways = calloc(n_ways, sizeof(json_t *));
	for (size_t i = 0; order && i < n; i++)
		order[i] = &spots[i];
	if (order && ways)
		qsort(order, n, sizeof(order[0]), spot_order);
	for (size_t i = 0, same; order && ways && i < n; i += same) {
		for (same = 1; i + same < n && order[i + same]->at->json == order[i]->at->json;)
			same++;
		locate_in(order + i, same, ways);
	}
	int rc = order && ways ? 0 : -PMS_ENOMEM;
	free(order);
	free(ways);
	return rc;
}

void pms_json_locate(const struct pms_json_place *at, unsigned *line, unsigned *column)
{
	struct pms_json_spot spot = { .at = at };
	pms_json_locate_all(&spot, 1);
	*line = spot.line;
	*column = spot.column;
}
