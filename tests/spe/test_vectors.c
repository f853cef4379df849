/* SPDX-License-Identifier: MIT */
/* vectors.txt: what each packet of the document says, by hand, is what the dump says of it; and
 * there is a vector for every value of every field. That file describes its own form. */
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

/* The document's headings, in its order, and three of our own. */
static const char *const sections[] = {
	"D18.2.1 Address packet header",
	"D18.2.1 Address packet payload (instruction virtual address or branch target address)",
	"D18.2.1 Address packet payload (data access virtual address)",
	"D18.2.1 Address packet payload (data access physical address)",
	"D18.2.2 Context packet header",
	"D18.2.2 Context packet payload",
	"D18.2.3 Counter packet header",
	"D18.2.3 Counter packet payload",
	"D18.2.4 Data Source packet",
	"D18.2.5 End packet",
	"D18.2.6 Events packet header",
	"D18.2.6 Events packet payload",
	"D18.2.7 Operation Type packet header",
	"D18.2.7 Operation Type packet payload (Other)",
	"D18.2.7 Operation Type packet payload (Data processing, SVE vector)",
	"D18.2.7 Operation Type packet payload (Data processing, SME array)",
	"D18.2.7 Operation Type packet payload (Load/store, general)",
	"D18.2.7 Operation Type packet payload (Load/store, extended)",
	"D18.2.7 Operation Type packet payload (Load/store, SVE or SME)",
	"D18.2.7 Operation Type packet payload (Load/store, Memory Copy)",
	"D18.2.7 Operation Type packet payload (Load/store, Memory Set)",
	"D18.2.7 Operation Type packet payload (Load/store, GCS)",
	"D18.2.7 Operation Type packet payload (Branch)",
	"D18.2.8 Padding",
	"D18.2.9 Timestamp packet",
	"Headers that the document has not",
	"Streams that end inside a packet",
	"Bytes that machines have written",
};

enum { BYTES_MOST = 128, TEXT_MOST = 4096, PATTERNS_MOST = 8, PATTERN_BYTES = 10 };

/* Which values a packet's bits have had. */
struct pattern {
	char text[120];
	unsigned n_bytes;
	char bits[PATTERN_BYTES * 8];
	uint8_t had[PATTERN_BYTES * 8][2]; /* of each bit, 0 and 1 */
	uint32_t values[26];		   /* of each field by its letter: which of up to 32 */
	unsigned hits;
};

struct file {
	size_t line, section, n_patterns;
	struct pattern patterns[PATTERNS_MOST];
	char each[TEXT_MOST];
	size_t n_vectors;
};

/* Coverage ------------------------------------------------------------------------------------- */

static void add_pattern(struct file *f, const char *text)
{
	assert_true(f->n_patterns < PATTERNS_MOST);
	struct pattern *p = &f->patterns[f->n_patterns++];
	*p = (struct pattern){ 0 };
	assert_true(strlen(text) < sizeof(p->text));
	strcpy(p->text, text);
	size_t n = 0;
	for (; *text; text++) {
		if (*text == ' ')
			continue;
		assert_true(n < sizeof(p->bits));
		p->bits[n++] = *text;
	}
	assert_int_equal(n % 8, 0);
	p->n_bytes = (unsigned)(n / 8);
}

static unsigned bit_of(const uint8_t *bytes, unsigned i)
{
	return bytes[i / 8] >> (7 - i % 8) & 1;
}

static int matches(const struct pattern *p, const uint8_t *bytes, size_t length)
{
	if (length != p->n_bytes)
		return 0;
	for (unsigned i = 0; i < 8 * p->n_bytes; i++)
		if ((p->bits[i] == '0' || p->bits[i] == '1') &&
		    bit_of(bytes, i) != (unsigned)(p->bits[i] - '0'))
			return 0;
	return 1;
}

static void note(struct pattern *p, const uint8_t *bytes)
{
	unsigned value[26] = { 0 };
	p->hits++;
	for (unsigned i = 0; i < 8 * p->n_bytes; i++) {
		unsigned bit = bit_of(bytes, i);
		p->had[i][bit] = 1;
		if (p->bits[i] >= 'A' && p->bits[i] <= 'Z')
			value[p->bits[i] - 'A'] = value[p->bits[i] - 'A'] << 1 | bit;
	}
	for (unsigned i = 0; i < COUNT(value); i++)
		p->values[i] |= UINT32_C(1) << value[i];
}

