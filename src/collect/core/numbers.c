/* SPDX-License-Identifier: MIT */
/* List the numbers of a core.json: pmuscope core show. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "collect/core/ideal.h"
#include "collect/core/model.h"
#include "collect/core/set.h"
#include "pmuscope/core.h"

struct pms_core_data {
	struct pms_arena arena; /* holds composed names */
	struct pms_json json;	/* owns the sources */
	struct pms_core_number *numbers;
	size_t n;
	struct pms_core_mechanism mechanisms[PMS_MECHANISM_COUNT];
};

const char *pms_certainty_name(enum pms_certainty certainty)
{
	static const char *const names[] = {
		[PMS_CERTAINTY_CHOSEN] = "chosen", [PMS_CERTAINTY_UNVERIFIED] = "not verified",
		[PMS_CERTAINTY_LOW] = "low",	   [PMS_CERTAINTY_MEDIUM] = "medium",
		[PMS_CERTAINTY_HIGH] = "high",	   [PMS_CERTAINTY_PUBLISHED] = "published"
	};
	return names[certainty];
}

static enum pms_certainty certainty_of(const char *source)
{
	static const struct {
		const char *mark;
		enum pms_certainty certainty;
	} marks[] = { { "not verified", PMS_CERTAINTY_UNVERIFIED },
		      { "; low", PMS_CERTAINTY_LOW },
		      { "; medium", PMS_CERTAINTY_MEDIUM },
		      { "; high", PMS_CERTAINTY_HIGH } };
	if (!strncmp(source, "chosen", strlen("chosen")))
		return PMS_CERTAINTY_CHOSEN;
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (strstr(source, marks[i].mark))
			return marks[i].certainty;
	return PMS_CERTAINTY_PUBLISHED;
}

static int sets(const char *setting, const char *name)
{
	size_t length = strlen(name);
	return !strncmp(setting, name, length) && setting[length] == '=';
}

static int ideal_sets(const struct pms_core_ideal *ideal, const char *name);

/* Returns whether a setting, of a list with blanks between, changes the number @name. */
static int is_among(const char *settings, const char *name)
{
	while (*settings) {
		const char *equals = strchr(settings, '=');
		if (!equals || sets(settings, name))
			return equals != NULL;
		if (!strncmp(equals, "=ideal", strlen("=ideal"))) {
			char ideal[64];
			snprintf(ideal, sizeof(ideal), "%.*s", (int)(equals - settings), settings);
			if (ideal_sets(pms_core_ideal_find(ideal), name))
				return 1;
		}
		settings += strcspn(settings, " ");
		settings += strspn(settings, " ");
	}
	return 0;
}

static int ideal_sets(const struct pms_core_ideal *ideal, const char *name)
{
	return ideal && is_among(ideal->settings, name);
}

/* Returns whether a setting changes the number @name. */
static int is_set(char *const *settings, const char *name)
{
	for (; settings && *settings; settings++)
		if (is_among(*settings, name))
			return 1;
	return 0;
}

static void add(struct pms_core_data *core, struct pms_core_number number, const char *table,
		const char *row, char *const *settings)
{
	const json_t *object = json_object_get(json_object_get(core->json.root, table), row);
	number.source = json_string_value(json_object_get(object, "source"));
	number.certainty = certainty_of(number.source);
	number.changed = is_set(settings, number.name);
	core->numbers[core->n++] = number;
}

static int fill_queues(struct pms_core_data *core, char *const *settings)
{
	const char *queue;
	json_t *row;
	json_object_foreach(json_object_get(core->json.root, "queues"), queue, row)
	{
		struct pms_core_number number = { .name = pms_arena_printf(&core->arena, "iq_%s",
									   queue),
						  .meaning = "entries of an issue queue",
						  .least = 1,
						  .most = PMS_QUEUE_MOST_ENTRIES };
		if (!number.name)
			return -PMS_ENOMEM;
		number.value = (uint32_t)json_integer_value(json_object_get(row, "entries"));
		add(core, number, "queues", queue, settings);
	}
	return 0;
}

