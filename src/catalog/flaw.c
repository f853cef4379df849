/* SPDX-License-Identifier: MIT */
/* Contradictions in a specification that a catalog can do without. */
#include <stdarg.h>
#include <stdio.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/status.h"
#include "catalog/catalog.h"

int pms_catalog_add_flaw(struct pms_catalog *catalog, const struct pms_json_place *at,
			 struct pms_error *err, const char *format, ...)
{
	char path[512] = "", text[512];
	va_list args;
	if (catalog->n_flaws == PMS_MOST_FLAWS)
		return 0;
	struct pms_flaw *room = pms_array_room(catalog->flaws, catalog->n_flaws, sizeof(room[0]));
	if (!room)
		return pms_no_memory(err);
	catalog->flaws = room;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	pms_json_path(at, path, sizeof(path));
	struct pms_flaw *flaw = &room[catalog->n_flaws];
	*flaw = (struct pms_flaw){ .path = pms_arena_dup(&catalog->arena, path),
				   .text = pms_arena_dup(&catalog->arena, text) };
	if (!flaw->path || !flaw->text)
		return pms_no_memory(err);
	catalog->n_flaws++;
	return 0;
}
