/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "pmuscope/spe.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void indexes_have_names(void **state)
{
	(void)state;
	static const char *const addresses[] = {
		"instruction_va", "branch_target",	    "data_va",
		"data_pa",	  "previous_branch_target", "reserved"
	};
	static const char *const counters[] = { "total_latency",
						"issue_latency",
						"translation_latency",
						"reserved",
						"alternate_clock_issue_latency",
						"reserved" };
	for (unsigned i = 0; i < 32; i++) {
		const char *rest =
			i == 6 || i == 7 || i >= 16 ? "implementation_defined" : "reserved";
		assert_string_equal(pms_spe_address_name(i), i < 6 ? addresses[i] : rest);
		assert_string_equal(pms_spe_counter_name(i), i < 6 ? counters[i] : rest);
	}
	assert_string_equal(pms_spe_context_name(0), "contextidr_el1");
	assert_string_equal(pms_spe_context_name(1), "contextidr_el2");
	assert_string_equal(pms_spe_context_name(2), "reserved");
	assert_string_equal(pms_spe_context_name(3), "reserved");
}

/* Byte 7 of the figures D18-4 to D18-6: each field set alone, and all others set without it. */
static void address_fields_are_bits_of_byte_7(void **state)
{
	(void)state;
	static const struct {
		unsigned byte7, ns, el, nse, ch, pat;
	} cases[] = {
		{ 0x00, 0, 0, 0, 0, 0 },  { 0x80, 1, 0, 0, 0, 0 },  { 0x7f, 0, 3, 1, 1, 15 },
		{ 0x60, 0, 3, 0, 1, 0 },  { 0x20, 0, 1, 0, 0, 0 },  { 0x40, 0, 2, 0, 1, 0 },
		{ 0x9f, 1, 0, 1, 0, 15 }, { 0x10, 0, 0, 1, 0, 0 },  { 0xef, 1, 3, 0, 1, 15 },
		{ 0xbf, 1, 1, 1, 0, 15 }, { 0x0f, 0, 0, 0, 0, 15 }, { 0xf0, 1, 3, 1, 1, 0 },
		{ 0x01, 0, 0, 0, 0, 1 },  { 0x08, 0, 0, 0, 0, 8 },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t payload = (uint64_t)cases[i].byte7 << 56 | UINT64_C(0x00fedcba98765432);
		assert_int_equal(pms_spe_addr(payload), UINT64_C(0x00fedcba98765432));
		assert_int_equal(pms_spe_ns(payload), cases[i].ns);
		assert_int_equal(pms_spe_el(payload), cases[i].el);
		assert_int_equal(pms_spe_nse(payload), cases[i].nse);
		assert_int_equal(pms_spe_checked(payload), cases[i].ch);
		assert_int_equal(pms_spe_pat(payload), cases[i].pat);
		assert_int_equal(pms_spe_tag(payload), cases[i].byte7);
	}
}

static void security_is_nse_and_ns(void **state)
{
	(void)state;
	static const struct {
		uint64_t payload;
		const char *name;
	} cases[] = { { 0, "secure" },
		      { UINT64_C(1) << 63, "non_secure" },
		      { UINT64_C(1) << 60, "reserved" },
		      { UINT64_C(9) << 60, "realm" },
		      { UINT64_C(0x6fffffffffffffff), "secure" } };
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(pms_spe_security_name(pms_spe_security(cases[i].payload)),
				    cases[i].name);
}

static void addresses_of_the_upper_half_are_extended(void **state)
{
	(void)state;
	assert_int_equal(pms_spe_canonical(0xa0ff800012345678), UINT64_C(0xffff800012345678));
	assert_int_equal(pms_spe_canonical(0xff0000aaaabbbbcc), UINT64_C(0x0000aaaabbbbcc));
	assert_int_equal(pms_spe_canonical(0x007fffffffffffff), UINT64_C(0x007fffffffffffff));
	assert_int_equal(pms_spe_canonical(0x0080000000000000), UINT64_C(0xff80000000000000));
}

