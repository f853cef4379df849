/* SPDX-License-Identifier: MIT */
/* The columns of SPE reports that people see, by what rows are of and by the width. */
#include "show/spe_report.h"

#include <string.h>

/* Two columns under the words "load cycles": the wait of the loads that waited. */
#define LOAD_CYCLES                                                                                \
	{ "wait_p50", "load\np50", 0 },                                                            \
	{                                                                                          \
		"wait_p90", "cycles\np90", 0                                                       \
	}

#define WAITING(heading)                                                                           \
	{                                                                                          \
		heading,                                                                           \
			{ { "wait_share", "Wait %", 0 },                                           \
			  { "records", "Records", 0 },                                             \
			  LOAD_CYCLES,                                                             \
			  { "l1d_miss_ratio", "L1D miss %", 1 } },                                 \
			1                                                                          \
	}

#define RUNNING(heading)                                                                           \
	{                                                                                          \
		heading,                                                                           \
			{ { "records", "Records", 0 },                                             \
			  { "share", "Share %", 0 },                                               \
			  { "wait_share", "Wait %", 0 },                                           \
			  LOAD_CYCLES,                                                             \
			  { "l1d_miss_ratio", "L1D\nmiss %", 0 },                                  \
			  { "mispredict_ratio", "Mispred. %", 0 } },                               \
			0                                                                          \
	}

static const struct pms_spe_view views[PMS_SPE_BYS] = {
	[PMS_SPE_BY_LINE] = WAITING("Lines of code"),
	[PMS_SPE_BY_SYMBOL] = WAITING("Functions"),
	[PMS_SPE_BY_PC] = WAITING("Instructions"),
	[PMS_SPE_BY_OBJECT] = WAITING("Programs and libraries"),
	[PMS_SPE_BY_SOURCE] = { "Where loads had their data from",
				{ { "records", "Records", 0 },
				  { "share", "Share %", 0 },
				  { "wait_share", "Wait %", 0 },
				  { "wait_mean", "load\nmean", 0 },
				  { "wait_p50", "cycles\np50", 0 },
				  { "wait_p90", "p90", 0 },
				  { "wait_p99", "p99", 0 },
				  { "wait_max", "max", 0 } },
				0 },
	[PMS_SPE_BY_CACHELINE] = { "Cache lines, first those that threads write while others use "
				   "them",
				   { { NULL, NULL, 0 } },
				   0 },
	[PMS_SPE_BY_PAGE] = { "Pages of 4 KiB",
			      { { "wait_share", "Wait %", 0 },
				{ "loads", "Loads", 0 },
				{ "stores", "Stores", 0 },
				{ "tlb_walk", "Walks", 0 },
				LOAD_CYCLES,
				{ "xlat_mean", "transl.\nmean", 0 } },
			      0 },
	[PMS_SPE_BY_VARIABLE] = WAITING("Variables"),
	[PMS_SPE_BY_BRANCH] = { "Branches",
				{ { "mispredicted", "Mispred.", 0 },
				  { "mispredict_ratio", "Mispred. %", 0 },
				  { "records", "Records", 0 },
				  { "not_taken_ratio", "Not taken %", 0 },
				  { "total_p50", "cycles\np50", 0 } },
				0 },
	[PMS_SPE_BY_OP] = { "Kinds of operations",
			    { { "records", "Records", 0 },
			      { "share", "Share %", 0 },
			      { "total_mean", "total\nmean", 0 },
			      { "total_p50", "cycles\np50", 0 },
			      { "total_p90", "p90", 0 },
			      { "total_p99", "p99", 0 },
			      { "total_max", "max", 0 } },
			    0 },
	[PMS_SPE_BY_THREAD] = RUNNING("Threads"),
	[PMS_SPE_BY_CPU] = RUNNING("CPUs"),
};

/* For reports by two keys. */
static const struct pms_spe_view pair_view = WAITING("");

const struct pms_spe_view *pms_spe_view(const struct pms_spe_report *report)
{
	enum pms_spe_by also;
	return pms_spe_report_also(report, &also) ? &pair_view : &views[pms_spe_report_by(report)];
}

uint32_t pms_show_spe_report_unused(enum pms_format format,
				    const struct pms_spe_report_options *options)
{
	const struct pms_spe_view *view = options->has_also ? &pair_view : &views[options->by];
	uint32_t all = PMS_SPE_HAS_TOTAL | PMS_SPE_HAS_ISSUE | PMS_SPE_HAS_TRANSLATION;
	if (format != PMS_FORMAT_TABLE)
		return 0;
	for (size_t i = 0; i < PMS_SPE_VIEW_MOST && view->columns[i].measure; i++)
		all &= ~pms_spe_measure_latency(
			(size_t)pms_spe_measure_find(view->columns[i].measure));
	return all;
}

const char *pms_spe_view_subject(enum pms_spe_by by)
{
	static const char *const titles[PMS_SPE_BYS] = {
		[PMS_SPE_BY_LINE] = "Line",	    [PMS_SPE_BY_SYMBOL] = "Function",
		[PMS_SPE_BY_PC] = "Instruction",    [PMS_SPE_BY_OBJECT] = "Object",
		[PMS_SPE_BY_SOURCE] = "Source",	    [PMS_SPE_BY_CACHELINE] = "Line",
		[PMS_SPE_BY_VARIABLE] = "Variable", [PMS_SPE_BY_PAGE] = "Page",
		[PMS_SPE_BY_BRANCH] = "Branch",	    [PMS_SPE_BY_OP] = "Operation",
		[PMS_SPE_BY_THREAD] = "Thread",	    [PMS_SPE_BY_CPU] = "CPU",
	};
	return titles[by];
}
