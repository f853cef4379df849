/* SPDX-License-Identifier: MIT */
#include "vcore/model/slc.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int pms_slc_init(struct pms_slc *slc, uint64_t bytes, unsigned ways, unsigned line_bytes)
{
	assert(ways && ways <= PMS_SLC_WAYS_MAX && line_bytes);
	uint64_t sets = bytes / ways / line_bytes;
	assert(sets && !(sets & (sets - 1)));
	size_t size = (size_t)sets * sizeof(*slc->sets);
	*slc = (struct pms_slc){ .set_log2 = (uint32_t)__builtin_ctzll(sets), .ways = ways };
	slc->sets = aligned_alloc(sizeof(*slc->sets), size);
	if (!slc->sets)
		return -1;
	memset(slc->sets, 0, size);
	return 0;
}

void pms_slc_release(struct pms_slc *slc)
{
	free(slc->sets);
	*slc = (struct pms_slc){ 0 };
}

static uint32_t *set_of(const struct pms_slc *slc, uint64_t line)
{
	return slc->sets[line & ((UINT64_C(1) << slc->set_log2) - 1)].tags;
}

/* Never 0, which is an empty entry. */
static uint32_t tag_of(const struct pms_slc *slc, uint64_t line)
{
	uint32_t tag = (uint32_t)(line >> slc->set_log2);
	return tag ? tag : UINT32_MAX;
}

static unsigned way_of(const struct pms_slc *slc, const uint32_t *tags, uint32_t tag)
{
	unsigned way = 0;
	while (way < slc->ways && tags[way] != tag)
		way++;
	return way;
}

static void to_front(uint32_t *tags, unsigned way, uint32_t tag)
{
	memmove(tags + 1, tags, way * sizeof(*tags));
	tags[0] = tag;
}

bool pms_slc_find(struct pms_slc *slc, uint64_t line)
{
	uint32_t *tags = set_of(slc, line), tag = tag_of(slc, line);
	unsigned way = way_of(slc, tags, tag);
	if (way == slc->ways)
		return false;
	to_front(tags, way, tag);
	return true;
}

void pms_slc_put(struct pms_slc *slc, uint64_t line)
{
	uint32_t *tags = set_of(slc, line), tag = tag_of(slc, line);
	unsigned way = way_of(slc, tags, tag);
	to_front(tags, way < slc->ways ? way : slc->ways - 1, tag);
}