/* D18.2.6: the headings of E[0] to E[25]. */
static void events_have_the_documents_titles(void **state)
{
	(void)state;
	static const struct {
		const char *name, *feature;
	} want[26] = {
		{ "generated_exception", "FEAT_SPE" },
		{ "architecturally_retired", "FEAT_SPE" },
		{ "level_1_data_cache_access", "FEAT_SPE" },
		{ "level_1_data_cache_refill_or_miss", "FEAT_SPE" },
		{ "tlb_access", "FEAT_SPE" },
		{ "tlb_walk", "FEAT_SPE" },
		{ "not_taken", "FEAT_SPE" },
		{ "mispredicted", "FEAT_SPE" },
		{ "last_level_cache_access", "FEAT_SPE" },
		{ "last_level_cache_miss", "FEAT_SPE" },
		{ "remote_access", "FEAT_SPE" },
		{ "misalignment", "FEAT_SPEv1p1" },
		{ "implementation_defined_12", "" },
		{ "implementation_defined_13", "" },
		{ "implementation_defined_14", "" },
		{ "implementation_defined_15", "" },
		{ "transactional", "FEAT_TME" },
		{ "partial_or_empty_predicate", "FEAT_SPEv1p1" },
		{ "empty_predicate", "FEAT_SPEv1p1" },
		{ "level_2_data_cache_access", "FEAT_SPEv1p4" },
		{ "level_2_data_cache_miss", "FEAT_SPEv1p4" },
		{ "cache_data_modified", "FEAT_SPEv1p4" },
		{ "recently_fetched", "FEAT_SPEv1p4" },
		{ "data_snooped", "FEAT_SPEv1p4" },
		{ "streaming_sve_mode", "FEAT_SPE_SME" },
		{ "smcu_or_external_coprocessor_operation", "FEAT_SPE_SME" },
	};
	for (unsigned bit = 0; bit < 64; bit++) {
		char name[40];
		snprintf(name, sizeof(name), "%s_%u",
			 bit >= 32 && bit < 48 ? "reserved" : "implementation_defined", bit);
		assert_string_equal(pms_spe_event_name(bit), bit < 26 ? want[bit].name : name);
		assert_string_equal(pms_spe_feature_name(pms_spe_event_feature(bit)),
				    bit < 26 ? want[bit].feature : "");
	}
}

/* The SUBCLASS patterns of D18.2.7 as they are printed. */
static const struct {
	unsigned class_;
	const char *pattern, *name;
} patterns[] = {
	{ 0, "00000xxx", "other" },
	{ 0, "0xxx1xx0", "data_processing_sve_vector" },
	{ 0, "1xxx1xx0", "data_processing_sme_array" },
	{ 1, "0000000x", "general_purpose_load_store" },
	{ 1, "0000010x", "simd_fp_load_store" },
	{ 1, "0001000x", "unspecified_load_store" },
	{ 1, "0001010x", "allocation_tag_load_store" },
	{ 1, "0011000x", "system_register_load_store" },
	{ 1, "000xxx1x", "load_store_extended" },
	{ 1, "xxxx1x0x", "load_store_sve_or_sme" },
	{ 1, "0010000x", "load_store_memory_copy" },
	{ 1, "00100101", "load_store_memory_set" },
	{ 1, "01000x0x", "load_store_gcs" },
	{ 2, "000xxxxx", "branch" },
};

static int matches(const char *pattern, unsigned payload)
{
	for (int bit = 7; bit >= 0; bit--, pattern++)
		if (*pattern != 'x' && (unsigned)(*pattern - '0') != (payload >> bit & 1))
			return 0;
	return 1;
}

static void operations_follow_the_printed_patterns(void **state)
{
	(void)state;
	for (unsigned class_ = 0; class_ < 4; class_++)
		for (unsigned payload = 0; payload < 256; payload++) {
			const char *want = "reserved";
			int n = 0;
			for (size_t i = 0; i < COUNT(patterns); i++)
				if (patterns[i].class_ == class_ &&
				    matches(patterns[i].pattern, payload)) {
					want = patterns[i].name;
					n++;
				}
			assert_true(n <= 1);
			assert_string_equal(pms_spe_operation(class_, (uint8_t)payload)->name,
					    want);
		}
}

