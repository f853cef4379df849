/* SPDX-License-Identifier: MIT */
/* Print every packet as a line. Both formats have the keys and values of docs/use/spe.md; they
 * differ only in how lines begin and in punctuation. */
#include "base/array.h"
#include "base/status.h"
#include "spe/dump.h"
#include "spe/packet.h"
#include "spe/reader.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { PACKETS = 256 };

/* The position in a stream, kept while another one is read. */
struct stream {
	int begun;
	int32_t cpu, tid;
	struct pms_spe_cursor cursor;
};

struct dump {
	const struct pms_spe_dump_options *options;
	struct pms_spe_summary *summary;
	struct pms_spe_reader *reader; /* of all streams in turn */
	struct stream *streams;	       /* by number */
	size_t n_streams;
	size_t stream; /* the stream that the reader is at, and whose packets these are */
	struct pms_spe_packet packets[PACKETS];
	struct pms_lines lines;
};

/* Values --------------------------------------------------------------------------------------- */

void pms_dump_security(struct pms_lines *l, const char *key, uint64_t payload)
{
	pms_line_word(l, key, pms_spe_security_name(pms_spe_security(payload)));
}

static void instruction_address(struct pms_lines *l, uint64_t payload)
{
	pms_line_count(l, "ns", pms_spe_ns(payload));
	pms_line_count(l, "el", pms_spe_el(payload));
	pms_line_count(l, "nse", pms_spe_nse(payload));
	pms_line_hex(l, "addr", pms_spe_addr(payload), 14);
	pms_dump_security(l, "security_state", payload);
}

static void data_va(struct pms_lines *l, uint64_t payload)
{
	pms_line_count(l, "tag", pms_spe_tag(payload));
	pms_line_hex(l, "addr", pms_spe_addr(payload), 14);
}

static void data_pa(struct pms_lines *l, uint64_t payload)
{
	pms_line_count(l, "ns", pms_spe_ns(payload));
	pms_line_count(l, "ch", pms_spe_checked(payload));
	pms_line_count(l, "nse", pms_spe_nse(payload));
	pms_line_count(l, "pat", pms_spe_pat(payload));
	pms_line_hex(l, "addr", pms_spe_addr(payload), 14);
	pms_dump_security(l, "pas", payload);
}

static void list_begin(struct pms_lines *l, const char *key)
{
	pms_line_key(l, key);
	if (l->json)
		pms_line_char(l, '[');
	l->first = 1;
}

static void list_next(struct pms_lines *l)
{
	if (!l->first)
		pms_line_char(l, ',');
	l->first = 0;
}

static void list_end(struct pms_lines *l)
{
	if (l->json)
		pms_line_char(l, ']');
	l->first = 0;
}

void pms_dump_events(struct pms_lines *l, const char *key, uint64_t value)
{
	list_begin(l, key);
	for (uint64_t rest = value; rest; rest &= rest - 1) {
		list_next(l);
		pms_line_quote(l, pms_spe_event_name((unsigned)__builtin_ctzll(rest)));
	}
	list_end(l);
}

static void event_bits(struct pms_lines *l, uint64_t value)
{
	list_begin(l, "bits");
	for (uint64_t rest = value; rest; rest &= rest - 1) {
		list_next(l);
		pms_line_number(l, (unsigned)__builtin_ctzll(rest));
	}
	list_end(l);
}

static void evl_bits(struct pms_lines *l, unsigned evl)
{
	unsigned bits = pms_spe_evl_bits(evl);
	pms_line_key(l, "evl_bits");
	if (bits)
		pms_line_number(l, bits);
	else
		pms_line_text(l, "null", 4);
}

static void ets_bits(struct pms_lines *l, unsigned ets)
{
	int bits = pms_spe_ets_bits(ets);
	if (bits > 0)
		pms_line_count(l, "ets_bits", (unsigned)bits);
	else
		pms_line_word(l, "ets_bits",
			      bits == PMS_SPE_ETS_WHOLE_ZA ? "whole_za" : "reserved");
}

void pms_dump_operation(struct pms_lines *l, const struct pms_spe_operation *o, uint8_t payload)
{
	for (unsigned i = 0; i < o->n_fields; i++)
		pms_line_count(l, o->fields[i].name, pms_spe_field_value(&o->fields[i], payload));
	for (unsigned i = 0; i < o->n_fields; i++) {
		unsigned value = pms_spe_field_value(&o->fields[i], payload);
		if (!strcmp(o->fields[i].name, "evl"))
			evl_bits(l, value);
		else if (!strcmp(o->fields[i].name, "ets"))
			ets_bits(l, value);
	}
}

/* Packets -------------------------------------------------------------------------------------- */

static void format(struct pms_lines *l, const struct pms_spe_packet *p)
{
	pms_line_word(l, "format", p->extended ? "extended" : "short");
	pms_line_count(l, "index", p->index);
}

