/* SPDX-License-Identifier: BSD-2-Clause */
/* What a plan takes of a handler. The host compiles the file too, and tells where a handler has
 * something else. */
#include "dp_plan_code.h"

#include "dp_build.h"
#include "dp_map.h"
#include "dp_memory.h"

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
	const unsigned index = dp_load_u16(code + 1);

	return (code[0] == RPN_PUSH_R ? DP_PORT_REG_AT(index) : DP_PORT_USER_AT(index)) /
	       (unsigned)sizeof(dp_word);
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

/* The bytes that the code loads; 0: it loads none, or more than a word. */
static unsigned load_width(const uint8_t *code)
{
	unsigned bytes = 0;

	if (*code >= RPN_PUSH_MEM_8 && *code <= RPN_PUSH_MEM_64)
		bytes = 1u << (*code - RPN_PUSH_MEM_8);
	return bytes <= sizeof(dp_word) ? bytes : 0;
}
#endif

#if DP_WITH_LANGUAGE && DP_PORT_STACK_WORDS > 0
_Static_assert(DP_PORT_STACK_AT / sizeof(dp_word) + DP_PORT_STACK_WORDS <= UINT8_MAX,
	       "places in dp_plan.at are bytes");

/* Where the word of the stack will be in the frame that the code pushes: the stack pointer, with a
 * constant or without, and a load. Returns the code behind; null: it pushes no such word. */
static const uint8_t *stack_word(const uint8_t *code, unsigned *at)
{
	const unsigned bytes = sizeof(dp_word);
	const uint8_t *next;
	dp_word offset = 0;

	if (word_at(code) != DP_PORT_STACK_BASE / bytes)
		return NULL;
	code += DP_REG_BYTES;
	next = operation(code, RPN_ADD, &offset);
	if (next && offset == 0) /* the constant stays on the stack: dp_plan_under */
		return NULL;
	code = next ? next : code;
	code = behind_sx(code);
	if (load_width(code) != bytes || offset % bytes != 0 ||
	    offset / bytes >= DP_PORT_STACK_WORDS)
		return NULL;
	*at = DP_PORT_STACK_AT / bytes + (unsigned)(offset / bytes);
	return code + 1;
}
#else
static const uint8_t *stack_word(const uint8_t *code, unsigned *at)
{
	(void)code, (void)at;
	return NULL;
}
#endif

/* Take a word that is pushed: of the frame, or of the stack. Returns the code behind; null: no such
 * word is. */
static const uint8_t *pushed_word(const uint8_t *code, uint8_t *at)
{
	const uint8_t *behind;
	unsigned found;

	if (!pushes_register(code))
		return NULL;
	found = word_at(code);
	behind = stack_word(code, &found);
	*at = (uint8_t)found;
	if (behind)
		return behind;
	return found <= UINT8_MAX ? code + DP_REG_BYTES : NULL;
}

/* Take the words that are pushed, as many as a plan has. Returns the code behind. */
static const uint8_t *plan_words(struct dp_plan *plan, const uint8_t *code)
{
	const uint8_t *behind = code;

	for (plan->words = 0; plan->words < sizeof(plan->at); plan->words++) {
		behind = pushed_word(behind_sx(code), &plan->at[plan->words]);
		if (!behind)
			break;
		code = behind;
	}
	return code;
}

/* A plan takes the code up to this instruction. Returns false. */
static bool stops(struct dp_plan *plan, const struct dp_program_view *view, const uint8_t *code)
{
#if DP_WITH_LANGUAGE
	if (code - view->code > plan->test.ahead)
		plan->test.ahead = (uint16_t)(code - view->code);
#else
	(void)plan, (void)view, (void)code;
#endif
	return false;
}

/* Does the code behind the pushes of words only log them and end? above: words of the RPN stack
 * before. */
static bool logs_words(struct dp_plan *plan, const struct dp_program_view *view,
		       const uint8_t *code, unsigned above)
{
	if (plan->words > 0) {
		if (code[0] != RPN_LOG_N || dp_load_u16(code + 1) != plan->words ||
		    plan->words * sizeof(dp_word) > view->logmax)
			return stops(plan, view, code);
		code += DP_LOG_BYTES;
	}
	plan->above = (uint8_t)(above * sizeof(dp_word));
	return code[0] == RPN_EXIT || stops(plan, view, code);
}

