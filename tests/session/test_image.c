/* SPDX-License-Identifier: MIT */
/* Databases that their writer left in the middle are read as SQLite itself puts them in order, and
 * no file is touched by it. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include <sqlite3.h>

#include "session/image.h"

struct fixture {
	char directory[64];
	char path[96]; /* that SQLite writes */
	char copy[96]; /* what is left of it when the writer is killed */
};

static const char *const suffixes[] = { "", "-journal", "-wal", "-shm" };

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	assert_non_null(f);
	/* In memory where possible: SQLite waits for the disk some thousand times. */
	strcpy(f->directory, "/dev/shm/pmuscope-image-XXXXXX");
	if (!mkdtemp(f->directory)) {
		strcpy(f->directory, "/tmp/pmuscope-image-XXXXXX");
		if (!mkdtemp(f->directory))
			return -1;
	}
	snprintf(f->path, sizeof(f->path), "%s/a.db", f->directory);
	snprintf(f->copy, sizeof(f->copy), "%s/b.db", f->directory);
	*state = f;
	return 0;
}

static char *beside(const char *path, size_t i)
{
	char *name = NULL;
	assert_true(asprintf(&name, "%s%s", path, suffixes[i]) > 0);
	return name;
}

static void remove_all(const char *path)
{
	for (size_t i = 0; i < 4; i++) {
		char *name = beside(path, i);
		unlink(name);
		free(name);
	}
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	remove_all(f->path);
	remove_all(f->copy);
	int rc = rmdir(f->directory); /* nothing else was left behind */
	free(f);
	return rc;
}

struct content {
	unsigned char *bytes;
	size_t size;
};

static struct content read_file(const char *path)
{
	struct content c = { 0 };
	struct stat st;
	FILE *file = fopen(path, "r");
	if (!file)
		return c;
	assert_int_equal(fstat(fileno(file), &st), 0);
	c.bytes = malloc((size_t)st.st_size + 1);
	assert_non_null(c.bytes);
	c.size = fread(c.bytes, 1, (size_t)st.st_size, file);
	fclose(file);
	return c;
}

static void write_file(const char *path, const unsigned char *bytes, size_t size)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

/* What a kill leaves: the database, its journal and its log as they are just now. */
static void leave(const struct fixture *f)
{
	remove_all(f->copy);
	for (size_t i = 0; i < 3; i++) {
		char *from = beside(f->path, i), *to = beside(f->copy, i);
		struct content c = read_file(from);
		if (c.bytes)
			write_file(to, c.bytes, c.size);
		free(c.bytes);
		free(from);
		free(to);
	}
}

static int read_image(const struct fixture *f, struct pms_image *image, struct pms_error *err)
{
	struct pms_vfs *v = NULL;
	*image = (struct pms_image){ 0 };
	assert_int_equal(pms_vfs_open(f->copy, &v), 0);
	int rc = pms_image_read(v, "copy", image, err);
	if (!rc) { /* the file itself */
		struct content c = read_file(f->copy);
		*image = (struct pms_image){ .bytes = c.bytes, .size = c.size };
	}
	pms_vfs_free(v);
	return rc;
}

static void run(sqlite3 *db, const char *sql)
{
	char *why = NULL;
	if (sqlite3_exec(db, sql, NULL, NULL, &why))
		fail_msg("%s: %s", sql, why);
}

/* What SQLite changes in the header for itself: whether there is a log, and its own counters. */
static void forget_header(unsigned char *bytes, size_t size)
{
	if (size < 100)
		return;
	memset(bytes + 18, 0, 2);
	memset(bytes + 24, 0, 4);
	memset(bytes + 92, 0, 8);
}

