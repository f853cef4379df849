/* SPDX-License-Identifier: MIT */
/* Filters over a batch of ten records that are written out below. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/condition.h"
#include "spe/column.h"
#include "spe/filter.h"

enum { RECORDS = 10 };

struct fixture {
	struct pms_spe_batch records;
	struct pms_spe_samples_batch batch;
};

/* Record 9 has nothing at all. */
static int setup(void **state)
{
	static const struct {
		uint32_t has;
		uint64_t pc, va, events;
		uint16_t total, source;
		uint8_t class_, op;
	} rows[RECORDS - 1] = {
		/* loads: general, SVE gather, exclusive acquire */
		{ 0x0, 0xa000000000401000, 0x1200ffff00000040, 0x16, 10, 0, 1, 0x00 },
		{ 0x0, 0xa000000000401004, 0x0000ffff00000048, 0x1e, 300, 14, 1, 0x98 },
		{ 0x0, 0xa000000000401008, 0x0000ffff00000050, 0x36, 65535, 8, 1, 0x1a },
		/* stores: general, SIMD */
		{ 0x0, 0xa00000000040100c, 0x0000ffff00000040, 0x02, 100, 0, 1, 0x01 },
		{ 0x0, 0x8000000000401010, 0x0000ffff00000040, 0x02, 99, 0, 1, 0x05 },
		/* branches: conditional, indirect */
		{ 0x0, 0xc000000000401014, 0, 0x82, 5, 0, 2, 0x01 },
		{ 0x0, 0xc000000000401018, 0, 0x42, 6, 0, 2, 0x02 },
		/* others: conditional select, SVE */
		{ 0x0, 0xe000000000401020, 0, 0x42, 7, 0, 0, 0x01 },
		{ 0x0, 0xf000000000401024, 0, 0x100000002, 8, 0, 0, 0x0a },
	};
	struct fixture *f = calloc(1, sizeof(*f));
	struct pms_spe_batch *b = &f->records;
	b->count = RECORDS;
	for (size_t i = 0; i < RECORDS - 1; i++) {
		b->has[i] =
			PMS_SPE_HAS_PC | PMS_SPE_HAS_EVENTS | PMS_SPE_HAS_TOTAL | PMS_SPE_HAS_OP;
		if (rows[i].class_ == 1)
			b->has[i] |= PMS_SPE_HAS_VA;
		if (rows[i].class_ == 1 && !(rows[i].op & 1))
			b->has[i] |= PMS_SPE_HAS_SOURCE;
		b->pc[i] = rows[i].pc;
		b->va[i] = rows[i].va;
		b->events[i] = rows[i].events;
		b->total[i] = rows[i].total;
		b->source[i] = rows[i].source;
		b->class_[i] = rows[i].class_;
		b->op[i] = rows[i].op;
		f->batch.knows[i] = PMS_SPE_KNOWS_TID | PMS_SPE_KNOWS_PID | PMS_SPE_KNOWS_NS;
		f->batch.pid[i] = 100;
		f->batch.tid[i] = 100 + (int32_t)i;
		f->batch.ns[i] = 5000000000 + i;
	}
	b->has[3] |= PMS_SPE_HAS_DAMAGE;
	f->batch.records = b;
	f->batch.cpu = 3;
	f->batch.encoding = PMS_SPE_ENCODING_NEOVERSE;
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

/* Which records each of these means: a letter of 0 to 9 each. */
static void test_meaning(void **state)
{
	static const struct {
		const char *filter, *want;
	} rows[] = {
		{ "op==load", "012" },
		{ "op == store", "34" },
		{ "op!=load", "345678" },
		{ "op==branch", "56" },
		{ "op==other", "78" },
		{ "op==reserved", "" },
		{ "op", "012345678" },
		{ "!op", "9" },
		{ "!(op==load)", "3456789" },
		{ "total_lat>=100", "123" },
		{ "total_lat>100", "12" },
		{ "total_lat<=6", "56" },
		{ "total_lat<6", "5" },
		{ "total_lat==65535", "2" },
		{ "total_lat==0xffff", "2" },
		{ "total_lat!=10", "12345678" },
		{ "total_lat==0", "" },
		{ "issue_lat", "" },
		{ "op==load&&total_lat>=100&&data_source==dram", "1" },
		{ "data_source==14", "1" },
		{ "data_source!=l1_data_cache", "12" },
		{ "data_source>=8", "12" },
		{ "data_source", "012" },
		{ "cpu==3", "0123456789" },
		{ "cpu!=3", "" },
		{ "tid==104 || tid>107", "48" },
		{ "pid==100", "012345678" },
		{ "time<5000000002", "01" },
		{ "pc==0x401004", "1" },
		{ "pc<0x401008", "01" },
		{ "el==0", "4" },
		{ "el==1", "0123" },
		{ "el==2", "56" },
		{ "el==3", "78" },
		{ "security_state==non_secure", "01234567" },
		{ "security_state==realm", "8" },
		{ "vaddr==0x00ffff00000040", "034" },
		{ "tag==0x12", "0" },
		{ "tag==0", "1234" },
		{ "br_tgt || pbt || paddr || ts || context", "" },
		{ "event==mispredicted", "5" },
		{ "event==not_taken", "67" },
		{ "event==not_taken && op==branch", "6" },
		{ "event==tlb_walk", "2" },
		{ "event==l1d_miss", "1" },
		{ "event==level_1_data_cache_refill_or_miss", "1" },
		{ "event!=retired", "" },
		{ "event!=tlb_access", "345678" },
		{ "event==32", "8" },
		{ "event==63", "" },
		{ "subclass==load_store_sve_or_sme", "1" },
		{ "subclass==general_purpose_load_store", "03" },
		{ "subclass!=branch && !vaddr", "78" },
		{ "subclass==data_processing_sve_vector", "8" },
		{ "sg==1", "1" },
		{ "evl==1", "1" },
		{ "evl==0", "8" },
		{ "excl==1", "2" },
		{ "ar==1", "2" },
		{ "at==0", "2" },
		{ "ldst==1", "34" },
		{ "cond==1", "57" },
		{ "ind==1", "6" },
		{ "condition==1", "57" },
		{ "indirect==1", "6" },
		{ "atomic==0", "2" },
		{ "events==0x100000002", "8" },
		{ "pat || ch || br_tgt_lvl || pbt_lvl || pbt_security_state", "" },
		{ "damaged==1", "3" },
		{ "damaged", "3" },
		{ "damaged==0", "012456789" },
		{ "!damaged", "012456789" },
		{ "stream==0 && offset==0", "0123456789" },
		{ "data_source_name==dram", "1" },
		{ "wait", "" },
		/* without a file to look in */
		{ "symbol || object || file || line || thread_name==\"x y\"", "" },
		{ "op==load && !(symbol=~'w*')", "012" },
		{ "repeated==1", "" },
		/* && binds closer than ||, ! closest */
		{ "op==store || op==load && total_lat>=100", "1234" },
		{ "(op==store || op==load) && total_lat>=100", "123" },
		{ "!op==load && op==store", "34" },
		{ "!!(op==load)", "012" },
		{ "op==load || op==store || op==branch", "0123456" },
		{ "\top==load\n", "012" },
	};
	const struct fixture *f = *state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pms_spe_filter *filter;
		struct pms_error err = { 0 };
		uint8_t keep[PMS_SPE_BATCH];
		char got[RECORDS + 1] = "";
		if (pms_spe_filter_compile(rows[i].filter, PMS_SPE_ENCODING_NEOVERSE, &filter,
					   &err))
			fail_msg("%s: %s", rows[i].filter, err.text);
		pms_spe_filter_apply(filter, NULL, &f->batch, keep);
		for (size_t r = 0, n = 0; r < RECORDS; r++)
			if (keep[r])
				got[n++] = (char)('0' + r);
		if (strcmp(got, rows[i].want) != 0)
			fail_msg("%s: %s, not %s", rows[i].filter, got, rows[i].want);
		pms_spe_filter_free(filter);
	}
}

