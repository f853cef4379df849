/* SPDX-License-Identifier: MIT */
/* Read records that describe the file rather than tell what happened. */
#include "perfdata/describe.h"

static int attr_record(struct pms_perfdata_description *d, struct cursor *c)
{
	/* The attribute says its own size, where 0 means its first version; ids follow. */
	uint64_t size = c->left < 8 ? 0 : little(c->at + 4, 4);
	struct cursor attr = { .left = size ? (size_t)size : 64 };
	attr.at = take_bytes(c, attr.left);
	attr.bad = !attr.at;
	return pms_description_event(d, attr, *c);
}

static int build_id_record(struct pms_perfdata_description *d, struct cursor *c)
{
	/* pms_description_build_id reads the header too */
	return pms_description_build_id(d, (struct cursor){ c->at - 8, c->left + 8, false });
}

/* Read a part of the id index: a long one is split over several records. */
static int id_index_record(struct pms_perfdata_description *d, struct cursor *c)
{
	uint64_t count = take_u64(c);
	if (c->bad || count > c->left / 32)
		return -PMS_EPARSE;
	for (; count; count--) {
		size_t n = d->info.n_id_index;
		struct pms_perfdata_id_entry *rows =
			pms_description_room(d, d->id_index, n, sizeof(*rows));
		if (!rows)
			return -PMS_ENOMEM;
		d->info.id_index = d->id_index = rows;
		rows[n].id = take_u64(c);
		rows[n].idx = take_u64(c);
		rows[n].cpu = (int64_t)take_u64(c);
		rows[n].tid = (int64_t)take_u64(c);
		d->info.n_id_index++;
	}
	return 0;
}

static int auxtrace_info_record(struct pms_perfdata_description *d, struct cursor *c)
{
	uint32_t type = take_u32(c);
	take_u32(c); /* padding */
	size_t count = c->left / 8;
	if (c->bad)
		return -PMS_EPARSE;
	uint64_t *numbers = pms_description_keep(d, count, sizeof(*numbers));
	if (!numbers)
		return -PMS_ENOMEM;
	for (size_t i = 0; i < count; i++)
		numbers[i] = take_u64(c);
	d->info.auxtrace_type = type;
	d->info.auxtrace_private = numbers;
	d->info.n_auxtrace_private = count;
	return 0;
}

static int thread_map_record(struct pms_perfdata_description *d, struct cursor *c)
{
	enum { NAME = 16 };
	uint64_t count = take_u64(c);
	if (c->bad || count > c->left / (8 + NAME))
		return -PMS_EPARSE;
	struct pms_perfdata_thread *rows = pms_description_keep(d, (size_t)count, sizeof(*rows));
	if (!rows)
		return -PMS_ENOMEM;
	for (size_t i = 0; i < count; i++) {
		rows[i].tid = (int64_t)take_u64(c);
		memcpy(rows[i].name, take_bytes(c, NAME),
		       NAME); /* name has one byte more, which is zero */
	}
	d->info.threads = rows;
	d->info.n_threads = (size_t)count;
	return 0;
}

/* The three forms in which perf writes a list of CPUs. */
enum { CPUS_LIST, CPUS_MASK, CPUS_RANGE };

static size_t list_read(struct cursor *c, uint32_t *cpus)
{
	size_t count = take_u16(c);
	c->bad |= count > c->left / 2;
	for (size_t i = 0; cpus && i < count; i++)
		cpus[i] = take_u16(c);
	return count;
}

static size_t mask_read(struct cursor *c, uint32_t *cpus)
{
	size_t words = take_u16(c), size = take_u16(c), count = 0;
	if (size == 8)
		take_u32(c); /* padding */
	c->bad |= (size != 4 && size != 8) || words > c->left / size;
	for (size_t i = 0; !c->bad && i < words; i++) {
		uint64_t word = size == 8 ? take_u64(c) : take_u32(c);
		for (unsigned bit = 0; bit < 8 * size; bit++) {
			if (!(word >> bit & 1))
				continue;
			if (cpus)
				cpus[count] = (uint32_t)(i * 8 * size + bit);
			count++;
		}
	}
	return count;
}

