/* SPDX-License-Identifier: BSD-2-Clause */
/* Probe points: the matches of a program's descriptions. */
#ifndef DPH_D_POINT_H
#define DPH_D_POINT_H

#include "lang/d/read/tree.h"

enum d_point_kind {
	D_POINT_ENTRY, /* fbt: at a function's first instruction */
	D_POINT_RETURN,
	D_POINT_TAIL,  /* fbt return: a branch to another function */
	D_POINT_PLACE, /* insn, line, addr */
	D_POINT_WATCH, /* watch: where an instruction accesses memory */
	D_POINT_EVENT, /* BEGIN, END */
	D_POINT_TIMER, /* profile: each time a period is over */
	D_POINT_ERROR  /* runs behind a hit in which a clause faulted */
};

/* A clause that the point matches. */
struct d_match {
	struct d_match *next;
	struct d_clause *clause;
};

/* What a watchpoint watches. */
struct d_watched {
	const char *name; /* of the kind: "w" */
	const char *text; /* the variable as the program has it */
	unsigned kind;    /* DP_PROBE_WATCH_* */
	uint64_t address, bytes;
	struct d_type type; /* of the variable; kind D_TYPE_NONE: bytes without a type */
};

/* The period of a timer. */
struct d_timer {
	bool sampled; /* runs in the interrupt that the board samples in; else where it polls */
	uint32_t seconds, nanoseconds;
};

struct d_point {
	struct d_point *next;
	enum d_point_kind kind;
	const char *part[DPH_PROBE_WHOLE]; /* provider, module, function, name */
	struct dph_place place;            /* of the first description that matches */
	uint64_t address;
	unsigned phase; /* DP_PHASE_* */
	unsigned isa;   /* of the symbol; valid with symbolic */
	bool symbolic;
	bool optional;   /* it is left out where it cannot be probed: globs and names of several
			    functions alone match it */
	uint64_t offset; /* RETURN, TAIL: from the function's start */
	bool taken;      /* the same: leaves only if its branch is taken */
	unsigned number; /* from 1, as records have it; of ERROR 0 */
	unsigned outer;  /* as struct dp_code_place */
	const struct d_watched *watched;   /* WATCH; its address is no place in the code: 0 */
	const struct d_timer *timer;       /* TIMER; the same */
	const struct d_provided *provided; /* the declaration of a provider file; null: none */
	const char *place_name;            /* with it: the name of the place without the file */
	struct d_match *matches;           /* in the order of the program */
};

/* matches.c: find the points of all clauses; complains about descriptions that match nothing. */
void dph_d_find_points(struct d_front *d);

/* point.c: the points of one description, in a list of their own; null: none, and said. */
struct d_point *dph_d_points_of(struct d_front *d, const struct d_description *description);

/* The point at the first instruction of the function. */
struct d_point *dph_d_entry_point(struct d_front *d, const struct dp_symbol *symbol,
				  struct dph_place place);

/* Does the field of a description match the text? An empty field matches all. */
bool dph_d_matches(const char *pattern, const char *text);
/* Is the field empty, or has it a wildcard? */
bool dph_d_is_glob(const char *text);

/* watched.c: is it the description of a watchpoint? What it watches; null: an error, which is said.
 */
bool dph_d_is_watch(const char *text);
const struct d_watched *dph_d_watched(struct d_front *d, const char *text, struct dph_place place);

/* point_refused.c: why no target can probe the point, for people; null: a target may be able to. */
const char *dph_d_point_refused(struct d_front *d, const struct d_point *point);
/* Leave out the points of a glob that no target can probe, and say how many. */
struct d_point *dph_d_leave_out(struct d_front *d, const struct d_description *description,
				struct d_point *points);

/* Is the function of a hit not known here: no local variable is in scope, no argument? */
static inline bool dph_d_is_anywhere(const struct d_point *point)
{
	return point->kind == D_POINT_ERROR || point->kind == D_POINT_EVENT ||
	       point->kind == D_POINT_WATCH || point->kind == D_POINT_TIMER;
}

/* Is the point one of profile-97? The pc, the sp and the return address of the interrupted code are
 * known there. */
static inline bool dph_d_is_sampled(const struct d_point *point)
{
	return point->timer && point->timer->sampled;
}

/* Is the point no place in the code? */
static inline bool dph_d_is_event(const struct d_point *point)
{
	return point->kind == D_POINT_ERROR || point->kind == D_POINT_EVENT ||
	       (point->timer && !point->timer->sampled);
}

#endif