static void address(struct dump *d, const struct pms_spe_packet *p)
{
	static void (*const fields[])(struct pms_lines * l, uint64_t payload) = {
		[PMS_SPE_INSTRUCTION_VA] = instruction_address,
		[PMS_SPE_BRANCH_TARGET] = instruction_address,
		[PMS_SPE_DATA_VA] = data_va,
		[PMS_SPE_DATA_PA] = data_pa,
		[PMS_SPE_PREVIOUS_TARGET] = instruction_address,
	};
	struct pms_lines *l = &d->lines;
	format(l, p);
	pms_line_word(l, "name", pms_spe_address_name(p->index));
	if (p->index < COUNT(fields))
		fields[p->index](l, p->payload);
	else
		pms_line_count(l, "payload", p->payload);
}

static void context(struct dump *d, const struct pms_spe_packet *p)
{
	pms_line_count(&d->lines, "index", p->index);
	pms_line_word(&d->lines, "name", pms_spe_context_name(p->index));
	pms_line_hex(&d->lines, "context", p->payload, 8);
}

static void counter(struct dump *d, const struct pms_spe_packet *p)
{
	struct pms_lines *l = &d->lines;
	format(l, p);
	pms_line_word(l, "name", pms_spe_counter_name(p->index));
	pms_line_count(l, "count", p->payload);
	if (p->payload == 0xfff || p->payload == 0xffff) {
		pms_line_key(l, p->payload == 0xfff ? "sat12" : "sat16");
		pms_line_text(l, "true", 4);
	}
}

static void data_source(struct dump *d, const struct pms_spe_packet *p)
{
	const char *name = pms_spe_source_name(d->options->encoding, (unsigned)p->payload);
	pms_line_count(&d->lines, "sz", p->size);
	pms_line_count(&d->lines, "source", p->payload);
	if (name)
		pms_line_word(&d->lines, "name", name);
}

static void events(struct dump *d, const struct pms_spe_packet *p)
{
	pms_line_count(&d->lines, "sz", p->size);
	pms_line_hex(&d->lines, "value", p->payload, 2U << p->size);
	event_bits(&d->lines, p->payload);
	pms_dump_events(&d->lines, "names", p->payload);
}

static void operation(struct dump *d, const struct pms_spe_packet *p)
{
	uint8_t payload = (uint8_t)p->payload;
	const struct pms_spe_operation *o = pms_spe_operation(p->index, payload);
	pms_line_count(&d->lines, "class", p->index);
	pms_line_word(&d->lines, "subclass", o->name);
	pms_line_count(&d->lines, "payload", payload);
	pms_dump_operation(&d->lines, o, payload);
}

static void timestamp(struct dump *d, const struct pms_spe_packet *p)
{
	pms_line_count(&d->lines, "ts", p->payload);
}

static void reserved(struct dump *d, const struct pms_spe_packet *p)
{
	pms_line_count(&d->lines, "byte", p->header);
}

static void truncated(struct dump *d, const struct pms_spe_packet *p)
{
	pms_line_count(&d->lines, "need", p->need);
	pms_line_word(&d->lines, "what", pms_spe_type_name((enum pms_spe_type)p->what));
}

static void nothing(struct dump *d, const struct pms_spe_packet *p)
{
	(void)d;
	(void)p;
}

static void (*const packet_fields[PMS_SPE_TYPES])(struct dump *d,
						  const struct pms_spe_packet *p) = {
	[PMS_SPE_RESERVED] = reserved,	     [PMS_SPE_ADDRESS] = address,
	[PMS_SPE_CONTEXT] = context,	     [PMS_SPE_COUNTER] = counter,
	[PMS_SPE_DATA_SOURCE] = data_source, [PMS_SPE_END] = nothing,
	[PMS_SPE_EVENTS] = events,	     [PMS_SPE_OPERATION] = operation,
	[PMS_SPE_PADDING] = nothing,	     [PMS_SPE_TIMESTAMP] = timestamp,
	[PMS_SPE_EXTENDED] = nothing,	     [PMS_SPE_TRUNCATED] = truncated,
};

/* Print a packet's bytes in ten columns of three characters; of padding, print only the count. */
static void packet_bytes(struct pms_lines *l, const struct pms_spe_packet *p)
{
	uint8_t bytes[PMS_SPE_LONGEST];
	size_t n = 0, begin = l->length;
	if (p->type == PMS_SPE_PADDING) {
		pms_line_text(l, "00 x ", 5);
		pms_line_number(l, p->length);
	} else {
		bytes[n++] = p->header;
		if (p->extended && p->type != PMS_SPE_TRUNCATED)
			bytes[n++] = (uint8_t)((p->type == PMS_SPE_ADDRESS ? 0xb0 : 0x98) |
					       (p->index & 7));
		for (unsigned shift = 0; n < p->length; shift += 8)
			bytes[n++] = (uint8_t)(p->payload >> shift);
		for (size_t i = 0; i < n; i++) {
			pms_line_digits(l, bytes[i], 2);
			pms_line_char(l, ' ');
		}
	}
	while (l->length - begin < 3 * PMS_SPE_LONGEST + 1)
		pms_line_char(l, ' ');
}