/* Columns count from 1. */
static void test_errors(void **state)
{
	static const struct {
		const char *filter;
		unsigned column;
		const char *text, *hint;
	} rows[] = {
		{ "", 1, "ends where a column should follow", "" },
		{ "op==load &&", 12, "ends where a column should follow", "" },
		{ "op==lode", 5, "lode is none of the values of op", "did you mean load?" },
		{ "total_lta>1", 1, "there is no column total_lta", "did you mean total_lat?" },
		{ "op=load", 3, "equal is ==", "" },
		{ "op==load & cpu==1", 10, "expected && or ||", "" },
		{ "(op==load", 1, "this '(' is not closed", "" },
		{ "(op==load cpu==1)", 11, "expected && or || or ')'", "" },
		{ "op==load)", 9, "this ')' closes nothing", "" },
		{ "total_lat>", 11, "expected a value for total_lat", "" },
		{ "total_lat>big", 11, "total_lat is a number", "" },
		{ "total_lat>1x", 11, "1x is no number", "" },
		{ "total_lat>0x", 11, "0x is no number", "" },
		{ "pc>18446744073709551616", 4, "the number does not fit in 64 bits", "" },
		{ "op>load", 3, "of op there is only == and !=", "" },
		{ "event<3", 6, "of event there is only == and !=", "" },
		{ "event==64", 8, "events have the numbers 0 to 63", "" },
		{ "op==1", 5, "op is a word, not a number", "" },
		{ "data_source==dramm", 14, "dramm is none of the values of data_source",
		  "did you mean dram?" },
		{ "!", 2, "ends where a column should follow", "" },
		{ "==3", 1, "expected a column, '!' or '('", "" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pms_spe_filter *filter;
		struct pms_error err = { 0 };
		assert_int_equal(pms_spe_filter_compile(rows[i].filter, PMS_SPE_ENCODING_NEOVERSE,
							&filter, &err),
				 -PMS_EPARSE);
		assert_null(filter);
		assert_string_equal(err.text, rows[i].text);
		assert_string_equal(err.hint, rows[i].hint);
		assert_string_equal(err.source, "--filter");
		if (err.column != rows[i].column)
			fail_msg("%s: column %u, not %u", rows[i].filter, err.column,
				 rows[i].column);
	}
}

static void test_unknown_core(void **state)
{
	struct pms_spe_filter *filter;
	struct pms_error err = { 0 };
	(void)state;
	assert_int_equal(pms_spe_filter_compile("data_source==dram", PMS_SPE_ENCODING_UNKNOWN,
						&filter, &err),
			 -PMS_EPARSE);
	assert_int_equal(err.column, 14);
	assert_non_null(strstr(err.hint, "--mcpu"));
	assert_int_equal(
		pms_spe_filter_compile("data_source==14", PMS_SPE_ENCODING_UNKNOWN, &filter, NULL),
		0);
	pms_spe_filter_free(filter);
}

/* As deep as it goes, and one deeper. */
static void test_nesting(void **state)
{
	const struct fixture *f = *state;
	for (int deep = PMS_CONDITION_NESTING - 1; deep <= PMS_CONDITION_NESTING; deep++) {
		char text[2000] = "";
		struct pms_spe_filter *filter;
		uint8_t keep[PMS_SPE_BATCH];
		for (int i = 0; i < deep; i++)
			strcat(text, "op==store || op==load && (");
		strcat(text, "total_lat==10");
		for (int i = 0; i < deep; i++)
			strcat(text, ")");
		int rc = pms_spe_filter_compile(text, PMS_SPE_ENCODING_UNKNOWN, &filter, NULL);
		assert_int_equal(rc, deep == PMS_CONDITION_NESTING ? -PMS_EPARSE : 0);
		if (rc)
			continue;
		pms_spe_filter_apply(filter, NULL, &f->batch, keep);
		assert_true(keep[0] && !keep[1] && !keep[2] && keep[3] && keep[4] && !keep[5]);
		pms_spe_filter_free(filter);
	}
}

/* What an export has, a filter knows; and how it gets the values. */
static void test_columns(void **state)
{
	(void)state;
	for (unsigned i = 0; i < PMS_SPE_N_CELLS; i++) {
		struct pms_spe_column column;
		const char *name = pms_spe_cells[i].name;
		assert_int_equal(pms_spe_column_find(name, strlen(name), &column), 1);
		assert_string_equal(column.name, name);
		assert_true(column.get || column.at || column.of_datum ||
			    column.of == PMS_SPE_OF_THREAD);
		assert_int_equal(column.kind == PMS_SPE_COLUMN_TEXT,
				 pms_spe_cells[i].type == PMS_SPE_TEXT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_columns), cmocka_unit_test(test_meaning),
		cmocka_unit_test(test_errors),	cmocka_unit_test(test_unknown_core),
		cmocka_unit_test(test_nesting),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
