/* SPDX-License-Identifier: MIT */
#include "collect/core/json.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "collect/core/base.h"
#include "vcore/isa/insn.h"

/* State that the functions below share. */
struct loader {
	struct pms_core_file file;
	const struct pms_core_events *events;
	struct pms_error *err;
};

static int find(const char *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return (int)i;
	return -1;
}

/* Refuse a member that must not be there, or has the wrong name. */
static int stranger(struct loader *l, const struct pms_json_place *parent, const char *key,
		    const char *why)
{
	struct pms_json_place at = { .json = parent->json, .parent = parent, .key = key };
	return pms_json_fail(&at, l->err, "%s", why);
}

/* Refuse a key that is not among @known: it is a misspelling. */
static int keys_check(struct loader *l, const struct pms_json_place *at, const char *const *known,
		      size_t count)
{
	const char *key;
	json_t *value;
	json_object_foreach(at->value, key, value)
	{
		if (find(key, known, count) < 0)
			return stranger(l, at, key, "is not a key that belongs here");
	}
	return 0;
}

#define KEYS_CHECK(l, at, known) keys_check(l, at, known, sizeof(known) / sizeof((known)[0]))

static int integer_get(struct loader *l, const struct pms_json_place *parent, const char *key,
		       uint32_t least, uint32_t most, uint32_t *out)
{
	struct pms_json_place at;
	int rc = pms_json_get(parent, key, PMS_JSON_INTEGER, &at, l->err);
	if (rc)
		return rc;
	json_int_t n = json_integer_value(at.value);
	if (n < (json_int_t)least || n > (json_int_t)most)
		return pms_json_fail(&at, l->err, "is %" JSON_INTEGER_FORMAT ", must be %u to %u",
				     n, least, most);
	*out = (uint32_t)n;
	return 0;
}

/* Read a string that must not be empty. */
static int text_get(struct loader *l, const struct pms_json_place *parent, const char *key,
		    const char **out)
{
	struct pms_json_place at;
	int rc = pms_json_get(parent, key, PMS_JSON_STRING, &at, l->err);
	if (rc)
		return rc;
	*out = json_string_value(at.value);
	return **out ? 0 : pms_json_fail(&at, l->err, "must not be empty");
}

/* Check that a number has its source. */
static int source_check(struct loader *l, const struct pms_json_place *parent)
{
	const char *text;
	return text_get(l, parent, "source", &text);
}

/* parameters */

static int parameter_read(struct loader *l, const struct pms_json_place *parameters,
			  const struct pms_param_row *row)
{
	static const char *const known[] = { "value", "source", "notes" };
	struct pms_json_place at;
	uint32_t value = 0;
	int rc = pms_json_get(parameters, row->name, PMS_JSON_OBJECT, &at, l->err);
	if (!rc)
		rc = KEYS_CHECK(l, &at, known);
	if (!rc)
		rc = integer_get(l, &at, "value", row->least, row->most, &value);
	if (!rc)
		rc = source_check(l, &at);
	if (!rc)
		memcpy((char *)&l->file.params + row->offset, &value, sizeof(value));
	return rc;
}

static bool power_of_two(uint32_t n)
{
	return n && !(n & (n - 1));
}

/* Check the number of sets: the model finds a set by low address bits, so it must be a power of
 * two. */
