/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "perfdata/describe.h"
#include "perfdata/encode.h"

enum { ATTR_SIZE = 112, ATTR_SIZE_CONFIG3 = 136 };

size_t pms_attr_size(const struct pms_perfdata_info *info)
{
	for (size_t i = 0; i < info->n_events; i++)
		if (info->events[i].config3)
			return ATTR_SIZE_CONFIG3;
	return ATTR_SIZE;
}

void pms_attr_encode(const struct pms_perfdata_event *e, size_t size, struct pms_bytes *into)
{
	pms_put(into, e->type, 4);
	pms_put(into, size, 4);
	pms_put(into, e->config, 8);
	pms_put(into, e->sample_period, 8);
	pms_put(into, e->sample_type, 8);
	pms_put(into, e->read_format, 8);
	pms_put(into, e->flags, 8);
	pms_put(into, 0, 8); /* wakeup, breakpoint type */
	pms_put(into, e->config1, 8);
	pms_put(into, e->config2, 8);
	pms_put(into, e->branch_sample_type, 8);
	pms_put(into, e->sample_regs_user, 8);
	pms_put(into, e->sample_stack_user, 4);
	pms_put(into, (uint32_t)e->clock, 4);
	pms_put(into, e->sample_regs_intr, 8);
	pms_put(into, 0, 8); /* watermark, stack depth */
	if (size == ATTR_SIZE)
		return;
	pms_put(into, 0, 8); /* bytes of traces in samples */
	pms_put(into, 0, 8); /* data of signals */
	pms_put(into, e->config3, 8);
}

static bool string_section(const char *text, struct pms_bytes *into)
{
	if (!text || !text[0])
		return false;
	pms_put_string(into, text);
	return true;
}

static bool hostname_section(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	return string_section(info->hostname, into);
}

static bool os_release_section(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	return string_section(info->os_release, into);
}

static bool version_section(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	return string_section(info->perf_version, into);
}

static bool arch_section(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	return string_section(info->arch, into);
}

static bool cpu_description_section(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	return string_section(info->cpu_description, into);
}

static bool cpuid_section(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	return string_section(info->cpuid, into);
}

static bool build_ids_section(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	for (size_t i = 0; i < info->n_build_ids; i++) {
		const struct pms_perfdata_build_id *id = &info->build_ids[i];
		size_t begin = pms_record_begin(into, PMS_PERFDATA_HEADER_BUILD_ID,
						id->misc | PMS_PERFDATA_MISC_BUILD_ID_SIZE);
		pms_put(into, (uint32_t)id->pid, 4);
		pms_put_bytes(into, id->id, sizeof(id->id));
		pms_put(into, id->size, 4);
		pms_put_text(into, into->size, id->path, 64);
		if (pms_record_end(into, begin))
			into->bad = true;
	}
	return info->n_build_ids;
}

static bool cpus_section(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	pms_put(into, info->cpus_available, 4);
	pms_put(into, info->cpus_online, 4);
	return info->cpus_available;
}

static bool memory_section(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	pms_put(into, info->total_memory, 8);
	return info->total_memory;
}

static bool cmdline_section(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	pms_put(into, info->n_cmdline, 4);
	for (size_t i = 0; i < info->n_cmdline; i++)
		pms_put_string(into, info->cmdline[i]);
	return info->n_cmdline;
}

static bool events_section(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	pms_put(into, info->n_events, 4);
	size_t size = pms_attr_size(info);
	pms_put(into, size, 4);
	for (size_t i = 0; i < info->n_events; i++) {
		const struct pms_perfdata_event *event = &info->events[i];
		pms_attr_encode(event, size, into);
		pms_put(into, event->n_ids, 4);
		pms_put_string(into, event->name ? event->name : "");
		for (size_t k = 0; k < event->n_ids; k++)
			pms_put(into, event->ids[k], 8);
	}
	return true;
}

static bool pmus_section(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	pms_put(into, info->n_pmus, 4);
	for (size_t i = 0; i < info->n_pmus; i++) {
		pms_put(into, info->pmus[i].type, 4);
		pms_put_string(into, info->pmus[i].name);
	}
	return info->n_pmus;
}

static bool compressed_section(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	/* version, zstd, level, ratio (for people only), and the most bytes in one record: the
	 * size of perf's buffer */
	static const uint32_t how[] = { 1, 1, 1, 1, PMS_COMPRESSED_MAX };
	for (size_t i = 0; i < sizeof(how) / sizeof(how[0]); i++)
		pms_put(into, how[i], 4);
	return info->compressed;
}

static const struct {
	unsigned feature;
	bool (*encode)(const struct pms_perfdata_info *info, struct pms_bytes *into);
} sections[] = {
	{ PMS_FEATURE_BUILD_ID, build_ids_section },
	{ PMS_FEATURE_HOSTNAME, hostname_section },
	{ PMS_FEATURE_OS_RELEASE, os_release_section },
	{ PMS_FEATURE_VERSION, version_section },
	{ PMS_FEATURE_ARCH, arch_section },
	{ PMS_FEATURE_CPUS, cpus_section },
	{ PMS_FEATURE_CPU_DESCRIPTION, cpu_description_section },
	{ PMS_FEATURE_CPUID, cpuid_section },
	{ PMS_FEATURE_MEMORY, memory_section },
	{ PMS_FEATURE_CMDLINE, cmdline_section },
	{ PMS_FEATURE_EVENTS, events_section },
	{ PMS_FEATURE_PMUS, pmus_section },
	{ PMS_FEATURE_COMPRESSED, compressed_section },
};

