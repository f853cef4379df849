/* SPDX-License-Identifier: MIT */
/* Print every record as a line, with its thread. docs/use/spe.md lists keys and values. */
#include "base/status.h"
#include "base/utf8.h"
#include "pmuscope/spe_samples.h"
#include "spe/dump.h"

#include <stdlib.h>

struct dump {
	const struct pms_spe_dump_options *options;
	const struct pms_spe_samples *samples;
	const struct pms_spe_samples_batch *batch;
	struct pms_lines lines;
};

static const char *operation_word(const struct pms_spe_batch *b, size_t i)
{
	static const char *const classes[] = { "other", NULL, "branch", "reserved" };
	const char *name = classes[b->class_[i] & 3];
	/* LDST is bit [0] of every payload of this class. */
	return name ? name : b->op[i] & 1 ? "store" : "load";
}

static void record_addresses(struct pms_lines *l, const struct pms_spe_batch *b, size_t i)
{
	uint32_t has = b->has[i];
	if (has & PMS_SPE_HAS_PC) {
		pms_line_hex(l, "pc", pms_spe_addr(b->pc[i]), 14);
		pms_line_count(l, "el", pms_spe_el(b->pc[i]));
		pms_dump_security(l, "security_state", b->pc[i]);
	}
	if (has & PMS_SPE_HAS_TARGET) {
		pms_line_hex(l, "br_tgt", pms_spe_addr(b->target[i]), 14);
		pms_line_count(l, "br_tgt_el", pms_spe_el(b->target[i]));
	}
	if (has & PMS_SPE_HAS_PREVIOUS)
		pms_line_hex(l, "pbt", pms_spe_addr(b->previous[i]), 14);
	if (has & PMS_SPE_HAS_VA) {
		pms_line_hex(l, "vaddr", pms_spe_addr(b->va[i]), 14);
		pms_line_count(l, "tag", pms_spe_tag(b->va[i]));
	}
	if (has & PMS_SPE_HAS_PA) {
		pms_line_hex(l, "paddr", pms_spe_addr(b->pa[i]), 14);
		pms_dump_security(l, "pas", b->pa[i]);
	}
}

static void record_latencies(struct pms_lines *l, const struct pms_spe_batch *b, size_t i)
{
	uint32_t has = b->has[i];
	if (has & PMS_SPE_HAS_TOTAL)
		pms_line_count(l, "total_lat", b->total[i]);
	if (has & PMS_SPE_HAS_ISSUE)
		pms_line_count(l, "issue_lat", b->issue[i]);
	if (has & PMS_SPE_HAS_TRANSLATION)
		pms_line_count(l, "xlat_lat", b->translation[i]);
	if (has & PMS_SPE_HAS_ALTERNATE)
		pms_line_count(l, "alt_issue_lat", b->alternate[i]);
}

static void record_rest(struct dump *d, const struct pms_spe_batch *b, size_t i)
{
	struct pms_lines *l = &d->lines;
	uint32_t has = b->has[i];
	const char *name = pms_spe_source_name(d->batch->encoding, b->source[i]);
	if (has & PMS_SPE_HAS_SOURCE)
		pms_line_count(l, "data_source", b->source[i]);
	if (has & PMS_SPE_HAS_SOURCE && name)
		pms_line_word(l, "data_source_name", name);
	if (has & PMS_SPE_HAS_CONTEXT_EL1)
		pms_line_count(l, "context", b->context_el1[i]);
	if (has & PMS_SPE_HAS_CONTEXT_EL2)
		pms_line_count(l, "context_el2", b->context_el2[i]);
	if (has & PMS_SPE_HAS_TIME)
		pms_line_count(l, "ts", b->time[i]);
	if (has & PMS_SPE_HAS_OTHER)
		pms_line_count(l, "other_packets", 1);
	if (has & PMS_SPE_HAS_REPEATED)
		pms_line_count(l, "repeated", 1);
	if (has & PMS_SPE_HAS_DAMAGE)
		pms_line_count(l, "damaged", 1);
}

/* Print a character that cannot be shown: @n bytes, 0 for a byte that is not UTF-8. JSON gets an
 * escape, of two surrogates beyond U+FFFF; a person gets a mark. */
