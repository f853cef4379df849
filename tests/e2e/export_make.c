/* SPDX-License-Identifier: MIT */
/* Makes a profile of what standard input says, and exports it to standard output.
 *
 * usage: export_make FORMAT [VALUE|causes]
 *
 * object PATH
 * thread PID TID NAME
 * frame PARENT OBJECT ADDRESS			-1: no parent
 * row OBJECT ADDRESS THREAD FRAME VALUE...	-1: none; a value for each of the kinds below
 * edge FROM TO COUNT MISPREDICTED		in object 0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmuscope/pmuscope.h"

static const struct pms_profile_kind kinds[] = {
	{ "cycles", "Cycles", PMS_PROFILE_CYCLES, PMS_PROFILE_NO_SHARE, NULL, PMS_PROFILE_NONE },
	{ "slots_retired", "Retired", PMS_PROFILE_SLOTS, PMS_PROFILE_RETIRING, NULL,
	  PMS_PROFILE_NONE },
	{ "slots_fe_icache", "L1I", PMS_PROFILE_SLOTS, PMS_PROFILE_FRONTEND, "instruction cache",
	  PMS_PROFILE_NONE },
	{ "slots_be_rob", "ROB", PMS_PROFILE_SLOTS, PMS_PROFILE_BACKEND, "reorder buffer full",
	  PMS_PROFILE_NONE },
	{ "instructions", "Instructions", PMS_PROFILE_INSTRUCTIONS, PMS_PROFILE_NO_SHARE, NULL,
	  PMS_PROFILE_NONE },
	{ "never", "Never", PMS_PROFILE_EVENTS, PMS_PROFILE_NO_SHARE, NULL, PMS_PROFILE_NONE },
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static uint64_t number(void)
{
	const char *word = strtok(NULL, " \n");
	return word ? (uint64_t)strtoll(word, NULL, 0) : 0;
}

static uint32_t index_of(void)
{
	return (uint32_t)number();
}

static void read_row(struct pms_profile *p)
{
	struct pms_profile_place place = { .object = index_of(), .address = number() };
	place.thread = index_of();
	place.frame = index_of();
	int64_t row = pms_profile_add_row(p, &place);
	for (int kind = 0; kind < KINDS; kind++)
		pms_profile_add(p, row, kind, number());
}

static void read_line(struct pms_profile *p, char *line)
{
	const char *what = strtok(line, " \n");
	if (!what)
		return;
	if (!strcmp(what, "object")) {
		struct pms_object object = { .kind = PMS_OBJECT_FILE, .path = strtok(NULL, "\n") };
		pms_profile_add_object(p, &object);
	} else if (!strcmp(what, "thread")) {
		struct pms_profile_thread thread = { .pid = (int32_t)number() };
		thread.tid = (int32_t)number();
		const char *name = strtok(NULL, "\n");
		thread.name = name ? name : "";
		pms_profile_add_thread(p, &thread);
	} else if (!strcmp(what, "frame")) {
		struct pms_profile_frame frame = { .parent = index_of(), .object = index_of() };
		frame.address = number();
		pms_profile_add_frame(p, &frame);
	} else if (!strcmp(what, "row")) {
		read_row(p);
	} else if (!strcmp(what, "edge")) {
		struct pms_profile_edge edge = { .from = number(), .to = number() };
		edge.count = number();
		edge.mispredicted = number();
		pms_profile_add_edge(p, &edge);
	}
}

static int write_bytes(void *context, const void *bytes, size_t length)
{
	(void)context;
	return fwrite(bytes, 1, length, stdout) == length ? 0 : -1;
}

int main(int argc, char **argv)
{
	char line[65536];
	struct pms_error err = { 0 };
	struct pms_export_options options = { .write = write_bytes, .title = "\"a\n\xff; test" };
	struct pms_profile *p = pms_profile_new(PMS_PROFILE_MODELLED);
	if (!p || argc < 2 || !pms_export_format_find(argv[1], &options.format) ||
	    pms_symbols_open(NULL, &options.symbols, &err))
		return 2;
	if (argc > 2 && !strcmp(argv[2], "causes"))
		options.causes = 1;
	else if (argc > 2)
		options.value = argv[2];
	for (int i = 0; i < KINDS; i++)
		pms_profile_add_kind(p, &kinds[i]);
	while (fgets(line, sizeof(line), stdin))
		read_line(p, line);
	pms_profile_sort(p);
	int rc = pms_export(p, &options, &err);
	if (rc)
		fprintf(stderr, "%s\n", err.text);
	pms_symbols_close(options.symbols);
	pms_profile_free(p);
	return rc ? 2 : 0;
}
