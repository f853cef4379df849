/* SPDX-License-Identifier: MIT */
#include "collect/core_json.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "vcore/isa/insn.h"

/* What the functions below share: where errors go, and the file that they are about. */
struct loader {
	const char *path;
	struct pms_error *err;
	struct pms_core_file file;
	const char *const *events;
	size_t n_events;
};

/* An error at a JSON path such as "parameters.slots". */
__attribute__((format(printf, 3, 4))) static int bad(struct loader *l, const char *where,
						     const char *format, ...)
{
	char text[300];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return pms_fail_at(l->err, PMS_EPARSE, l->path, 0, 0, "%.200s: %s", where, text);
}

/* Where in the file: "ops.alu.ports". */
struct where {
	char text[200];
};

static struct where at(const char *parent, const char *key)
{
	struct where where;
	snprintf(where.text, sizeof(where.text), "%.99s%s%.99s", parent, *parent ? "." : "", key);
	return where;
}

static int object_get(struct loader *l, json_t *parent, const char *where, const char *key,
		      json_t **out)
{
	struct where here = at(where, key);
	*out = json_object_get(parent, key);
	if (!*out)
		return bad(l, here.text, "is missing");
	return json_is_object(*out) ? 0 : bad(l, here.text, "must be an object");
}

/* A key that is not among @known is a misspelling. */
static int keys_check(struct loader *l, json_t *object, const char *where, const char *const *known)
{
	const char *key;
	json_t *value;
	json_object_foreach(object, key, value)
	{
		size_t i = 0;
		while (known[i] && strcmp(known[i], key) != 0)
			i++;
		if (!known[i])
			return bad(l, at(where, key).text, "is not a key that belongs here");
	}
	return 0;
}

static int integer_get(struct loader *l, json_t *parent, const char *where, const char *key,
		       uint32_t least, uint32_t most, uint32_t *out)
{
	struct where here = at(where, key);
	json_t *value = json_object_get(parent, key);
	if (!value)
		return bad(l, here.text, "is missing");
	if (!json_is_integer(value))
		return bad(l, here.text, "must be a whole number");
	json_int_t n = json_integer_value(value);
	if (n < (json_int_t)least || n > (json_int_t)most)
		return bad(l, here.text, "is %" JSON_INTEGER_FORMAT ", must be %u to %u", n, least,
			   most);
	*out = (uint32_t)n;
	return 0;
}

/* Every number stands with its source. */
static int source_check(struct loader *l, json_t *parent, const char *where)
{
	const char *text = json_string_value(json_object_get(parent, "source"));
	return text && *text
		       ? 0
		       : bad(l, at(where, "source").text, "must say where the numbers are from");
}

static int find(const char *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return (int)i;
	return -1;
}

/* parameters */

static int parameter_read(struct loader *l, json_t *parameters, const struct pms_param_row *row)
{
	static const char *const known[] = { "value", "source", "notes", NULL };
	struct where where = at("parameters", row->name);
	json_t *object;
	uint32_t value = 0;
	int rc = object_get(l, parameters, "parameters", row->name, &object);
	if (!rc)
		rc = keys_check(l, object, where.text, known);
	if (!rc)
		rc = integer_get(l, object, where.text, "value", row->least, row->most, &value);
	if (!rc)
		rc = source_check(l, object, where.text);
	if (!rc)
		memcpy((char *)&l->file.params + row->offset, &value, sizeof(value));
	return rc;
}

static const struct pms_param_row *parameter_find(const char *name)
{
	for (unsigned i = 0; i < pms_param_count; i++)
		if (!strcmp(pms_param_rows[i].name, name))
			return &pms_param_rows[i];
	return NULL;
}

