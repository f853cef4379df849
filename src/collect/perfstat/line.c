/* SPDX-License-Identifier: MIT */
#include "collect/perfstat/line.h"
#include "base/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 63 };

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static struct pms_stat_view part(struct pms_stat_view view, size_t from, size_t to)
{
	return (struct pms_stat_view){ view.at + from, to - from };
}

struct pms_stat_view pms_view_trim(struct pms_stat_view view)
{
	while (view.length && is_blank(view.at[0]))
		view = part(view, 1, view.length);
	while (view.length && is_blank(view.at[view.length - 1]))
		view.length--;
	return view;
}

int pms_view_starts(struct pms_stat_view view, const char *text)
{
	size_t length = strlen(text);
	return view.length >= length && !memcmp(view.at, text, length);
}

int pms_view_equals(struct pms_stat_view a, struct pms_stat_view b)
{
	return a.length == b.length && (!a.length || !memcmp(a.at, b.at, a.length));
}

static int equals(struct pms_stat_view view, const char *text)
{
	return view.length == strlen(text) && pms_view_starts(view, text);
}

/* Returns whether @view is only digits, with a point and digits too if @decimals. */
static int is_decimal(struct pms_stat_view view, int decimals)
{
	size_t i = 0, point;
	while (i < view.length && is_digit(view.at[i]))
		i++;
	if (!i || i == view.length || !decimals)
		return i && i == view.length;
	if (view.at[i] != '.' && view.at[i] != ',') /* of locales */
		return 0;
	for (point = i++; i < view.length && is_digit(view.at[i]);)
		i++;
	return i == view.length && i > point + 1;
}

int pms_view_number(struct pms_stat_view view, double *value)
{
	char text[LONGEST_NUMBER + 1];
	if (view.length > LONGEST_NUMBER || !is_decimal(view, 1))
		return 0;
	/* Read it by hand: strtod would use the decimal point of the caller's locale. */
	size_t digits = 0, decimals = 0;
	int after = 0;
	for (size_t i = 0; i < view.length; i++) {
		if (!is_digit(view.at[i])) {
			after = 1;
			continue;
		}
		text[digits++] = view.at[i];
		decimals += after != 0;
	}
	text[digits] = 0;
	*value = strtod(text, NULL) / pow(10, (double)decimals);
	return 1;
}

static int read_integer(struct pms_stat_view view, uint64_t *value)
{
	uint64_t sum = 0;
	if (!is_decimal(view, 0))
		return 0;
	for (size_t i = 0; i < view.length; i++)
		if (__builtin_mul_overflow(sum, 10u, &sum) ||
		    __builtin_add_overflow(sum, (uint64_t)(view.at[i] - '0'), &sum))
			return 0;
	*value = sum;
	return 1;
}

static int read_percent(struct pms_stat_view view, double *value)
{
	if (!view.length || view.at[view.length - 1] != '%')
		return 0;
	return pms_view_number(part(view, 0, view.length - 1), value);
}

/* Returns the length of the character that groups a count's digits, 0 for none. Locales use , .
 * ' and the UTF-8 of a no-break space, a narrow one, and a curly apostrophe. */
static size_t group_length(struct pms_stat_view view)
{
	static const char *const marks[] = { ",",	    ".", "'", "\xc2\xa0", "\xe2\x80\xaf",
					     "\xe2\x80\x99" };
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (pms_view_starts(view, marks[i]))
			return strlen(marks[i]);
	return 0;
}

/* Read "1,234,567": three digits in each group after the first. */
static int read_grouped(struct pms_stat_view view, double *value)
{
	char text[LONGEST_NUMBER + 1];
	size_t digits = 0, run = 0, groups = 0, i = 0;
	while (i < view.length && digits < LONGEST_NUMBER) {
		size_t mark = group_length(part(view, i, view.length));
		if (is_digit(view.at[i])) {
			text[digits++] = view.at[i++];
			run++;
		} else if (mark && run && (groups ? run == 3 : run <= 3)) {
			i += mark;
			groups++;
			run = 0;
		} else {
			return 0;
		}
	}
	if (i < view.length || !groups || run != 3)
		return 0;
	return pms_view_number((struct pms_stat_view){ text, digits }, value);
}

