/* SPDX-License-Identifier: MIT */
#include "vcore/model/cache.h"

#include <assert.h>
#include <stdlib.h>
#include "vcore/model/hint.h"

enum { HINTS_MAX = 1024 }; /* as many as L1 holds lines */

int pms_cache_init(struct pms_cache *c, uint64_t bytes, unsigned ways, unsigned line_bytes)
{
	assert(ways && ways <= PMS_LRU_WAYS_MAX && line_bytes);
	uint64_t sets = bytes / ways / line_bytes;
	assert(sets && !(sets & (sets - 1)));
	uint32_t shift = 2; /* four are compared at a time */
	while (1u << shift < ways)
		shift++;
	size_t entries = (size_t)sets << shift, hints = 1;
	while (hints < HINTS_MAX && hints < entries)
		hints *= 2;
	*c = (struct pms_cache){
		.last_line = PMS_NO_LINE,
		.hints = calloc(hints, sizeof(*c->hints)),
		.hint_mask = hints - 1,
		.set_mask = sets - 1,
		.ways = ways,
		.stride = 1u << shift,
		.shift = shift,
		.tags = calloc(entries, sizeof(*c->tags)),
		.stamps = calloc(entries, sizeof(*c->stamps)),
		.clocks = calloc((size_t)sets, sizeof(*c->clocks)),
		.ready = calloc(entries, sizeof(*c->ready)),
		.flags = calloc(entries, sizeof(*c->flags)),
	};
	if (c->hints && c->tags && c->stamps && c->clocks && c->ready && c->flags)
		return 0;
	pms_cache_release(c);
	return -1;
}

void pms_cache_release(struct pms_cache *c)
{
	free(c->hints);
	free(c->tags);
	free(c->stamps);
	free(c->clocks);
	free(c->ready);
	free(c->flags);
	*c = (struct pms_cache){ .last_line = PMS_NO_LINE };
}

PMS_APART int64_t pms_cache_fill(struct pms_cache *c, uint64_t line, uint64_t *victim_line,
				 uint8_t *victim_flags)
{
	assert(line != PMS_NO_LINE && pms_cache_peek(c, line) < 0);
	uint64_t first = (line & c->set_mask) << c->shift;
	unsigned way = pms_lru_oldest(c->stamps + first, c->ways);
	uint64_t entry = first + way;

	*victim_line = ~c->tags[entry];
	*victim_flags = c->flags[entry];
	c->resident += *victim_line == PMS_NO_LINE;

	c->tags[entry] = ~line;
	c->ready[entry] = 0;
	c->flags[entry] = 0;
	pms_cache_touch(c, line, (int64_t)entry);
	c->hints[line & c->hint_mask] = (uint8_t)way;
	c->last_line = line;
	c->last_entry = (int64_t)entry;
	return (int64_t)entry;
}

bool pms_cache_invalidate(struct pms_cache *c, uint64_t line, uint8_t *flags)
{
	int64_t entry = pms_cache_peek(c, line);
	if (entry < 0)
		return false;
	*flags = c->flags[entry];
	c->tags[entry] = 0;
	c->stamps[entry] = 0; /* to be filled first */
	c->flags[entry] = 0;
	c->resident--;
	if (line == c->last_line)
		c->last_line = PMS_NO_LINE;
	return true;
}

uint64_t pms_cache_resident(const struct pms_cache *c)
{
	return c->resident;
}