static void whose(struct dump *d)
{
	const struct stream *s = &d->streams[d->stream];
	if (s->cpu >= 0)
		pms_line_count(&d->lines, "cpu", (uint64_t)s->cpu);
	if (s->tid >= 0)
		pms_line_count(&d->lines, "tid", (uint64_t)s->tid);
}

static void packet_line(struct dump *d, const struct pms_spe_packet *p)
{
	struct pms_lines *l = &d->lines;
	const char *name = pms_spe_type_name((enum pms_spe_type)p->type);
	l->first = 1;
	if (l->json) {
		pms_line_char(l, '{');
		pms_line_word(l, "type", name);
		pms_line_count(l, "offset", p->offset);
		pms_line_count(l, "len", p->length);
	} else {
		pms_line_digits(l, p->offset, p->offset >> 32 ? 16 : 8);
		pms_line_text(l, "  ", 2);
		packet_bytes(l, p);
		pms_line_text(l, name, strlen(name));
		l->first = 0;
	}
	packet_fields[p->type](d, p);
	whose(d);
	pms_line_text(l, l->json ? "}\n" : "\n", l->json ? 2 : 1);
}

/* Streams -------------------------------------------------------------------------------------- */

int pms_dump_flush(const struct pms_spe_dump_options *options, struct pms_lines *l, size_t above,
		   struct pms_error *err)
{
	if (l->length <= above)
		return 0;
	if (options->write(options->context, l->text, l->length))
		return pms_fail(err, PMS_EIO, "cannot write");
	l->length = 0;
	return 0;
}

static int show_packets(struct dump *d, size_t n, struct pms_error *err)
{
	for (size_t i = 0; i < n; i++) {
		pms_spe_summary_add(d->summary, &d->packets[i]);
		packet_line(d, &d->packets[i]);
		int status = pms_dump_flush(d->options, &d->lines, PMS_LINES_FULL, err);
		if (status)
			return status;
	}
	return 0;
}

/* Print some packets of the bytes. @used: as for pms_spe_read */
static int show_some(struct dump *d, const uint8_t *bytes, size_t length, size_t *used,
		     struct pms_error *err)
{
	size_t n = pms_spe_read(d->reader, bytes, length, used, d->packets, PACKETS);
	return show_packets(d, n, err);
}

/* End the reader's stream. */
static int end_stream(struct dump *d, struct pms_error *err)
{
	return show_packets(d, pms_spe_read_end(d->reader, d->packets), err);
}

/* Make room for the stream with this number. */
static int stream_room(struct dump *d, size_t number)
{
	while (d->n_streams <= number) {
		void *room = pms_array_room(d->streams, d->n_streams, sizeof(struct stream));
		if (!room)
			return -PMS_ENOMEM;
		d->streams = room;
		d->streams[d->n_streams++] = (struct stream){ 0 };
	}
	return 0;
}

/* Let the reader continue another stream where it was left. */
static void turn_to(struct dump *d, size_t number)
{
	if (number == d->stream)
		return;
	d->streams[d->stream].cursor = d->reader->cursor;
	d->reader->cursor = d->streams[number].cursor;
	d->stream = number;
}

static int show_buffer(struct dump *d, const struct pms_spe_buffer *buffer, struct pms_error *err)
{
	if (stream_room(d, buffer->stream))
		return pms_no_memory(err);
	struct stream *s = &d->streams[buffer->stream];
	int status = 0;
	turn_to(d, buffer->stream);
	if (s->begun && buffer->breaks)
		status = end_stream(d, err);
	if (status)
		return status;
	if (!s->begun || buffer->breaks)
		pms_spe_reader_break(d->reader, buffer->offset);
	s->begun = 1;
	s->cpu = buffer->cpu;
	s->tid = buffer->tid;
	for (size_t at = 0, used; !status && at < buffer->length; at += used)
		status = show_some(d, buffer->bytes + at, buffer->length - at, &used, err);
	return status;
}

static int show_all(struct dump *d, const struct pms_spe_input *input, struct pms_error *err)
{
	struct pms_spe_buffer buffer;
	int status;
	while ((status = input->next(input->context, &buffer, err)) > 0) {
		status = show_buffer(d, &buffer, err);
		if (status)
			break;
	}
	/* An input that fails has been read up to there. */
	for (size_t i = 0; i < d->n_streams; i++) {
		turn_to(d, i);
		int ended = end_stream(d, err);
		status = status ? status : ended;
	}
	return status;
}

int pms_spe_dump(const struct pms_spe_input *input, const struct pms_spe_dump_options *options,
		 struct pms_spe_summary *summary, struct pms_error *err)
{
	struct dump *d = calloc(1, sizeof(*d));
	if (d)
		d->reader = pms_spe_reader_new(0);
	if (!d || !d->reader) {
		free(d);
		return pms_no_memory(err);
	}
	d->options = options;
	d->summary = summary;
	d->lines.json = options->format == PMS_SPE_DUMP_JSONL;
	int status = show_all(d, input, err);
	int flushed = pms_dump_flush(options, &d->lines, 0, err);
	pms_spe_reader_free(d->reader);
	free(d->streams);
	free(d);
	return status ? status : flushed;
}
