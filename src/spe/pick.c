/* SPDX-License-Identifier: MIT */
#include "spe/pick.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

#define NS_A_SECOND UINT64_C(1000000000)

/* Lists ---------------------------------------------------------------------------------------- */

/* Digits at *@at, which is moved behind them. Returns 1 with the number. */
static int take_number(const char **at, uint64_t *number)
{
	const char *begin = *at;
	for (*number = 0; **at >= '0' && **at <= '9'; ++*at)
		if (__builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, (uint64_t)(**at - '0'), number))
			return 0;
	return *at > begin;
}

/* "(tid==3 || (cpu>=4 && cpu<=7))" of "3" and "4-7". */
static int put_numbers(FILE *out, const char *option, const char *list, int ranges,
		       struct pms_error *err)
{
	const char *at = list, *column = option + 2;
	uint64_t first, last;
	for (int n = 0;; n++, at++) {
		int good = take_number(&at, &first);
		last = first;
		if (good && ranges && *at == '-' && at++)
			good = take_number(&at, &last) && first <= last;
		if (!good || (*at && *at != ','))
			return pms_fail(err, PMS_EINVAL, "%s %.64s: not a list of numbers%s",
					option, list, ranges ? ", such as 0-3,8" : "");
		fprintf(out, "%s(%s>=%" PRIu64 " && %s<=%" PRIu64 ")", n ? " || " : "(", column,
			first, column, last);
		if (!*at)
			break;
	}
	fputc(')', out);
	return 0;
}

