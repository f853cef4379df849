/* SPDX-License-Identifier: MIT */
/* What the fields of packets mean, by the tables of D18.2.1 to D18.2.7. */
#include "spe/packet.h"

#include <assert.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const char *pms_spe_type_name(enum pms_spe_type type)
{
	static const char *const names[] = {
		[PMS_SPE_RESERVED] = "reserved_header",
		[PMS_SPE_ADDRESS] = "address",
		[PMS_SPE_CONTEXT] = "context",
		[PMS_SPE_COUNTER] = "counter",
		[PMS_SPE_DATA_SOURCE] = "data_source",
		[PMS_SPE_END] = "end",
		[PMS_SPE_EVENTS] = "events",
		[PMS_SPE_OPERATION] = "operation_type",
		[PMS_SPE_PADDING] = "padding",
		[PMS_SPE_TIMESTAMP] = "timestamp",
		[PMS_SPE_EXTENDED] = "extended_header",
		[PMS_SPE_TRUNCATED] = "truncated",
	};
	_Static_assert(COUNT(names) == PMS_SPE_TYPES, "a name is missing");
	return (unsigned)type < PMS_SPE_TYPES ? names[type] : "?";
}

static const char *index_name(const char *const *names, size_t n, unsigned index)
{
	if (index < n && names[index])
		return names[index];
	return pms_spe_index_is_implementation_defined(index) ? "implementation_defined"
							      : "reserved";
}

const char *pms_spe_address_name(unsigned index)
{
	static const char *const names[] = {
		[PMS_SPE_INSTRUCTION_VA] = "instruction_va",
		[PMS_SPE_BRANCH_TARGET] = "branch_target",
		[PMS_SPE_DATA_VA] = "data_va",
		[PMS_SPE_DATA_PA] = "data_pa",
		[PMS_SPE_PREVIOUS_TARGET] = "previous_branch_target",
	};
	return index_name(names, COUNT(names), index);
}

const char *pms_spe_counter_name(unsigned index)
{
	static const char *const names[] = {
		[PMS_SPE_TOTAL_LATENCY] = "total_latency",
		[PMS_SPE_ISSUE_LATENCY] = "issue_latency",
		[PMS_SPE_TRANSLATION_LATENCY] = "translation_latency",
		[PMS_SPE_ALTERNATE_ISSUE_LATENCY] = "alternate_clock_issue_latency",
	};
	return index_name(names, COUNT(names), index);
}

const char *pms_spe_context_name(unsigned index)
{
	static const char *const names[] = { "contextidr_el1", "contextidr_el2" };
	return index < COUNT(names) ? names[index] : "reserved";
}

const char *pms_spe_security_name(enum pms_spe_security security)
{
	static const char *const names[] = { [PMS_SPE_SECURE] = "secure",
					     [PMS_SPE_NON_SECURE] = "non_secure",
					     [PMS_SPE_SEC_RESERVED] = "reserved",
					     [PMS_SPE_REALM] = "realm" };
	return names[security & 3];
}

/* D18.2.6. Bits 26 to 31 read as zero with FEAT_SPEv1p4 and are implementation defined before, so
 * that one which is set is of an implementation's own. */
#define EVENT_IMPDEF(n)                                                                            \
	{                                                                                          \
		"implementation_defined_" #n, PMS_SPE_IMPDEF                                       \
	}
#define EVENT_RESERVED(n)                                                                          \
	{                                                                                          \
		"reserved_" #n, PMS_SPE_NEVER                                                      \
	}