static int parameters_read(struct loader *l, json_t *root)
{
	json_t *parameters, *value;
	const char *key;
	int rc = object_get(l, root, "", "parameters", &parameters);
	if (rc)
		return rc;
	json_object_foreach(parameters, key, value) if (!parameter_find(key)) return bad(
		l, at("parameters", key).text, "is no parameter of the model");
	for (unsigned i = 0; i < pms_param_count && !rc; i++)
		rc = parameter_read(l, parameters, &pms_param_rows[i]);
	return rc;
}

static bool power_of_two(uint32_t n)
{
	return n && !(n & (n - 1));
}

/* The model finds a set by low bits of an address: the number of sets must be a power of two. */
static int sets_check(struct loader *l)
{
	const struct pms_params *p = &l->file.params;
	const struct {
		const char *name;
		uint32_t size, ways, unit;
		bool may_lack; /* 0: the core has none */
	} rows[] = {
		{ "l1i_bytes", p->l1i_bytes, p->l1i_ways, p->line_bytes, false },
		{ "l1d_bytes", p->l1d_bytes, p->l1d_ways, p->line_bytes, false },
		{ "l2_bytes", p->l2_bytes, p->l2_ways, p->line_bytes, false },
		{ "slc_bytes", p->slc_bytes, p->slc_ways, p->line_bytes, true },
		{ "l2_tlb_entries", p->l2_tlb_entries, p->l2_tlb_ways, 1, false },
		{ "btb_main_entries", p->btb_main_entries, p->btb_main_ways, 1, false },
		{ "mop_cache_windows", p->mop_cache_windows, p->mop_cache_ways, 1, true },
		{ "stride_entries", p->stride_entries, 1, 1, true },
		{ "page_bytes", p->page_bytes, 1, 1, false },
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint32_t set = rows[i].ways * rows[i].unit;
		if (!rows[i].size && rows[i].may_lack)
			continue;
		if (!(rows[i].size % set) && power_of_two(rows[i].size / set))
			continue;
		struct where where = at("parameters", rows[i].name);
		if (set == 1)
			return bad(l, where.text, "is %u, not a power of two", rows[i].size);
		return bad(l, where.text, "is %u, which is not %u ways of a power of two",
			   rows[i].size, rows[i].ways);
	}
	return 0;
}

/* ops */

static int ports_read(struct loader *l, json_t *object, const char *where, uint16_t *out)
{
	struct where here = at(where, "ports");
	json_t *ports = json_object_get(object, "ports");
	if (!json_is_array(ports))
		return bad(l, here.text, "must be a list of ports");
	size_t i;
	json_t *port;
	*out = 0;
	json_array_foreach(ports, i, port)
	{
		const char *name = json_string_value(port);
		int n = name ? find(name, pms_port_names, PMS_PORT_COUNT) : -1;
		if (n < 0)
			return bad(l, here.text, "names a port that is not there: %s",
				   name ? name : "not a string");
		*out = (uint16_t)(*out | 1u << n);
	}
	return 0;
}

static int queue_read(struct loader *l, json_t *object, const char *where, uint8_t *out)
{
	const char *name = json_string_value(json_object_get(object, "queue"));
	int n = name ? find(name, pms_queue_names, PMS_IQ_COUNT) : -1;
	if (n < 0)
		return bad(l, at(where, "queue").text, "must be a queue's name, not %s",
			   name ? name : "another type");
	*out = (uint8_t)n;
	return 0;
}

