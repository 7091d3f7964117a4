/* SPDX-License-Identifier: BSD-2-Clause */
/* The readings HIT, SKIPPED and VARIABLES have these views of simulated hits. */
#ifndef DPH_SIMULATED_H
#define DPH_SIMULATED_H

#include "simulate/simulate.h"

/* A hit with a handler run. */
struct dph_hit_view {
	unsigned long number; /* from 1 */
	unsigned point;
	uint64_t address;
	const char *name; /* of an event or a timer, which has no address; null: another point */
	const struct sim_result *result;
	const struct dp_object_file *object;     /* the program */
	const struct dph_simulation *simulation; /* as the hit left the simulation */
	const char *desc;                        /* of the template; null: none */
	struct dp_record_made *made;   /* of a D program's record; null: the templates print it */
	const char *text, *trace_text; /* null: no templates */
	bool counts;    /* of a D program, whose clauses without an action end without a record */
	bool committed; /* no hit: a record of a speculation that this hit has committed */
};

/* The record as text, and its values as JSON; null: none. */
const char *dph_hit_text(const struct dph_hit_view *hit);
const char *dph_hit_args(const struct dph_hit_view *hit);

/* A hit of a probe that did not run. */
struct dph_skipped_view {
	unsigned long number;
	bool ignored; /* else the probe is disabled */
};

/* The variables behind the last hit. */
struct dph_variables_view {
	const struct sim_program *program;
};

#endif