static size_t range_read(struct cursor *c, uint32_t *cpus)
{
	take_u16(c); /* whether "any CPU" is in it; padding */
	uint32_t first = take_u16(c), last = take_u16(c);
	c->bad |= first > last;
	size_t count = c->bad ? 0 : last - first + 1;
	for (uint32_t i = 0; cpus && i < count; i++)
		cpus[i] = first + i;
	return count;
}

/* Count the CPUs before reading them, so that a damaged record allocates nothing. */
static int cpu_map_record(struct pms_perfdata_description *d, struct cursor *c)
{
	static size_t (*const forms[])(struct cursor * c, uint32_t * cpus) = {
		[CPUS_LIST] = list_read,
		[CPUS_MASK] = mask_read,
		[CPUS_RANGE] = range_read,
	};
	unsigned form = take_u16(c);
	if (c->bad || form >= sizeof(forms) / sizeof(forms[0]))
		return -PMS_EPARSE;
	struct cursor counting = *c;
	size_t count = forms[form](&counting, NULL);
	if (counting.bad)
		return -PMS_EPARSE;
	uint32_t *cpus = pms_description_keep(d, count, sizeof(*cpus));
	if (!cpus)
		return -PMS_ENOMEM;
	forms[form](c, cpus);
	d->info.cpus = cpus;
	d->info.n_cpus = count;
	return 0;
}

static int event_update_record(struct pms_perfdata_description *d, struct cursor *c)
{
	enum { NAME = 2 };
	uint64_t what = take_u64(c);
	int event = pms_description_event_of(d, take_u64(c));
	if (!c->bad && (what != NAME || event < 0))
		return 0;
	const char *name = take_text(c);
	if (c->bad)
		return -PMS_EPARSE;
	name = pms_description_text(d, name);
	if (!name)
		return -PMS_ENOMEM;
	d->events[event].name = name;
	return 0;
}

static int time_conv_record(struct pms_perfdata_description *d, struct cursor *c)
{
	struct pms_perfdata_time_conv conv = { .known = 1 };
	conv.shift = take_u64(c);
	conv.mult = take_u64(c);
	conv.zero = take_u64(c);
	if (c->bad)
		return -PMS_EPARSE;
	if (c->left >= 24) { /* older files end here */
		conv.cycles = take_u64(c);
		conv.mask = take_u64(c);
		uint16_t capabilities = take_u16(c); /* a byte each: has zero, is short */
		conv.short_counter = capabilities >> 8 != 0;
	}
	d->info.time_conv = conv;
	return 0;
}

static int feature_record(struct pms_perfdata_description *d, struct cursor *c)
{
	uint64_t feature = take_u64(c);
	if (c->bad)
		return -PMS_EPARSE;
	return feature < PMS_FEATURES ? pms_description_feature(d, (unsigned)feature, *c) : 0;
}

static const struct {
	uint32_t type;
	int (*read)(struct pms_perfdata_description *d, struct cursor *c);
} records[] = {
	{ PMS_PERFDATA_HEADER_ATTR, attr_record },
	{ PMS_PERFDATA_HEADER_BUILD_ID, build_id_record },
	{ PMS_PERFDATA_ID_INDEX, id_index_record },
	{ PMS_PERFDATA_AUXTRACE_INFO, auxtrace_info_record },
	{ PMS_PERFDATA_THREAD_MAP, thread_map_record },
	{ PMS_PERFDATA_CPU_MAP, cpu_map_record },
	{ PMS_PERFDATA_EVENT_UPDATE, event_update_record },
	{ PMS_PERFDATA_TIME_CONV, time_conv_record },
	{ PMS_PERFDATA_HEADER_FEATURE, feature_record },
};

int pms_description_record(struct pms_perfdata_description *d, uint32_t type, const uint8_t *bytes,
			   size_t size)
{
	struct cursor body = { bytes + 8, size - 8, false };
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++)
		if (records[i].type == type)
			return records[i].read(d, &body);
	return 0;
}
