/* SPDX-License-Identifier: MIT */
/* Show a function's instructions below their lines of source, or a file's lines. */
#include <string.h>

#include "show/grid.h"
#include "show/label.h"
#include "show/place.h"
#include "show/provenance.h"
#include "show/render.h"
#include "show/text.h"

struct subject {
	const struct pms_counts *counts;
	const struct pms_annotation *annotation;
};

enum { CYCLES, LOST, MISSES, AT, CODE, ADDRESS, FILE_NAME, LINE, SOURCE, INSTRUCTION, N_KEYS };

static const struct pms_out_field keys[N_KEYS] = {
	[CYCLES] = { NULL, NULL, "Cycles %", PMS_GRID_RIGHT },
	[LOST] = { NULL, NULL, "Lost slots", 0 },
	[MISSES] = { NULL, NULL, "Per run", PMS_GRID_RIGHT },
	[AT] = { NULL, NULL, "Place", PMS_GRID_RIGHT },
	[CODE] = { NULL, NULL, "Code", PMS_GRID_WRAP },
	[ADDRESS] = PMS_OUT_FIELD("address", NULL, 0),
	[FILE_NAME] = PMS_OUT_FIELD("file", NULL, 0),
	[LINE] = PMS_OUT_FIELD("line", NULL, 0),
	[SOURCE] = PMS_OUT_FIELD("source", NULL, 0),
	[INSTRUCTION] = PMS_OUT_FIELD("instruction", NULL, 0),
};

enum { BAR = 10 };

/* A share of Level 1 in the bar of lost slots: its letter, and the colour of rows that lose most to
 * it. */
static const struct {
	char letter;
	const char *colour;
} shares[PMS_PROFILE_SHARES] = {
	[PMS_PROFILE_BAD_SPECULATION] = { 'S', "red" },
	[PMS_PROFILE_FRONTEND] = { 'F', "brown" },
	[PMS_PROFILE_BACKEND] = { 'B', "bold" },
};

/* Write a bar of letters: all of it is @most slots. Rounded, but for something at least one
 * letter. */
static void write_bar(char text[BAR + 1], const struct pms_profile *p, const uint64_t *values,
		      uint64_t most)
{
	uint64_t lost = pms_profile_lost(p, values);
	size_t n = most ? (size_t)((double)lost / (double)most * BAR + 0.5) : 0, at = 0;
	double sum = 0;
	n = n > BAR ? BAR : n + (!n && lost);
	for (int s = 0; s < PMS_PROFILE_SHARES; s++) {
		if (!shares[s].letter)
			continue;
		sum += (double)pms_profile_slots(p, values, (enum pms_profile_share)s);
		while (lost && at < n && (double)at + 0.5 <= sum / (double)lost * (double)n)
			text[at++] = shares[s].letter;
	}
	text[at] = 0;
}

static const char *colour_of(const struct pms_profile *p, const uint64_t *values, uint64_t most)
{
	uint32_t worst = pms_profile_worst(p, values);
	if (worst == PMS_PROFILE_NONE || pms_profile_lost(p, values) < most / 4)
		return NULL;
	return shares[p->kinds[worst].share].colour;
}

/* Returns whether the kind counts something that went wrong, as opposed to work. */
static int is_miss(const struct pms_profile_kind *kind)
{
	static const char *const words[] = { "refill", "miss", "mis_pred", "walk", "mispredict" };
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (kind->unit == PMS_PROFILE_EVENTS && strstr(kind->name, words[i]))
			return 1;
	return 0;
}

