/* SPDX-License-Identifier: BSD-2-Clause */
/* Compute the plan of a site. Whoever changes a site, a probe, a program or the log mode drops the
 * plans that depend on it. */
#include "dp_plan.h"

#include "dp_build.h"
#include "dp_entries.h"
#include "dp_lock.h"
#include "dp_map.h"
#include "dp_memory.h"

/* --- the handler --- */

enum {
	DP_MARKER_BYTES = 2,  /* marker and count of a block */
	DP_REG_BYTES = 1 + 2, /* push r */
	DP_LOG_BYTES = 1 + 2, /* log n */
	DP_SX_BYTES = 1 + 2   /* sx label */
};

/* Nothing that a plan does itself raises an exception: its handler is for the rest. */
static const uint8_t *behind_sx(const uint8_t *code)
{
	return DP_WITH_LANGUAGE && code[0] == RPN_SX ? code + DP_SX_BYTES : code;
}

static bool pushes_register(const uint8_t *code)
{
	return code[0] == RPN_PUSH_R || code[0] == RPN_PUSH_U;
}

/* Where the word of the frame is that the instruction pushes; above UINT8_MAX: elsewhere. */
static unsigned word_at(const uint8_t *code)
{
	return DP_PORT_REG_AT(dp_load_u16(code + 1)) / (unsigned)sizeof(dp_word);
}

static bool plan_word(struct dp_plan *plan, const uint8_t *code)
{
	unsigned at = word_at(code);

	if (at > UINT8_MAX || plan->words == sizeof(plan->at))
		return false;
	plan->at[plan->words++] = (uint8_t)at;
	return true;
}

/* Take the words of the frame that are pushed. Returns the code behind; null: there are too many.
 */
static const uint8_t *plan_words(struct dp_plan *plan, const uint8_t *code)
{
	plan->words = 0;
	for (; pushes_register(code); code += DP_REG_BYTES)
		if (!plan_word(plan, code))
			return NULL;
	return code;
}

/* Does the code only push words of the frame, log them and end? above: words of the RPN stack
 * before. */
static bool logs_words(struct dp_plan *plan, const struct dp_program_view *view,
		       const uint8_t *code, unsigned above)
{
	code = plan_words(plan, behind_sx(code));
	if (!code || plan->words * sizeof(dp_word) > view->logmax)
		return false;
	if (plan->words > 0) {
		if (code[0] != RPN_LOG_N || dp_load_u16(code + 1) != plan->words)
			return false;
		code += DP_LOG_BYTES;
	}
	plan->above = (uint8_t)(above * sizeof(dp_word));
	return code[0] == RPN_EXIT;
}

#if DP_WITH_LANGUAGE
/* The value of a constant, and the code behind it; null: it is none. */
static const uint8_t *constant(const uint8_t *code, dp_word *value)
{
	switch (*code++) {
	case RPN_PUSH_8:
		*value = (dp_word)(dp_sword)(int8_t)*code;
		return code + 1;
	case RPN_PUSH_16:
		*value = (dp_word)(dp_sword)(int16_t)dp_load_u16(code);
		return code + 2;
	case RPN_PUSH_W:
		*value = dp_load_word(code);
		return code + sizeof(dp_word);
	default:
		return NULL;
	}
}

/* Take the value of a constant that the operation follows. Returns the code behind both; null: they
 * do not stand there. */
static const uint8_t *operation(const uint8_t *code, enum rpn_op op, dp_word *value)
{
	dp_word found;
	const uint8_t *behind = constant(code, &found);

	if (!behind || *behind != op)
		return NULL;
	*value = found;
	return behind + 1;
}

static bool aborts(const uint8_t *block)
{
	return block[0] == RPN_BLOCK && block[2] == RPN_ABORT;
}

