/* SPDX-License-Identifier: MIT */
/* Run a program on ideal cores, and tell what each would gain.
 *
 * The runs come in three rounds, of which each says what the next one needs: the core itself and
 * the groups; the things of the groups that gain; the pairs of what gains most. All of a round run
 * at once, as many as the host has processors. */
#include "pmuscope/why.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "pmuscope/core.h"

enum { MOST_IN_PAIRS = 4, MOST_PAIRS = MOST_IN_PAIRS * (MOST_IN_PAIRS - 1) / 2, LONGEST = 64 };

/* One run: what is ideal, and what came of it. */
struct trial {
	const struct pms_core_ideal *ideal[2]; /* NULL: nothing */
	double cycles, instructions;	       /* cycles below 0: it was not run */
};

struct why {
	const struct pms_catalog *catalog;
	char *const *argv;
	const struct pms_vcore_options *options;
	pms_why_progress *progress;
	void *context;
	struct trial *trials; /* n, of which the first `done` have run */
	size_t n, done;
	int stopped; /* 1: a signal ended a run */
	struct pms_error *err;
};

static size_t processors(void)
{
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof(set), &set))
		return 1;
	int n = CPU_COUNT(&set);
	return n > 0 ? (size_t)n : 1;
}

static int add_trial(struct why *w, const struct pms_core_ideal *a, const struct pms_core_ideal *b)
{
	struct trial *grown = reallocarray(w->trials, w->n + 1, sizeof(*grown));
	if (!grown)
		return pms_no_memory(w->err);
	w->trials = grown;
	w->trials[w->n++] = (struct trial){ { a, b }, -1, 0 };
	return 0;
}

static double count_of(const struct pms_counts *counts, enum pms_catalog_role role)
{
	int64_t event = pms_catalog_find_role(counts->catalog, role);
	const struct pms_count *count = event < 0 ? NULL : &counts->total.counts[event];
	return count && count->state == PMS_COUNTED ? pms_count_scaled(count) : -1;
}

static int take(void *context, size_t i, const struct pms_counts *counts, struct pms_error *err)
{
	struct why *w = context;
	struct trial *trial = &w->trials[w->done + i];
	(void)err;
	w->stopped |= counts->provenance.signal != 0;
	trial->cycles = count_of(counts, PMS_CATALOG_CYCLES);
	trial->instructions = count_of(counts, PMS_CATALOG_INSTRUCTIONS);
	if (w->progress)
		w->progress(w->context, trial->ideal[0] ? trial->ideal[0]->title : NULL);
	return 0;
}

static size_t n_settings(char *const *settings)
{
	size_t n = 0;
	while (settings && settings[n])
		n++;
	return n;
}

/* Make the settings of a trial: those of the user, then what is ideal. @text: two of them */
static char **settings_of(const struct why *w, const struct trial *trial, char text[2][LONGEST])
{
	size_t n = n_settings(w->options->core_set);
	char **settings = calloc(n + 3, sizeof(*settings));
	if (!settings)
		return NULL;
	for (size_t i = 0; i < n; i++)
		settings[i] = w->options->core_set[i];
	for (size_t i = 0; i < 2 && trial->ideal[i]; i++) {
		snprintf(text[i], LONGEST, "%s=ideal", trial->ideal[i]->name);
		settings[n++] = text[i];
	}
	return settings;
}

/* Run the trials that have not run. */
static int run_round(struct why *w)
{
	size_t n = w->n - w->done;
	char ***settings = calloc(n, sizeof(*settings));
	char(*texts)[2][LONGEST] = calloc(n, sizeof(*texts));
	int rc = settings && texts ? 0 : pms_no_memory(w->err);
	for (size_t i = 0; !rc && i < n; i++) {
		settings[i] = settings_of(w, &w->trials[w->done + i], texts[i]);
		if (!settings[i])
			rc = pms_no_memory(w->err);
	}
	if (!rc)
		rc = pms_collect_vcore_each(w->catalog, w->argv, w->options,
					    (char *const *const *)settings, n, processors(), take,
					    w, w->err);
	for (size_t i = 0; settings && i < n; i++)
		free(settings[i]);
	free(settings);
	free(texts);
	if (!rc)
		w->done = w->n;
	return rc;
}

static double saved(const struct why *w, const struct trial *trial)
{
	return w->trials[0].cycles - trial->cycles;
}

static double percent(const struct why *w, double cycles)
{
	return w->trials[0].cycles > 0 ? 100 * cycles / w->trials[0].cycles : 0;
}

static int is_worth(const struct why *w, const struct trial *trial)
{
	return percent(w, saved(w, trial)) >= PMS_GAIN_WORTH;
}

static int add_groups(struct why *w)
{
	int rc = add_trial(w, NULL, NULL);
	for (size_t i = 0; !rc && i < pms_core_ideals(); i++)
		if (!pms_core_ideal(i)->groups)
			rc = add_trial(w, pms_core_ideal(i), NULL);
	return rc;
}

/* Returns whether a word is in a list with blanks between. */
static int is_in(const char *list, const char *word)
{
	size_t length = strlen(word);
	for (const char *at = list; at && *at; at += strcspn(at, " "), at += strspn(at, " "))
		if (!strncmp(at, word, length) && (at[length] == ' ' || !at[length]))
			return 1;
	return 0;
}

/* Add the things of groups that gain. What a group does not gain its parts do not either. */
static int add_things(struct why *w)
{
	int rc = 0;
	size_t n = w->n;
	for (size_t i = 0; !rc && i < pms_core_ideals(); i++) {
		const struct pms_core_ideal *ideal = pms_core_ideal(i);
		int wanted = 0;
		for (size_t g = 1; ideal->groups && g < n; g++)
			wanted |= is_in(ideal->groups, w->trials[g].ideal[0]->name) &&
				  is_worth(w, &w->trials[g]);
		if (wanted)
			rc = add_trial(w, ideal, NULL);
	}
	return rc;
}