/* Read a count, or the reason for its absence. */
static int read_value(struct pms_stat_view view, struct pms_stat_line *line)
{
	line->state = PMS_COUNTED;
	if (equals(view, "<not counted>"))
		line->state = PMS_NOT_COUNTED;
	else if (equals(view, "<not supported>"))
		line->state = PMS_NOT_SUPPORTED;
	else
		return read_grouped(view, &line->value) || pms_view_number(view, &line->value);
	return 1;
}

/* Read the time of an interval: only that has nine decimals. */
static int read_time(struct pms_stat_view view, struct pms_stat_line *line)
{
	enum { DECIMALS = 9 };
	view = pms_view_trim(view);
	if (view.length < DECIMALS + 2 || is_digit(view.at[view.length - DECIMALS - 1]) ||
	    !pms_view_number(view, &line->time))
		return 0;
	line->has_time = 1;
	return 1;
}

/* Match digits for each #, and everything else literally; @number is the number of the last #. */
static int matches(struct pms_stat_view view, const char *pattern, int64_t *number)
{
	size_t i = 0;
	for (; *pattern; pattern++) {
		size_t start = i;
		if (*pattern != '#') {
			if (i == view.length || view.at[i++] != *pattern)
				return 0;
			continue;
		}
		while (i < view.length && is_digit(view.at[i]))
			i++;
		uint64_t value;
		if (!read_integer(part(view, start, i), &value) || value > INT32_MAX)
			return 0;
		*number = (int64_t)value;
	}
	return i == view.length;
}

/* Read "comm-1234"; the name may hold anything. */
static int read_thread(struct pms_stat_view view, struct pms_stat_line *line)
{
	size_t dash = view.length;
	while (dash && is_digit(view.at[dash - 1]))
		dash--;
	if (!dash || view.at[dash - 1] != '-' ||
	    !matches(part(view, dash, view.length), "#", &line->id))
		return 0;
	line->kind = PMS_SCOPE_THREAD;
	line->scope = part(view, 0, dash - 1);
	return 1;
}

/* Read perf's name for a thread or for CPUs put together. */
static int read_scope(struct pms_stat_view view, struct pms_stat_line *line)
{
	static const struct {
		const char *pattern;
		enum pms_scope_kind kind;
	} patterns[] = {
		{ "CPU#", PMS_SCOPE_CPU },
		{ "S#-D#-C#", PMS_SCOPE_CORE },
		{ "S#-D#-CLS#", PMS_SCOPE_CLUSTER },
		{ "S#-D#-L#-ID#", PMS_SCOPE_CACHE },
		{ "S#-D#", PMS_SCOPE_DIE },
		{ "S#", PMS_SCOPE_SOCKET },
		{ "N#", PMS_SCOPE_NODE },
	};
	view = pms_view_trim(view);
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		if (!matches(view, patterns[i].pattern, &line->id))
			continue;
		line->kind = patterns[i].kind;
		if (line->kind != PMS_SCOPE_CPU)
			line->scope = view;
		return 1;
	}
	return read_thread(view, line);
}

/* Returns the text from the start of one part to the end of another. */
static struct pms_stat_view join(struct pms_stat_view first, struct pms_stat_view last)
{
	return (struct pms_stat_view){ first.at, (size_t)(last.at + last.length - first.at) };
}

/* Read the fields before the value: a time, a scope and the number of its CPUs, in this order. A
 * thread's name may have been split. */