/* The form of the test, and its constant. Returns the code behind; null: the form has no name. */
static const uint8_t *plan_form(struct dp_plan *plan, const uint8_t *code)
{
	const uint8_t *next = constant(code, &plan->test.wanted);
	enum dp_plan_form form = DP_PLAN_VALUE;

	if (next && next[0] == RPN_SUB) {
		form = DP_PLAN_EQUAL;
		code = next + 1;
	} else if (next && next[0] == RPN_XCHG && next[1] == RPN_SUB) {
		form = DP_PLAN_LESS;
		code = next + 2;
	} else if (code[0] == RPN_DUP_N && code[1] == 1) {
		code = operation(code + 2, RPN_ADD, &plan->test.wanted);
		if (!code || *code++ != RPN_XCHG)
			return NULL;
		form = *code == RPN_NEG ? DP_PLAN_NOT_BOTH : DP_PLAN_BOTH;
		code += *code == RPN_NEG;
		if (*code != RPN_AND && *code != RPN_OR)
			return NULL;
		form += *code++ == RPN_OR;
	}
	plan->test.form = form & 7;
	return code;
}

/* Does the jump look for what the form has: zero, or the sign? Notes whether it jumps then. */
static bool fits_form(struct dp_plan *plan, unsigned jump, bool *if_so)
{
	bool zero = jump == RPN_JZ || jump == RPN_JNZ;

	if (!zero && jump != RPN_JLT && jump != RPN_JGE) /* nothing else has a label to read */
		return false;
	if (!zero && plan->test.form == DP_PLAN_VALUE)
		plan->test.form = DP_PLAN_SIGN;
	*if_so = jump == RPN_JZ || jump == RPN_JLT;
	return zero == (plan->test.form < DP_PLAN_SIGN);
}

/* One way of the jump aborts: note the other. */
static bool plan_jump(struct dp_plan *plan, const uint8_t *code, const uint8_t *jump)
{
	const uint8_t *taken, *behind = jump + 3;
	bool jumps, if_so;

	if (!fits_form(plan, *jump, &if_so))
		return false;
	taken = code + dp_load_u16(jump + 1);
	jumps = aborts(behind);
	if (!jumps && !aborts(taken))
		return false;
	plan->test.jumps = jumps;
	plan->test.if_true = jumps == if_so;
	plan->test.ahead = (uint16_t)((jumps ? taken : behind) - code);
	return true;
}

/* Take the value of a test: a word of the frame, or one of memory, with an offset and a mask or
 * without. Returns the code behind; null: it is another one. */
static const uint8_t *plan_value(struct dp_plan *plan, const uint8_t *code)
{
	const uint8_t *next;

	plan->test.offset = 0;
	plan->test.mask = (dp_word)-1;
	plan->test.width = 0;
	if (!pushes_register(code) || word_at(code) > UINT8_MAX)
		return NULL;
	plan->test.base = (uint8_t)word_at(code);
	code += DP_REG_BYTES;
	next = operation(code, RPN_ADD, &plan->test.offset);
	if (next && plan->test.offset == 0) /* the constant stays on the stack: dp_plan_uncovered */
		return NULL;
	code = next ? next : code;
	if (*code >= RPN_PUSH_MEM_8 && *code <= RPN_PUSH_MEM_32)
		plan->test.width = (1u << (*code++ - RPN_PUSH_MEM_8)) & 7;
	next = operation(code, RPN_AND, &plan->test.mask);
	if (next && plan->test.mask == (dp_word)-1)
		return NULL;
	return next ? next : code;
}

/* Does the handler begin with a test, one way of which aborts? */
static bool tests(struct dp_plan *plan, const struct dp_program_view *view, const uint8_t *code)
{
	if (view->jmpmax == 0)
		return false;
	code = plan_value(plan, behind_sx(code));
	code = code ? plan_form(plan, code) : NULL;
	return code && plan_jump(plan, view->code, code);
}

static enum dp_plan_kind kind_of_test(const struct dp_plan *plan)
{
	return plan->test.form == DP_PLAN_EQUAL && plan->test.width != 0 ? DP_PLAN_TEST
									 : DP_PLAN_COMPARE;
}

