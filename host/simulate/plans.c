/* SPDX-License-Identifier: BSD-2-Clause */
/* This file asks the agent's own code for the plan of each handler, and names what has none. */
#include "plans.h"

#include "base/pool.h"
#include "dp_object.h"
#include "dp_plan_code.h"
#include "simulate.h"

#include <stdlib.h>

enum {
	MARKER_BYTES = 2 /* of the handler, in front of its first instruction */
};

enum point_reason {
#define DP_PLAN_POINT(name, reason) POINT_##name,
#include "tables/plan_reasons.def"
	POINT_FITS
};

static const char *const of_point[] = {
#define DP_PLAN_POINT(name, reason) [POINT_##name] = (reason),
#include "tables/plan_reasons.def"
};

/* Events run once, a timer is no hit, and a function seldom returns by return(): nobody waits for a
 * plan there. */
static bool needs_none(const struct dp_point_info *point)
{
	return point->kind == DP_PROBE_EVENT || point->kind == DP_PROBE_TIMER ||
	       point->phase == DP_PHASE_RETURNED;
}

static enum point_reason reason_of_point(const struct dp_point_info *point)
{
	if (needs_none(point))
		return POINT_FITS;
	if (point->kind != DP_PROBE_BREAK)
		return POINT_WATCHED;
	if (point->phase != DP_PHASE_BEFORE)
		return POINT_PHASE;
	return point->flags & DP_POINT_TAKEN ? POINT_TAKEN : POINT_FITS;
}

static const char *reason_of_code(unsigned opcode)
{
	switch (opcode) {
#define DP_PLAN_OP(name, reason)                                                                   \
	case RPN_##name:                                                                           \
		return reason;
#define DP_PLAN_ELSE(reason)                                                                       \
	default:                                                                                   \
		return reason;
#include "tables/plan_reasons.def"
	}
}

static const char *name_of_kind(unsigned kind)
{
	switch (kind) {
#define DP_PLAN_NAME(name, text)                                                                   \
	case DP_PLAN_##name:                                                                       \
		return text;
#include "tables/plan_reasons.def"
	default:
		return "";
	}
}

static void add_kind(struct dph_plans *plans, unsigned kind)
{
	plans->kinds = dph_grow((void *)plans->kinds, &plans->kind_room, plans->kind_count,
				sizeof *plans->kinds);
	plans->kinds[plans->kind_count++] = name_of_kind(kind);
}

static void add_reason(struct dph_plans *plans, const struct dp_object_file *object, uint32_t place,
		       const char *reason)
{
	struct dp_no_plan row = {.reason = reason, .points = 1};

	if (!dp_object_line(object, place, &row.file, &row.line))
		row.file = NULL;
	for (size_t i = 0; i < plans->row_count; i++) {
		struct dp_no_plan *before = &plans->rows[i];

		if (before->file == row.file && before->line == row.line &&
		    before->reason == reason) {
			before->points++;
			return;
		}
	}
	plans->rows =
		dph_grow(plans->rows, &plans->row_room, plans->row_count, sizeof *plans->rows);
	plans->rows[plans->row_count++] = row;
}

void dph_plans_find(const struct dp_object_file *object, struct dph_plans *plans)
{
	struct dp_verdict verdict;
	struct dph_simulation *simulation =
		dph_simulation_open(object->data, object->travelling, true, &verdict);
	struct dp_point_info point;
	const uint8_t *code;

	if (simulation == NULL)
		return;
	code = dph_simulation_program(simulation)->code;
	for (unsigned i = 0; dp_object_point(object, i, &point); i++) {
		const enum point_reason reason = reason_of_point(&point);
		uint32_t place;
		unsigned kind = dph_simulation_plan(simulation, point.entry, &place) &
				~(unsigned)DP_PLAN_STACK;

		if (reason != POINT_FITS)
			add_reason(plans, object, point.entry + MARKER_BYTES, of_point[reason]);
		else if (kind == DP_PLAN_RUN && !needs_none(&point))
			add_reason(plans, object, place, reason_of_code(code[place]));
		add_kind(plans, reason != POINT_FITS || needs_none(&point) ? DP_PLAN_CHAIN : kind);
	}
	dph_simulation_close(simulation);
}

void dph_plans_free(struct dph_plans *plans)
{
	free(plans->rows);
	free((void *)plans->kinds);
}