static int op_read(struct loader *l, json_t *ops, enum pms_op op)
{
	static const char *const known[] = { "latency", "busy",	 "ports", "queue",
					     "source",	"notes", NULL };
	struct where where = at("ops", pms_op_name(op));
	struct pms_op_params *out = &l->file.params.op[op];
	json_t *object;
	uint32_t latency = 0, busy = 1;
	int rc = object_get(l, ops, "ops", pms_op_name(op), &object);
	if (!rc)
		rc = keys_check(l, object, where.text, known);
	if (!rc)
		rc = integer_get(l, object, where.text, "latency", 0, UINT8_MAX, &latency);
	if (!rc && json_object_get(object, "busy"))
		rc = integer_get(l, object, where.text, "busy", 1, UINT8_MAX, &busy);
	if (!rc)
		rc = ports_read(l, object, where.text, &out->ports);
	if (!rc)
		rc = queue_read(l, object, where.text, &out->queue);
	if (!rc)
		rc = source_check(l, object, where.text);
	out->latency = (uint8_t)latency;
	out->busy = (uint8_t)busy;
	if (!rc && (out->queue == PMS_IQ_NONE) != (out->ports == 0))
		rc = bad(l, where.text, "must have both a queue and ports, or neither");
	return rc;
}

static bool op_exists(const char *name)
{
	for (unsigned i = 0; i < PMS_OP_COUNT; i++)
		if (!strcmp(pms_op_name((enum pms_op)i), name))
			return true;
	return false;
}

static int ops_read(struct loader *l, json_t *root)
{
	json_t *ops, *value;
	const char *key;
	int rc = object_get(l, root, "", "ops", &ops);
	if (rc)
		return rc;
	json_object_foreach(ops, key, value) if (!op_exists(key)) return bad(
		l, at("ops", key).text, "is no class of operations");
	for (unsigned i = 0; i < PMS_OP_COUNT && !rc; i++)
		rc = op_read(l, ops, (enum pms_op)i);
	return rc;
}

/* events */

/* A term: a counter's name, with a minus sign when it is taken off. */
static int term_read(struct loader *l, const char *where, json_t *value, struct pms_rule *rule)
{
	const char *text = json_string_value(value);
	if (!text)
		return bad(l, where, "must be names of counters");
	int sign = *text == '-' ? -1 : 1;
	int counter = find(sign < 0 ? text + 1 : text, pms_counter_names, PMS_COUNTER_COUNT);
	if (counter < 0)
		return bad(l, where, "%s is no counter of the model", text);
	if (rule->n_terms == PMS_RULE_TERMS)
		return bad(l, where, "has more than %d counters", PMS_RULE_TERMS);
	rule->terms[rule->n_terms].counter = (enum pms_counter)counter;
	rule->terms[rule->n_terms++].sign = sign;
	return 0;
}

static int terms_read(struct loader *l, json_t *object, const char *where, struct pms_rule *rule)
{
	json_t *counter = json_object_get(object, "counter"), *sum = json_object_get(object, "sum");
	size_t i;
	json_t *term;
	int rc = 0;
	rule->state = PMS_COUNTED;
	free(rule->because);
	rule->because = NULL;
	if (!counter == !sum)
		return bad(l, where, "must have a counter or a sum of counters, and not both");
	if (counter)
		return term_read(l, at(where, "counter").text, counter, rule);
	if (!json_array_size(sum))
		return bad(l, at(where, "sum").text, "must be a list of counters");
	json_array_foreach(sum, i,
			   term) if ((rc = term_read(l, at(where, "sum").text, term, rule))) break;
	return rc;
}

static int because_read(struct loader *l, json_t *object, const char *where, struct pms_rule *rule)
{
	const char *text = json_string_value(json_object_get(object, "because"));
	if (!text || !*text)
		return bad(l, at(where, "because").text, "must say why the event is not modelled");
	rule->state = PMS_NOT_MODELLED;
	free(rule->because);
	rule->because = strdup(text);
	return rule->because ? 0 : pms_fail(l->err, PMS_ENOMEM, "out of memory");
}

