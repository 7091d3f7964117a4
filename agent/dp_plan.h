/* SPDX-License-Identifier: BSD-2-Clause */
/* What a hit at a site comes to. The first hit works the plan out, later hits follow it. */
#ifndef DP_PLAN_H
#define DP_PLAN_H

#include "dp_state.h"

/* From DP_PLAN_RUN on: one armed probe of phase before, nothing to ignore, records are buffered,
 * and a plain context resumes at one address. */
enum dp_plan_kind {
	DP_PLAN_NONE,    /* not worked out, or dropped */
	DP_PLAN_CHAIN,   /* the chain of probes and dp_port_step decide at each hit */
	DP_PLAN_RUN,     /* the interpreter runs the handler */
	DP_PLAN_WORDS,   /* the handler logs words of the frame */
	DP_PLAN_NOTHING, /* the handler only counts */
};

/* Work out the plan of an armed site. context: HIT. */
void dp_plan_make(struct dp_agent *agent, struct dp_site *site);

/* The site, one of its probes or its program changes: the next hit works the plan out again. */
static inline void dp_plan_drop(struct dp_site *site)
{
	site->plan.kind = DP_PLAN_NONE;
}

#endif
