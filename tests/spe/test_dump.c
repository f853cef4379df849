/* SPDX-License-Identifier: MIT */
/* What e2e/spe.bats does not get at: streams side by side, breaks, inputs and outputs that fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "pmuscope/spe.h"

struct script {
	const struct pms_spe_buffer *buffers;
	size_t n, at;
	int status; /* after the last */
};

static int next(void *context, struct pms_spe_buffer *buffer, struct pms_error *err)
{
	struct script *script = context;
	(void)err;
	if (script->at == script->n)
		return script->status;
	*buffer = script->buffers[script->at++];
	return 1;
}

struct text {
	char bytes[4096];
	size_t length;
	int fails;
};

static int append(void *context, const void *bytes, size_t length)
{
	struct text *text = context;
	if (text->fails || length > sizeof(text->bytes) - 1 - text->length)
		return -1;
	memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = 0;
	return 0;
}

static int dump(const struct pms_spe_buffer *buffers, size_t n, int last, struct text *text,
		struct pms_spe_summary *summary, struct pms_error *err)
{
	struct script script = { buffers, n, 0, last };
	struct pms_spe_input input = { next, &script };
	struct pms_spe_dump_options options = { .format = PMS_SPE_DUMP_JSONL,
						.write = append,
						.context = text };
	memset(summary, 0, sizeof(*summary));
	return pms_spe_dump(&input, &options, summary, err);
}

#define BYTES(...)                                                                                 \
	.bytes = (const uint8_t[]){ __VA_ARGS__ },                                                 \
	.length = sizeof((const uint8_t[]){ __VA_ARGS__ })

/* A counter packet and a row of padding, each in two buffers, with another stream's in between. */
static const struct pms_spe_buffer two_streams[] = {
	{ BYTES(0x98, 0x01), .offset = 100, .stream = 0, .cpu = 0, .tid = -1 },
	{ BYTES(0x99, 0x07, 0x00, 0x00), .offset = 0, .stream = 1, .cpu = 1, .tid = -1 },
	{ BYTES(0x02, 0x01), .offset = 102, .stream = 0, .cpu = 0, .tid = -1 },
	{ BYTES(0x00, 0x01), .offset = 4, .stream = 1, .cpu = 1, .tid = 77 },
};

static void streams_do_not_mix(void **state)
{
	(void)state;
	struct text text = { 0 };
	struct pms_spe_summary summary;
	struct pms_error err = { 0 };
	assert_int_equal(dump(two_streams, 4, 0, &text, &summary, &err), 0);
	assert_string_equal(
		text.bytes,
		"{\"type\":\"counter\",\"offset\":0,\"len\":3,\"format\":\"short\",\"index\":1,"
		"\"name\":\"issue_latency\",\"count\":7,\"cpu\":1}\n"
		"{\"type\":\"counter\",\"offset\":100,\"len\":3,\"format\":\"short\",\"index\":0,"
		"\"name\":\"total_latency\",\"count\":513,\"cpu\":0}\n"
		"{\"type\":\"end\",\"offset\":103,\"len\":1,\"cpu\":0}\n"
		"{\"type\":\"padding\",\"offset\":3,\"len\":2,\"cpu\":1,\"tid\":77}\n"
		"{\"type\":\"end\",\"offset\":5,\"len\":1,\"cpu\":1,\"tid\":77}\n");
	assert_int_equal(summary.packets[PMS_SPE_COUNTER], 2);
}

static void a_break_ends_what_was_there(void **state)
{
	(void)state;
	const struct pms_spe_buffer buffers[] = {
		{ BYTES(0x98, 0x01), .cpu = -1, .tid = -1 },
		{ BYTES(0x00, 0x01), .offset = 50, .breaks = 1, .cpu = -1, .tid = -1 },
	};
	struct text text = { 0 };
	struct pms_spe_summary summary;
	assert_int_equal(dump(buffers, 2, 0, &text, &summary, NULL), 0);
	assert_string_equal(text.bytes, "{\"type\":\"truncated\",\"offset\":0,\"len\":2,\"need\":3,"
					"\"what\":\"counter\"}\n"
					"{\"type\":\"padding\",\"offset\":50,\"len\":1}\n"
					"{\"type\":\"end\",\"offset\":51,\"len\":1}\n");
}

static void what_an_input_gave_before_it_failed_is_shown(void **state)
{
	(void)state;
	const struct pms_spe_buffer buffer = { BYTES(0x01, 0x71), .cpu = -1, .tid = -1 };
	struct text text = { 0 };
	struct pms_spe_summary summary;
	assert_int_equal(dump(&buffer, 1, -PMS_EPARSE, &text, &summary, NULL), -PMS_EPARSE);
	assert_true(text.length > 0);
	assert_int_equal(summary.packets[PMS_SPE_TRUNCATED], 1);
}

static void an_output_that_fails_is_an_error(void **state)
{
	(void)state;
	const struct pms_spe_buffer buffer = { BYTES(0x01), .cpu = -1, .tid = -1 };
	struct text text = { .fails = 1 };
	struct pms_spe_summary summary;
	struct pms_error err = { 0 };
	assert_int_equal(dump(&buffer, 1, 0, &text, &summary, &err), -PMS_EIO);
	assert_string_equal(err.text, "cannot write");
}

static void every_event_fits_a_line(void **state)
{
	(void)state;
	const struct pms_spe_buffer buffer = { BYTES(0x72, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
						     0xff, 0x01),
					       .cpu = -1, .tid = -1 };
	struct text text = { 0 };
	struct pms_spe_summary summary;
	assert_int_equal(dump(&buffer, 1, 0, &text, &summary, NULL), 0);
	assert_non_null(strstr(text.bytes, ",\"implementation_defined_63\"]}\n{\"type\":\"end\""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(streams_do_not_mix),
		cmocka_unit_test(a_break_ends_what_was_there),
		cmocka_unit_test(what_an_input_gave_before_it_failed_is_shown),
		cmocka_unit_test(an_output_that_fails_is_an_error),
		cmocka_unit_test(every_event_fits_a_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
