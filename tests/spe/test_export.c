/* SPDX-License-Identifier: MIT */
/* Records to rows, by hand: every column, and in each format what has to be quoted or is not there.
 */
#include "pmuscope/spe_export.h"
#include "recording.h"

#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>

static struct recording recording;

struct text {
	size_t length;
	size_t most; /* write() stops when it would be more */
	char bytes[1 << 16];
};

static int take(void *context, const void *bytes, size_t length)
{
	struct text *text = context;
	if (text->length + length > text->most)
		return -1;
	memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	return 0;
}

static struct text text;

static struct pms_spe_export_options options(enum pms_spe_export_format format, const char *columns)
{
	memset(&text, 0, sizeof(text));
	text.most = sizeof(text.bytes) - 1;
	return (struct pms_spe_export_options){
		.format = format, .columns = columns, .write = take, .context = &text
	};
}

/* A record with every packet there is a column for, and one with nothing but its end. */
static void put_records(struct recording *r)
{
	recording_packet(r, 0xb0, 0xa0ff800000001234, 8); /* NS, EL1, kernel */
	recording_packet(r, 0xb1, 0xb000000000401000, 8); /* NS, EL1, NSE: realm */
	recording_packet(r, 0xb2, 0x5a80000000000007, 8);
	recording_packet(r, 0xb3, 0xd300000000004000, 8); /* NS, CH, NSE, PAT 3 */
	recording_packet(r, 0xb4, 0x6000000000402000, 8); /* EL3, secure */
	recording_packet(r, 0x52, 0x0086, 2);
	recording_packet(r, 0x64, 0xfffffffe, 4);
	recording_packet(r, 0x65, 500, 4);
	recording_packet(r, 0x98, 0xffff, 2);
	recording_packet(r, 0x99, 12, 2);
	recording_packet(r, 0x9a, 3, 2);
	recording_packet(r, 0x9c, 4, 2);
	recording_packet(r, 0x43, 8, 1);
	recording_packet(r, 0x49, 0x1e, 1); /* extended: AR, EXCL, AT, load */
	recording_packet(r, 0x71, 10, 8);   /* 1000 + 10 * 40 ns */
	recording_packet(r, 0x01, 0, 0);
}

static const char *mapped = "[kernel.kallsyms]_text";

static struct pms_spe_samples *open_samples(const char *thread_name)
{
	struct recording *r = &recording;
	recording_init(r);
	recording_begin(r);
	recording_comm(r, 0, 500, 500, thread_name, 0);
	recording_map(r, 0, -1, 0xffff800000000000, 0x10000, 0xffff800000000000, mapped);
	put_records(r);
	recording_buffer(r, 3, -1, 5000, 0);
	return recording_open(r, NULL);
}

/* Export all, or give @status. */
static void export(const char *thread_name, const struct pms_spe_export_options *o, int status)
{
	struct pms_spe_samples *samples = open_samples(thread_name);
	struct pms_spe_export_counts counts;
	struct pms_error err = { 0 };
	int rc = pms_spe_export(samples, o, &counts, &err);
	pms_spe_samples_close(samples);
	if (rc != status)
		fail_msg("%d: %s", rc, err.text);
	if (!rc)
		assert_int_equal(counts.written, 2);
}

static void every_column(void **state)
{
	(void)state;
	static const struct {
		const char *name, *value;
	} want[] = {
		{ "cpu", "3" },
		{ "pid", "500" },
		{ "tid", "500" },
		{ "thread_name", "\"worker\"" },
		{ "time", "\"1400\"" },
		{ "ts", "\"10\"" },
		{ "op", "\"load\"" },
		{ "subclass", "\"load_store_extended\"" },
		{ "pc", "\"18446603336221200948\"" }, /* 0xffff800000001234 */
		{ "el", "1" },
		{ "security_state", "\"non_secure\"" },
		{ "event", "\"architecturally_retired:level_1_data_cache_access:mispredicted\"" },
		{ "events", "\"134\"" },
		{ "total_lat", "65535" },
		{ "issue_lat", "12" },
		{ "xlat_lat", "3" },
		{ "alt_issue_lat", "4" },
		{ "wait", "65523" },
		{ "vaddr", "\"18410715276690587655\"" }, /* 0xff80000000000007 */
		{ "tag", "90" },
		{ "paddr", "\"16384\"" },
		{ "pas", "\"realm\"" },
		{ "ch", "1" },
		{ "pat", "3" },
		{ "data_source", "8" },
		{ "data_source_name", "\"l2_cache\"" }, /* the recording is of a Neoverse V1 */
		{ "br_tgt", "\"4198400\"" },
		{ "br_tgt_lvl", "1" },
		{ "br_tgt_security_state", "\"realm\"" },
		{ "pbt", "\"4202496\"" },
		{ "pbt_lvl", "3" },
		{ "pbt_security_state", "\"secure\"" },
		{ "atomic", "1" },
		{ "excl", "1" },
		{ "ar", "1" },
		{ "context", "4294967294" },
		{ "context_el2", "500" },
		{ "other_packets", "0" },
		{ "repeated", "0" },
		{ "damaged", "0" },
		{ "stream", "0" },
		{ "offset", "\"0\"" },
		{ "object", "\"[kernel.kallsyms]_text\"" },
		{ "object_offset", "\"4660\"" },
	};
	struct pms_spe_export_options o = options(PMS_SPE_EXPORT_JSONL, NULL);
	char line[1 << 13] = "{";
	size_t length = 1;
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		length += (size_t)snprintf(line + length, sizeof(line) - length, "%s\"%s\":%s",
					   i ? "," : "", want[i].name, want[i].value);
	snprintf(line + length, sizeof(line) - length, "}\n");
	export("worker", &o, 0);
	text.bytes[strlen(line) < sizeof(text.bytes) ? strlen(line) : 0] = 0;
	assert_string_equal(text.bytes, line);
}

