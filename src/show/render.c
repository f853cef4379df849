/* SPDX-License-Identifier: MIT */
#include "show/render.h"

#include "base/memstream.h"
#include "base/status.h"
#include "show/formats.h"

/* Make a format without its case in this file a compile error. */
#pragma GCC diagnostic error "-Wswitch"

int pms_show_check(const struct pms_show_options *options, struct pms_error *err)
{
	int format = options ? (int)options->format : PMS_FORMAT_TABLE;
	switch ((enum pms_format)format) {
	case PMS_FORMAT_TABLE:
	case PMS_FORMAT_JSON:
	case PMS_FORMAT_CSV:
		return 0;
	}
	return pms_fail(err, PMS_EINVAL, "there is no format %d", format);
}

static int render(FILE *out, const struct pms_outline *outline, struct pms_error *err)
{
	switch (outline->options->format) {
	case PMS_FORMAT_TABLE:
		return pms_render_table(out, outline, err);
	case PMS_FORMAT_JSON:
		return pms_render_json(out, outline, err);
	case PMS_FORMAT_CSV:
		return pms_render_csv(out, outline, err);
	}
	return -PMS_EINVAL;
}

int pms_show_built(FILE *out, const struct pms_show_options *options, pms_builder *build,
		   void *subject, struct pms_error *err)
{
	if (pms_show_check(options, err))
		return -PMS_EINVAL;
	struct pms_show_options o = pms_show_complete(options);
	struct pms_outline outline;
	locale_t numbers, old = pms_show_enter(&numbers);
	pms_outline_init(&outline, &o);
	int rc = build(&outline, subject, err);
	if (!rc && outline.failed)
		rc = pms_no_memory(err);
	if (!rc)
		rc = render(out, &outline, err);
	pms_outline_release(&outline);
	return pms_show_leave(old, numbers, out, rc, err);
}

char *pms_render_words(const struct pms_out_datum *datum)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = pms_memstream_open(&text, &size);
	for (unsigned i = 0; out && i < datum->n_words; i++)
		fprintf(out, "%s%s", i ? " " : "", datum->words[i]);
	return out && !pms_memstream_close(out) ? text : NULL;
}

int pms_render_each(const struct pms_out_item *each, pms_piece_writer *write, void *context,
		    struct pms_error *err)
{
	struct pms_outline piece;
	int rc = 1;
	pms_outline_init(&piece, each->outline->options);
	for (size_t i = 0; rc > 0; i++) {
		pms_outline_again(&piece);
		if (piece.root)
			piece.root->kind = PMS_OUT_ITEM_LIST;
		rc = piece.root ? each->each.make(each->each.context, piece.root, i, err) : 0;
		if (rc >= 0 && piece.failed)
			rc = pms_no_memory(err);
		int failure = rc > 0 ? write(context, piece.root) : 0;
		rc = failure ? failure : rc;
	}
	pms_outline_release(&piece);
	return rc;
}