/* A handler that does not log words behind its test goes on in the interpreter. */
static void plan_behind_test(struct dp_plan *plan, const struct dp_program *program)
{
	const uint8_t *block = program->view.code + plan->test.ahead;

	if ((program->items & DP_ITEM_ALL) ||
	    !logs_words(plan, &program->view, block + DP_MARKER_BYTES, 1))
		plan->words = 0;
}
#else
/* The interpreter runs tests too. */
static bool tests(struct dp_plan *plan, const struct dp_program_view *view, const uint8_t *code)
{
	(void)plan, (void)view, (void)code;
	return false;
}

static void plan_behind_test(struct dp_plan *plan, const struct dp_program *program)
{
	(void)plan, (void)program;
}

static enum dp_plan_kind kind_of_test(const struct dp_plan *plan)
{
	(void)plan;
	return DP_PLAN_RUN;
}
#endif

#if DP_WITH_D
enum {
	MARKED_MAX = 255 /* instructions of a block */
};

/* Does the handler only count in a map by words of the frame? Its steps must fit the budget. */
static bool counts(struct dp_plan *plan, const struct dp_program_view *view, const uint8_t *code)
{
	const struct dp_map *map;

	code = plan_words(plan, behind_sx(code));
	if (!code || code[0] != RPN_ADD_MAP || code[2] != RPN_ABORT)
		return false;
	plan->map = code[1];
	map = &view->maps[plan->map];
	return map->kind == DP_MAP_COUNT && map->keys == plan->words &&
	       DP_STEP_BUDGET >= MARKED_MAX + RPN_MAP_STEPS + map->keys + 1 + DP_MAP_LOOKS;
}
#else
static bool counts(struct dp_plan *plan, const struct dp_program_view *view, const uint8_t *code)
{
	(void)plan, (void)view, (void)code;
	return false;
}
#endif

static enum dp_plan_kind kind_of(const struct dp_program *program, unsigned entry,
				 struct dp_plan *plan)
{
	const uint8_t *code = program->view.code + entry + DP_MARKER_BYTES;

	if (code[0] == RPN_ABORT)
		return DP_PLAN_NOTHING;
	if (counts(plan, &program->view, code))
		return DP_PLAN_COUNT;
	if (!(program->items & DP_ITEM_ALL) && logs_words(plan, &program->view, code, 0))
		return DP_PLAN_WORDS;
	if (!tests(plan, &program->view, code))
		return DP_PLAN_RUN;
	plan_behind_test(plan, program);
	return kind_of_test(plan);
}

/* --- the site --- */

static bool is_simple(const struct dp_agent *agent, const struct dp_probe *probe)
{
	return agent->transmit.mode != DP_MODE_SYNCHRONOUS && probe && probe->next == DP_NONE &&
	       probe->state == DP_PROBE_ARMED && probe->phase == DP_PHASE_BEFORE &&
	       probe->ignore == 0 && !probe->taken;
}

void dp_plan_make(struct dp_agent *agent, struct dp_site *site)
{
	struct dp_probe *probe = dp_probe_at(agent, site->chain);
	struct dp_plan *plan = &site->plan;

	plan->kind = DP_PLAN_CHAIN;
	if (!DP_PLANS || !is_simple(agent, probe))
		return;
	plan->probe = probe;
	probe->ran = 1; /* in each hit that follows the plan */
	plan->kind = (uint8_t)kind_of(dp_program_at(agent, probe->program), probe->entry, plan);
	plan->resume = dp_port_resume(site, !probe->logonfault);
	if (plan->resume == 0)
		plan->kind |= DP_PLAN_STEPPED;
}

void dp_plan_renew(struct dp_agent *agent, struct dp_site *site)
{
	dp_irq irq = dp_lock_take();

	if (site->armed)
		dp_plan_make(agent, site);
	dp_lock_give(irq);
}