static unsigned width(const struct pattern *p, char letter)
{
	unsigned n = 0;
	for (unsigned i = 0; i < 8 * p->n_bytes; i++)
		n += p->bits[i] == letter;
	return n;
}

static void check_pattern(const struct pattern *p)
{
	if (!p->hits)
		fail_msg("%s: no vector of it", p->text);
	for (unsigned i = 0; i < 8 * p->n_bytes; i++)
		if (p->bits[i] == 'x' && (!p->had[i][0] || !p->had[i][1]))
			fail_msg("%s: byte %u bit %u is never %d", p->text, i / 8, 7 - i % 8,
				 p->had[i][0]);
	for (char letter = 'A'; letter <= 'Z'; letter++) {
		unsigned n = width(p, letter);
		for (unsigned value = 0; n && value < 1U << n; value++)
			if (!(p->values[letter - 'A'] >> value & 1))
				fail_msg("%s: no vector with %c = %u", p->text, letter, value);
	}
}

static void end_section(struct file *f)
{
	for (size_t i = 0; i < f->n_patterns; i++)
		check_pattern(&f->patterns[i]);
	f->n_patterns = 0;
	f->each[0] = 0;
}

static void begin_section(struct file *f, const char *title)
{
	end_section(f);
	assert_true(f->section < COUNT(sections));
	assert_string_equal(title, sections[f->section]);
	f->section++;
}

/* What the dump says --------------------------------------------------------------------------- */

struct text {
	char bytes[TEXT_MOST];
	size_t length;
};

static int append(void *context, const void *bytes, size_t length)
{
	struct text *text = context;
	if (length > sizeof(text->bytes) - 1 - text->length)
		return -1;
	memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = 0;
	return 0;
}

static int give(void *context, struct pms_spe_buffer *buffer, struct pms_error *err)
{
	struct pms_spe_buffer *once = context;
	(void)err;
	*buffer = *once;
	once->length = 0;
	return buffer->length > 0;
}

static void dump(const uint8_t *bytes, size_t length, struct text *text)
{
	struct pms_spe_buffer once = { .bytes = bytes, .length = length, .cpu = -1, .tid = -1 };
	struct pms_spe_input input = { give, &once };
	struct pms_spe_dump_options options = { .format = PMS_SPE_DUMP_JSONL,
						.write = append,
						.context = text };
	struct pms_spe_summary summary = { 0 };
	text->length = 0;
	assert_int_equal(pms_spe_dump(&input, &options, &summary, NULL), 0);
}

/* A line of JSON in the words of the file: key=value with spaces between, lists as [a,b]. By hand,
 * as there are numbers that need all 64 bits. */
static void words_of(const char *json, char *out)
{
	int in_list = 0;
	for (; *json; json++) {
		in_list += (*json == '[') - (*json == ']');
		if (strchr("{}\"", *json))
			continue;
		*out++ = in_list ? *json : (char)(*json == ':' ? '=' : *json == ',' ? ' ' : *json);
	}
	*out = 0;
}

/* Numbers may be written 0x10, for a payload of which the bits matter. */
static int same(const char *got, const char *want)
{
	size_t key = strcspn(want, "=");
	if (!strcmp(got, want))
		return 1;
	return !strncmp(got, want, key + 1) && !strncmp(want + key, "=0x", 3) &&
	       strncmp(got + key, "=0x", 3) != 0 &&
	       strtoull(got + key + 1, NULL, 10) == strtoull(want + key + 1, NULL, 16);
}

enum { WORDS_MOST = 24 };

static size_t split(char *text, char **words)
{
	char *rest = NULL;
	size_t n = 0;
	for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		assert_true(n < WORDS_MOST);
		words[n++] = word;
	}
	return n;
}

/* Each word that is wanted must be there, and no other. Those of the frame are wanted always: @at
 * and, where it is known, @length. Returns the packet's length. */