/* The image is what SQLite makes of the copy. */
static void is_as_sqlite_has_it(const struct fixture *f, int want, const char *what)
{
	struct pms_image image;
	struct pms_error err = { 0 };
	struct content before[3], after[3], settled;
	for (size_t i = 0; i < 3; i++) {
		char *name = beside(f->copy, i);
		before[i] = read_file(name);
		free(name);
	}
	int rc = read_image(f, &image, &err);
	if (rc != want)
		fail_msg("%s: %d: %s: %s", what, rc, err.source, err.text);
	for (size_t i = 0; i < 3; i++) {
		char *name = beside(f->copy, i);
		after[i] = read_file(name);
		if (before[i].size != after[i].size || !before[i].bytes != !after[i].bytes ||
		    (before[i].size && memcmp(before[i].bytes, after[i].bytes, before[i].size)))
			fail_msg("%s: %s was changed", what, name);
		free(before[i].bytes);
		free(after[i].bytes);
		free(name);
	}
	sqlite3 *db = NULL;
	assert_int_equal(sqlite3_open(f->copy, &db), SQLITE_OK);
	/* A journal's checksum leaves most bytes out: what SQLite undoes by a spoilt one may be no
	 * database, and is the same bytes all the same. */
	int opened = sqlite3_exec(db, "PRAGMA journal_mode = DELETE; SELECT * FROM sqlite_master",
				  NULL, NULL, NULL);
	assert_true(opened == SQLITE_OK || opened == SQLITE_NOTADB || opened == SQLITE_CORRUPT);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	settled = read_file(f->copy);
	forget_header(settled.bytes, settled.size);
	forget_header(image.bytes, image.size);
	if (settled.size != image.size || memcmp(settled.bytes, image.bytes, image.size) != 0)
		fail_msg("%s: %zu bytes differ from SQLite's %zu", what, image.size, settled.size);
	free(settled.bytes);
	free(image.bytes);
}

static sqlite3 *create(const struct fixture *f, const char *first)
{
	sqlite3 *db = NULL;
	assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
	run(db, first);
	run(db, "CREATE TABLE t (a INTEGER PRIMARY KEY, b); CREATE INDEX i ON t (b);");
	run(db, "INSERT INTO t WITH RECURSIVE n(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM n "
		"WHERE x < 300) SELECT x, hex(randomblob(20)) FROM n");
	return db;
}

static const char *const changes[] = {
	"INSERT INTO t VALUES (1000, 'one more')",
	"UPDATE t SET b = hex(randomblob(60)) WHERE a % 3 = 0",
	"DELETE FROM t WHERE a < 200", /* pages become free */
	"CREATE TABLE u AS SELECT * FROM t",
	"UPDATE t SET b = hex(randomblob(400))", /* over pages of their own */
	"DROP TABLE u",
	"INSERT INTO t SELECT a + 5000, b FROM t",
};
enum { N_CHANGES = sizeof(changes) / sizeof(changes[0]) };

static const char *const page_sizes[] = { "PRAGMA page_size = 512;", "PRAGMA page_size = 4096;",
					  "PRAGMA page_size = 65536;" };

static void logs_are_read(void **state)
{
	struct fixture *f = *state;
	for (size_t p = 0; p < 3; p++) {
		sqlite3 *db = create(f, page_sizes[p]);
		run(db, "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 40");
		for (size_t i = 0; i < N_CHANGES; i++) {
			run(db, changes[i]);
			leave(f);
			is_as_sqlite_has_it(f, 1, changes[i]);
			/* One that is not kept. */
			run(db, "PRAGMA cache_size = 1; BEGIN; UPDATE t SET b = hex(zeroblob(99))");
			leave(f);
			is_as_sqlite_has_it(f, 1, changes[i]);
			run(db, "ROLLBACK");
			if (i == 3) { /* begun anew, with the old pages behind the new ones */
				run(db, "PRAGMA wal_checkpoint(RESTART); UPDATE t SET b = 1");
				leave(f);
				is_as_sqlite_has_it(f, 1, "a log that was begun anew");
			}
		}
		sqlite3_close(db);
		remove_all(f->path);
	}
}

static void journals_are_undone(void **state)
{
	struct fixture *f = *state;
	for (size_t p = 0; p < 3; p++) {
		sqlite3 *db = create(f, page_sizes[p]);
		run(db, "PRAGMA cache_size = 1; PRAGMA cache_spill = 1");
		for (size_t i = 0; i < N_CHANGES; i++) {
			run(db, "BEGIN");
			for (size_t k = i; k < N_CHANGES; k++)
				if (k == i || (k != 3 && k != 5))
					run(db, changes[k]);
			leave(f);
			is_as_sqlite_has_it(f, 1, changes[i]);
			run(db, "ROLLBACK");
			run(db, changes[i]);
			leave(f);
			is_as_sqlite_has_it(f, 0, changes[i]);
		}
		sqlite3_close(db);
		remove_all(f->path);
	}
}