/* Set the most frequent miss, for each time that the instruction ran: "0.98 l1d_refill". */
static void set_misses(struct pms_out_item *row, const struct pms_profile *p,
		       const uint64_t *values)
{
	size_t most = p->n_kinds;
	uint64_t runs = 0;
	for (size_t i = 0; i < p->n_kinds; i++) {
		if (p->kinds[i].unit == PMS_PROFILE_INSTRUCTIONS && !runs)
			runs = values[i];
		if (is_miss(&p->kinds[i]) && values[i] &&
		    (most == p->n_kinds || values[i] > values[most]))
			most = i;
	}
	if (most < p->n_kinds && runs && (double)values[most] >= 0.005 * (double)runs)
		pms_out_cell_print(row, MISSES, "%.2f %s", (double)values[most] / (double)runs,
				   p->kinds[most].name);
}

static const char *unindented(const char *text)
{
	return text ? text + strspn(text, " \t") : NULL;
}

static int is_same_file(const struct pms_annotation_line *a, const struct pms_annotation_line *b)
{
	return a->file && b->file && !strcmp(a->file, b->file);
}

/* Say the line of source, or the address and the instruction. The file is named where it is not
 * that of the line of source @before. */
static void say_place(struct pms_out_item *row, const struct pms_annotation *a,
		      const struct pms_annotation_line *line,
		      const struct pms_annotation_line *before)
{
	const char *text = unindented(line->text);
	if (line->is_source && a->file) {
		pms_out_cell_print(row, AT, "%u", line->line);
		pms_out_cell_print(row, CODE, "%s", text ? text : "");
	} else if (line->is_source && before && is_same_file(before, line)) {
		pms_out_cell_print(row, CODE, "%u: %s", line->line, text ? text : "");
	} else if (line->is_source) {
		pms_out_cell_print(row, CODE, "%s: %s", pms_place_line(row, line->file, line->line),
				   text ? text : "");
	} else {
		pms_out_cell_print(row, AT, "%llx", (unsigned long long)line->address);
		pms_out_cell_print(row, CODE, "  %s", text ? text : "");
	}
}

static void put_line(struct pms_out_item *table, size_t n, const struct pms_annotation *a,
		     const struct pms_annotation_line *line,
		     const struct pms_annotation_line *before, uint64_t most)
{
	const struct pms_profile *p = a->profile;
	size_t cycles = pms_profile_measure_usual(p);
	char bar[BAR + 1];
	struct pms_out_item *row = pms_out_row(table, n);
	if (!row)
		return;
	if (line->values) {
		if (line->values[cycles])
			pms_place_set_percent(row, CYCLES, line->values[cycles], a->totals[cycles]);
		write_bar(bar, p, line->values, most);
		pms_out_cell_print(row, LOST, "%s", bar);
		set_misses(row, p, line->values);
		pms_out_row_colour(row, colour_of(p, line->values, most));
	}
	say_place(row, a, line, before);
	if (!line->is_source)
		pms_out_cell(row, ADDRESS,
			     pms_out_of_text(pms_out_print(row, "0x%llx",
							   (unsigned long long)line->address)));
	pms_out_cell(row, FILE_NAME, pms_out_of_text(line->file));
	pms_out_cell(row, LINE, pms_out_when(line->line > 0, pms_out_of_count(line->line)));
	pms_out_cell(row, line->is_source ? SOURCE : INSTRUCTION, pms_out_of_text(line->text));
	pms_place_set_measures(row, N_KEYS, p, line->values);
}

/* Returns the slots lost by the line that lost most: a full bar. */
static uint64_t most_lost(const struct pms_annotation *a)
{
	uint64_t most = 0;
	for (size_t i = 0; i < a->n_lines; i++) {
		uint64_t lost =
			a->lines[i].values ? pms_profile_lost(a->profile, a->lines[i].values) : 0;
		most = lost > most ? lost : most;
	}
	return most;
}

