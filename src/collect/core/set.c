/* SPDX-License-Identifier: MIT */
#include "collect/core/set.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name.h"
#include "base/status.h"
#include "collect/core/ideal.h"
#include "vcore/share/params.h"

enum { LONGEST = 64 };

/* A setting, split: KEY=VALUE, where KEY is NAME or NAME.FIELD. */
struct setting {
	char name[LONGEST];
	const char *field; /* in name, behind the dot; NULL: of a parameter or a mechanism */
	const char *text;  /* behind the = */
	uint32_t value;	   /* where the text is one: "off" is 0 */
	bool is_value;
};

/* Refuse a setting. @text: the form that a value must have */
static int refuse(struct pms_error *err, const char *setting, const char *text)
{
	pms_fail(err, PMS_EINVAL, "%s: not %s", setting, text);
	pms_hint(err, "pmuscope core show lists the names");
	return -PMS_EINVAL;
}

/* Returns the factor of K or M behind a number, as in memory sizes; 0: no such unit. */
static uint64_t unit_of(const char *text)
{
	if (!*text)
		return 1;
	if (text[1])
		return 0;
	return *text == 'K' || *text == 'k' ? UINT64_C(1) << 10
	       : *text == 'M'		    ? UINT64_C(1) << 20
					    : 0;
}

/* Read a value. Returns whether @text is one. */
static bool read_value(const char *text, uint32_t *value)
{
	char *end;
	*value = 0;
	if (!strcmp(text, "off"))
		return true;
	errno = 0;
	unsigned long n = strtoul(text, &end, 10);
	uint64_t unit = unit_of(end);
	if (*text < '0' || *text > '9' || !unit || errno || n > UINT32_MAX / unit)
		return false;
	*value = (uint32_t)(n * unit);
	return true;
}

static int take_apart(const char *text, struct setting *s, struct pms_error *err)
{
	const char *equals = strchr(text, '=');
	size_t length = equals ? (size_t)(equals - text) : 0;
	if (!length || length >= sizeof(s->name))
		return refuse(err, text, "NAME=NUMBER, NAME=off or NAME=ideal");
	s->text = equals + 1;
	s->is_value = read_value(s->text, &s->value);
	memcpy(s->name, text, length);
	s->name[length] = 0;
	char *dot = strchr(s->name, '.');
	s->field = dot ? dot + 1 : NULL;
	if (dot)
		*dot = 0;
	return 0;
}

static int in_range(const struct setting *s, uint32_t least, uint32_t most, struct pms_error *err)
{
	const char *dot = s->field ? "." : "", *field = s->field ? s->field : "";
	if (s->value >= least && s->value <= most)
		return 0;
	if (!s->value && least)
		return pms_fail(err, PMS_EINVAL, "%s%s%s cannot be 0; %u is the least", s->name,
				dot, field, least);
	return pms_fail(err, PMS_EINVAL, "%s%s%s is %u, must be %u to %u", s->name, dot, field,
			s->value, least, most);
}

/* Put the number under @field of the row @name of @table. */
static int put(json_t *root, const char *table, const char *name, const char *field,
	       const struct setting *s, struct pms_error *err)
{
	json_t *row = json_object_get(json_object_get(root, table), name);
	if (!json_is_object(row)) /* reading the file gives the better message */
		return 0;
	return json_object_set_new(row, field, json_integer(s->value)) ? pms_no_memory(err) : 0;
}

static void offer_queues(struct pms_nearest *nearest, const json_t *root, const struct setting *s,
			 char text[LONGEST])
{
	const char *queue;
	json_t *row;
	json_object_foreach(json_object_get(root, "queues"), queue, row)
	{
		struct pms_nearest before = *nearest;
		char name[LONGEST];
		snprintf(name, sizeof(name), "iq_%s", queue);
		pms_nearest_offer(nearest, s->name, name);
		if (nearest->best == name) {
			memcpy(text, name, LONGEST);
			nearest->best = text;
		} else {
			*nearest = before;
		}
	}
}