static int sets_check(struct loader *l, const struct pms_json_place *parameters)
{
	const struct pms_params *p = &l->file.params;
	const struct {
		const char *name;
		uint32_t size, ways, unit;
		bool may_lack; /* 0: the core has none */
	} rows[] = {
		{ "l1i_bytes", p->l1i_bytes, p->l1i_ways, 64, false },
		{ "l1d_bytes", p->l1d_bytes, p->l1d_ways, 64, false },
		{ "l2_bytes", p->l2_bytes, p->l2_ways, 64, false },
		{ "slc_bytes", p->slc_bytes, p->slc_ways, 64, true },
		{ "l2_tlb_entries", p->l2_tlb_entries, p->l2_tlb_ways, 1, true },
		{ "btb_main_entries", p->btb_main_entries, p->btb_main_ways, 1, false },
		{ "btb_far_entries", p->btb_far_entries, p->btb_far_ways, 1, true },
		{ "predict_windows", p->predict_windows, 1, 1, false },
		{ "mop_cache_windows", p->mop_cache_windows, p->mop_cache_ways, 1, true },
		{ "stride_entries", p->stride_entries, 1, 1, true },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t set = rows[i].ways * rows[i].unit;
		struct pms_json_place at;
		if (!rows[i].size && rows[i].may_lack)
			continue;
		if (!(rows[i].size % set) && power_of_two(rows[i].size / set))
			continue;
		pms_json_get(parameters, rows[i].name, PMS_JSON_OBJECT, &at, NULL);
		if (set == 1)
			return pms_json_fail(&at, l->err, "is %u, not a power of two",
					     rows[i].size);
		return pms_json_fail(&at, l->err, "is %u, which is not %u ways of a power of two",
				     rows[i].size, rows[i].ways);
	}
	return 0;
}

/* Check that the tables of a predictor see more and more, each more than the one before; one that
 * sees nothing is none, and none is behind it. */
static int rising_check(struct loader *l, const struct pms_json_place *parameters)
{
	static const char *const lists[] = { "tage_history_", "indirect_targets_" };
	for (unsigned i = 1; i < pms_param_count; i++) {
		const struct pms_param_row *row = &pms_param_rows[i], *before = row - 1;
		const char *params = (const char *)&l->file.params;
		struct pms_json_place at;
		uint32_t value, less;
		bool listed = false;
		for (size_t k = 0; k < sizeof(lists) / sizeof(lists[0]); k++)
			listed |= !strncmp(row->name, lists[k], strlen(lists[k])) &&
				  !strncmp(before->name, lists[k], strlen(lists[k]));
		memcpy(&value, params + row->offset, sizeof(value));
		memcpy(&less, params + before->offset, sizeof(less));
		if (!listed || !value || (less && value > less))
			continue;
		pms_json_get(parameters, row->name, PMS_JSON_OBJECT, &at, NULL);
		return pms_json_fail(&at, l->err, "is %u, which is not above %s, %u", value,
				     before->name, less);
	}
	return 0;
}

/* Check the page size: AArch64's three granules, and level-2 blocks of the smallest. */
static int page_check(struct loader *l, const struct pms_json_place *parameters)
{
	static const uint32_t sizes[] = { 4096, 16384, 65536, 2097152 };
	struct pms_json_place at;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (l->file.params.page_bytes == sizes[i])
			return 0;
	pms_json_get(parameters, "page_bytes", PMS_JSON_OBJECT, &at, NULL);
	return pms_json_fail(&at, l->err, "is %u, must be 4096, 16384, 65536 or 2097152",
			     l->file.params.page_bytes);
}

static bool parameter_exists(const char *name)
{
	for (unsigned i = 0; i < pms_param_count; i++)
		if (!strcmp(pms_param_rows[i].name, name))
			return true;
	return false;
}

static int parameters_read(struct loader *l, const struct pms_json_place *root)
{
	struct pms_json_place at;
	json_t *value;
	const char *key;
	int rc = pms_json_get(root, "parameters", PMS_JSON_OBJECT, &at, l->err);
	if (rc)
		return rc;
	json_object_foreach(at.value, key, value)
	{
		if (!parameter_exists(key))
			return stranger(l, &at, key, "is no parameter of the model");
	}
	for (unsigned i = 0; i < pms_param_count && !rc; i++)
		rc = parameter_read(l, &at, &pms_param_rows[i]);
	if (!rc)
		rc = sets_check(l, &at);
	if (!rc)
		rc = rising_check(l, &at);
	return rc ? rc : page_check(l, &at);
}

