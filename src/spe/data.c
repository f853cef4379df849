/* SPDX-License-Identifier: MIT */
/* Find what data an address holds. Unless perf records mappings of data, only code mappings are
 * known. Variables lie behind their file's code, or before it where the linker put constants
 * there; the file tells how far. Variables without initial values (.bss) lie in memory of no
 * file in any case. */
#include "spe/data.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/limits.h"
#include "spe/samples.h"

/* Words for memory without a file or a known variable; the first is the default. */
static const char *const words[] = {
	[PMS_OBJECT_FILE] = "[unknown]",  [PMS_OBJECT_KERNEL] = "[kernel]",
	[PMS_OBJECT_MODULE] = "[kernel]", [PMS_OBJECT_VDSO] = "[vdso]",
	[PMS_OBJECT_JIT] = "[anon]",	  [PMS_OBJECT_STACK] = "[stack]",
	[PMS_OBJECT_HEAP] = "[heap]",	  [PMS_OBJECT_OTHER] = "[other]",
};

static int learn_images(struct pms_data *d, struct pms_key key, const struct pms_images *found)
{
	struct pms_images *images = pms_array_room(d->images, d->n_images, sizeof(*images));
	if (!images)
		return -PMS_ENOMEM;
	d->images = images;
	if (pms_table_add(&d->table, key, (uint32_t)d->n_images))
		return -PMS_ENOMEM;
	images[d->n_images++] = *found;
	return 0;
}

/* Find the files whose data may be at @address. Answers beyond the room are looked up each time. */
static int find_images(struct pms_data *d, uint32_t space, uint64_t address,
		       struct pms_images *images)
{
	enum { PAGE_SHIFT = 12 };
	const struct pms_key key = { space, address >> PAGE_SHIFT };
	if (!d->table.slots && pms_table_init(&d->table, 64))
		return -PMS_ENOMEM;
	uint32_t found = pms_table_find(&d->table, key);
	if (found != PMS_TABLE_NONE) {
		*images = d->images[found];
		return 0;
	}
	pms_history_image(&d->samples->history, space, address, 0, &images->below);
	pms_history_image(&d->samples->history, space, address, 1, &images->above);
	return d->n_images < PMS_MOST_SPE_DATA_PAGES ? learn_images(d, key, images) : 0;
}

/* Returns 1 with the variable at @address if it is one of the image's, 0, or -PMS_ENOMEM. */
static int find_in(struct pms_data *d, const struct pms_place *image, uint64_t address,
		   struct pms_datum *datum)
{
	struct pms_variable variable;
	int status =
		image->object ? pms_symbols_variable(d->symbols, image, address, &variable) : 0;
	if (status > 0)
		*datum = (struct pms_datum){ .name = variable.name,
					     .is_variable = 1,
					     .is_told = 1,
					     .start = variable.start,
					     .offset = variable.offset,
					     .object = image->object,
					     .index = image->index };
	return status;
}

/* Say what kind of memory the mapping at the address is. */
static void find_memory(const struct pms_data *d, uint32_t space, uint64_t address,
			struct pms_datum *datum)
{
	struct pms_place place;
	enum pms_object_kind kind = PMS_OBJECT_FILE;
	if (pms_spe_samples_place(d->samples, space, address, &place))
		kind = place.object->kind;
	else if (address >> 63)
		kind = PMS_OBJECT_KERNEL;
	*datum = (struct pms_datum){ .name = words[kind],
				     .is_told = kind != PMS_OBJECT_FILE,
				     .object = place.object,
				     .index = place.index };
}

int pms_data_find(struct pms_data *d, uint32_t space, uint64_t address, struct pms_datum *datum)
{
	struct pms_images images = { 0 };
	int status = 0;
	if (d->symbols && !(address >> 63))
		status = find_images(d, space, address, &images);
	if (!status)
		status = find_in(d, &images.below, address, datum);
	if (!status)
		status = find_in(d, &images.above, address, datum);
	if (!status)
		find_memory(d, space, address, datum);
	return status < 0 ? status : 0;
}

void pms_data_release(struct pms_data *d)
{
	if (d->table.slots)
		pms_table_release(&d->table);
	free(d->images);
	*d = (struct pms_data){ 0 };
}