/* Refuse an unknown name; the hint names the nearest. */
static int unknown(const json_t *root, const struct setting *s, struct pms_error *err)
{
	char text[LONGEST];
	struct pms_nearest nearest = { 0 };
	for (unsigned i = 0; i < pms_param_count; i++)
		pms_nearest_offer(&nearest, s->name, pms_param_rows[i].name);
	if (!s->field)
		offer_queues(&nearest, root, s, text);
	for (unsigned i = 0; !s->field && i < PMS_MECHANISM_COUNT; i++)
		pms_nearest_offer(&nearest, s->name, pms_mechanism_rows[i].name);
	for (size_t i = 0; !strcmp(s->text, "ideal") && i < pms_core_ideals(); i++)
		pms_nearest_offer(&nearest, s->name, pms_core_ideal(i)->name);
	for (unsigned i = 0; s->field && i < PMS_OP_COUNT; i++)
		pms_nearest_offer(&nearest, s->name, pms_op_name((enum pms_op)i));
	int rc = pms_fail(err, PMS_ENAME, "the core has no %s %s",
			  s->field		      ? "class of operations"
			  : !strcmp(s->text, "ideal") ? "ideal"
						      : "parameter or mechanism",
			  s->name);
	if (nearest.best)
		pms_hint(err, "did you mean %s?", nearest.best);
	else
		pms_hint(err, "pmuscope core show lists them");
	return rc;
}

/* Set the slots of a form, even one without a row, which takes one slot until then. */
static int set_form(json_t *root, const struct setting *s, struct pms_error *err)
{
	for (unsigned i = PMS_FORM_ONE + 1; i < PMS_FORM_COUNT; i++) {
		if (strcmp(pms_form_names[i], s->name) != 0)
			continue;
		int rc = in_range(s, 1, PMS_SLOTS_MOST, err);
		json_t *table = json_object_get(root, "slots");
		if (!rc && json_is_object(table) && !json_object_get(table, s->name) &&
		    json_object_set_new(table, s->name, json_pack("{s:s}", "source", "--core-set")))
			rc = pms_no_memory(err);
		return rc ? rc : put(root, "slots", s->name, "value", s, err);
	}
	return unknown(root, s, err);
}

/* Set the size of an issue queue. Returns 1 when the setting is for something else. */
static int set_queue(json_t *root, const struct setting *s, struct pms_error *err)
{
	static const char prefix[] = "iq_";
	const char *queue = s->name + strlen(prefix);
	if (strncmp(s->name, prefix, strlen(prefix)) != 0 ||
	    !json_object_get(json_object_get(root, "queues"), queue))
		return 1;
	int rc = in_range(s, 1, PMS_QUEUE_MOST_ENTRIES, err);
	return rc ? rc : put(root, "queues", queue, "entries", s, err);
}

static int set_op(json_t *root, const struct setting *s, struct pms_error *err)
{
	int latency = !strcmp(s->field, "latency");
	if (!strcmp(s->field, "slots"))
		return set_form(root, s, err);
	for (unsigned i = 0; i < PMS_OP_COUNT; i++) {
		if (strcmp(pms_op_name((enum pms_op)i), s->name) != 0)
			continue;
		if (!latency && strcmp(s->field, "busy") != 0)
			return pms_fail(err, PMS_ENAME,
					"%s.%s: a class has .latency and .busy to set", s->name,
					s->field);
		int rc = in_range(s, latency ? 0 : 1, UINT8_MAX, err);
		return rc ? rc : put(root, "ops", s->name, s->field, s, err);
	}
	return unknown(root, s, err);
}

static size_t find_text(const json_t *array, const char *text)
{
	size_t i = 0;
	while (i < json_array_size(array) &&
	       strcmp(json_string_value(json_array_get(array, i)), text) != 0)
		i++;
	return i;
}

/* Switch a mechanism: the file lists those that are off. */
static int switch_mechanism(json_t *root, const struct setting *s, struct pms_error *err)
{
	json_t *off = json_object_get(root, "off");
	size_t at = find_text(off, s->name);
	int is_off = at < json_array_size(off), rc = 0;
	if (!strcmp(s->text, "on") && is_off)
		rc = json_array_remove(off, at);
	if (!strcmp(s->text, "off") && !off) {
		off = json_array();
		rc = json_object_set_new(root, "off", off);
	}
	if (!rc && !strcmp(s->text, "off") && !is_off)
		rc = json_array_append_new(off, json_string(s->name));
	return rc ? pms_no_memory(err) : 0;
}