static void unshown(struct pms_lines *l, const char *at, size_t n)
{
	uint32_t code = n ? pms_utf8_code(at, n) : 0xfffd;
	if (!l->json) {
		pms_line_char(l, '?');
		return;
	}
	if (code > 0xffff) {
		pms_line_text(l, "\\u", 2);
		pms_line_digits(l, 0xd7c0 + (code >> 10), 4);
		code = 0xdc00 + (code & 0x3ff);
	}
	pms_line_text(l, "\\u", 2);
	pms_line_digits(l, code, 4);
}

/* Print a thread's name, which may hold any bytes: JSON also gets the bytes if they are not
 * UTF-8. The history keeps 15 bytes. */
static void thread_name(struct pms_lines *l, const char *name)
{
	size_t n;
	pms_line_key(l, "thread_name");
	pms_line_char(l, '"');
	for (const char *at = name; *at; at += n ? n : 1) {
		n = pms_utf8_length(at);
		if (!n || pms_utf8_acts(at, n)) {
			unshown(l, at, n);
			continue;
		}
		if (*at == '"' || *at == '\\')
			pms_line_char(l, '\\');
		pms_line_text(l, at, n);
	}
	pms_line_char(l, '"');
	if (!l->json || pms_utf8_valid(name))
		return;
	pms_line_key(l, "thread_name_bytes");
	pms_line_char(l, '"');
	for (const char *at = name; *at; at++)
		pms_line_digits(l, (unsigned char)*at, 2);
	pms_line_char(l, '"');
}

static void whose(struct dump *d, size_t i)
{
	const struct pms_spe_samples_batch *b = d->batch;
	const struct pms_spe_thread *thread = pms_spe_samples_thread(d->samples, b->thread[i]);
	struct pms_lines *l = &d->lines;
	if (b->cpu >= 0)
		pms_line_count(l, "cpu", (uint64_t)b->cpu);
	if (b->knows[i] & PMS_SPE_KNOWS_PID)
		pms_line_count(l, "pid", (uint32_t)b->pid[i]);
	if (b->knows[i] & PMS_SPE_KNOWS_TID)
		pms_line_count(l, "tid", (uint32_t)b->tid[i]);
	if (thread && thread->comm[0])
		thread_name(l, thread->comm);
	if (b->knows[i] & PMS_SPE_KNOWS_NS)
		pms_line_count(l, "time", b->ns[i]);
}

static void record_line(struct dump *d, size_t i)
{
	const struct pms_spe_batch *b = d->batch->records;
	struct pms_lines *l = &d->lines;
	l->first = 1;
	if (l->json) {
		pms_line_text(l, "{", 1);
		pms_line_count(l, "offset", b->offset[i]);
	} else {
		pms_line_digits(l, b->offset[i], b->offset[i] >> 32 ? 16 : 8);
		l->first = 0;
	}
	record_addresses(l, b, i);
	if (b->has[i] & PMS_SPE_HAS_OP) {
		const struct pms_spe_operation *o = pms_spe_operation(b->class_[i], b->op[i]);
		pms_line_word(l, "op", operation_word(b, i));
		pms_line_word(l, "subclass", o->name);
		pms_dump_operation(l, o, b->op[i]);
	}
	if (b->has[i] & PMS_SPE_HAS_EVENTS)
		pms_dump_events(l, "event", b->events[i]);
	record_latencies(l, b, i);
	record_rest(d, b, i);
	whose(d, i);
	pms_line_text(l, l->json ? "}\n" : "\n", l->json ? 2 : 1);
}

static int show_batch(struct dump *d, struct pms_error *err)
{
	int status = 0;
	for (size_t i = 0; !status && i < d->batch->records->count; i++) {
		record_line(d, i);
		status = pms_dump_flush(d->options, &d->lines, PMS_LINES_FULL, err);
	}
	return status;
}

int pms_spe_dump_records(struct pms_spe_samples *samples,
			 const struct pms_spe_dump_options *options, struct pms_error *err)
{
	struct dump *d = calloc(1, sizeof(*d));
	int status;
	if (!d)
		return pms_no_memory(err);
	d->options = options;
	d->samples = samples;
	d->lines.json = options->format == PMS_SPE_DUMP_JSONL;
	while ((status = pms_spe_samples_next(samples, &d->batch, err)) > 0) {
		status = show_batch(d, err);
		if (status)
			break;
	}
	int flushed = pms_dump_flush(options, &d->lines, 0, err);
	free(d);
	return status ? status : flushed;
}