/* ports and queues */

static int port_name_check(struct loader *l, const struct pms_json_place *names, size_t i)
{
	struct pms_json_place at;
	int rc = pms_json_element(names, i, PMS_JSON_STRING, &at, l->err);
	for (size_t k = 0; !rc && k < i; k++)
		if (json_equal(json_array_get(names->value, k), at.value))
			rc = pms_json_fail(&at, l->err, "is a name twice");
	return rc;
}

/* Read the ports, whose order gives the preferred one. */
static int ports_read(struct loader *l, const struct pms_json_place *root)
{
	static const char *const known[] = { "names", "source", "notes" };
	struct pms_json_place ports, names;
	int rc = pms_json_get(root, "ports", PMS_JSON_OBJECT, &ports, l->err);
	if (!rc)
		rc = KEYS_CHECK(l, &ports, known);
	if (!rc)
		rc = source_check(l, &ports);
	if (!rc)
		rc = pms_json_get(&ports, "names", PMS_JSON_ARRAY, &names, l->err);
	if (rc)
		return rc;
	size_t n = json_array_size(names.value);
	if (!n || n > PMS_PORTS_MOST)
		return pms_json_fail(&names, l->err, "has %zu names, must have 1 to %d", n,
				     PMS_PORTS_MOST);
	l->file.params.n_ports = (uint32_t)n;
	for (size_t i = 0; i < n && !rc; i++)
		rc = port_name_check(l, &names, i);
	return rc;
}

/* Read the issue queues, which classes of operations name. */
static int queues_read(struct loader *l, const struct pms_json_place *root)
{
	static const char *const known[] = { "entries", "source", "notes" };
	struct pms_json_place queues, at;
	json_t *value;
	const char *key;
	uint32_t n = 0, entries = 0;
	int rc = pms_json_get(root, "queues", PMS_JSON_OBJECT, &queues, l->err);
	if (rc)
		return rc;
	if (json_object_size(queues.value) > PMS_QUEUES_MOST)
		return pms_json_fail(&queues, l->err, "has %zu queues, the model keeps %d",
				     json_object_size(queues.value), PMS_QUEUES_MOST);
	json_object_foreach(queues.value, key, value)
	{
		if (!strcmp(key, "none"))
			return stranger(l, &queues, key, "is what needs no queue");
		rc = pms_json_member(&queues, key, value, PMS_JSON_OBJECT, &at, l->err);
		if (!rc)
			rc = KEYS_CHECK(l, &at, known);
		if (!rc)
			rc = integer_get(l, &at, "entries", 1, PMS_QUEUE_MOST_ENTRIES, &entries);
		if (!rc)
			rc = source_check(l, &at);
		if (rc)
			return rc;
		l->file.params.queue_entries[++n] = (uint8_t)entries;
	}
	l->file.params.n_queues = n;
	return 0;
}

/* ops */

/* Returns the bit of the port @name, -1: there is none. */
static int port_find(const struct pms_json_place *root, const char *name)
{
	const json_t *names = json_object_get(json_object_get(root->value, "ports"), "names");
	for (size_t i = 0; i < json_array_size(names); i++)
		if (!strcmp(json_string_value(json_array_get(names, i)), name))
			return (int)i;
	return -1;
}

static int op_ports_read(struct loader *l, const struct pms_json_place *op, uint32_t *out)
{
	struct pms_json_place ports, at;
	int rc = pms_json_get(op, "ports", PMS_JSON_ARRAY, &ports, l->err);
	*out = 0;
	for (size_t i = 0; !rc && i < json_array_size(ports.value); i++) {
		rc = pms_json_element(&ports, i, PMS_JSON_STRING, &at, l->err);
		if (rc)
			return rc;
		const char *name = json_string_value(at.value);
		int port = port_find(op->parent->parent, name);
		if (port < 0)
			return pms_json_fail(&at, l->err, "the core has no port \"%s\"", name);
		*out |= 1u << port;
	}
	return rc;
}