static void say_heading(struct pms_out_item *root, const struct subject *s)
{
	const struct pms_annotation *a = s->annotation;
	size_t cycles = pms_profile_measure_usual(a->profile);
	char heading[512], share[PMS_NUMBER_MAX];
	if (!pms_outline_is_in(root, PMS_FOR_PEOPLE))
		return;
	pms_label_heading(heading, sizeof(heading), s->counts);
	pms_text_value(share, pms_place_percent(a->sums[cycles], a->totals[cycles]),
		       "percent of slots");
	if (a->function)
		pms_out_heading(root, "%s in %s: %s %% of %s. %s", a->function,
				pms_place_short(a->profile->objects[a->object].path), share,
				a->profile->kinds[cycles].name, heading);
	else
		pms_out_heading(root, "%s: %s %% of %s. %s", a->file, share,
				a->profile->kinds[cycles].name, heading);
	pms_out_gap(root);
}

/* Explain the letters, and say what could not be shown. */
static void say_notes(struct pms_out_item *root, const struct pms_annotation *a, uint64_t most)
{
	char share[PMS_NUMBER_MAX];
	if (!pms_outline_is_in(root, PMS_FOR_PEOPLE))
		return;
	pms_out_gap(root);
	pms_text_value(share, pms_place_percent(most, pms_profile_lost(a->profile, a->totals)),
		       "percent of slots");
	if (most)
		pms_out_paragraph(
			root, NULL,
			"Lost slots: F frontend, S bad speculation, B backend. A full bar "
			"is %s %% of all that the program lost.",
			share);
	if (a->because)
		pms_out_paragraph(root, NULL, "No instructions are shown: %s.", a->because);
	if (a->no_source)
		pms_out_paragraph(root, NULL, "The source is not shown: %s cannot be read.",
				  a->no_source);
}

static void put_facts(struct pms_out_item *root, const struct pms_annotation *a)
{
	const char *object =
		a->object == PMS_PROFILE_NONE ? NULL : a->profile->objects[a->object].path;
	pms_out_fact(root, "profile", "profile",
		     pms_out_of_text(pms_profile_source_name(a->profile->source)));
	pms_out_fact(root, "scale", "scale", pms_out_of_real(a->profile->scale));
	pms_out_fact(root, "function", "function", pms_out_of_text(a->function));
	pms_out_fact(root, "object", "object", pms_out_of_text(object));
	pms_out_fact(root, "source_file", "source file", pms_out_of_text(a->file));
	pms_out_fact(root, "disassembler", "disassembler", pms_out_of_text(a->program));
	pms_out_fact(root, "no_instructions", "no instructions", pms_out_of_text(a->because));
	struct pms_out_item *totals = pms_out_group(root, PMS_IN_JSON, "totals");
	for (size_t i = 0; i < pms_profile_measures(a->profile); i++)
		pms_out_member(totals, pms_profile_measure(a->profile, i).name,
			       pms_out_of_count(pms_profile_measure_get(a->profile, a->totals, i)));
}

static int build(struct pms_outline *outline, void *subject, struct pms_error *err)
{
	const struct subject *s = subject;
	const struct pms_annotation *a = s->annotation;
	struct pms_out_item *root = outline->root;
	uint64_t most = most_lost(a);
	size_t n;
	(void)err;
	struct pms_out_field *fields = pms_place_fields(root, a->profile, keys, N_KEYS, &n);
	pms_provenance_counts(root, PMS_FOR_PROGRAMS, s->counts, 1);
	put_facts(root, a);
	say_heading(root, s);
	struct pms_out_item *table =
		fields ? pms_out_table(root, PMS_EVERYWHERE, "lines", fields, n) : NULL;
	const struct pms_annotation_line *before = NULL; /* the line of source above */
	for (size_t i = 0; i < a->n_lines; i++) {
		put_line(table, n, a, &a->lines[i], before, most);
		before = a->lines[i].is_source ? &a->lines[i] : before;
	}
	say_notes(root, a, most);
	return 0;
}

int pms_show_annotation(FILE *out, const struct pms_counts *counts,
			const struct pms_annotation *annotation,
			const struct pms_show_options *options, struct pms_error *err)
{
	struct subject subject = { counts, annotation };
	return pms_show_built(out, options, build, &subject, err);
}