/* Switch the mechanism of a setting. Returns 1 when the setting is for something else. */
static int set_mechanism(json_t *root, const char *setting, const struct setting *s,
			 struct pms_error *err)
{
	for (unsigned i = 0; i < PMS_MECHANISM_COUNT; i++) {
		if (strcmp(pms_mechanism_rows[i].name, s->name) != 0)
			continue;
		if (strcmp(s->text, "off") != 0 && strcmp(s->text, "on") != 0)
			return refuse(err, setting, "off, which leaves a mechanism out, or on");
		return switch_mechanism(root, s, err);
	}
	return 1;
}

static int set_one(json_t *root, const char *setting, struct pms_error *err);

/* Apply the settings that an ideal core is made of. */
static int set_ideal(json_t *root, const struct setting *s, struct pms_error *err)
{
	const struct pms_core_ideal *ideal = s->field ? NULL : pms_core_ideal_find(s->name);
	int rc = ideal ? 0 : unknown(root, s, err);
	for (const char *at = ideal ? ideal->settings : ""; !rc && *at; at += strspn(at, " ")) {
		char setting[2 * LONGEST];
		size_t length = strcspn(at, " ");
		snprintf(setting, sizeof(setting), "%.*s", (int)length, at);
		rc = set_one(root, setting, err);
		at += length;
	}
	return rc;
}

/* Apply one setting to whatever its name stands for. */
static int set_one(json_t *root, const char *setting, struct pms_error *err)
{
	struct setting s;
	int rc = take_apart(setting, &s, err);
	if (rc)
		return rc;
	if (!strcmp(s.text, "ideal"))
		return set_ideal(root, &s, err);
	rc = s.field ? 1 : set_mechanism(root, setting, &s, err);
	if (rc <= 0)
		return rc;
	if (!s.is_value)
		return refuse(err, setting, "NAME=NUMBER, NAME=off or NAME=ideal");
	if (s.field)
		return set_op(root, &s, err);
	rc = set_queue(root, &s, err);
	if (rc <= 0)
		return rc;
	for (unsigned i = 0; i < pms_param_count; i++) {
		const struct pms_param_row *row = &pms_param_rows[i];
		if (strcmp(row->name, s.name) != 0)
			continue;
		rc = in_range(&s, row->least, row->most, err);
		return rc ? rc : put(root, "parameters", s.name, "value", &s, err);
	}
	return unknown(root, &s, err);
}

/* Returns a number of the core after the settings. */
static uint32_t value_of(const json_t *root, const char *table, const char *row, const char *field)
{
	const json_t *object = json_object_get(json_object_get(root, table), row);
	return (uint32_t)json_integer_value(json_object_get(object, field));
}

static bool names(const char *setting, const char *parameter)
{
	size_t length = strlen(parameter);
	return !strncmp(setting, parameter, length) && setting[length] == '=';
}

uint32_t pms_core_least_penalty(const json_t *root)
{
	return value_of(root, "parameters", "fetch_to_rename", "value") +
	       value_of(root, "parameters", "rename_to_issue", "value") +
	       value_of(root, "ops", "branch", "latency");
}

/* Refuse a branch penalty without effect. Fetch resumes when the branch was executed, and takes
 * its stages from there, so a smaller penalty would change nothing. */
static int penalty_check(const json_t *root, const char *setting, struct pms_error *err)
{
	uint32_t value = value_of(root, "parameters", "mispredict_penalty", "value");
	uint32_t least = pms_core_least_penalty(root);
	if (!names(setting, "mispredict_penalty") || value >= least)
		return 0;
	pms_fail(err, PMS_EINVAL,
		 "%s has no effect: fetch_to_rename, rename_to_issue and branch.latency are %u "
		 "cycles together, so %u is the least",
		 setting, least, least);
	pms_hint(err, "set these lower too, as in --core-set mispredict_penalty=2,"
		      "fetch_to_rename=1,rename_to_issue=1,branch.latency=0");
	return -PMS_EINVAL;
}

int pms_core_set(json_t *root, char *const *settings, struct pms_error *err)
{
	int rc = 0;
	for (size_t i = 0; !rc && settings[i]; i++)
		rc = set_one(root, settings[i], err);
	for (size_t i = 0; !rc && settings[i]; i++)
		rc = penalty_check(root, settings[i], err);
	return rc;
}