/* Returns the queue @name, from 1 on, -1: there is none. */
static int queue_find(const struct pms_json_place *root, const char *name)
{
	const char *key;
	json_t *value;
	int i = PMS_IQ_NONE;
	if (!strcmp(name, "none"))
		return PMS_IQ_NONE;
	json_object_foreach(json_object_get(root->value, "queues"), key, value)
	{
		i++;
		if (!strcmp(key, name))
			return i;
	}
	return -1;
}

static int op_queue_read(struct loader *l, const struct pms_json_place *op, uint8_t *out)
{
	struct pms_json_place at;
	int rc = pms_json_get(op, "queue", PMS_JSON_STRING, &at, l->err);
	if (rc)
		return rc;
	const char *name = json_string_value(at.value);
	int queue = queue_find(op->parent->parent, name);
	if (queue < 0)
		return pms_json_fail(&at, l->err, "the core has no queue \"%s\"", name);
	*out = (uint8_t)queue;
	return 0;
}

/* Read the row of a class of operations: latency, ports and queue. */
static int op_read(struct loader *l, const struct pms_json_place *ops, enum pms_op op)
{
	static const char *const known[] = {
		"latency", "busy", "ports", "queue", "source", "notes"
	};
	struct pms_op_params *out = &l->file.params.op[op];
	struct pms_json_place at;
	uint32_t latency = 0, busy = 1;
	int rc = pms_json_get(ops, pms_op_name(op), PMS_JSON_OBJECT, &at, l->err);
	if (!rc)
		rc = KEYS_CHECK(l, &at, known);
	if (!rc)
		rc = integer_get(l, &at, "latency", 0, UINT8_MAX, &latency);
	if (!rc && json_object_get(at.value, "busy"))
		rc = integer_get(l, &at, "busy", 1, UINT8_MAX, &busy);
	if (!rc)
		rc = op_ports_read(l, &at, &out->ports);
	if (!rc)
		rc = op_queue_read(l, &at, &out->queue);
	if (!rc)
		rc = source_check(l, &at);
	out->latency = (uint8_t)latency;
	out->busy = (uint8_t)busy;
	if (!rc && (out->queue == PMS_IQ_NONE) != (out->ports == 0))
		rc = pms_json_fail(&at, l->err, "must have both a queue and ports, or neither");
	return rc;
}

/* slots: of the forms that take more than one */

/* Read the slots of instruction forms; all others take one. */
static int slots_read(struct loader *l, const struct pms_json_place *root)
{
	static const char *const known[] = { "value", "source", "notes" };
	struct pms_json_place slots, at;
	json_t *value;
	const char *key;
	int rc = pms_json_get(root, "slots", PMS_JSON_OBJECT | PMS_JSON_OPTIONAL, &slots, l->err);
	memset(l->file.params.form_slots, 1, sizeof(l->file.params.form_slots));
	if (rc || !slots.value)
		return rc;
	json_object_foreach(slots.value, key, value)
	{
		uint32_t n = 1;
		int form = find(key, pms_form_names, PMS_FORM_COUNT);
		if (form <= 0)
			return stranger(l, &slots, key, "is no form of instructions");
		rc = pms_json_member(&slots, key, value, PMS_JSON_OBJECT, &at, l->err);
		if (!rc)
			rc = KEYS_CHECK(l, &at, known);
		if (!rc)
			rc = integer_get(l, &at, "value", 1, PMS_SLOTS_MOST, &n);
		if (!rc)
			rc = source_check(l, &at);
		if (rc)
			return rc;
		l->file.params.form_slots[form] = (uint8_t)n;
	}
	return 0;
}

/* fusion: which instruction may share its slot with the one behind it */