static void put_names(FILE *out, const char *list)
{
	for (const char *at = list;; at++) {
		fprintf(out, "%sthread_name==\"", at > list ? " || " : "(");
		for (; *at && *at != ','; at++)
			fprintf(out, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
		fputc('"', out);
		if (!*at)
			break;
	}
	fputc(')', out);
}

/* Times ---------------------------------------------------------------------------------------- */

/* One end of a stretch of time. */
struct end {
	int given, percent;
	uint64_t value; /* ns, or billionths of a per cent */
};

/* "12.5" in billionths: digits beyond the ninth decimal are passed over. */
static int take_decimal(const char **at, uint64_t *value)
{
	uint64_t whole, scale = NS_A_SECOND;
	if (!take_number(at, &whole) || __builtin_mul_overflow(whole, NS_A_SECOND, value))
		return 0;
	if (**at != '.')
		return 1;
	for (++*at; **at >= '0' && **at <= '9'; ++*at) {
		scale /= 10;
		if (__builtin_add_overflow(*value, (uint64_t)(**at - '0') * scale, value))
			return 0;
	}
	return 1;
}

static int take_end(const char **at, struct end *end)
{
	*end = (struct end){ 0 };
	if (**at < '0' || **at > '9')
		return 1;
	end->given = 1;
	if (!take_decimal(at, &end->value))
		return 0;
	end->percent = **at == '%';
	*at += end->percent;
	return !end->percent || end->value <= 100 * NS_A_SECOND;
}

static int read_times(const char *text, struct end *from, struct end *to)
{
	const char *at = text;
	if (!take_end(&at, from) || (*at != '-' && *at != ','))
		return 0;
	at++;
	return take_end(&at, to) && !*at && (from->given || to->given) &&
	       (!from->given || !to->given ||
		(from->percent == to->percent && from->value <= to->value));
}

int pms_spe_samples_span(const char *path, const struct pms_spe_samples_options *options,
			 uint64_t *first, uint64_t *last, struct pms_error *err)
{
	const struct pms_spe_samples_batch *batch;
	struct pms_spe_samples *samples;
	int status = pms_spe_samples_open(path, options, &samples, err);
	*first = UINT64_MAX;
	*last = 0;
	while (!status && (status = pms_spe_samples_next(samples, &batch, err)) > 0) {
		for (size_t i = 0; i < batch->records->count; i++) {
			if (!(batch->knows[i] & PMS_SPE_KNOWS_NS))
				continue;
			*first = batch->ns[i] < *first ? batch->ns[i] : *first;
			*last = batch->ns[i] > *last ? batch->ns[i] : *last;
		}
		status = 0;
	}
	pms_spe_samples_close(samples);
	return status ? status : *first <= *last;
}

/* Per cent of the time from the first record to the last, as times. */
static int place_times(const char *path, int raw, struct end *from, struct end *to,
		       struct pms_error *err)
{
	__extension__ typedef unsigned __int128 wide;
	struct end *const ends[] = { from, to };
	uint64_t first, last;
	if (!from->percent && !to->percent)
		return 0;
	if (!path || !strcmp(path, "-"))
		return pms_fail(err, PMS_EINVAL,
				"--time in per cent reads the file twice, which standard input is "
				"not: name it");
	const struct pms_spe_samples_options how = { .raw = raw };
	int status = pms_spe_samples_span(path, &how, &first, &last, err);
	for (int i = 0; i < 2 && status > 0; i++)
		if (ends[i]->given)
			ends[i]->value = first + (uint64_t)((wide)(last - first) * ends[i]->value /
							    (100 * NS_A_SECOND));
	if (!status)
		return pms_fail_at(err, PMS_EINVAL, path, 0, 0,
				   "no record of it has a time of perf's clock, for --time");
	return status < 0 ? status : 0;
}

static int put_times(FILE *out, const struct pms_spe_pick *pick, const char *path, int raw,
		     struct pms_error *err)
{
	struct end from, to;
	int whole; /* 1: up to the recording's end, which is in it; another is of what follows */
	if (!read_times(pick->time, &from, &to)) {
		int status = pms_fail(err, PMS_EINVAL, "--time %.64s: not a stretch of time",
				      pick->time);
		pms_hint(err, "write 10%%-20%%, or seconds of perf's clock: 12.5-13");
		return status;
	}
	if (raw)
		return pms_fail(err, PMS_EINVAL,
				"--time: a bare buffer has no times of perf's "
				"clock; --filter 'ts>=N' takes ticks");
	whole = to.percent && to.value == 100 * NS_A_SECOND;
	int status = place_times(path, raw, &from, &to, err);
	if (status)
		return status;
	if (from.given)
		fprintf(out, "(time>=%" PRIu64 ")", from.value);
	if (to.given)
		fprintf(out, "%s(time%s%" PRIu64 ")", from.given ? " && " : "", whole ? "<=" : "<",
			to.value);
	return 0;
}

/* All ------------------------------------------------------------------------------------------ */

static int put_all(FILE *out, const struct pms_spe_pick *pick, const char *path, int raw,
		   struct pms_error *err)
{
	const struct {
		const char *option, *list;
		int ranges;
	} numbers[] = { { "--pid", pick->pid, 0 },
			{ "--tid", pick->tid, 0 },
			{ "--cpu", pick->cpu, 1 } };
	const char *and = "";
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (!numbers[i].list)
			continue;
		fputs(and, out);
		and = " && ";
		int status = put_numbers(out, numbers[i].option, numbers[i].list, numbers[i].ranges,
					 err);
		if (status)
			return status;
	}
	if (pick->comm) {
		fputs(and, out);
		and = " && ";
		put_names(out, pick->comm);
	}
	if (!pick->time)
		return 0;
	fputs(and, out);
	return put_times(out, pick, path, raw, err);
}

int pms_spe_pick_text(const struct pms_spe_pick *pick, const char *path, int raw, char **text,
		      struct pms_error *err)
{
	size_t size = 0;
	*text = NULL;
	if (!pick->pid && !pick->tid && !pick->cpu && !pick->comm && !pick->time)
		return 0;
	FILE *out = open_memstream(text, &size);
	if (!out)
		return pms_no_memory(err);
	int status = put_all(out, pick, path, raw, err);
	if (fclose(out) && !status)
		status = pms_no_memory(err);
	if (status) {
		free(*text);
		*text = NULL;
	}
	return status;
}
