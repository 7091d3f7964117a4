/* SPDX-License-Identifier: BSD-2-Clause */
/* The plan of a site: the work of a hit there. The agent makes the plan when it arms the site, hits
 * follow it, and the patrol makes it anew. */
#ifndef DP_PLAN_H
#define DP_PLAN_H

#include "dp_build.h"
#include "dp_memory.h"
#include "dp_plan_code.h"
#include "dp_state.h"

/* What the handler does, however the instruction is stepped, and whatever is read first. */
static inline enum dp_plan_kind dp_plan_kind(const struct dp_plan *plan)
{
	return (enum dp_plan_kind)(plan->kind & ~(DP_PLAN_STEPPED | DP_PLAN_STACK));
}

/* The kind, with DP_PLAN_STEPPED or without: where no plan has words of the stack it is read as it
 * is. */
static inline unsigned dp_plan_stepped_kind(const struct dp_plan *plan)
{
	return DP_WITH_LANGUAGE && DP_PORT_STACK_WORDS > 0 ? plan->kind & ~(unsigned)DP_PLAN_STACK
							   : plan->kind;
}

/* Does the plan know where the context resumes? */
static inline bool dp_plan_leaves(const struct dp_plan *plan)
{
	return plan->kind > DP_PLAN_CHAIN && plan->kind < DP_PLAN_STEPPED;
}

/* Does the plan begin with a test? */
static inline bool dp_plan_tests(const struct dp_plan *plan)
{
	const unsigned kind = dp_plan_stepped_kind(plan);

	return kind == DP_PLAN_TEST || kind == DP_PLAN_COMPARE;
}

/* Does it, where dp_port_step decides at each hit? */
static inline bool dp_plan_is_stepped_test(const struct dp_plan *plan)
{
	const unsigned kind = dp_plan_stepped_kind(plan);

	return DP_WITH_LANGUAGE && (kind == (DP_PLAN_TEST | DP_PLAN_STEPPED) ||
				    kind == (DP_PLAN_COMPARE | DP_PLAN_STEPPED));
}

/* Work out the plan of an armed site. No program is on the move. context: locked. */
void dp_plan_make(struct dp_agent *agent, struct dp_site *site);
/* The same for a site that is armed now, in a masked stretch of its own. The plan of several probes
 * is left to the next hit. */
void dp_plan_begin(struct dp_agent *agent, struct dp_site *site);
/* Work the plan of a site out anew, where it has another one: no sum covers a plan. One that was
 * dropped is left to the next hit. context: at work, interrupts open. */
void dp_plan_renew(struct dp_agent *agent, struct dp_site *site);

#if DP_WITH_TIMERS
/* Work out the plan of the probe of a timer. It depends on the program alone. */
void dp_plan_timer(struct dp_agent *agent, unsigned probe, struct dp_plan *plan);
/* Is the plan of the timer still what its handler asks for? A hit meanwhile may end the timer, so
 * that the answer is no. context: at work, interrupts open. */
bool dp_plan_timer_stands(struct dp_agent *agent, const struct dp_timer *timer);
#endif

/* Words of the frame, by their offset in words. */
typedef dp_word __attribute__((may_alias)) dp_frame_word;
static inline dp_word dp_plan_word(const struct dp_frame *frame, unsigned at)
{
	return ((const dp_frame_word *)(const void *)frame)[at];
}

/* The constant of a word of the stack stays on the RPN stack where nothing covers it: decisions.txt
 * C03. at: as in dp_plan.at. below: the slot below the word. Inlined with the next function: 18
 * instructions a hit of a D count by caller (IA32). */
static inline __attribute__((__always_inline__)) void dp_plan_under(unsigned at, dp_word *below)
{
#if DP_WITH_LANGUAGE && DP_PORT_STACK_WORDS > 0
	const unsigned index = at - DP_PORT_STACK_AT / (unsigned)sizeof(dp_word);

	if (index - 1 < DP_PORT_STACK_WORDS - 1)
		*below = index * (dp_word)sizeof(dp_word);
#else
	(void)at, (void)below;
#endif
}

/* The same of the last word that the plan logs or counts by: it has some. above: words of the RPN
 * stack in front of the first one. Inlined: 18 instructions, as above. */
static inline __attribute__((__always_inline__)) void
dp_plan_under_words(struct dp_agent *agent, const struct dp_plan *plan, unsigned above)
{
	dp_word *top = DP_THIS_CPU(agent)->vm.stack + DP_STACK_WORDS - above - plan->words;

	dp_plan_under(plan->at[plan->words - 1], top - 1);
}

/* What a test found. */
enum dp_plan_found {
	DP_PLAN_ENDS,    /* the handler aborts: only the hit counts */
	DP_PLAN_GOES_ON, /* with the plan's words, or at test.ahead; the stack has what the test
			    left there */
	DP_PLAN_FAULTS,  /* not readable, or no memory: the interpreter runs the handler from its
			    begin */
};
#if DP_WITH_LANGUAGE
/* The value that is tested, of memory or of the frame. returns: false: it is not readable. Inlined:
 * 19 instructions a hit less (Cortex-A9). */