static int half_read(struct loader *l, const struct pms_json_place *pair, const char *key, int *out)
{
	struct pms_json_place at;
	int rc = pms_json_get(pair, key, PMS_JSON_STRING, &at, l->err);
	if (rc)
		return rc;
	*out = find(json_string_value(at.value), pms_fuse_names, PMS_FUSE_COUNT);
	return *out > 0 ? 0
			: pms_json_fail(&at, l->err, "the ISA has no half of a pair \"%s\"",
					json_string_value(at.value));
}

/* Read the pairs of instructions that share a slot. */
static int fusion_read(struct loader *l, const struct pms_json_place *root)
{
	static const char *const known[] = { "first", "second", "source", "notes" };
	struct pms_json_place pairs, at;
	int first = 0, second = 0;
	int rc = pms_json_get(root, "fusion", PMS_JSON_ARRAY | PMS_JSON_OPTIONAL, &pairs, l->err);
	for (size_t i = 0; !rc && pairs.value && i < json_array_size(pairs.value); i++) {
		rc = pms_json_element(&pairs, i, PMS_JSON_OBJECT, &at, l->err);
		if (!rc)
			rc = KEYS_CHECK(l, &at, known);
		if (!rc)
			rc = half_read(l, &at, "first", &first);
		if (!rc)
			rc = half_read(l, &at, "second", &second);
		if (!rc)
			rc = source_check(l, &at);
		l->file.params.pairs[first] |= 1u << second;
	}
	return rc;
}

static bool op_exists(const char *name)
{
	for (unsigned i = 0; i < PMS_OP_COUNT; i++)
		if (!strcmp(pms_op_name((enum pms_op)i), name))
			return true;
	return false;
}

static int ops_read(struct loader *l, const struct pms_json_place *root)
{
	struct pms_json_place at;
	json_t *value;
	const char *key;
	int rc = pms_json_get(root, "ops", PMS_JSON_OBJECT, &at, l->err);
	if (rc)
		return rc;
	json_object_foreach(at.value, key, value)
	{
		if (!op_exists(key))
			return stranger(l, &at, key, "is no class of operations");
	}
	for (unsigned i = 0; i < PMS_OP_COUNT && !rc; i++)
		rc = op_read(l, &at, (enum pms_op)i);
	return rc;
}

/* events */

/* Read a term: a counter's name, with a minus sign to subtract it. */
static int term_read(struct loader *l, const struct pms_json_place *at, struct pms_rule *rule)
{
	const char *text = json_string_value(at->value);
	int sign = *text == '-' ? -1 : 1;
	int counter = find(sign < 0 ? text + 1 : text, pms_counter_names, PMS_COUNTER_COUNT);
	if (counter < 0)
		return pms_json_fail(at, l->err, "the model has no counter \"%s\"", text);
	if (rule->n_terms == PMS_RULE_TERMS)
		return pms_json_fail(at, l->err, "is one counter too many: %d are the most",
				     PMS_RULE_TERMS);
	rule->terms[rule->n_terms].counter = (enum pms_counter)counter;
	rule->terms[rule->n_terms++].sign = sign;
	return 0;
}

/* Read the sum of counters that an event counts. */
static int terms_read(struct loader *l, const struct pms_json_place *event, struct pms_rule *rule)
{
	struct pms_json_place counter, sum, at;
	int rc = pms_json_get(event, "counter", PMS_JSON_STRING | PMS_JSON_OPTIONAL, &counter,
			      l->err);
	if (!rc)
		rc = pms_json_get(event, "sum", PMS_JSON_ARRAY | PMS_JSON_OPTIONAL, &sum, l->err);
	if (rc)
		return rc;
	if (!counter.value == !sum.value)
		return pms_json_fail(event, l->err,
				     "must have a counter or a sum of counters, and not both");
	if (counter.value)
		return term_read(l, &counter, rule);
	if (!json_array_size(sum.value))
		return pms_json_fail(&sum, l->err, "must not be empty");
	for (size_t i = 0; i < json_array_size(sum.value) && !rc; i++) {
		rc = pms_json_element(&sum, i, PMS_JSON_STRING, &at, l->err);
		if (!rc)
			rc = term_read(l, &at, rule);
	}
	return rc;
}