/* Fields by hand: each set alone, and all but it. */
static const struct {
	unsigned class_, payload;
	const char *fields;
} fields[] = {
	{ 0, 0x00, "ase=0 fp=0 cond=0" },
	{ 0, 0x04, "ase=1 fp=0 cond=0" },
	{ 0, 0x02, "ase=0 fp=1 cond=0" },
	{ 0, 0x01, "ase=0 fp=0 cond=1" },
	{ 0, 0x03, "ase=0 fp=1 cond=1" },
	{ 0, 0x06, "ase=1 fp=1 cond=0" },
	{ 0, 0x05, "ase=1 fp=0 cond=1" },
	{ 0, 0x08, "evl=0 pred=0 fp=0" },
	{ 0, 0x78, "evl=7 pred=0 fp=0" },
	{ 0, 0x18, "evl=1 pred=0 fp=0" },
	{ 0, 0x48, "evl=4 pred=0 fp=0" },
	{ 0, 0x0c, "evl=0 pred=1 fp=0" },
	{ 0, 0x0a, "evl=0 pred=0 fp=1" },
	{ 0, 0x7a, "evl=7 pred=0 fp=1" },
	{ 0, 0x7c, "evl=7 pred=1 fp=0" },
	{ 0, 0x88, "ets=0 fp=0" },
	{ 0, 0x8c, "ets=1 fp=0" },
	{ 0, 0x98, "ets=2 fp=0" },
	{ 0, 0xf8, "ets=14 fp=0" },
	{ 0, 0xfe, "ets=15 fp=1" },
	{ 0, 0x8a, "ets=0 fp=1" },
	{ 1, 0x00, "ldst=0" },
	{ 1, 0x01, "ldst=1" },
	{ 1, 0x04, "ldst=0" },
	{ 1, 0x05, "ldst=1" },
	{ 1, 0x10, "ldst=0" },
	{ 1, 0x11, "ldst=1" },
	{ 1, 0x14, "ldst=0" },
	{ 1, 0x15, "ldst=1" },
	{ 1, 0x30, "ldst=0" },
	{ 1, 0x31, "ldst=1" },
	{ 1, 0x20, "ldst=0" },
	{ 1, 0x21, "ldst=1" },
	{ 1, 0x25, "ldst=1" },
	{ 1, 0x24, "" },
	{ 1, 0x02, "ar=0 excl=0 at=0 ldst=0" },
	{ 1, 0x03, "ar=0 excl=0 at=0 ldst=1" },
	{ 1, 0x12, "ar=1 excl=0 at=0 ldst=0" },
	{ 1, 0x0a, "ar=0 excl=1 at=0 ldst=0" },
	{ 1, 0x06, "ar=0 excl=0 at=1 ldst=0" },
	{ 1, 0x0f, "ar=0 excl=1 at=1 ldst=1" },
	{ 1, 0x17, "ar=1 excl=0 at=1 ldst=1" },
	{ 1, 0x1b, "ar=1 excl=1 at=0 ldst=1" },
	{ 1, 0x1e, "ar=1 excl=1 at=1 ldst=0" },
	{ 1, 0x08, "sg=0 evl=0 pred=0 ldst=0" },
	{ 1, 0x88, "sg=1 evl=0 pred=0 ldst=0" },
	{ 1, 0x7d, "sg=0 evl=7 pred=1 ldst=1" },
	{ 1, 0x78, "sg=0 evl=7 pred=0 ldst=0" },
	{ 1, 0x8d, "sg=1 evl=0 pred=1 ldst=1" },
	{ 1, 0x0c, "sg=0 evl=0 pred=1 ldst=0" },
	{ 1, 0x09, "sg=0 evl=0 pred=0 ldst=1" },
	{ 1, 0x28, "sg=0 evl=2 pred=0 ldst=0" },
	{ 1, 0xf9, "sg=1 evl=7 pred=0 ldst=1" },
	{ 1, 0xfc, "sg=1 evl=7 pred=1 ldst=0" },
	{ 1, 0x40, "comm=0 ldst=0" },
	{ 1, 0x41, "comm=0 ldst=1" },
	{ 1, 0x44, "comm=1 ldst=0" },
	{ 1, 0x45, "comm=1 ldst=1" },
	{ 2, 0x00, "cr=0 gcs=0 ind=0 cond=0" },
	{ 2, 0x08, "cr=1 gcs=0 ind=0 cond=0" },
	{ 2, 0x10, "cr=2 gcs=0 ind=0 cond=0" },
	{ 2, 0x18, "cr=3 gcs=0 ind=0 cond=0" },
	{ 2, 0x04, "cr=0 gcs=1 ind=0 cond=0" },
	{ 2, 0x02, "cr=0 gcs=0 ind=1 cond=0" },
	{ 2, 0x01, "cr=0 gcs=0 ind=0 cond=1" },
	{ 2, 0x07, "cr=0 gcs=1 ind=1 cond=1" },
	{ 2, 0x1b, "cr=3 gcs=0 ind=1 cond=1" },
	{ 2, 0x1d, "cr=3 gcs=1 ind=0 cond=1" },
	{ 2, 0x1e, "cr=3 gcs=1 ind=1 cond=0" },
	{ 2, 0x20, "" },
	{ 3, 0x00, "" },
};