bool pms_section_encode(const struct pms_perfdata_info *info, unsigned feature,
			struct pms_bytes *into)
{
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		if (sections[i].feature != feature)
			continue;
		size_t begin = into->size;
		bool wanted = sections[i].encode(info, into);
		if (!wanted)
			into->size = begin;
		return wanted;
	}
	return false;
}

static int attr_records(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	int rc = 0;
	for (size_t i = 0; info->pipe && !rc && i < info->n_events; i++) {
		size_t begin = pms_record_begin(into, PMS_PERFDATA_HEADER_ATTR, 0);
		pms_attr_encode(&info->events[i], pms_attr_size(info), into);
		for (size_t k = 0; k < info->events[i].n_ids; k++)
			pms_put(into, info->events[i].ids[k], 8);
		rc = pms_record_end(into, begin);
	}
	return rc;
}

static int feature_records(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	int rc = 0;
	for (size_t i = 0; info->pipe && !rc && i < sizeof(sections) / sizeof(sections[0]); i++) {
		size_t begin = into->size;
		if (sections[i].feature == PMS_FEATURE_BUILD_ID)
			continue;
		pms_record_begin(into, PMS_PERFDATA_HEADER_FEATURE, 0);
		pms_put(into, sections[i].feature, 8);
		if (sections[i].encode(info, into))
			rc = pms_record_end(into, begin);
		else
			into->size = begin;
	}
	return rc;
}

/* perf takes event names of a pipe from these records, not from the section. */
static int name_records(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	enum { NAME = 2 };
	int rc = 0;
	for (size_t i = 0; info->pipe && !rc && i < info->n_events; i++) {
		const struct pms_perfdata_event *event = &info->events[i];
		if (!event->n_ids || !event->name || !event->name[0])
			continue;
		size_t begin = pms_record_begin(into, PMS_PERFDATA_EVENT_UPDATE, 0);
		pms_put(into, NAME, 8);
		pms_put(into, event->ids[0], 8);
		pms_put_text(into, into->size, event->name, 8);
		rc = pms_record_end(into, begin);
	}
	return rc;
}

static int time_conv_record(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	const struct pms_perfdata_time_conv *conv = &info->time_conv;
	if (!conv->known)
		return 0;
	size_t begin = pms_record_begin(into, PMS_PERFDATA_TIME_CONV, 0);
	pms_put(into, conv->shift, 8);
	pms_put(into, conv->mult, 8);
	pms_put(into, conv->zero, 8);
	pms_put(into, conv->cycles, 8);
	pms_put(into, conv->mask, 8);
	pms_put(into, 1, 1); /* has a zero */
	pms_put(into, conv->short_counter != 0, 1);
	pms_put_zeros(into, 6);
	return pms_record_end(into, begin);
}

/* Write as many records as the rows need: readers join them. */
static int id_index_record(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	enum { ROWS = 2000 };
	int rc = 0;
	for (size_t at = 0; !rc && at < info->n_id_index;) {
		size_t count = info->n_id_index - at < ROWS ? info->n_id_index - at : ROWS;
		size_t begin = pms_record_begin(into, PMS_PERFDATA_ID_INDEX, 0);
		pms_put(into, count, 8);
		for (; count; count--, at++) {
			pms_put(into, info->id_index[at].id, 8);
			pms_put(into, info->id_index[at].idx, 8);
			pms_put(into, (uint64_t)info->id_index[at].cpu, 8);
			pms_put(into, (uint64_t)info->id_index[at].tid, 8);
		}
		rc = pms_record_end(into, begin);
	}
	return rc;
}

static int auxtrace_info_record(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	if (!info->auxtrace_type)
		return 0;
	size_t begin = pms_record_begin(into, PMS_PERFDATA_AUXTRACE_INFO, 0);
	pms_put(into, info->auxtrace_type, 8); /* and padding */
	for (size_t i = 0; i < info->n_auxtrace_private; i++)
		pms_put(into, info->auxtrace_private[i], 8);
	return pms_record_end(into, begin);
}

static int thread_map_record(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	enum { NAME = 16 };
	if (!info->n_threads)
		return 0;
	size_t begin = pms_record_begin(into, PMS_PERFDATA_THREAD_MAP, 0);
	pms_put(into, info->n_threads, 8);
	for (size_t i = 0; i < info->n_threads; i++) {
		pms_put(into, (uint64_t)info->threads[i].tid, 8);
		pms_put_bytes(into, info->threads[i].name, NAME);
	}
	return pms_record_end(into, begin);
}

static int cpu_map_record(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	if (!info->n_cpus)
		return 0;
	size_t begin = pms_record_begin(into, PMS_PERFDATA_CPU_MAP, 0);
	pms_put(into, 0, 2); /* form: a list */
	pms_put(into, info->n_cpus, 2);
	for (size_t i = 0; i < info->n_cpus; i++) {
		if (info->cpus[i] > UINT16_MAX)
			return -PMS_EINVAL;
		pms_put(into, info->cpus[i], 2);
	}
	pms_put_zeros(into, (8 - (into->size - begin) % 8) % 8);
	return pms_record_end(into, begin);
}

int pms_description_encode(const struct pms_perfdata_info *info, struct pms_bytes *into)
{
	static int (*const records[])(const struct pms_perfdata_info *info,
				      struct pms_bytes *into) = {
		attr_records,	 feature_records,   name_records,   time_conv_record,
		id_index_record, thread_map_record, cpu_map_record, auxtrace_info_record,
	};
	int rc = 0;
	for (size_t i = 0; !rc && i < sizeof(records) / sizeof(records[0]); i++)
		rc = records[i](info, into);
	if (!rc && info->pipe)
		build_ids_section(info, into); /* the section's bytes are records */
	return rc ? rc : into->bad ? -PMS_ENOMEM : 0;
}