/* Read a reason. @key: the member that holds it */
static int because_read(struct loader *l, const struct pms_json_place *event, const char *key,
			struct pms_rule *rule)
{
	const char *text = "";
	int rc = text_get(l, event, key, &text);
	if (rc)
		return rc;
	rule->because = strdup(text);
	return rule->because ? 0 : pms_no_memory(l->err);
}

/* Read how the model counts an event, or why it does not. */
static int rule_read(struct loader *l, const struct pms_json_place *event, struct pms_rule *rule)
{
	static const char *const counted[] = { "class", "counter", "sum", "notes", "source" };
	static const char *const never[] = { "class", "zero", "notes", "source" };
	static const char *const uncounted[] = { "class", "because", "notes", "source" };
	static const char *const classes[] = { "exact", "modelled", "not_modelled" };
	struct pms_json_place at;
	int rc = pms_json_get(event, "class", PMS_JSON_STRING, &at, l->err);
	if (rc)
		return rc;
	int class = find(json_string_value(at.value), classes, 3);
	if (class < 0)
		return pms_json_fail(&at, l->err,
				     "must be \"exact\", \"modelled\" or \"not_modelled\"");
	bool none = class == 2, zero = !none && json_object_get(event->value, "zero");
	rc = none   ? KEYS_CHECK(l, event, uncounted)
	     : zero ? KEYS_CHECK(l, event, never)
		    : KEYS_CHECK(l, event, counted);
	if (rc)
		return rc;
	free(rule->because);
	*rule = (struct pms_rule){ .state = none ? PMS_NOT_MODELLED : PMS_COUNTED,
				   .cls = class == 0 ? PMS_COUNT_EXACT : PMS_COUNT_MODELLED };
	return none   ? because_read(l, event, "because", rule)
	       : zero ? because_read(l, event, "zero", rule)
		      : terms_read(l, event, rule);
}

/* Make the rules. Until its row is read, an event is not modelled. */
static int rules_new(struct loader *l)
{
	l->file.rules = calloc(l->events->count ? l->events->count : 1, sizeof(*l->file.rules));
	if (!l->file.rules)
		return pms_no_memory(l->err);
	l->file.n_rules = l->events->count;
	for (size_t i = 0; i < l->events->count; i++) {
		struct pms_rule *rule = &l->file.rules[i];
		rule->state = PMS_NOT_MODELLED;
		rule->because = strdup("core.json has no row for it");
		if (!rule->because)
			return pms_no_memory(l->err);
	}
	return 0;
}

/* Read the rows of @table. @may_lack: the catalog may lack some of its events */
static int rows_read(struct loader *l, const struct pms_json_place *table, bool may_lack)
{
	struct pms_json_place at;
	json_t *value;
	const char *key;
	json_object_foreach(table->value, key, value)
	{
		int i = find(key, l->events->names, l->events->count);
		if (i < 0 && may_lack)
			continue;
		if (i < 0)
			return stranger(l, table, key, "is no event of the catalog");
		int rc = pms_json_member(table, key, value, PMS_JSON_OBJECT, &at, l->err);
		if (!rc)
			rc = rule_read(l, &at, &l->file.rules[i]);
		if (rc)
			return rc;
	}
	return 0;
}

/* Read the base's rows first: the file's own replace them. */
static int events_read(struct loader *l, const struct pms_json_place *root)
{
	struct pms_json_place own, bases;
	int rc = pms_json_get(root, "events", PMS_JSON_OBJECT, &own, l->err);
	if (!rc)
		rc = pms_json_get(root, PMS_CORE_BASE_EVENTS, PMS_JSON_OBJECT | PMS_JSON_OPTIONAL,
				  &bases, l->err);
	if (!rc)
		rc = rules_new(l);
	if (!rc && bases.value)
		rc = rows_read(l, &bases, true);
	return rc ? rc : rows_read(l, &own, l->events->foreign != 0);
}