#if DP_WITH_LANGUAGE
/* Does the handler push constants, let the function return them, and end without a record? */
static bool returns(struct dp_plan *plan, const uint8_t *code)
{
	dp_word value[2] = {0, 0};
	unsigned words = 0;
	const uint8_t *behind;

	for (; words < 64 / DP_WORD_BITS; words++) {
		behind = constant(code, &value[words]);
		if (!behind)
			break;
		code = behind;
	}
	if (!DP_RETURNS || code[0] != RPN_RETURN || code[1] != words || code[2] != RPN_ABORT)
		return false;
	plan->words = (uint8_t)words;
	plan->test.offset = value[0];
	plan->test.wanted = value[1];
	return true;
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
	plan->test.form = form & 7u;
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

/* Where memory is tested at a word of the stack, take that word. A word of the stack that is itself
 * tested is memory at the stack pointer. An `sx` in front of the load is for the interpreter.
 * Returns the code behind; null: memory is not tested so. */
static const uint8_t *tested_at(const uint8_t *code, uint8_t *base)
{
	const uint8_t *behind, *next;
	dp_word offset;
	unsigned at;

	next = operation(code + DP_REG_BYTES, RPN_ADD, &offset);
	behind = stack_word(code, &at);
	if (!behind || *(next ? next : code + DP_REG_BYTES) == RPN_SX)
		return NULL;
	next = operation(behind, RPN_ADD, &offset);
	if (load_width(next ? next : behind) == 0)
		return NULL;
	*base = (uint8_t)at;
	return behind;
}

/* Take the value of a test: a word of the frame or of the stack, or one of memory, with an offset
 * and a mask or without. Returns the code behind; null: it is another one. */
static const uint8_t *plan_value(struct dp_plan *plan, const uint8_t *code)
{
	const uint8_t *next;

	plan->test.offset = 0;
	plan->test.mask = (dp_word)-1;
	plan->test.width = 0;
	if (!pushes_register(code) || word_at(code) > UINT8_MAX)
		return NULL;
	plan->test.base = (uint8_t)word_at(code);
	next = tested_at(code, &plan->test.base);
	code = next ? next : code + DP_REG_BYTES;
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
	const uint8_t *form, *jump;

	if (view->jmpmax == 0)
		return false;
	code = behind_sx(code);
	form = plan_value(plan, code);
	if (!form)
		return stops(plan, view, code);
	jump = plan_form(plan, form);
	if (!jump)
		return stops(plan, view, form);
	return plan_jump(plan, view->code, jump) || stops(plan, view, jump);
}

enum {
	LOADS = sizeof(((struct dp_plan *)0)->at)
};

/* The words of a handler that logs words of memory. */
struct loads {
	unsigned count;
	uint8_t at[LOADS], width[LOADS];
	uint16_t offset[LOADS];
};

/* Take a word that is pushed: of the frame or of the stack, or of memory at one, with an offset or
 * without. Returns the code behind; null: no such word is. */
static const uint8_t *plan_load(struct loads *loads, const uint8_t *code)
{
	const unsigned i = loads->count;
	const uint8_t *next;
	dp_word offset = 0;

	code = i == LOADS ? NULL : pushed_word(behind_sx(code), &loads->at[i]);
	if (!code)
		return NULL;
	next = operation(code, RPN_ADD, &offset);
	if (next && (offset == 0 || offset > UINT16_MAX)) /* 0 stays on the stack */
		return NULL;
	code = next ? next : code;
	loads->offset[i] = (uint16_t)offset;
	loads->width[i] = (uint8_t)load_width(behind_sx(code));
	loads->count++;
	if (loads->width[i] == 0)
		return next ? NULL : code;
	return behind_sx(code) + 1;
}

/* Does the handler log words of memory, and end? The words are few. */
static bool loads_words(struct dp_plan *plan, const struct dp_program_view *view,
			const uint8_t *code)
{
	struct loads loads;
	const uint8_t *behind;
	bool logs;

	loads.count = 0; /* alone: an initialiser would call memset */
	for (behind = plan_load(&loads, code); behind; behind = plan_load(&loads, code))
		code = behind;
	plan->words = (uint8_t)loads.count;
	logs = loads.count > 0 && logs_words(plan, view, code, 0);
	for (unsigned i = 0; logs && i < loads.count; i++) {
		plan->at[i] = loads.at[i];
		plan->memory.offset[i] = loads.offset[i];
		plan->memory.width[i] = loads.width[i];
	}
	return logs;
}

static enum dp_plan_kind kind_of_test(const struct dp_plan *plan)
{
	return plan->test.form == DP_PLAN_EQUAL && plan->test.width != 0 ? DP_PLAN_TEST
									 : DP_PLAN_COMPARE;
}

/* A handler that does not log words behind its test goes on in the interpreter. */
static void plan_behind_test(struct dp_plan *plan, const struct dp_program_view *view, bool items)
{
	const uint16_t ahead = plan->test.ahead;
	const uint8_t *code = view->code + ahead + DP_MARKER_BYTES;

	if (items || !logs_words(plan, view, plan_words(plan, behind_sx(code)), 1))
		plan->words = 0;
	plan->test.ahead = ahead;
}
#else
static bool returns(struct dp_plan *plan, const uint8_t *code)
{
	(void)plan, (void)code;
	return false;
}

/* The interpreter runs tests too. */
static bool tests(struct dp_plan *plan, const struct dp_program_view *view, const uint8_t *code)
{
	(void)plan, (void)view, (void)code;
	return false;
}

static void plan_behind_test(struct dp_plan *plan, const struct dp_program_view *view, bool items)
{
	(void)plan, (void)view, (void)items;
}

static bool loads_words(struct dp_plan *plan, const struct dp_program_view *view,
			const uint8_t *code)
{
	(void)plan, (void)view, (void)code;
	return false;
}

static enum dp_plan_kind kind_of_test(const struct dp_plan *plan)
{
	(void)plan;
	return DP_PLAN_RUN;
}
#endif

#if DP_WITH_COUNTS
enum {
	MARKED_MAX = 255 /* instructions of a block: the handler's, and that of a jump */
};

/* Does the code abort, at once or by a jump? */
static bool ends(const struct dp_program_view *view, const uint8_t *code)
{
	if (code[0] == RPN_JMP && view->jmpmax > 0)
		code = view->code + dp_load_u16(code + 1) + DP_MARKER_BYTES;
	return code[0] == RPN_ABORT;
}

/* Does the code behind the pushes of words only count in a map by them? The steps of the handler
 * must fit the budget. */
static bool counts(struct dp_plan *plan, const struct dp_program_view *view, const uint8_t *code)
{
	const struct dp_map *map;

	if (code[0] != RPN_ADD_MAP || !ends(view, code + 2))
		return stops(plan, view, code);
	plan->map = code[1];
	map = &view->maps[plan->map];
	return (map->kind == DP_MAP_COUNT && map->keys == plan->words &&
		DP_STEP_BUDGET >= 2 * MARKED_MAX + RPN_MAP_STEPS + map->keys + 1 + DP_MAP_LOOKS) ||
	       stops(plan, view, code);
}
#else
static bool counts(struct dp_plan *plan, const struct dp_program_view *view, const uint8_t *code)
{
	(void)plan, (void)view, (void)code;
	return false;
}
#endif

static unsigned kind_of(struct dp_plan *plan, const struct dp_program_view *view, unsigned entry,
			bool items)
{
	const uint8_t *code = view->code + entry + DP_MARKER_BYTES, *behind;

#if DP_WITH_LANGUAGE
	plan->test.ahead = 0;
#endif
	if (code[0] == RPN_ABORT)
		return DP_PLAN_NOTHING;
	if (returns(plan, code))
		return DP_PLAN_RETURN;
	behind = plan_words(plan, behind_sx(code));
	if (counts(plan, view, behind))
		return DP_PLAN_COUNT;
	if (!items && logs_words(plan, view, behind, 0))
		return DP_PLAN_WORDS;
	if (!items && loads_words(plan, view, code))
		return DP_PLAN_MEMORY;
	if (!tests(plan, view, code))
		return DP_PLAN_RUN;
	plan_behind_test(plan, view, items);
	return kind_of_test(plan);
}

#if DP_WITH_LANGUAGE && DP_PORT_STACK_WORDS > 0
static bool has_stack(const struct dp_plan *plan, unsigned kind)
{
	if (kind == DP_PLAN_RUN || kind == DP_PLAN_RETURN || kind == DP_PLAN_NOTHING)
		return false;
	if (kind >= DP_PLAN_COMPARE && kind <= DP_PLAN_TEST && dp_plan_of_stack(plan->test.base))
		return true;
	for (unsigned i = 0; i < plan->words; i++)
		if (dp_plan_of_stack(plan->at[i]))
			return true;
	return false;
}
#else
static bool has_stack(const struct dp_plan *plan, unsigned kind)
{
	(void)plan, (void)kind;
	return false;
}
#endif

unsigned dp_plan_code(struct dp_plan *plan, const struct dp_program_view *view, unsigned entry,
		      bool items)
{
	const unsigned kind = kind_of(plan, view, entry, items);

	return has_stack(plan, kind) ? kind | DP_PLAN_STACK : kind;
}