static int read_prefix(const struct pms_stat_view *fields, size_t n, struct pms_stat_line *line)
{
	uint64_t cpus;
	if (n && equals(pms_view_trim(fields[0]), "summary"))
		line->is_summary = 1;
	if (n && (line->is_summary || read_time(fields[0], line))) {
		fields++;
		n--;
	}
	if (!n)
		return 1;
	if (n > 1 && read_integer(pms_view_trim(fields[n - 1]), &cpus) &&
	    read_scope(join(fields[0], fields[n - 2]), line) && line->kind != PMS_SCOPE_THREAD)
		return 1;
	return read_scope(join(fields[0], fields[n - 1]), line);
}

static size_t split(struct pms_stat_view text, char separator, struct pms_stat_view *fields)
{
	size_t n = 0, start = 0;
	for (size_t i = 0; i <= text.length && n < PMS_MOST_STAT_FIELDS; i++) {
		if (i < text.length && text.at[i] != separator)
			continue;
		fields[n++] = part(text, start, i);
		start = i + 1;
	}
	return n;
}

static int has_odd_slashes(struct pms_stat_view view)
{
	int odd = 0;
	for (size_t i = 0; i < view.length; i++)
		odd ^= view.at[i] == '/';
	return odd;
}

/* Read the event's field, joined with the parts that a separator between its slashes cut off.
 * Returns the index of the next field. */
static size_t read_event(const struct pms_stat_view *fields, size_t i, size_t n,
			 struct pms_stat_view *event)
{
	size_t last = i;
	while (has_odd_slashes(join(fields[i], fields[last])) && last + 1 < n)
		last++;
	*event = pms_view_trim(join(fields[i], fields[last]));
	return last + 1;
}

/* Read the fields after the event: the scatter of -r, the running time and its percentage. perf
 * before version 4 has none. */
static int read_running(const struct pms_stat_view *fields, size_t n, struct pms_stat_line *line)
{
	double percent = 0;
	line->run_pct = 100;
	if (!n)
		return 1;
	if (read_percent(fields[0], &percent) || equals(fields[0], "nan%") ||
	    equals(fields[0], "-nan%")) {
		line->spread = percent / 100;
		fields++;
		n--;
	}
	line->has_run = 1;
	return n >= 2 && read_integer(fields[0], &line->run_ns) &&
	       pms_view_number(fields[1], &line->run_pct) && line->run_pct <= 100;
}

/* Take the field @value for the count. The unit after it cannot be a count too. */
static int read_fields(const struct pms_stat_view *fields, size_t n, size_t value,
		       struct pms_stat_line *line)
{
	struct pms_stat_line other;
	double number;
	*line = (struct pms_stat_line){ 0 };
	if (value + 2 >= n || !read_value(pms_view_trim(fields[value]), line) ||
	    read_value(pms_view_trim(fields[value + 1]), &other) ||
	    !read_prefix(fields, value, line))
		return 0;
	size_t next = read_event(fields, value + 2, n, &line->event);
	if (!line->event.length || pms_view_number(line->event, &number))
		return 0;
	if (read_running(fields + next, n - next, line))
		return 1;
	line->spread = 0;
	line->cgroup = next < n ? fields[next] : (struct pms_stat_view){ 0 };
	return next + 2 < n && read_running(fields + next + 1, n - next - 1, line);
}

/* Returns whether a line is a metric without a count: the count's place is empty. */
static int is_metric(const struct pms_stat_view *fields, size_t n)
{
	struct pms_stat_line line = { 0 };
	size_t i = 0, empty = 0;
	while (i < n && fields[i].length)
		i++;
	if (!read_prefix(fields, i, &line))
		return 0;
	for (; i < n && !fields[i].length; i++)
		empty++;
	return empty >= 3;
}

enum pms_stat_kind pms_stat_read_csv(struct pms_stat_view text, char separator,
				     struct pms_stat_line *line)
{
	struct pms_stat_view fields[PMS_MOST_STAT_FIELDS];
	size_t n = split(text, separator, fields);
	for (size_t value = 0; value < n; value++)
		if (read_fields(fields, n, value, line))
			return PMS_STAT_COUNT;
	return n > 3 && is_metric(fields, n) ? PMS_STAT_NOTHING : PMS_STAT_BAD;
}