static inline __attribute__((__always_inline__)) bool dp_plan_value(const struct dp_plan *plan,
								    const struct dp_frame *frame,
								    bool of_memory, dp_word *found)
{
	union {
		uint8_t bytes[sizeof(dp_word)];
		dp_word word;
	} value = {.word = 0};
	unsigned width = plan->test.width;
	unsigned at = DP_PORT_BIG_ENDIAN ? (unsigned)sizeof(dp_word) - width : 0;
	dp_addr address = dp_plan_word(frame, plan->test.base) + plan->test.offset;

	*found = address & plan->test.mask;
	if (!of_memory)
		return true;
	if (!dp_port_load_memory(address, width, value.bytes + at))
		return false;
	*found = dp_load_word(value.bytes) & plan->test.mask;
	return true;
}

/* The two tests leave the RPN stack as the instructions leave it: decisions.txt C03. Inline: hits
 * of single probes call each in one place. */
static inline enum dp_plan_found dp_plan_test(struct dp_agent *agent, const struct dp_plan *plan,
					      const struct dp_frame *frame)
{
	dp_word *top = DP_THIS_CPU(agent)->vm.stack + DP_STACK_WORDS - 1;
	dp_word value;

	if (!dp_plan_value(plan, frame, true, &value))
		return DP_PLAN_FAULTS;
	top[-1] = plan->test.wanted;
	top[0] = plan->test.wanted - value;
	return (top[0] == 0) == plan->test.if_true ? DP_PLAN_GOES_ON : DP_PLAN_ENDS;
}

/* The word of a constant in front of the value stays on the stack where nothing covers it. */
static inline void dp_plan_uncovered(const struct dp_plan *plan, dp_word *below)
{
	if (plan->test.mask != (dp_word)-1)
		*below = plan->test.mask;
	else if (plan->test.offset != 0)
		*below = plan->test.offset;
	else
		dp_plan_under(plan->test.base, below);
}

/* The word r of the forms that join two words. top: where it goes. */
static inline dp_word dp_plan_joined(const struct dp_plan *plan, dp_word value, dp_word *top)
{
	unsigned form = plan->test.form - DP_PLAN_BOTH;
	dp_word other = value + plan->test.wanted;

	top[-2] = plan->test.wanted;
	top[-1] = value = form & 2 ? ~value : value;
	return form & 1 ? value | other : value & other;
}

/* The word r of the other forms. */
static inline dp_word dp_plan_tested(const struct dp_plan *plan, dp_word value, dp_word *top)
{
	unsigned form = plan->test.form;

	if (form == DP_PLAN_EQUAL) {
		top[-1] = plan->test.wanted;
		return plan->test.wanted - value;
	}
	if (form == DP_PLAN_LESS) {
		top[-1] = value;
		return value - plan->test.wanted;
	}
	dp_plan_uncovered(plan, top - 1);
	return value;
}

/* Is what the jump of the form looks for? Inlined with the next function: 7 to 13 instructions a
 * hit of a D predicate or count. */
static inline __attribute__((__always_inline__)) bool dp_plan_holds(const struct dp_plan *plan,
								    dp_word value, dp_word *top)
{
	if (plan->test.form >= DP_PLAN_BOTH) {
		top[0] = dp_plan_joined(plan, value, top);
		return (dp_sword)top[0] < 0;
	}
	top[0] = dp_plan_tested(plan, value, top);
	return plan->test.form < DP_PLAN_SIGN ? top[0] == 0 : (dp_sword)top[0] < 0;
}

/* Inlined: 7 to 13 instructions a hit of a D predicate or count. */
static inline __attribute__((__always_inline__)) enum dp_plan_found
dp_plan_compare(struct dp_agent *agent, const struct dp_plan *plan, const struct dp_frame *frame)
{
	dp_word *top = DP_THIS_CPU(agent)->vm.stack + DP_STACK_WORDS - 1;
	dp_word value;

	if (!dp_plan_value(plan, frame, plan->test.width != 0, &value))
		return DP_PLAN_FAULTS;
	return dp_plan_holds(plan, value, top) == plan->test.if_true ? DP_PLAN_GOES_ON
								     : DP_PLAN_ENDS;
}

/* Let the run that was started go on behind the test, and the `sx` in front of it. */
static inline void dp_plan_go_on(struct dp_vm *vm, const struct dp_program_view *program,
				 const struct dp_plan *plan)
{
	const uint8_t *block = program->code + vm->pc;

	if (block[2] == RPN_SX)
		vm->activation[0].handler = dp_load_u16(block + 3);
	vm->steps = block[1] + (plan->test.form >= DP_PLAN_BOTH ? 1u : 0); /* `dup 1` costs two */
	vm->tsp = DP_STACK_WORDS - 1;
	vm->jumps = plan->test.jumps;
	vm->pc = plan->test.ahead;
}
#else
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