/* A journal is done with when its first byte is 0, or it is cut. */
static void what_is_done_with_is_left_alone(void **state)
{
	static const char *const modes[] = { "PRAGMA journal_mode = PERSIST",
					     "PRAGMA journal_mode = TRUNCATE" };
	struct fixture *f = *state;
	for (size_t i = 0; i < 2; i++) {
		sqlite3 *db = create(f, page_sizes[1]);
		run(db, modes[i]);
		run(db, changes[1]);
		leave(f);
		is_as_sqlite_has_it(f, 0, modes[i]);
		sqlite3_close(db);
		remove_all(f->path);
	}
}

/* Cut anywhere, the log has the transactions that it has, and the journal undoes what it can: as
 * SQLite has it, too. */
static void cut_at_any_place(void **state)
{
	static const char *const begin[] = { "PRAGMA journal_mode = WAL",
					     "PRAGMA cache_size = 1; BEGIN" };
	struct fixture *f = *state;
	for (size_t journal = 0; journal < 2; journal++) {
		sqlite3 *db = create(f, page_sizes[0]);
		run(db, begin[journal]);
		run(db, changes[0]);
		run(db, changes[1]);
		run(db, changes[2]);
		char *from = beside(f->path, journal ? 1 : 2),
		     *to = beside(f->copy, journal ? 1 : 2);
		struct content whole = read_file(from);
		assert_true(whole.size > 4096);
		for (size_t size = whole.size; size > 100; size -= size > 4000 ? 1777 : 97) {
			leave(f);
			assert_int_equal(truncate(to, (off_t)size), 0);
			is_as_sqlite_has_it(f, 1, journal ? "journal" : "log");
			leave(f);
			whole.bytes[size / 2] ^= 0x10;
			write_file(to, whole.bytes, size);
			whole.bytes[size / 2] ^= 0x10;
			is_as_sqlite_has_it(f, 1, journal ? "spoilt journal" : "spoilt log");
		}
		free(whole.bytes);
		free(from);
		free(to);
		sqlite3_close(db);
		remove_all(f->path);
	}
}

/* Where a journal ends just behind the mark of a header, it looks like one that names another file.
 */
static void cut_behind_a_mark(void **state)
{
	struct fixture *f = *state;
	sqlite3 *db = create(f, page_sizes[0]);
	run(db, "PRAGMA cache_size = 1; BEGIN");
	for (size_t i = 0; i < 3; i++)
		run(db, changes[i]);
	char *from = beside(f->path, 1), *to = beside(f->copy, 1);
	struct content whole = read_file(from);
	size_t n = 0;
	for (size_t at = 512; at + 8 < whole.size; at += 512) {
		if (memcmp(whole.bytes + at, whole.bytes, 8) != 0)
			continue;
		leave(f);
		assert_int_equal(truncate(to, (off_t)at + 8), 0);
		is_as_sqlite_has_it(f, 1, "journal that ends with a mark");
		n++;
	}
	assert_true(n > 0);
	free(whole.bytes);
	free(from);
	free(to);
	sqlite3_close(db);
}

static void refused(const struct fixture *f, int status, const char *text)
{
	struct pms_image image;
	struct pms_error err = { 0 };
	int rc = read_image(f, &image, &err);
	if (rc != status || !strstr(err.text, text) || !err.source[0])
		fail_msg("%d: %s: %s instead of %s", rc, err.source, err.text, text);
	free(image.bytes);
}

static void put_big(unsigned char *at, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		at[i] = (unsigned char)(value >> (24 - 8 * i));
}

