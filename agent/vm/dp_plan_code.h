/* SPDX-License-Identifier: BSD-2-Clause */
/* The kinds of plans, and what a plan takes of a handler. struct dp_plan: dp_port.h. */
#ifndef DP_PLAN_CODE_H
#define DP_PLAN_CODE_H

#include "dp_vm.h"

#define dp_plan_code DP_VM_NAME(dp_plan_code)

/* From DP_PLAN_LIST on: the armed probes have phase before and nothing to ignore, and records are
 * buffered. From DP_PLAN_RUN on: there is one probe. */
enum dp_plan_kind {
	DP_PLAN_NONE,    /* dropped */
	DP_PLAN_CHAIN,   /* the chain of probes decides at each hit */
	DP_PLAN_LIST,    /* each probe has a plan of its own: struct dp_listed */
	DP_PLAN_RUN,     /* the interpreter runs the handler */
	DP_PLAN_RETURN,  /* the handler lets the function return a constant; LANGUAGE */
	DP_PLAN_MEMORY,  /* the handler logs words of memory, and of the frame; LANGUAGE */
	DP_PLAN_COUNT,   /* the handler counts in a map by words of the frame; D */
	DP_PLAN_COMPARE, /* as DP_PLAN_TEST, with any form of test, also of a word of the frame */
	DP_PLAN_TEST,    /* the handler ends, or goes on, by what memory equals: it logs words of
			    the frame, or the interpreter runs the rest; LANGUAGE */
	DP_PLAN_WORDS,   /* the handler logs words of the frame */
	DP_PLAN_NOTHING, /* the handler only counts */
	/* Added to a kind: words of the frame are words of the stack among them, which
	 * DP_PORT_LOAD_STACK is to copy first; LANGUAGE */
	DP_PLAN_STACK = 0x40,
	/* Added to a kind: dp_port_step decides at each hit. Without it the plan has a resume
	 * address. */
	DP_PLAN_STEPPED = 0x80
};

/* How a handler tests a value v: the word r that its jump looks at, and whether the jump looks for
 * zero or for the sign. The last five compare v with a constant: w is the constant, or what adding
 * it subtracts. From DP_PLAN_BOTH on the bits of the number tell how two words are joined. */
enum dp_plan_form {
	DP_PLAN_VALUE,      /* r = v, zero */
	DP_PLAN_EQUAL,      /* r = w - v, zero */
	DP_PLAN_SIGN,       /* r = v, the sign, as all below */
	DP_PLAN_LESS,       /* r = v - w */
	DP_PLAN_BOTH,       /* r = v & (v + w) */
	DP_PLAN_EITHER,     /* r = v | (v + w) */
	DP_PLAN_NOT_BOTH,   /* r = ~v & (v + w) */
	DP_PLAN_NOT_EITHER, /* r = ~v | (v + w) */
};

#if DP_PORT_STACK_WORDS > 0
/* Is the word of the frame one that DP_PORT_LOAD_STACK copies? at: as in dp_plan.at. */
static inline bool dp_plan_of_stack(unsigned at)
{
	return at - DP_PORT_STACK_AT / sizeof(dp_word) < DP_PORT_STACK_WORDS;
}
#endif

/* Work out the kind of plan for the handler at the entry, and the members that the kind has. With
 * DP_PLAN_RUN test.ahead is the code offset of the first instruction that no plan takes (LANGUAGE).
 * items: the records have items. returns: the kind, with DP_PLAN_STACK or without. */
unsigned dp_plan_code(struct dp_plan *plan, const struct dp_program_view *view, unsigned entry,
		      bool items);

#endif