/* The second record has an End packet, and nothing else. */
static void what_is_not_there(void **state)
{
	(void)state;
	struct pms_spe_export_options o =
		options(PMS_SPE_EXPORT_CSV, "offset,total_lat,op,event,damaged,pc");
	export("worker", &o, 0);
	assert_string_equal(text.bytes,
			    "offset,total_lat,op,event,damaged,pc\n"
			    "0,65535,load,architecturally_retired:level_1_data_cache_access:"
			    "mispredicted,0,18446603336221200948\n"
			    "83,,,,0,\n");
	o = options(PMS_SPE_EXPORT_CSV, "total_lat,offset");
	o.null_text = "\\N";
	export("worker", &o, 0);
	assert_string_equal(text.bytes, "total_lat,offset\n65535,0\n\\N,83\n");
	o = options(PMS_SPE_EXPORT_JSONL, "total_lat");
	export("worker", &o, 0);
	assert_string_equal(text.bytes, "{\"total_lat\":65535}\n{}\n");
}

static void rowbinary_by_hand(void **state)
{
	(void)state;
	static const uint8_t want[] = {
		0, 0xff, 0xff,					/* 65535 */
		0, 4,	 'l',  'o', 'a', 'd',			/* length, text */
		0, 0x34, 0x12, 0,   0,	 0,   0x80, 0xff, 0xff, /* pc */
		0, 3,						/* UInt8 */
		0, 0,	 0,    0,   0,	 0,   0,    0,		/* offset, which is always there */
		1, 1,	 1,    1,   83,	 0,   0,    0,	  0,
		0, 0,	 0, /* none of these but the offset */
	};
	struct pms_spe_export_options o =
		options(PMS_SPE_EXPORT_ROWBINARY, "total_lat,op,pc,pat,offset");
	export("worker", &o, 0);
	assert_int_equal(text.length, sizeof(want));
	assert_memory_equal(text.bytes, want, sizeof(want));
}

static void long_texts_have_long_lengths(void **state)
{
	(void)state;
	char path[301];
	struct pms_spe_export_options o = options(PMS_SPE_EXPORT_ROWBINARY, "object");
	memset(path, 'x', 300);
	path[300] = 0;
	mapped = path;
	export("worker", &o, 0);
	mapped = "[kernel.kallsyms]_text";
	assert_int_equal(text.length, 1 + 2 + 300 + 1);
	assert_memory_equal(text.bytes, "\0\xac\x02xx", 5); /* 300 = 2 * 128 + 44 */
}

