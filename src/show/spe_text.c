/* SPDX-License-Identifier: MIT */
/* Texts of SPE reports for people: measures, sources of data, code, what a row is about. */
#include "show/spe_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = PMS_SPE_TEXT, SHARE = PMS_SPE_SHARE };

void pms_spe_measure_text(char text[PMS_NUMBER_MAX], const struct pms_spe_report *report,
			  const struct pms_spe_row *row, const char *name)
{
	double value;
	size_t i = (size_t)pms_spe_measure_find(name);
	enum pms_spe_unit unit = pms_spe_measure(i)->unit;
	if (!pms_spe_measure_get(report, row, i, &value))
		snprintf(text, PMS_NUMBER_MAX, "-");
	else if (unit == PMS_SPE_FRACTION)
		pms_text_value(text, 100 * value, "percent of records");
	else if (value >= 1000 || value == (double)(uint64_t)value)
		pms_text_count(text, (uint64_t)(value + 0.5));
	else
		snprintf(text, PMS_NUMBER_MAX, "%.1f", value);
}

static void source_text(char text[PMS_NUMBER_MAX], const struct pms_spe_report *report, int source)
{
	const char *name =
		source < 0 ? "others"
			   : pms_spe_source_name(pms_spe_report_encoding(report), (unsigned)source);
	if (name)
		snprintf(text, PMS_NUMBER_MAX, "%s", name);
	else
		snprintf(text, PMS_NUMBER_MAX, "source_%d", source);
}

/* Order by wait, then by records, largest first. */
static int compare_from(const void *a, const void *b)
{
	const struct pms_spe_from *x = a, *y = b;
	if (x->wait != y->wait)
		return x->wait < y->wait ? 1 : -1;
	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return (x->source > y->source) - (x->source < y->source);
}

/* Sort the sources that loads waited for into @from. Returns their number. */
size_t pms_spe_waited_for(struct pms_spe_from from[PMS_SPE_FROM_MOST],
			  const struct pms_spe_row *row)
{
	size_t n = 0;
	memcpy(from, row->from, row->n_from * sizeof(from[0]));
	qsort(from, row->n_from, sizeof(from[0]), compare_from);
	while (n < row->n_from && from[n].wait)
		n++;
	return n;
}

/* Write "dram 61 %", a share of the row's wait. */
void pms_spe_share_text(char text[SHARE], const struct pms_spe_report *report,
			const struct pms_spe_row *row, const struct pms_spe_from *from)
{
	char name[PMS_NUMBER_MAX], share[PMS_NUMBER_MAX];
	source_text(name, report, from->source);
	pms_text_share(share, 100 * (double)from->wait / (double)row->wait);
	snprintf(text, SHARE, "%s %s", name, share);
}

/* Returns a path's last part. */
static const char *short_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

/* One of the row's keys, with its texts. */
struct about {
	enum pms_spe_by by;
	const char *const *texts;
};

/* Returns the text of the key with this name; NULL where there is none. */
static const char *key_text(const struct about *about, const char *name)
{
	size_t n;
	const struct pms_spe_key *keys = pms_spe_keys(about->by, &n);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(keys[i].name, name))
			return about->texts[i];
	return NULL;
}

/* Append a word, with @before in front unless the cell is empty. NULL: append nothing. */
void pms_spe_append(char text[TEXT], const char *before, const char *word)
{
	size_t length = strlen(text);
	if (word)
		snprintf(text + length, TEXT - length, "%s%s", length ? before : "", word);
}

/* Write "list.c:42 walk", a line with its function, or as much as is known. */
void pms_spe_code_text(char text[TEXT], const struct pms_spe_code *code)
{
	if (code->file) {
		char number[PMS_NUMBER_MAX];
		snprintf(number, sizeof(number), "%u", code->line);
		pms_spe_append(text, " ", short_name(code->file));
		pms_spe_append(text, ":", number);
		pms_spe_append(text, " ", code->function);
		return;
	}
	pms_spe_append(text, " ", code->function);
	if (code->object)
		pms_spe_append(text, " in ", short_name(code->object));
}

static struct pms_spe_code code_of(const struct about *about)
{
	const char *line = key_text(about, "line");
	return (struct pms_spe_code){ .pc = key_text(about, "pc"),
				      .address = key_text(about, "address"),
				      .object = key_text(about, "object"),
				      .function = key_text(about, "symbol"),
				      .file = key_text(about, "file"),
				      .line = line ? (unsigned)strtoul(line, NULL, 10) : 0 };
}

static void target_text(char text[TEXT], const struct pms_spe_row *row)
{
	if (!row->targets)
		return;
	const struct pms_spe_code *to = &row->touches[0].code;
	char number[PMS_NUMBER_MAX], target[TEXT] = "";
	pms_spe_code_text(target, to);
	pms_spe_append(text, " to ", to->address ? to->address : to->pc);
	pms_spe_append(text, " ", *target ? target : NULL);
	snprintf(number, sizeof(number), "%zu more", row->targets - 1);
	pms_spe_append(text, ", ", row->targets > 1 ? number : NULL);
}

/* Write a key's known texts; of an object's path, write the name alone. */
static void key_about(char text[TEXT], const struct about *about, const struct pms_spe_row *row)
{
	size_t n;
	const struct pms_spe_key *keys = pms_spe_keys(about->by, &n);
	struct pms_spe_code code = code_of(about);
	*text = 0;
	if (about->by <= PMS_SPE_BY_PC || about->by == PMS_SPE_BY_BRANCH) {
		pms_spe_append(text, "", code.address ? code.address : code.pc);
		pms_spe_code_text(text, &code);
		if (about->by == PMS_SPE_BY_BRANCH)
			target_text(text, row);
		n = 0;
	}
	for (size_t i = 0; i < n; i++)
		if (about->texts[i])
			pms_spe_append(text,
				       !strcmp(keys[i].name, "pid")	? " pid "
				       : !strcmp(keys[i].name, "paddr") ? " physical "
									: " ",
				       !strcmp(keys[i].name, "object") ? short_name(about->texts[i])
								       : about->texts[i]);
	if (!*text)
		snprintf(text, TEXT, "%s",
			 row->rest			  ? "all others"
			 : about->by == PMS_SPE_BY_SOURCE ? "no data source"
							  : "not known");
}

/* Write all keys of the row into one cell. */
void pms_spe_about_text(char text[TEXT], const struct pms_spe_report *report,
			const struct pms_spe_row *row)
{
	struct about about = { pms_spe_report_by(report), row->keys };
	char second[TEXT];
	size_t n;
	key_about(text, &about, row);
	pms_spe_keys(about.by, &n);
	about.texts += n;
	if (row->rest || !pms_spe_report_also(report, &about.by))
		return;
	key_about(second, &about, row);
	pms_spe_append(text, ", ", second);
}