static const struct event {
	const char *name;
	enum pms_spe_feature feature;
} events[64] = {
	{ "generated_exception", PMS_SPE_BASE },
	{ "architecturally_retired", PMS_SPE_BASE },
	{ "level_1_data_cache_access", PMS_SPE_BASE },
	{ "level_1_data_cache_refill_or_miss", PMS_SPE_BASE },
	{ "tlb_access", PMS_SPE_BASE },
	{ "tlb_walk", PMS_SPE_BASE },
	{ "not_taken", PMS_SPE_BASE },
	{ "mispredicted", PMS_SPE_BASE },
	{ "last_level_cache_access", PMS_SPE_BASE },
	{ "last_level_cache_miss", PMS_SPE_BASE },
	{ "remote_access", PMS_SPE_BASE },
	{ "misalignment", PMS_SPE_V1P1 },
	EVENT_IMPDEF(12),
	EVENT_IMPDEF(13),
	EVENT_IMPDEF(14),
	EVENT_IMPDEF(15),
	{ "transactional", PMS_SPE_TME },
	{ "partial_or_empty_predicate", PMS_SPE_V1P1 },
	{ "empty_predicate", PMS_SPE_V1P1 },
	{ "level_2_data_cache_access", PMS_SPE_V1P4 },
	{ "level_2_data_cache_miss", PMS_SPE_V1P4 },
	{ "cache_data_modified", PMS_SPE_V1P4 },
	{ "recently_fetched", PMS_SPE_V1P4 },
	{ "data_snooped", PMS_SPE_V1P4 },
	{ "streaming_sve_mode", PMS_SPE_SME },
	{ "smcu_or_external_coprocessor_operation", PMS_SPE_SME },
	EVENT_IMPDEF(26),
	EVENT_IMPDEF(27),
	EVENT_IMPDEF(28),
	EVENT_IMPDEF(29),
	EVENT_IMPDEF(30),
	EVENT_IMPDEF(31),
	EVENT_RESERVED(32),
	EVENT_RESERVED(33),
	EVENT_RESERVED(34),
	EVENT_RESERVED(35),
	EVENT_RESERVED(36),
	EVENT_RESERVED(37),
	EVENT_RESERVED(38),
	EVENT_RESERVED(39),
	EVENT_RESERVED(40),
	EVENT_RESERVED(41),
	EVENT_RESERVED(42),
	EVENT_RESERVED(43),
	EVENT_RESERVED(44),
	EVENT_RESERVED(45),
	EVENT_RESERVED(46),
	EVENT_RESERVED(47),
	EVENT_IMPDEF(48),
	EVENT_IMPDEF(49),
	EVENT_IMPDEF(50),
	EVENT_IMPDEF(51),
	EVENT_IMPDEF(52),
	EVENT_IMPDEF(53),
	EVENT_IMPDEF(54),
	EVENT_IMPDEF(55),
	EVENT_IMPDEF(56),
	EVENT_IMPDEF(57),
	EVENT_IMPDEF(58),
	EVENT_IMPDEF(59),
	EVENT_IMPDEF(60),
	EVENT_IMPDEF(61),
	EVENT_IMPDEF(62),
	EVENT_IMPDEF(63),
};

const char *pms_spe_event_name(unsigned bit)
{
	return events[bit & 63].name;
}

enum pms_spe_feature pms_spe_event_feature(unsigned bit)
{
	return events[bit & 63].feature;
}

const char *pms_spe_feature_name(enum pms_spe_feature feature)
{
	static const char *const names[] = {
		[PMS_SPE_BASE] = "FEAT_SPE",
		[PMS_SPE_V1P1] = "FEAT_SPEv1p1",
		[PMS_SPE_V1P4] = "FEAT_SPEv1p4",
		[PMS_SPE_SME] = "FEAT_SPE_SME",
		[PMS_SPE_TME] = "FEAT_TME",
		[PMS_SPE_IMPDEF] = "",
		[PMS_SPE_NEVER] = "",
	};
	return (unsigned)feature < COUNT(names) ? names[feature] : "";
}

/* D18.2.7. */
static const struct pms_spe_operation operations[PMS_SPE_KINDS] = {
	[PMS_SPE_OP_RESERVED] = { PMS_SPE_OP_RESERVED, "reserved", 0, { { NULL, 0 } } },
	[PMS_SPE_OP_OTHER] = { PMS_SPE_OP_OTHER,
			       "other",
			       3,
			       { { "ase", 0x04 }, { "fp", 0x02 }, { "cond", 0x01 } } },
	[PMS_SPE_OP_SVE] = { PMS_SPE_OP_SVE,
			     "data_processing_sve_vector",
			     3,
			     { { "evl", 0x70 }, { "pred", 0x04 }, { "fp", 0x02 } } },
	[PMS_SPE_OP_SME] = { PMS_SPE_OP_SME,
			     "data_processing_sme_array",
			     2,
			     { { "ets", 0x74 }, { "fp", 0x02 } } },
#define LDST                                                                                       \
	{                                                                                          \
		{                                                                                  \
			"ldst", 0x01                                                               \
		}                                                                                  \
	}
	[PMS_SPE_OP_LDST_GENERAL] = { PMS_SPE_OP_LDST_GENERAL, "general_purpose_load_store", 1,
				      LDST },
	[PMS_SPE_OP_LDST_SIMD_FP] = { PMS_SPE_OP_LDST_SIMD_FP, "simd_fp_load_store", 1, LDST },
	[PMS_SPE_OP_LDST_UNSPECIFIED] = { PMS_SPE_OP_LDST_UNSPECIFIED, "unspecified_load_store", 1,
					  LDST },
	[PMS_SPE_OP_LDST_TAG] = { PMS_SPE_OP_LDST_TAG, "allocation_tag_load_store", 1, LDST },
	[PMS_SPE_OP_LDST_SYSTEM] = { PMS_SPE_OP_LDST_SYSTEM, "system_register_load_store", 1,
				     LDST },
	[PMS_SPE_OP_LDST_EXTENDED] = { PMS_SPE_OP_LDST_EXTENDED,
				       "load_store_extended",
				       4,
				       { { "ar", 0x10 },
					 { "excl", 0x08 },
					 { "at", 0x04 },
					 { "ldst", 0x01 } } },
	[PMS_SPE_OP_LDST_SVE] = { PMS_SPE_OP_LDST_SVE,
				  "load_store_sve_or_sme",
				  4,
				  { { "sg", 0x80 },
				    { "evl", 0x70 },
				    { "pred", 0x04 },
				    { "ldst", 0x01 } } },
	[PMS_SPE_OP_LDST_COPY] = { PMS_SPE_OP_LDST_COPY, "load_store_memory_copy", 1, LDST },
	[PMS_SPE_OP_LDST_SET] = { PMS_SPE_OP_LDST_SET, "load_store_memory_set", 1, LDST },
	[PMS_SPE_OP_LDST_GCS] = { PMS_SPE_OP_LDST_GCS,
				  "load_store_gcs",
				  2,
				  { { "comm", 0x04 }, { "ldst", 0x01 } } },
#undef LDST
	[PMS_SPE_OP_BRANCH] = { PMS_SPE_OP_BRANCH,
				"branch",
				4,
				{ { "cr", 0x18 },
				  { "gcs", 0x04 },
				  { "ind", 0x02 },
				  { "cond", 0x01 } } },
};

