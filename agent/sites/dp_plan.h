/* SPDX-License-Identifier: BSD-2-Clause */
/* The plan of a site: the work of a hit there. The agent makes the plan when it arms the site, hits
 * follow it, and the patrol makes it anew. */
#ifndef DP_PLAN_H
#define DP_PLAN_H

#include "dp_build.h"
#include "dp_memory.h"
#include "dp_state.h"

/* From DP_PLAN_RUN on: one armed probe of phase before, nothing to ignore, records are buffered. */
enum dp_plan_kind {
	DP_PLAN_NONE,    /* dropped */
	DP_PLAN_CHAIN,   /* the chain of probes decides at each hit */
	DP_PLAN_RUN,     /* the interpreter runs the handler */
	DP_PLAN_TEST,    /* the handler ends, or goes on, by a word of memory: it logs words of the
			    frame, or the interpreter runs the rest; LANGUAGE */
	DP_PLAN_WORDS,   /* the handler logs words of the frame */
	DP_PLAN_NOTHING, /* the handler only counts */
	/* Added to a kind: dp_port_step decides at each hit. Without it the plan has a resume
	 * address. */
	DP_PLAN_STEPPED = 0x80
};

/* What the handler does, however the instruction is stepped. */
static inline enum dp_plan_kind dp_plan_kind(const struct dp_plan *plan)
{
	return (enum dp_plan_kind)(plan->kind & ~DP_PLAN_STEPPED);
}

/* Does the plan know where the context resumes? */
static inline bool dp_plan_leaves(const struct dp_plan *plan)
{
	return plan->kind > DP_PLAN_CHAIN && plan->kind < DP_PLAN_STEPPED;
}

/* Work out the plan of an armed site. No program is on the move. context: locked. */
void dp_plan_make(struct dp_agent *agent, struct dp_site *site);

/* Words of the frame, by their offset in words. */
typedef dp_word __attribute__((may_alias)) dp_frame_word;
static inline dp_word dp_plan_word(const struct dp_frame *frame, unsigned at)
{
	return ((const dp_frame_word *)(const void *)frame)[at];
}

/* What a DP_PLAN_TEST found. */
enum dp_plan_found {
	DP_PLAN_ENDS,    /* the handler aborts: only the hit counts */
	DP_PLAN_GOES_ON, /* with the plan's words, or at test.ahead; the stack has what the test
			    left there */
	DP_PLAN_FAULTS,  /* not readable: the interpreter runs the handler from its begin */
};
#if DP_WITH_LANGUAGE
/* Inline: hits call it in one place. */
static inline enum dp_plan_found dp_plan_test(struct dp_agent *agent, const struct dp_plan *plan,
					      const struct dp_frame *frame)
{
	union {
		uint8_t bytes[sizeof(dp_word)];
		dp_word word;
	} value = {.word = 0};
	unsigned width = plan->test.width;
	unsigned at = DP_PORT_BIG_ENDIAN ? (unsigned)sizeof(dp_word) - width : 0;
	dp_addr address = dp_plan_word(frame, plan->test.base) + plan->test.offset;
	dp_word *top = DP_THIS_CPU(agent)->vm.stack + DP_STACK_WORDS - 1;

	if (!dp_port_load(address, width, value.bytes + at))
		return DP_PLAN_FAULTS;
	top[-1] = plan->test.wanted; /* as push and sub leave them: decisions.txt C03 */
	top[0] = plan->test.wanted - (dp_load_word(value.bytes) & plan->test.mask);
	return (top[0] == 0) == plan->test.if_equal ? DP_PLAN_GOES_ON : DP_PLAN_ENDS;
}

/* Let the run that was started go on behind the test. */
static inline void dp_plan_go_on(struct dp_vm *vm, const struct dp_program_view *program,
				 const struct dp_plan *plan)
{
	vm->steps = program->code[vm->pc + 1]; /* of the first block */
	vm->tsp = DP_STACK_WORDS - 1;
	vm->jumps = plan->test.jumps;
	vm->pc = plan->test.ahead;
}
#else
static inline enum dp_plan_found dp_plan_test(struct dp_agent *agent, const struct dp_plan *plan,
					      const struct dp_frame *frame)
{
	(void)agent, (void)plan, (void)frame;
	return DP_PLAN_FAULTS;
}

static inline void dp_plan_go_on(struct dp_vm *vm, const struct dp_program_view *program,
				 const struct dp_plan *plan)
{
	(void)vm, (void)program, (void)plan;
}
#endif

/* The site, one of its probes or its program changes: the next hit works the plan out again. */
static inline void dp_plan_drop(struct dp_site *site)
{
	site->plan.kind = DP_PLAN_NONE;
}

#endif