static size_t compare(const struct file *f, const char *json, char *want, size_t at, size_t length)
{
	char text[TEXT_MOST], frame[2][40], type[60], *got[WORDS_MOST], *wanted[WORDS_MOST + 2];
	words_of(json, text);
	size_t n_got = split(text, got), n = split(want, wanted), own = 0, i, k;
	assert_true(n > 0);
	snprintf(type, sizeof(type), "type=%s", wanted[0]);
	wanted[0] = type;
	snprintf(frame[0], sizeof(frame[0]), "offset=%zu", at);
	snprintf(frame[1], sizeof(frame[1]), "len=%zu", length);
	wanted[n++] = frame[0];
	if (length)
		wanted[n++] = frame[1];
	for (i = 0; i < n; i++) {
		for (k = 0; k < n_got && !same(got[k], wanted[i]); k++)
			;
		if (k == n_got)
			fail_msg("vectors.txt:%zu: no %s in %s", f->line, wanted[i], json);
	}
	if (n_got != n)
		fail_msg("vectors.txt:%zu: more than %zu keys in %s", f->line, n, json);
	for (k = 0; k < n_got; k++)
		if (!strncmp(got[k], "len=", 4))
			own = strtoull(got[k] + 4, NULL, 10);
	return own;
}

/* @want: of one packet, or of several with ; between */
static void check_vector(const struct file *f, const uint8_t *bytes, size_t length, char *want)
{
	struct text text;
	char *rest = NULL, *lines = NULL;
	size_t at = 0;
	int several = strchr(want, ';') != NULL;
	dump(bytes, length, &text);
	char *line = strtok_r(text.bytes, "\n", &lines);
	for (char *one = strtok_r(want, ";", &rest); one; one = strtok_r(NULL, ";", &rest)) {
		if (!line)
			fail_msg("vectors.txt:%zu: fewer packets", f->line);
		at += compare(f, line, one, at, several ? 0 : length);
		line = strtok_r(NULL, "\n", &lines);
	}
	if (line)
		fail_msg("vectors.txt:%zu: more packets: %s", f->line, line);
	assert_int_equal(at, length);
}

/* The file ------------------------------------------------------------------------------------- */

/* "b0 00*7 80" as bytes. Returns how many. */
static size_t bytes_of(const char *text, uint8_t *bytes)
{
	size_t n = 0;
	char *end;
	for (unsigned long byte = strtoul(text, &end, 16); end != text;
	     byte = strtoul(text, &end, 16)) {
		unsigned long times = 1;
		text = end;
		if (*text == '*') {
			times = strtoul(text + 1, &end, 10);
			text = end;
		}
		assert_true(byte < 256 && times <= BYTES_MOST - n);
		memset(bytes + n, (int)byte, times);
		n += times;
	}
	return n;
}

static void vector(struct file *f, const char *line, const char *words)
{
	uint8_t bytes[BYTES_MOST];
	char want[TEXT_MOST];
	size_t length = bytes_of(line, bytes);
	assert_true(strlen(f->each) + strlen(words) + 2 < sizeof(want));
	snprintf(want, sizeof(want), "%s %s", f->each, words);
	for (size_t i = 0; i < f->n_patterns; i++)
		if (matches(&f->patterns[i], bytes, length))
			note(&f->patterns[i], bytes);
	check_vector(f, bytes, length, want);
	f->n_vectors++;
}

static void take_line(struct file *f, char *line)
{
	char *words = strchr(line, '|');
	if (line[0] == '#' || !line[0])
		return;
	if (line[0] == '[')
		begin_section(f, strtok(line + 1, "]"));
	else if (!strncmp(line, "bits ", 5))
		add_pattern(f, line + 5);
	else if (!strncmp(line, "each", 4))
		strcpy(f->each, line + 4);
	else if (words)
		vector(f, line, words + 1);
	else
		fail_msg("vectors.txt:%zu: neither of these", f->line);
}

static void packets_say_what_the_document_says(void **state)
{
	(void)state;
	static struct file f;
	char line[TEXT_MOST];
	FILE *in = fopen(PMS_SOURCE "/tests/spe/vectors.txt", "r");
	assert_non_null(in);
	while (fgets(line, sizeof(line), in)) {
		f.line++;
		line[strcspn(line, "\n")] = 0;
		take_line(&f, line);
	}
	fclose(in);
	end_section(&f);
	assert_int_equal(f.section, COUNT(sections));
	assert_true(f.n_vectors > 400); /* the file was read */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packets_say_what_the_document_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