/* The SUBCLASS patterns of D18.2.7 as maps of the payload: sixteen letters for each value of
 * bits [7:4]. */
/* clang-format off */
const char pms_spe_operation_map[4][257] = {
	"oooooooov.v.v.v." "........v.v.v.v." "........v.v.v.v." "........v.v.v.v."
	"........v.v.v.v." "........v.v.v.v." "........v.v.v.v." "........v.v.v.v."
	"........m.m.m.m." "........m.m.m.m." "........m.m.m.m." "........m.m.m.m."
	"........m.m.m.m." "........m.m.m.m." "........m.m.m.m." "........m.m.m.m.",
	"ggxxffxxssxxssxx" "uuxxttxxssxxssxx" "cc...e..ss..ss.." "rr......ss..ss.."
	"kk..kk..ss..ss.." "........ss..ss.." "........ss..ss.." "........ss..ss.."
	"........ss..ss.." "........ss..ss.." "........ss..ss.." "........ss..ss.."
	"........ss..ss.." "........ss..ss.." "........ss..ss.." "........ss..ss..",
	"bbbbbbbbbbbbbbbb" "bbbbbbbbbbbbbbbb" "................" "................"
	"................" "................" "................" "................"
	"................" "................" "................" "................"
	"................" "................" "................" "................",
	"................" "................" "................" "................"
	"................" "................" "................" "................"
	"................" "................" "................" "................"
	"................" "................" "................" "................",
};
/* clang-format on */

const struct pms_spe_operation *pms_spe_operation(unsigned class_, uint8_t payload)
{
	static const uint8_t kinds[128] = {
		['o'] = PMS_SPE_OP_OTHER,	  ['v'] = PMS_SPE_OP_SVE,
		['m'] = PMS_SPE_OP_SME,		  ['g'] = PMS_SPE_OP_LDST_GENERAL,
		['f'] = PMS_SPE_OP_LDST_SIMD_FP,  ['u'] = PMS_SPE_OP_LDST_UNSPECIFIED,
		['t'] = PMS_SPE_OP_LDST_TAG,	  ['r'] = PMS_SPE_OP_LDST_SYSTEM,
		['x'] = PMS_SPE_OP_LDST_EXTENDED, ['s'] = PMS_SPE_OP_LDST_SVE,
		['c'] = PMS_SPE_OP_LDST_COPY,	  ['e'] = PMS_SPE_OP_LDST_SET,
		['k'] = PMS_SPE_OP_LDST_GCS,	  ['b'] = PMS_SPE_OP_BRANCH,
	};
	char letter = pms_spe_operation_map[class_ & 3][payload];
	return &operations[kinds[letter & 127]];
}

unsigned pms_spe_field_value(const struct pms_spe_field *field, uint8_t payload)
{
	unsigned value = 0;
	for (int bit = 7; bit >= 0; bit--)
		if (field->mask >> bit & 1)
			value = value << 1 | (payload >> bit & 1);
	return value;
}

unsigned pms_spe_evl_bits(unsigned evl)
{
	return evl < 7 ? 32U << evl : 0;
}

int pms_spe_ets_bits(unsigned ets)
{
	if (ets == 15)
		return PMS_SPE_ETS_WHOLE_ZA;
	return ets < 12 ? 128 << ets : PMS_SPE_ETS_RESERVED;
}