/* Add the pairs of the things that gain most, but for parts of each other. */
static int add_pairs(struct why *w)
{
	const struct trial *best[MOST_IN_PAIRS];
	const struct pms_core_ideal *pairs[MOST_PAIRS][2];
	size_t n = 0, n_pairs = 0;
	for (size_t i = 1; i < w->done; i++) {
		const struct trial *trial = &w->trials[i];
		if (!trial->ideal[0]->groups || trial->ideal[0]->within || !is_worth(w, trial))
			continue;
		size_t at = n;
		for (; at > 0 && saved(w, best[at - 1]) < saved(w, trial); at--)
			if (at < MOST_IN_PAIRS)
				best[at] = best[at - 1];
		if (at < MOST_IN_PAIRS)
			best[at] = trial;
		n += n < MOST_IN_PAIRS;
	}
	for (size_t a = 0; a < n; a++)
		for (size_t b = a + 1; b < n; b++, n_pairs++) {
			pairs[n_pairs][0] = best[a]->ideal[0];
			pairs[n_pairs][1] = best[b]->ideal[0];
		}
	int rc = 0; /* adding moves what `best` points to */
	for (size_t i = 0; !rc && i < n_pairs; i++)
		rc = add_trial(w, pairs[i][0], pairs[i][1]);
	return rc;
}

/* The gains from what ran. */

static double disagreement(const struct why *w)
{
	double least = w->trials[0].instructions, most = least;
	for (size_t i = 1; i < w->done; i++) {
		least = fmin(least, w->trials[i].instructions);
		most = fmax(most, w->trials[i].instructions);
	}
	return most > 0 ? 100 * (most - least) / most : 0;
}

/* Groups first, then the largest gain. Equals stay as the ideal cores are listed. */
static int comes_before(const struct pms_gain *a, const struct pms_gain *b)
{
	if (a->is_group != b->is_group)
		return a->is_group;
	return a->cycles > b->cycles;
}

static void put_gain(struct pms_gains *gains, const struct pms_gain *gain)
{
	size_t at = gains->n++;
	for (; at > 0 && comes_before(gain, &gains->all[at - 1]); at--)
		gains->all[at] = gains->all[at - 1];
	gains->all[at] = *gain;
}

static void put_pair(const struct why *w, struct pms_gains *gains, const struct trial *trial)
{
	struct pms_gain_pair pair = { 0 };
	pair.a = (size_t)(pms_gains_find(gains, trial->ideal[0]->name) - gains->all);
	pair.b = (size_t)(pms_gains_find(gains, trial->ideal[1]->name) - gains->all);
	pair.percent = percent(w, saved(w, trial));
	pair.interaction = pair.percent - gains->all[pair.a].percent - gains->all[pair.b].percent;
	size_t at = gains->n_pairs++;
	for (; at > 0 && fabs(gains->pairs[at - 1].interaction) < fabs(pair.interaction); at--)
		gains->pairs[at] = gains->pairs[at - 1];
	gains->pairs[at] = pair;
}

static int make_gains(const struct why *w, struct pms_gains **out)
{
	struct pms_gains *gains = calloc(1, sizeof(*gains));
	if (gains) {
		gains->all = calloc(w->done + 1, sizeof(gains->all[0]));
		gains->pairs = calloc(w->done + 1, sizeof(gains->pairs[0]));
	}
	if (!gains || !gains->all || !gains->pairs) {
		pms_gains_free(gains);
		return pms_no_memory(w->err);
	}
	gains->cycles = w->trials[0].cycles;
	gains->n_runs = w->done;
	gains->disagreement = disagreement(w);
	for (size_t i = 1; i < w->done; i++) {
		const struct pms_core_ideal *ideal = w->trials[i].ideal[0];
		const double cycles = saved(w, &w->trials[i]);
		if (!w->trials[i].ideal[1])
			put_gain(gains, &(struct pms_gain){ .name = ideal->name,
							    .title = ideal->title,
							    .meaning = ideal->meaning,
							    .is_group = !ideal->groups,
							    .within = ideal->within,
							    .cycles = cycles,
							    .percent = percent(w, cycles) });
	}
	for (size_t i = 0; i < gains->n; i++) /* what it is within may not have run */
		if (gains->all[i].within && !pms_gains_find(gains, gains->all[i].within))
			gains->all[i].within = NULL;
	for (size_t i = 1; i < w->done; i++)
		if (w->trials[i].ideal[1])
			put_pair(w, gains, &w->trials[i]);
	*out = gains;
	return 0;
}

int pms_why(const struct pms_catalog *catalog, char *const *argv,
	    const struct pms_vcore_options *options, pms_why_progress *progress, void *context,
	    struct pms_gains **out, struct pms_error *err)
{
	int (*const rounds[])(struct why *) = { add_groups, add_things, add_pairs };
	struct why w = { catalog, argv, options, progress, context, NULL, 0, 0, 0, err };
	int rc = 0;
	*out = NULL;
	for (size_t i = 0; !rc && !w.stopped && i < sizeof(rounds) / sizeof(rounds[0]); i++) {
		rc = rounds[i](&w);
		if (!rc && w.n > w.done)
			rc = run_round(&w);
	}
	if (!rc && !w.stopped && w.trials[0].cycles > 0)
		rc = make_gains(&w, out);
	free(w.trials);
	return rc;
}