/* Mechanisms that are off. No file has this list; --core-set adds it. */

static int off_read(struct loader *l, const struct pms_json_place *root)
{
	struct pms_json_place off, at;
	int rc = pms_json_get(root, "off", PMS_JSON_ARRAY | PMS_JSON_OPTIONAL, &off, l->err);
	for (size_t i = 0; !rc && off.value && i < json_array_size(off.value); i++) {
		unsigned m = 0;
		rc = pms_json_element(&off, i, PMS_JSON_STRING, &at, l->err);
		if (rc)
			return rc;
		while (m < PMS_MECHANISM_COUNT &&
		       strcmp(pms_mechanism_rows[m].name, json_string_value(at.value)) != 0)
			m++;
		if (m == PMS_MECHANISM_COUNT)
			return pms_json_fail(&at, l->err, "the model has no mechanism \"%s\"",
					     json_string_value(at.value));
		l->file.params.off |= UINT64_C(1) << m;
	}
	return rc;
}

static int name_read(struct loader *l, const struct pms_json_place *root)
{
	const char *name;
	int rc = text_get(l, root, "name", &name);
	if (rc)
		return rc;
	if (strlen(name) >= sizeof(l->file.name))
		return pms_json_fail(root, l->err, "\"name\" must be shorter than %zu bytes",
				     sizeof(l->file.name));
	memcpy(l->file.name, name, strlen(name) + 1);
	return 0;
}

/* Read all of the file's tables, each after those that it refers to. */
static int root_read(struct loader *l, const struct pms_json_place *root)
{
	/* The last four are only for readers. */
	static const char *const known[] = { "name",	   "base",   PMS_CORE_BASE_EVENTS,
					     "parameters", "ports",  "queues",
					     "slots",	   "fusion", "ops",
					     "events",	   "off",    "document",
					     "rules",	   "limits", "notes" };
	if (!json_is_object(root->value))
		return pms_json_fail(root, l->err, "must hold an object");
	int rc = KEYS_CHECK(l, root, known);
	if (!rc)
		rc = name_read(l, root);
	if (!rc)
		rc = parameters_read(l, root);
	if (!rc)
		rc = ports_read(l, root);
	if (!rc)
		rc = queues_read(l, root);
	if (!rc)
		rc = slots_read(l, root);
	if (!rc)
		rc = fusion_read(l, root);
	if (!rc)
		rc = ops_read(l, root);
	if (!rc)
		rc = off_read(l, root);
	return rc ? rc : events_read(l, root);
}

int pms_core_file_read(const struct pms_json *json, const struct pms_core_events *events,
		       struct pms_core_file *out, struct pms_error *err)
{
	struct loader l = { .events = events, .err = err };
	struct pms_json_place root = pms_json_root(json);
	int rc = root_read(&l, &root);
	if (rc)
		pms_core_file_release(&l.file);
	else
		*out = l.file;
	return rc;
}

int pms_core_file_load(const char *path, const struct pms_core_events *events,
		       struct pms_core_file *out, struct pms_error *err)
{
	struct pms_json json;
	int rc = pms_json_load(path, &json, err);
	if (rc)
		return rc;
	rc = pms_core_complete(&json, err);
	if (!rc)
		rc = pms_core_file_read(&json, events, out, err);
	pms_json_release(&json);
	return rc;
}

void pms_core_file_release(struct pms_core_file *file)
{
	for (size_t i = 0; i < file->n_rules; i++)
		free(file->rules[i].because);
	free(file->rules);
	file->rules = NULL;
	file->n_rules = 0;
}
