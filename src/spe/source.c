/* SPDX-License-Identifier: MIT */
/* Data sources by core, which D18.2.4 leaves to the implementation.
 * Source: technical reference manuals of Arm's Neoverse cores, chapter "Statistical Profiling
 * Extension", for the values that they share. Linux has the values, too, and lists the cores that
 * use them (tools/perf/util/arm-spe-decoder/arm-spe-decoder.h). */
#include "pmuscope/spe.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
	uint16_t value;
	const char *name;
} neoverse[] = {
	{ 0x0, "l1_data_cache" }, { 0x8, "l2_cache" },	   { 0x9, "peer_core" },
	{ 0xa, "local_cluster" }, { 0xb, "system_cache" }, { 0xc, "peer_cluster" },
	{ 0xd, "remote_chip" },	  { 0xe, "dram" },
};

enum { IMPLEMENTER_ARM = 0x41 };

/* Part numbers as in MIDR_EL1[15:4], all with the implementer Arm. Linux lists all of these but
 * Neoverse V3, which is taken to have kept the values of V1 and V2. */
static const struct {
	const char *name;
	uint16_t part;
	enum pms_spe_encoding encoding;
} cores[] = {
	{ "neoverse-n1", 0xd0c, PMS_SPE_ENCODING_NEOVERSE },
	{ "neoverse-n2", 0xd49, PMS_SPE_ENCODING_NEOVERSE },
	{ "neoverse-v1", 0xd40, PMS_SPE_ENCODING_NEOVERSE },
	{ "neoverse-v2", 0xd4f, PMS_SPE_ENCODING_NEOVERSE },
	{ "neoverse-v3", 0xd84, PMS_SPE_ENCODING_NEOVERSE },
	{ "cortex-x1c", 0xd4c, PMS_SPE_ENCODING_NEOVERSE },
	{ "cortex-x3", 0xd4e, PMS_SPE_ENCODING_NEOVERSE },
	{ "cortex-x925", 0xd85, PMS_SPE_ENCODING_NEOVERSE },
	{ "cortex-a720", 0xd81, PMS_SPE_ENCODING_NEOVERSE },
	{ "cortex-a725", 0xd87, PMS_SPE_ENCODING_NEOVERSE },
};

enum pms_spe_encoding pms_spe_encoding_of_core(const char *core)
{
	for (size_t i = 0; i < COUNT(cores); i++)
		if (!strcmp(core, cores[i].name))
			return cores[i].encoding;
	return PMS_SPE_ENCODING_UNKNOWN;
}

enum pms_spe_encoding pms_spe_encoding_of_midr(uint64_t midr)
{
	if ((midr >> 24 & 0xff) != IMPLEMENTER_ARM)
		return PMS_SPE_ENCODING_UNKNOWN;
	for (size_t i = 0; i < COUNT(cores); i++)
		if ((midr >> 4 & 0xfff) == cores[i].part)
			return cores[i].encoding;
	return PMS_SPE_ENCODING_UNKNOWN;
}

const char *pms_spe_source_name(enum pms_spe_encoding encoding, unsigned source)
{
	if (encoding != PMS_SPE_ENCODING_NEOVERSE)
		return NULL;
	for (size_t i = 0; i < COUNT(neoverse); i++)
		if (neoverse[i].value == source)
			return neoverse[i].name;
	return NULL;
}