char pms_stat_find_separator(struct pms_stat_view text)
{
	static const char candidates[] = ",;\t|:!@^~&*=\"$?";
	struct pms_stat_line line;
	for (const char *c = candidates; *c; c++)
		if (pms_stat_read_csv(text, *c, &line) == PMS_STAT_COUNT)
			return *c;
	return 0;
}

/* Cut "( +-  3.38% )" and "(33.33%)" off the end. Returns 0 when neither is there. */
static int cut_parenthesis(struct pms_stat_view *text, struct pms_stat_line *line)
{
	double percent;
	size_t open = text->length;
	if (!open || text->at[open - 1] != ')')
		return 0;
	while (open && text->at[open - 1] != '(')
		open--;
	if (!open)
		return 0;
	struct pms_stat_view inside = pms_view_trim(part(*text, open, text->length - 1));
	int is_spread = pms_view_starts(inside, "+-");
	if (is_spread)
		inside = pms_view_trim(part(inside, 2, inside.length));
	if (!read_percent(inside, &percent))
		return 0;
	if (is_spread)
		line->spread = percent / 100;
	else if (percent <= 100)
		line->run_pct = percent;
	else
		return 0;
	*text = pms_view_trim(part(*text, 0, open - 1));
	return 1;
}

/* Cut off a metric of perf's, which starts at a # between blanks. */
static int cut_metric(struct pms_stat_view *text)
{
	for (size_t i = 0; i < text->length; i++) {
		if (text->at[i] != '#' || (i && !is_blank(text->at[i - 1])))
			continue;
		*text = pms_view_trim(part(*text, 0, i));
		return 1;
	}
	return 0;
}

/* Split at blanks; "<not counted>" is one word. */
static size_t split_words(struct pms_stat_view text, struct pms_stat_view *words)
{
	size_t n = 0, i = 0;
	while (n < PMS_MOST_STAT_FIELDS) {
		while (i < text.length && is_blank(text.at[i]))
			i++;
		size_t start = i;
		int words_left = pms_view_starts(part(text, i, text.length), "<not ") ? 2 : 1;
		if (i == text.length)
			break;
		for (; i < text.length && words_left; i++)
			words_left -= is_blank(text.at[i]);
		words[n++] = pms_view_trim(part(text, start, i));
	}
	return n;
}

/* Read the words after a count. Two are unit and event, or event and a cgroup, which is a path;
 * three are all of them. "[pmu]" tells events of the same name apart. */
static void read_names(const struct pms_stat_view *words, size_t n, struct pms_stat_line *line)
{
	int has_cgroup = n == 3 || (n == 2 && words[1].at[0] == '/');
	int has_pmu = n > 1 && words[n - 1].at[0] == '[';
	line->event = words[n - 1 - (has_cgroup || has_pmu)];
	if (has_cgroup && !has_pmu)
		line->cgroup = words[n - 1];
}

enum pms_stat_kind pms_stat_read_table(struct pms_stat_view text, struct pms_stat_line *line)
{
	struct pms_stat_view words[PMS_MOST_STAT_FIELDS];
	struct pms_stat_line nothing = { 0 };
	double number;
	*line = (struct pms_stat_line){ .run_pct = 100 };
	text = pms_view_trim(text);
	for (int i = 0; i < 2 && cut_parenthesis(&text, line);)
		i++;
	int has_metric = cut_metric(&text);
	size_t n = split_words(text, words), value = n;
	if (!n || (has_metric && read_prefix(words, n, &nothing)))
		return PMS_STAT_NOTHING;
	/* The last word that can be a count is it: numbers of CPUs stand before. */
	while (value && (value == n || !read_value(words[value - 1], line)))
		value--;
	if (!value || n - value > 3 || pms_view_number(words[n - 1], &number) ||
	    !read_prefix(words, value - 1, line))
		return PMS_STAT_BAD;
	read_names(words + value, n - value, line);
	return line->event.at[0] == '<' ? PMS_STAT_BAD : PMS_STAT_COUNT;
}

