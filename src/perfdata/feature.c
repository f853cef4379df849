/* SPDX-License-Identifier: MIT */
/* Read the sections that follow the data; in a stream, the HEADER_FEATURE records. */
#include "perfdata/describe.h"

/* Take a text with its length in front, which counts the padding too. */
static const char *string_take(struct cursor *c)
{
	struct cursor text = { .left = take_u32(c) };
	text.at = take_bytes(c, text.left);
	text.bad = !text.at;
	const char *string = take_text(&text);
	c->bad |= text.bad;
	return string;
}

static int string_keep(struct pms_perfdata_description *d, struct cursor *c, const char **out)
{
	const char *string = string_take(c);
	if (c->bad)
		return -PMS_EPARSE;
	string = pms_description_text(d, string);
	if (!string)
		return -PMS_ENOMEM;
	*out = string;
	return 0;
}

static int hostname_read(struct pms_perfdata_description *d, struct cursor *c)
{
	return string_keep(d, c, &d->info.hostname);
}

static int os_release_read(struct pms_perfdata_description *d, struct cursor *c)
{
	return string_keep(d, c, &d->info.os_release);
}

static int version_read(struct pms_perfdata_description *d, struct cursor *c)
{
	return string_keep(d, c, &d->info.perf_version);
}

static int arch_read(struct pms_perfdata_description *d, struct cursor *c)
{
	return string_keep(d, c, &d->info.arch);
}

static int cpu_description_read(struct pms_perfdata_description *d, struct cursor *c)
{
	return string_keep(d, c, &d->info.cpu_description);
}

static int cpuid_read(struct pms_perfdata_description *d, struct cursor *c)
{
	return string_keep(d, c, &d->info.cpuid);
}

static int cpus_read(struct pms_perfdata_description *d, struct cursor *c)
{
	uint32_t available = take_u32(c), online = take_u32(c);
	if (c->bad)
		return -PMS_EPARSE;
	d->info.cpus_available = available;
	d->info.cpus_online = online;
	return 0;
}

static int memory_read(struct pms_perfdata_description *d, struct cursor *c)
{
	uint64_t total = take_u64(c);
	if (c->bad)
		return -PMS_EPARSE;
	d->info.total_memory = total;
	return 0;
}

/* Take a count of things of at least @least bytes each. A count that the rest cannot hold is
 * bad. */
static uint32_t count_take(struct cursor *c, size_t least)
{
	uint32_t count = take_u32(c);
	c->bad |= count > c->left / least;
	return c->bad ? 0 : count;
}

static int cmdline_read(struct pms_perfdata_description *d, struct cursor *c)
{
	uint32_t count = count_take(c, 4);
	if (c->bad)
		return -PMS_EPARSE;
	const char **words = pms_description_keep(d, count, sizeof(*words));
	int rc = words ? 0 : -PMS_ENOMEM;
	for (uint32_t i = 0; !rc && i < count; i++)
		rc = string_keep(d, c, &words[i]);
	if (rc)
		return rc;
	d->info.cmdline = words;
	d->info.n_cmdline = count;
	return 0;
}

static int pmus_read(struct pms_perfdata_description *d, struct cursor *c)
{
	uint32_t count = count_take(c, 8);
	if (c->bad || count > PMS_MOST_PMUS)
		return -PMS_EPARSE;
	struct pms_perfdata_pmu *pmus = pms_description_keep(d, count, sizeof(*pmus));
	int rc = pmus ? 0 : -PMS_ENOMEM;
	for (uint32_t i = 0; !rc && i < count; i++) {
		pmus[i].type = take_u32(c);
		rc = string_keep(d, c, &pmus[i].name);
	}
	if (rc)
		return rc;
	d->info.pmus = pmus;
	d->info.n_pmus = count;
	return 0;
}

/* Read an event's name. Its ids tell which event it names, in any order; a name without ids
 * belongs to the event at the same index. */