static void journals_that_name_others_are_refused(void **state)
{
	static const unsigned char magic[8] = { 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7 };
	struct fixture *f = *state;
	sqlite3 *db = create(f, page_sizes[1]);
	char *journal = beside(f->copy, 1), *victim = beside(f->copy, 3);
	leave(f);
	struct content c = read_file(f->copy);
	unsigned char bytes[512 + 256] = { 0 };
	memcpy(bytes, magic, 8);
	put_big(bytes + 12, 0x1234);
	put_big(bytes + 16, (uint32_t)(c.size / 4096));
	put_big(bytes + 20, 512);
	put_big(bytes + 24, 4096);
	put_big(bytes + 512, 0x40000000 / 4096 + 1);
	size_t length = strlen(victim);
	uint32_t sum = 0;
	memcpy(bytes + 516, victim, length);
	for (size_t i = 0; i < length; i++)
		sum += (unsigned char)victim[i];
	put_big(bytes + 516 + length, (uint32_t)length);
	put_big(bytes + 520 + length, sum);
	memcpy(bytes + 524 + length, magic, 8);
	write_file(journal, bytes, 532 + length);
	write_file(victim, magic, 8);
	refused(f, -PMS_EIO, "names another file");
	assert_int_equal(access(victim, F_OK), 0);
	assert_int_equal(access(journal, F_OK), 0);
	free(c.bytes);
	free(journal);
	free(victim);
	sqlite3_close(db);
}

static void what_is_no_file_is_not_opened(void **state)
{
	static const char *const first[] = { "PRAGMA user_version = 1",
					     "PRAGMA journal_mode = WAL" };
	struct fixture *f = *state;
	for (size_t log = 0; log < 2; log++) {
		sqlite3 *db = create(f, first[log]);
		char *name = beside(f->copy, 1 + log);
		leave(f);
		unlink(name);
		assert_int_equal(mkfifo(name, 0600), 0);
		refused(f, -PMS_EIO, "not a regular file");
		unlink(name);
		assert_int_equal(symlink(f->path, name), 0);
		refused(f, -PMS_EIO, "not a regular file");
		unlink(name);
		if (!geteuid()) {
			leave(f);
			write_file(name, (const unsigned char *)"x", 1);
			assert_int_equal(chown(name, 12345, (gid_t)-1), 0);
			refused(f, -PMS_EIO, "another user's");
		}
		free(name);
		sqlite3_close(db);
		remove_all(f->path);
	}
}

/* How a log adds up, with words of the machine's order. */
static void add_up(const unsigned char *bytes, size_t n, uint32_t sum[2])
{
	for (size_t i = 0; i < n; i += 8) {
		uint32_t word[2];
		memcpy(word, bytes + i, 8);
		sum[0] += word[0] + sum[1];
		sum[1] += word[1] + sum[0];
	}
}

/* Sizes that what is beside the file claims are those of pages that are there. */
static void sizes_that_are_lies_are_refused(void **state)
{
	struct fixture *f = *state;
	sqlite3 *db = create(f, "PRAGMA page_size = 512; PRAGMA journal_mode = WAL;");
	leave(f);
	char *log = beside(f->copy, 2);
	struct content c = read_file(log);
	uint32_t sum[2] = { 0, 0 }, words = 0x01020304;
	unsigned char first;
	memcpy(&first, &words, 1);
	put_big(c.bytes, 0x377f0682 | (first == 1));
	add_up(c.bytes, 24, sum);
	put_big(c.bytes + 24, sum[0]);
	put_big(c.bytes + 28, sum[1]);
	put_big(c.bytes + 32 + 4, 0x7fffffff);
	add_up(c.bytes + 32, 8, sum);
	add_up(c.bytes + 32 + 24, 512, sum);
	put_big(c.bytes + 32 + 16, sum[0]);
	put_big(c.bytes + 32 + 20, sum[1]);
	write_file(log, c.bytes, 32 + 24 + 512);
	refused(f, -PMS_EPARSE, "not all pages");
	free(c.bytes);
	free(log);
	sqlite3_close(db);
	remove_all(f->path);

	db = create(f, "PRAGMA page_size = 512; PRAGMA cache_size = 1;");
	run(db, "BEGIN");
	run(db, changes[4]);
	leave(f);
	char *journal = beside(f->copy, 1);
	c = read_file(journal);
	put_big(c.bytes + 16, 0x7fffffff);
	write_file(journal, c.bytes, c.size);
	refused(f, -PMS_EPARSE, "not all pages");
	put_big(c.bytes + 16, 3);
	put_big(c.bytes + 24, 1024);
	write_file(journal, c.bytes, c.size);
	refused(f, -PMS_EPARSE, "no journal of the session's");
	free(c.bytes);
	free(journal);
	sqlite3_close(db);
}