static int rule_read(struct loader *l, const char *name, json_t *object, struct pms_rule *rule)
{
	static const char *const counted[] = { "class", "counter", "sum", "notes", "source", NULL };
	static const char *const uncounted[] = { "class", "because", "notes", "source", NULL };
	struct where where = at("events", name);
	if (!json_is_object(object))
		return bad(l, where.text, "must be an object");
	const char *class = json_string_value(json_object_get(object, "class"));
	bool exact = class && !strcmp(class, "exact");
	bool modelled = class && !strcmp(class, "modelled");
	bool none = class && !strcmp(class, "not_modelled");
	if (!exact && !modelled && !none)
		return bad(l, at(where.text, "class").text,
			   "must be \"exact\", \"modelled\" or \"not_modelled\"");
	int rc = keys_check(l, object, where.text, none ? uncounted : counted);
	if (rc)
		return rc;
	rule->cls = exact ? PMS_COUNT_EXACT : PMS_COUNT_MODELLED;
	return none ? because_read(l, object, where.text, rule)
		    : terms_read(l, object, where.text, rule);
}

/* Until its row is read, an event is not modelled. */
static int rules_new(struct loader *l)
{
	l->file.rules = calloc(l->n_events ? l->n_events : 1, sizeof(*l->file.rules));
	if (!l->file.rules)
		return pms_fail(l->err, PMS_ENOMEM, "out of memory");
	l->file.n_rules = l->n_events;
	for (size_t i = 0; i < l->n_events; i++) {
		struct pms_rule *rule = &l->file.rules[i];
		rule->state = PMS_NOT_MODELLED;
		rule->because = strdup("core.json has no row for it");
		if (!rule->because)
			return pms_fail(l->err, PMS_ENOMEM, "out of memory");
	}
	return 0;
}

static int events_read(struct loader *l, json_t *root)
{
	json_t *events, *value;
	const char *key;
	int rc = object_get(l, root, "", "events", &events);
	if (!rc)
		rc = rules_new(l);
	if (rc)
		return rc;
	json_object_foreach(events, key, value)
	{
		int i = find(key, l->events, l->n_events);
		if (i < 0)
			return bad(l, at("events", key).text, "is no event of the catalog");
		if ((rc = rule_read(l, key, value, &l->file.rules[i])))
			return rc;
	}
	return 0;
}

static int root_read(struct loader *l, json_t *root)
{
	/* The last four are for readers. */
	static const char *const known[] = { "name",  "parameters", "ops",   "events", "document",
					     "rules", "limits",	    "notes", NULL };
	if (!json_is_object(root))
		return pms_fail_at(l->err, PMS_EPARSE, l->path, 1, 1, "must be a JSON object");
	int rc = keys_check(l, root, "", known);
	if (rc)
		return rc;
	const char *name = json_string_value(json_object_get(root, "name"));
	if (!name || !*name || strlen(name) >= sizeof(l->file.name))
		return bad(l, "name", "must be the core's name, of less than %zu bytes",
			   sizeof(l->file.name));
	memcpy(l->file.name, name, strlen(name) + 1);
	rc = parameters_read(l, root);
	if (!rc)
		rc = sets_check(l);
	if (!rc)
		rc = ops_read(l, root);
	return rc ? rc : events_read(l, root);
}

static json_t *json_read(const char *path, struct pms_error *err)
{
	json_error_t why;
	json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &why);
	if (!root && json_error_code(&why) == json_error_cannot_open_file)
		pms_fail_at(err, PMS_EIO, path, 0, 0, "cannot be opened");
	else if (!root)
		pms_fail_at(err, PMS_EPARSE, path, why.line > 0 ? (unsigned)why.line : 0,
			    why.column > 0 ? (unsigned)why.column : 0, "%s", why.text);
	return root;
}

int pms_core_file_load(const char *path, const char *const *events, size_t n_events,
		       struct pms_core_file *out, struct pms_error *err)
{
	struct pms_error own = { 0 };
	struct loader l = {
		.path = path, .err = err ? err : &own, .events = events, .n_events = n_events
	};
	json_t *root = json_read(path, l.err);
	if (!root)
		return -(int)l.err->status;
	int rc = root_read(&l, root);
	json_decref(root);
	if (rc)
		pms_core_file_release(&l.file);
	else
		*out = l.file;
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