static int fill_slots(struct pms_core_data *core, char *const *settings)
{
	const char *form;
	json_t *row;
	json_object_foreach(json_object_get(core->json.root, "slots"), form, row)
	{
		struct pms_core_number number = { .name = pms_arena_printf(&core->arena, "%s.slots",
									   form),
						  .meaning = "slots that the form takes",
						  .least = 1,
						  .most = PMS_SLOTS_MOST };
		if (!number.name)
			return -PMS_ENOMEM;
		number.value = (uint32_t)json_integer_value(json_object_get(row, "value"));
		add(core, number, "slots", form, settings);
	}
	return 0;
}

/* List all numbers in the order of the file: parameters, queues, slots, then classes. */
static int fill(struct pms_core_data *core, const struct pms_params *params, char *const *settings)
{
	size_t most = pms_param_count + PMS_QUEUES_MOST + PMS_FORM_COUNT + 2 * PMS_OP_COUNT;
	core->numbers = pms_arena_alloc(&core->arena, most, sizeof(core->numbers[0]));
	if (!core->numbers)
		return -PMS_ENOMEM;
	for (unsigned i = 0; i < pms_param_count; i++) {
		const struct pms_param_row *row = &pms_param_rows[i];
		struct pms_core_number number = { .name = row->name,
						  .meaning = row->meaning,
						  .least = row->least,
						  .most = row->most };
		memcpy(&number.value, (const char *)params + row->offset, sizeof(number.value));
		if (!strcmp(row->name, "mispredict_penalty"))
			number.least = pms_core_least_penalty(core->json.root);
		add(core, number, "parameters", row->name, settings);
	}
	if (fill_queues(core, settings) || fill_slots(core, settings))
		return -PMS_ENOMEM;
	for (unsigned i = 0; i < PMS_OP_COUNT; i++) {
		const char *op = pms_op_name((enum pms_op)i);
		struct pms_core_number latency = { .name = pms_arena_printf(&core->arena,
									    "%s.latency", op),
						   .meaning = "cycles to the result",
						   .value = params->op[i].latency,
						   .most = UINT8_MAX };
		struct pms_core_number busy = { .name = pms_arena_printf(&core->arena, "%s.busy",
									 op),
						.meaning = "cycles it keeps the port",
						.value = params->op[i].busy,
						.least = 1,
						.most = UINT8_MAX };
		if (!latency.name || !busy.name)
			return -PMS_ENOMEM;
		add(core, latency, "ops", op, settings);
		add(core, busy, "ops", op, settings);
	}
	return 0;
}

static void fill_mechanisms(struct pms_core_data *core, const struct pms_params *params)
{
	for (unsigned i = 0; i < PMS_MECHANISM_COUNT; i++) {
		const struct pms_mechanism_row *row = &pms_mechanism_rows[i];
		core->mechanisms[i] =
			(struct pms_core_mechanism){ row->name, row->without,
						     !pms_without(params, (enum pms_mechanism)i) };
	}
}

int pms_core_open(const struct pms_catalog *catalog, const char *data, char *const *settings,
		  struct pms_core_data **out, struct pms_error *err)
{
	struct pms_core_file file = { 0 };
	struct pms_core_data *core = calloc(1, sizeof(*core));
	if (!core)
		return pms_no_memory(err);
	int rc = pms_core_text(catalog, data, settings, &core->json, err);
	if (!rc)
		rc = pms_core_read(catalog, &core->json, &file, err);
	if (!rc && fill(core, &file.params, settings))
		rc = pms_no_memory(err);
	if (!rc)
		fill_mechanisms(core, &file.params);
	pms_core_file_release(&file);
	if (rc)
		pms_core_close(core);
	else
		*out = core;
	return rc;
}

void pms_core_close(struct pms_core_data *core)
{
	if (!core)
		return;
	pms_json_release(&core->json);
	pms_arena_release(&core->arena);
	free(core);
}

size_t pms_core_numbers(const struct pms_core_data *core)
{
	return core->n;
}

const struct pms_core_number *pms_core_number(const struct pms_core_data *core, size_t i)
{
	return i < core->n ? &core->numbers[i] : NULL;
}

size_t pms_core_mechanisms(const struct pms_core_data *core)
{
	return sizeof(core->mechanisms) / sizeof(core->mechanisms[0]);
}

const struct pms_core_mechanism *pms_core_mechanism(const struct pms_core_data *core, size_t i)
{
	return i < pms_core_mechanisms(core) ? &core->mechanisms[i] : NULL;
}