static int event_read(struct pms_perfdata_description *d, struct cursor *c, size_t index,
		      uint32_t attr_size)
{
	take_bytes(c, attr_size);
	uint32_t n_ids = take_u32(c);
	const char *name = string_take(c);
	struct cursor ids = { .at = take_bytes(c, 8 * (uint64_t)n_ids), .left = 8 * (size_t)n_ids };
	if (c->bad)
		return -PMS_EPARSE;
	int event = n_ids ? pms_description_event_of(d, take_u64(&ids)) : (int)index;
	if (event < 0 || (size_t)event >= d->info.n_events)
		return 0;
	name = pms_description_text(d, name);
	if (!name)
		return -PMS_ENOMEM;
	d->events[event].name = name;
	return 0;
}

static int events_read(struct pms_perfdata_description *d, struct cursor *c)
{
	uint32_t count = count_take(c, 8), attr_size = take_u32(c);
	int rc = c->bad ? -PMS_EPARSE : 0;
	for (uint32_t i = 0; !rc && i < count; i++)
		rc = event_read(d, c, i, attr_size);
	return rc;
}

int pms_description_build_id(struct pms_perfdata_description *d, struct cursor c)
{
	struct pms_perfdata_build_id id = { 0 };
	take_u32(&c); /* type */
	id.misc = take_u16(&c);
	take_u16(&c); /* size */
	id.pid = take_s32(&c);
	const uint8_t *bytes = take_bytes(&c, 24);
	const char *path = take_text(&c);
	if (c.bad)
		return -PMS_EPARSE;
	id.size = id.misc & PMS_PERFDATA_MISC_BUILD_ID_SIZE ? bytes[20] : 20;
	if (!id.size || id.size > sizeof(id.id))
		return -PMS_EPARSE;
	memcpy(id.id, bytes, id.size);
	id.path = pms_description_text(d, path);
	void *room =
		id.path ? pms_description_room(d, d->build_ids, d->info.n_build_ids, sizeof(id))
			: NULL;
	if (!room)
		return -PMS_ENOMEM;
	d->info.build_ids = d->build_ids = room;
	d->build_ids[d->info.n_build_ids++] = id;
	return 0;
}

static int build_ids_read(struct pms_perfdata_description *d, struct cursor *c)
{
	int rc = 0;
	while (!rc && c->left) {
		uint64_t size = c->left < 8 ? 0 : little(c->at + 6, 2);
		const uint8_t *at = size ? take_bytes(c, size) : NULL;
		if (!at)
			return -PMS_EPARSE;
		rc = pms_description_build_id(d, (struct cursor){ at, (size_t)size, false });
	}
	return rc;
}

static int compressed_read(struct pms_perfdata_description *d, struct cursor *c)
{
	(void)c; /* the records say themselves how they are compressed */
	d->info.compressed = 1;
	return 0;
}

static const struct {
	unsigned feature;
	int (*read)(struct pms_perfdata_description *d, struct cursor *c);
} features[] = {
	{ PMS_FEATURE_BUILD_ID, build_ids_read },
	{ PMS_FEATURE_HOSTNAME, hostname_read },
	{ PMS_FEATURE_OS_RELEASE, os_release_read },
	{ PMS_FEATURE_VERSION, version_read },
	{ PMS_FEATURE_ARCH, arch_read },
	{ PMS_FEATURE_CPUS, cpus_read },
	{ PMS_FEATURE_CPU_DESCRIPTION, cpu_description_read },
	{ PMS_FEATURE_CPUID, cpuid_read },
	{ PMS_FEATURE_MEMORY, memory_read },
	{ PMS_FEATURE_CMDLINE, cmdline_read },
	{ PMS_FEATURE_EVENTS, events_read },
	{ PMS_FEATURE_PMUS, pmus_read },
	{ PMS_FEATURE_COMPRESSED, compressed_read },
};

enum { N_FEATURES = sizeof(features) / sizeof(features[0]) };

static size_t find(unsigned feature)
{
	size_t i = 0;
	while (i < N_FEATURES && features[i].feature != feature)
		i++;
	return i;
}

bool pms_description_has_feature(unsigned feature)
{
	return find(feature) < N_FEATURES;
}

int pms_description_feature(struct pms_perfdata_description *d, unsigned feature, struct cursor c)
{
	size_t i = find(feature);
	return i < N_FEATURES ? features[i].read(d, &c) : 0;
}