static void skip_blanks(struct pms_stat_view *text)
{
	while (text->length && is_blank(text->at[0]))
		*text = part(*text, 1, text->length);
}

/* Skip what may stand between objects: blanks, comments, and the signs of an array. */
static void skip_between(struct pms_stat_view *text)
{
	for (skip_blanks(text); text->length && strchr("#[],", text->at[0]); skip_blanks(text)) {
		size_t n = 1;
		while (text->at[0] == '#' && n < text->length && text->at[n - 1] != '\n')
			n++;
		*text = part(*text, n, text->length);
	}
}

/* Read a string, or anything else up to the next mark. Returns 0 at the end of the text. */
static int read_token(struct pms_stat_view *text, struct pms_stat_view *token)
{
	size_t n = 0;
	skip_blanks(text);
	if (text->length && text->at[0] == '"') {
		for (n = 1; n < text->length && text->at[n] != '"' && text->at[n] != '\n'; n++)
			n += text->at[n] == '\\';
		if (n >= text->length || text->at[n] != '"')
			return 0;
		*token = part(*text, 1, n++);
	} else {
		while (n < text->length && !is_blank(text->at[n]) &&
		       !strchr(",{}[]\":", text->at[n]))
			n++;
		*token = part(*text, 0, n);
		if (!n)
			return 0;
	}
	*text = part(*text, n, text->length);
	return 1;
}

static int read_mark(struct pms_stat_view *text, char mark)
{
	skip_blanks(text);
	if (!text->length || text->at[0] != mark)
		return 0;
	*text = part(*text, 1, text->length);
	return 1;
}

/* Read a member that describes a count; @seen: which of value and event were there. */
static int read_member(struct pms_stat_view key, struct pms_stat_view value,
		       struct pms_stat_line *line, int seen[2])
{
	static const char *const scopes[] = { "core",	"cluster", "cache", "die",
					      "socket", "node",	   "thread" };
	double percent = 0;
	if (equals(key, "interval"))
		return line->has_time = pms_view_number(value, &line->time);
	if (equals(key, "counter-value"))
		return seen[0] = read_value(value, line);
	if (equals(key, "event")) {
		line->event = value;
		return seen[1] = value.length > 0;
	}
	if (equals(key, "cgroup"))
		line->cgroup = value;
	if (equals(key, "event-runtime"))
		return line->has_run = read_integer(value, &line->run_ns);
	if (equals(key, "pcnt-running"))
		return pms_view_number(value, &line->run_pct) && line->run_pct <= 100;
	if (equals(key, "variance") && pms_view_number(value, &percent))
		line->spread = percent / 100; /* a standard error, for all its name */
	if (equals(key, "cpu")) {
		line->kind = PMS_SCOPE_CPU;
		return matches(value, "#", &line->id) || matches(value, "CPU#", &line->id);
	}
	for (size_t i = 0; i < sizeof(scopes) / sizeof(scopes[0]); i++)
		if (equals(key, scopes[i]))
			return read_scope(value, line);
	return 1;
}

enum pms_stat_kind pms_stat_read_json(struct pms_stat_view *text, struct pms_stat_line *line)
{
	struct pms_stat_view key, value;
	int seen[2] = { 0, 0 };
	*line = (struct pms_stat_line){ .run_pct = 100 };
	skip_between(text);
	if (!text->length)
		return PMS_STAT_NOTHING;
	if (!read_mark(text, '{'))
		return PMS_STAT_BAD;
	while (!read_mark(text, '}')) {
		struct pms_stat_view start = *text;
		read_mark(text, ','); /* perf 6.1 forgets one after "core" */
		if (!read_token(text, &key) || !read_mark(text, ':') || !read_token(text, &value) ||
		    !read_member(key, value, line, seen)) {
			*text = start;
			return PMS_STAT_BAD;
		}
	}
	return seen[0] && seen[1] ? PMS_STAT_COUNT : PMS_STAT_NOTHING;
}