static void texts_that_need_quotes(void **state)
{
	(void)state;
	static const struct {
		const char *name, *csv, *json;
	} cases[] = {
		{ "plain", "plain", "\"plain\"" },
		{ "a,b", "\"a,b\"", "\"a,b\"" },
		{ "say \"x\"", "\"say \"\"x\"\"\"", "\"say \\\"x\\\"\"" },
		{ "two\nlines", "\"two\nlines\"", "\"two\\u000alines\"" },
		{ "#", "\"#\"", "\"#\"" },
		{ "\\N", "\"\\N\"", "\"\\\\N\"" }, /* the text for none */
		{ "\xc3\xa4", "\xc3\xa4", "\"\xc3\xa4\"" },
		{ "\xff|\xc3", "\xff|\xc3",
		  "\"\xef\xbf\xbd|\xef\xbf\xbd\",\"thread_name_bytes\":\"ff7cc3\"" },
		{ "\x7f\x1b", "\x7f\x1b", "\"\\u007f\\u001b\"" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char want[100];
		struct pms_spe_export_options o = options(PMS_SPE_EXPORT_CSV, "thread_name");
		o.null_text = "\\N";
		export(cases[i].name, &o, 0);
		snprintf(want, sizeof(want), "thread_name\n%s\n\\N\n", cases[i].csv);
		assert_string_equal(text.bytes, want);
		o = options(PMS_SPE_EXPORT_JSONL, "thread_name");
		export(cases[i].name, &o, 0);
		snprintf(want, sizeof(want), "{\"thread_name\":%s}\n{}\n", cases[i].json);
		assert_string_equal(text.bytes, want);
	}
}

static void columns_that_there_are_not(void **state)
{
	(void)state;
	static const struct {
		const char *columns;
		int status;
		const char *text, *hint;
	} cases[] = {
		{ "pc,op", 0, "", "" },
		{ "pc,oq", -PMS_ENAME, "there is no column \"oq\"", "did you mean op?" },
		{ "", -PMS_ENAME, "there is no column \"\"", "" },
		{ "pc,", -PMS_ENAME, "there is no column \"\"", "" },
		{ "pc,,op", -PMS_ENAME, "there is no column \"\"", "" },
		{ "pc,op,pc", -PMS_EINVAL, "column pc is named twice", "" },
		{ "total_latency", -PMS_ENAME, "there is no column \"total_latency\"", "" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pms_error err = { 0 };
		struct pms_spe_export_options o = options(PMS_SPE_EXPORT_CSV, cases[i].columns);
		assert_int_equal(pms_spe_export_check(&o, &err), cases[i].status);
		assert_string_equal(err.text, cases[i].text);
		if (cases[i].hint[0])
			assert_string_equal(err.hint, cases[i].hint);
		if (cases[i].status)
			export("worker", &o, cases[i].status);
	}
}

static void a_write_that_stops(void **state)
{
	(void)state;
	struct pms_spe_export_options o = options(PMS_SPE_EXPORT_CSV, NULL);
	text.most = 100;
	export("worker", &o, -PMS_EIO);
	text.most = 100;
	assert_int_equal(pms_spe_export_ddl(&o, NULL), -PMS_EIO);
}

/* SQLite's own answers, and what is not UTF-8 as bytes. */
static void a_database(void **state)
{
	(void)state;
	static const struct {
		const char *sql, *want;
	} cases[] = {
		{ "SELECT count(*) FROM spe", "2" },
		{ "SELECT printf('%x', pc) FROM spe WHERE total_lat = 65535", "ffff800000001234" },
		{ "SELECT count(*) FROM spe WHERE total_lat IS NULL AND op IS NULL", "1" },
		{ "SELECT typeof(thread_name) FROM spe WHERE offset = 0", "blob" },
		{ "SELECT typeof(op) || typeof(pc) FROM spe WHERE offset = 0", "textinteger" },
		{ "SELECT unit FROM spe_column WHERE name = 'total_lat'", "cycles" },
		{ "SELECT count(*) FROM spe_column", "5" },
		{ "PRAGMA integrity_check", "ok" },
	};
	char path[] = "/tmp/pmuscope-test-XXXXXX";
	int fd = mkstemp(path);
	struct pms_spe_export_options o =
		options(PMS_SPE_EXPORT_SQLITE, "offset,pc,op,total_lat,thread_name");
	assert_true(fd >= 0);
	close(fd);
	o.database = path;
	export("\xff", &o, 0);
	sqlite3 *db;
	assert_int_equal(sqlite3_open(path, &db), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		sqlite3_stmt *s;
		assert_int_equal(sqlite3_prepare_v2(db, cases[i].sql, -1, &s, NULL), 0);
		assert_int_equal(sqlite3_step(s), SQLITE_ROW);
		assert_string_equal((const char *)sqlite3_column_text(s, 0), cases[i].want);
		sqlite3_finalize(s);
	}
	sqlite3_close(db);
	unlink(path);
	o.database = "/nonexistent/file";
	export("worker", &o, -PMS_EIO);
}

/* What somebody may have put where the empty file was: a link, a file with content, another name of
 * one. */
static void a_database_elsewhere_is_not_written(void **state)
{
	(void)state;
	char directory[] = "/tmp/pmuscope-test-XXXXXX", target[64], path[64];
	struct pms_spe_export_options o = options(PMS_SPE_EXPORT_SQLITE, "pc");
	assert_non_null(mkdtemp(directory));
	snprintf(target, sizeof(target), "%s/target", directory);
	snprintf(path, sizeof(path), "%s/path", directory);
	o.database = path;
	for (int kind = 0; kind < 3; kind++) {
		FILE *file = fopen(target, "w");
		struct stat st;
		assert_non_null(file);
		if (kind == 2)
			fputc('x', file);
		fclose(file);
		int rc = kind == 0   ? symlink(target, path)
			 : kind == 1 ? link(target, path)
				     : rename(target, path);
		assert_int_equal(rc, 0);
		export("worker", &o, -PMS_EIO);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_size, kind == 2);
		unlink(path);
		unlink(target);
	}
	assert_int_equal(mkfifo(path, 0600), 0);
	export("worker", &o, -PMS_EIO);
	unlink(path);
	assert_int_equal(rmdir(directory), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_column),
		cmocka_unit_test(what_is_not_there),
		cmocka_unit_test(rowbinary_by_hand),
		cmocka_unit_test(long_texts_have_long_lengths),
		cmocka_unit_test(texts_that_need_quotes),
		cmocka_unit_test(columns_that_there_are_not),
		cmocka_unit_test(a_write_that_stops),
		cmocka_unit_test(a_database),
		cmocka_unit_test(a_database_elsewhere_is_not_written),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