static void fields_are_those_of_the_document(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(fields); i++) {
		uint8_t payload = (uint8_t)fields[i].payload;
		const struct pms_spe_operation *o = pms_spe_operation(fields[i].class_, payload);
		char text[100] = "";
		for (unsigned k = 0; k < o->n_fields; k++)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s=%u",
				 k ? " " : "", o->fields[k].name,
				 pms_spe_field_value(&o->fields[k], payload));
		assert_string_equal(text, fields[i].fields);
	}
}

static void sizes_are_those_of_the_tables(void **state)
{
	(void)state;
	static const unsigned evl[] = { 32, 64, 128, 256, 512, 1024, 2048, 0 };
	static const int ets[] = { 128,	  256,	 512,	 1024,	 2048, 4096, 8192, 16384,
				   32768, 65536, 131072, 262144, -1,   -1,   -1,   0 };
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(pms_spe_evl_bits(i), evl[i]);
	for (unsigned i = 0; i < 16; i++)
		assert_int_equal(pms_spe_ets_bits(i), ets[i]);
}

/* MIDR_EL1: implementer, variant, architecture, part, revision. */
static void cores_name_their_data_sources(void **state)
{
	(void)state;
	static const struct {
		unsigned value;
		const char *name;
	} want[] = { { 0, "l1_data_cache" },  { 8, "l2_cache" },      { 9, "peer_core" },
		     { 10, "local_cluster" }, { 11, "system_cache" }, { 12, "peer_cluster" },
		     { 13, "remote_chip" },   { 14, "dram" } };
	enum pms_spe_encoding n1 = pms_spe_encoding_of_midr(0x413fd0c1);
	assert_int_equal(n1, pms_spe_encoding_of_core("neoverse-n1"));
	assert_int_equal(pms_spe_encoding_of_midr(0x411fd402),
			 pms_spe_encoding_of_core("neoverse-v1"));
	assert_int_equal(pms_spe_encoding_of_midr(0x410fd840),
			 pms_spe_encoding_of_core("neoverse-v3"));
	for (size_t i = 0; i < COUNT(want); i++)
		assert_string_equal(pms_spe_source_name(n1, want[i].value), want[i].name);
	assert_null(pms_spe_source_name(n1, 1));
	assert_null(pms_spe_source_name(n1, 15));
	assert_null(pms_spe_source_name(n1, 0x108));
	assert_null(pms_spe_source_name(PMS_SPE_ENCODING_UNKNOWN, 8));
	assert_int_equal(pms_spe_encoding_of_midr(0x483fd0c1), PMS_SPE_ENCODING_UNKNOWN);
	assert_int_equal(pms_spe_encoding_of_midr(0x410fd070), PMS_SPE_ENCODING_UNKNOWN);
	assert_int_equal(pms_spe_encoding_of_core("cortex-a57"), PMS_SPE_ENCODING_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(indexes_have_names),
		cmocka_unit_test(address_fields_are_bits_of_byte_7),
		cmocka_unit_test(security_is_nse_and_ns),
		cmocka_unit_test(addresses_of_the_upper_half_are_extended),
		cmocka_unit_test(events_have_the_documents_titles),
		cmocka_unit_test(operations_follow_the_printed_patterns),
		cmocka_unit_test(fields_are_those_of_the_document),
		cmocka_unit_test(sizes_are_those_of_the_tables),
		cmocka_unit_test(cores_name_their_data_sources),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