/* Its log may have been lost on the way. */
static void a_file_without_its_log_is_told(void **state)
{
	struct fixture *f = *state;
	struct pms_image image;
	sqlite3 *db = create(f, "PRAGMA journal_mode = WAL;");
	leave(f);
	assert_int_equal(read_image(f, &image, NULL), 1);
	assert_int_equal(image.log_missing, 0);
	free(image.bytes);
	char *log = beside(f->copy, 2);
	unlink(log);
	assert_int_equal(read_image(f, &image, NULL), 1);
	assert_int_equal(image.log_missing, 1);
	free(image.bytes);
	free(log);
	sqlite3_close(db);
}

/* Another connection writes: the last state that was kept is read, and the writer goes on. */
static void a_writer_is_not_disturbed(void **state)
{
	struct fixture *f = *state;
	strcpy(f->copy, f->path);
	struct pms_image image;
	sqlite3 *db = create(f, page_sizes[1]);
	struct content before = read_file(f->path);
	run(db, "BEGIN IMMEDIATE; UPDATE t SET b = 1"); /* in memory: the file is whole */
	assert_int_equal(read_image(f, &image, NULL), 0);
	assert_int_equal(image.size, before.size);
	assert_memory_equal(image.bytes, before.bytes, before.size);
	free(image.bytes);
	run(db, "COMMIT; BEGIN EXCLUSIVE");
	struct pms_error err = { 0 };
	assert_int_equal(read_image(f, &image, &err), -PMS_EIO);
	assert_non_null(strstr(err.text, "somebody is writing"));
	assert_true(err.hint[0]);
	run(db, "COMMIT; PRAGMA journal_mode = WAL; UPDATE t SET b = 2; BEGIN; UPDATE t SET b = 3");
	assert_int_equal(read_image(f, &image, NULL), 1);
	free(image.bytes);
	run(db, "COMMIT; PRAGMA journal_mode = DELETE");
	assert_int_equal(read_image(f, &image, NULL), 0);
	free(image.bytes);
	free(before.bytes);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* A file that is written in place is the one that was made, not one that was put there. */
static void only_the_own_file_is_written(void **state)
{
	struct fixture *f = *state;
	sqlite3 *db = create(f, "PRAGMA journal_mode = WAL;"), *again = NULL;
	leave(f);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	int fd = open(f->path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	struct pms_vfs *v = pms_vfs_in_place(fd, f->path);
	assert_int_equal(pms_vfs_database(v, &again), SQLITE_OK);
	run(again, "INSERT INTO t VALUES (70000, 1)");
	assert_int_equal(sqlite3_close(again), SQLITE_OK);
	pms_vfs_free(v);

	struct content before = read_file(f->copy), after;
	v = pms_vfs_in_place(fd, f->copy);
	assert_int_equal(pms_vfs_database(v, &again), SQLITE_CANTOPEN);
	sqlite3_close(again);
	pms_vfs_free(v);
	after = read_file(f->copy);
	assert_int_equal(before.size, after.size);
	assert_memory_equal(before.bytes, after.bytes, before.size);
	free(before.bytes);
	free(after.bytes);
	close(fd);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(logs_are_read),
		TEST(journals_are_undone),
		TEST(what_is_done_with_is_left_alone),
		TEST(cut_at_any_place),
		TEST(cut_behind_a_mark),
		TEST(journals_that_name_others_are_refused),
		TEST(what_is_no_file_is_not_opened),
		TEST(sizes_that_are_lies_are_refused),
		TEST(a_file_without_its_log_is_told),
		TEST(a_writer_is_not_disturbed),
		TEST(only_the_own_file_is_written),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
