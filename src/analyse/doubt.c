/* SPDX-License-Identifier: MIT */
/* Counts that read 0 because nothing counted: in a restricted guest, or on a PMU that lacks the
 * event. The source does not tell, but the documents do: a relation that always holds has one side
 * at 0, and the other side contradicts it. Then the report drops the events at 0, so that no
 * finding rests on such zeros. */
#include "analyse/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "pmuscope/relation.h"

/* How much larger the other side has to be, so that neither chance nor unequal runs explain it: by
 * this many events, and this many times the upper end of the side at 0. */
static const double clearly = 1000, times = 4;

/* Returns the least or the most that a side may be. NAN: not known. */
static double side_at(const struct pms_scope *scope, const struct pms_side *side, int upper)
{
	struct pms_operand *operands = calloc(side->n_events + 1, sizeof(operands[0]));
	double value = NAN;
	for (size_t i = 0; operands && i < side->n_events; i++) {
		const struct pms_count *count = &scope->counts[side->events[i]];
		if (!pms_count_is_known(count))
			continue;
		struct pms_ends ends = pms_count_ends(count, 0, 1);
		operands[i].value = upper ? ends.high : ends.low;
		operands[i].defined = 1;
	}
	if (!operands || pms_formula_eval(side->program, operands, &value, NULL, NULL))
		value = NAN;
	free(operands);
	return value;
}

static int is_zero(const struct pms_scope *scope, const struct pms_side *side)
{
	for (size_t i = 0; i < side->n_events; i++) {
		const struct pms_count *count = &scope->counts[side->events[i]];
		if (!pms_count_is_known(count) || count->value || count->scaled > 0)
			return 0;
	}
	return side->n_events > 0;
}

/* Whether the other side shows that a side at 0 cannot be right. */
static int is_refuted(const struct pms_scope *scope, const struct pms_side *zero,
		      const struct pms_side *other)
{
	if (!is_zero(scope, zero))
		return 0;
	double most = side_at(scope, zero, 1), least = side_at(scope, other, 0);
	return isfinite(most) && isfinite(least) && least > clearly && least > times * most;
}

static int is_unconditional(const struct pms_relation *relation)
{
	return !relation->condition.configuration && !relation->condition.errata;
}

/* Find events that read 0 and cannot be 0. @by receives the relations that say so. Returns how many
 * there are. */
static size_t find_doubted(const struct pms_counts *counts, const struct pms_relation **by)
{
	size_t n = 0;
	for (size_t i = 0; i < pms_catalog_relations(counts->catalog); i++) {
		const struct pms_relation *relation = pms_catalog_relation(counts->catalog, i);
		const char *sign = pms_relation_sign(relation->kind);
		const struct pms_side *lhs = &relation->lhs, *rhs = &relation->rhs;
		const struct pms_side *zero = NULL;
		if (!is_unconditional(relation) || relation->kind == PMS_RELATION_NEVER)
			continue;
		if (sign[0] != '<' && is_refuted(&counts->total, lhs, rhs))
			zero = lhs;
		else if (sign[0] != '>' && is_refuted(&counts->total, rhs, lhs))
			zero = rhs;
		for (size_t k = 0; zero && k < zero->n_events; k++) {
			n += !by[zero->events[k]];
			by[zero->events[k]] = relation;
		}
	}
	return n;
}

/* Copy the counts without the doubted ones. */
static struct pms_count *without(struct pms_report *report, const struct pms_count *counts,
				 const struct pms_relation *const *by)
{
	struct pms_arena *arena = &pms_report_store(report)->arena;
	size_t n = pms_catalog_events(report->counts->catalog);
	struct pms_count *copy = pms_arena_alloc(arena, n + 1, sizeof(copy[0]));
	if (!copy)
		return NULL;
	memcpy(copy, counts, n * sizeof(copy[0]));
	for (size_t i = 0; i < n; i++) {
		if (!by[i] || copy[i].state != PMS_COUNTED || copy[i].value)
			continue;
		copy[i] = (struct pms_count){ .state = PMS_NOT_COUNTED, .cls = copy[i].cls };
		copy[i].because = pms_arena_printf(
			arena, "it read 0, which cannot be, since %s %s %s", by[i]->lhs.text,
			pms_relation_sign(by[i]->kind), by[i]->rhs.text);
		if (!copy[i].because)
			return NULL;
	}
	return copy;
}

/* Replace the report's scope by a copy without the doubted counts. */
static int leave_out(struct pms_report *report, const struct pms_relation *const *by)
{
	struct pms_arena *arena = &pms_report_store(report)->arena;
	struct pms_scope *scope = pms_arena_alloc(arena, 1, sizeof(*scope));
	if (!scope)
		return -PMS_ENOMEM;
	*scope = *report->scope;
	scope->passes = pms_arena_alloc(arena, scope->n_passes + 1, sizeof(scope->passes[0]));
	if (!scope->passes || !(scope->counts = without(report, report->scope->counts, by)))
		return -PMS_ENOMEM;
	for (size_t i = 0; i < scope->n_passes; i++)
		if (!(scope->passes[i] = without(report, report->scope->passes[i], by)))
			return -PMS_ENOMEM;
	report->scope = scope;
	return 0;
}

/* Keep the relations that contradict zeros of these counts in the store, if any do. */
static int look_for_doubted(struct pms_report *report)
{
	const struct pms_counts *counts = report->counts;
	struct pms_report_store *store = pms_report_store(report);
	const struct pms_relation **by = pms_arena_alloc(
		&store->arena, pms_catalog_events(counts->catalog) + 1, sizeof(by[0]));
	if (!by)
		return -PMS_ENOMEM;
	if (find_doubted(counts, by))
		store->doubted = by;
	return 0;
}

int pms_report_doubt(struct pms_report *report, const struct pms_report *total,
		     struct pms_error *err)
{
	const struct pms_counts *counts = report->counts;
	if (counts->provenance.modelled || !pms_catalog_relations(counts->catalog))
		return 0;
	int rc = total ? 0 : look_for_doubted(report);
	const struct pms_relation **by = pms_report_store(total ? total : report)->doubted;
	if (!rc && by)
		rc = leave_out(report, by);
	return rc ? pms_no_memory(err) : 0;
}
