/* SPDX-License-Identifier: BSD-2-Clause */
/* What random programs are made of. */
#include "generate.h"

#define RANDOM(limit) random_below(&g->random, (limit))
#define ONE_IN(n)     random_one_in(&g->random, (n))
#define LENGTH(array) ((unsigned)(sizeof(array) / sizeof(array)[0]))

static uint64_t value(struct gen_state *g)
{
	return gen_value(&g->random, &g->gen->world, g->gen->header.word_bits);
}

void gen_push(struct gen_state *g, uint64_t word)
{
	int64_t number = ref_signed(&g->gen->header, word);

	if (number >= -128 && number <= 127 && !ONE_IN(8))
		gen_emit(g, RPN_PUSH_8, word);
	else if (number >= -32768 && number <= 32767 && !ONE_IN(8))
		gen_emit(g, RPN_PUSH_16, word);
	else
		gen_emit(g, RPN_PUSH_W, word);
}

static void push_value(struct gen_state *g)
{
	gen_push(g, value(g));
}

static void push_address(struct gen_state *g)
{
	gen_push(g, ref_cut(&g->gen->header, gen_address(&g->random, &g->gen->world)));
}

/* Mostly small; sometimes anything. */
static void push_count(struct gen_state *g, unsigned usual)
{
	if (ONE_IN(16))
		push_value(g);
	else
		gen_push(g, RANDOM(usual));
}

static void push_index(struct gen_state *g, unsigned variables)
{
	push_count(g, variables + (variables == 0 || ONE_IN(10)));
}

static uint8_t one_of(struct gen_state *g, const uint8_t *ops, unsigned count)
{
	return ops[RANDOM(count)];
}

/* --- operands --- */

/* A register that allows the access, or none. */
static bool pick_register(struct gen_state *g, unsigned access, uint64_t *index)
{
	const struct ref_world *world = &g->gen->world;
	unsigned first = RANDOM(world->regs);

	for (unsigned i = 0; i < world->regs; i++) {
		const struct dp_reg *reg = &world->reg[(first + i) % world->regs];

		if (reg->access & access) {
			*index = reg->index;
			return true;
		}
	}
	return false;
}

static bool register_operand(struct gen_state *g, uint8_t op, uint64_t *index)
{
	switch (op) {
	case RPN_PUSH_R:
		return pick_register(g, DP_REG_PUSH_R, index);
	case RPN_PUSH_U:
		return pick_register(g, DP_REG_PUSH_U, index);
	case RPN_POP_R:
		return pick_register(g, DP_REG_POP_R, index);
	default:
		return pick_register(g, DP_REG_POP_U, index);
	}
}

/* An operand the verifier accepts; false: this program has none for it. */
static bool operand_for(struct gen_state *g, uint8_t op, uint64_t *operand)
{
	const struct ref_program *header = &g->gen->header;

	*operand = 0;
	switch (ref_op(op)->operand) {
	case RPN_ARG_U8:
		if (op == RPN_RETURN) { /* in handlers alone */
			*operand = RANDOM(64 / header->word_bits + 1);
			return !g->in_proc;
		}
		if ((op == RPN_PBL_N || op == RPN_PBR_N) && !ONE_IN(8)) {
			*operand = 1 + RANDOM(header->word_bits);
			return true;
		}
		*operand = ONE_IN(2) ? RANDOM(10) : value(g) & 0xff;
		return true;
	case RPN_ARG_U16:
		*operand = ONE_IN(2) ? RANDOM(10) : value(g) & 0xffff;
		return true;
	case RPN_ARG_S16:
		*operand = ONE_IN(6) ? value(g) : ref_cut(header, (uint64_t)RANDOM(14) - 5);
		return true;
	case RPN_ARG_LV:
		*operand = header->vars ? RANDOM(header->vars) : 0;
		return header->vars > 0;
	case RPN_ARG_GV:
		*operand = header->gvars ? RANDOM(header->gvars) : 0;
		return header->gvars > 0;
	case RPN_ARG_REG:
		return register_operand(g, op, operand);
	case RPN_ARG_IMM8:
	case RPN_ARG_IMM16:
	case RPN_ARG_IMMW:
		*operand = value(g);
		return true;
	case RPN_ARG_PROC:
		return g->procs > 0;
	case RPN_ARG_MAP: /* tests/language/test_maps.c */
		return false;
	default:
		return true;
	}
}

static void emit_any(struct gen_state *g, uint8_t op)
{
	uint64_t operand;

	if (operand_for(g, op, &operand))
		gen_emit(g, op, operand);
	else
		gen_emit(g, RPN_NOP, 0);
}

/* --- phrases --- */

static void any_instruction(struct gen_state *g)
{
	uint8_t op;

	do {
		op = (uint8_t)RANDOM(256);
	} while (!ref_op(op) || ref_op(op)->marker ||
		 (ref_op(op)->flow == RPN_FLOW_END && !ONE_IN(8)));
	emit_any(g, op);
}

static void arithmetic(struct gen_state *g)
{
	static const uint8_t ops[] = {
		RPN_ADD, RPN_SUB,   RPN_MUL, RPN_DIV,   RPN_IDIV, RPN_NEG,   RPN_AND, RPN_OR,
		RPN_XOR, RPN_ROL_N, RPN_ROL, RPN_ROR_N, RPN_ROR,  RPN_SHL_N, RPN_SHL, RPN_SHR_N,
		RPN_SHR, RPN_PBL_N, RPN_PBL, RPN_PBR_N, RPN_PBR,  RPN_XCHG,
	};
	uint8_t op = one_of(g, ops, LENGTH(ops));

	if (!ONE_IN(4))
		push_value(g);
	if ((op == RPN_PBL || op == RPN_PBR) && !ONE_IN(8))
		gen_push(g, 1 + RANDOM(g->gen->header.word_bits));
	else if (!ONE_IN(4))
		push_value(g);
	emit_any(g, op);
}

static void copies(struct gen_state *g)
{
	switch (RANDOM(4)) {
	case 0:
		gen_emit(g, RPN_DUP_N, ONE_IN(6) ? RANDOM(256) : RANDOM(6));
		break;
	case 1:
		gen_emit(g, RPN_ROS_N, ONE_IN(6) ? RANDOM(256) : RANDOM(6));
		break;
	default:
		push_count(g, 6);
		push_value(g);
		gen_emit(g, RPN_DUP, 0);
		break;
	}
}

static void read_memory(struct gen_state *g)
{
	static const uint8_t ops[] = {RPN_PUSH_MEM_8,  RPN_PUSH_MEM_16, RPN_PUSH_MEM_32,
				      RPN_PUSH_MEM_64, RPN_VFYR,        RPN_VFYRW};

	push_address(g);
	gen_emit(g, one_of(g, ops, LENGTH(ops)), 0);
}

static void write_memory(struct gen_state *g)
{
	static const uint8_t ops[] = {RPN_POP_MEM_8, RPN_POP_MEM_16, RPN_POP_MEM_32,
				      RPN_POP_MEM_64};
	uint8_t op = one_of(g, ops, LENGTH(ops));

	push_address(g);
	push_value(g);
	if (op == RPN_POP_MEM_64 && g->gen->header.word_bits == 32)
		push_value(g);
	gen_emit(g, op, 0);
}

static void log_memory(struct gen_state *g)
{
	push_count(g, 40);
	push_address(g);
	gen_emit(g, ONE_IN(2) ? RPN_LOG_STR : RPN_LOG_MRF, 0);
}

static void log_words(struct gen_state *g)
{
	if (ONE_IN(2)) {
		gen_emit(g, RPN_LOG_N, ONE_IN(10) ? RANDOM(65536) : RANDOM(5));
	} else {
		push_count(g, 5);
		gen_emit(g, RPN_LOG, 0);
	}
}

static void log_variables(struct gen_state *g)
{
	bool local = ONE_IN(2);
	unsigned variables = local ? g->gen->header.vars : g->gen->header.gvars;

	push_index(g, variables);
	push_count(g, 6);
	gen_emit(g, local ? RPN_LOG_LV : RPN_LOG_GV, 0);
}

_Static_assert(RPN_DEC_LV - RPN_PUSH_LV == 4 && RPN_DEC_LV_N - RPN_PUSH_LV_N == 4 &&
		       RPN_DEC_GV - RPN_PUSH_GV == 4 && RPN_DEC_GV_N - RPN_PUSH_GV_N == 4,
	       "five operations on variables, in one order");

static void variables(struct gen_state *g)
{
	bool local = ONE_IN(2);
	unsigned count = local ? g->gen->header.vars : g->gen->header.gvars;
	bool indexed = ONE_IN(2);
	unsigned which = RANDOM(RPN_DEC_LV - RPN_PUSH_LV + 1);
	uint8_t op = (uint8_t)((indexed ? RPN_PUSH_LV : RPN_PUSH_LV_N) + which);

	if (op == RPN_MOVE_LV)
		push_value(g);
	if (indexed)
		push_index(g, count);
	if (op == RPN_POP_LV || op == RPN_POP_LV_N)
		push_value(g);
	if (!local)
		op = (uint8_t)((indexed ? RPN_PUSH_GV : RPN_PUSH_GV_N) + which);
	emit_any(g, op);
}

static void pointers(struct gen_state *g)
{
	switch (RANDOM(7)) {
	case 0:
		gen_emit(g, RPN_PUSH_PLP, 0);
		gen_emit(g, RPN_POP_LP, 0);
		break;
	case 1: /* back a little */
		push_count(g, 8);
		gen_emit(g, RPN_PUSH_LP, 0);
		gen_emit(g, RPN_SUB, 0);
		gen_emit(g, RPN_POP_LP, 0);
		break;
	case 2:
		push_count(g, 60);
		gen_emit(g, RPN_POP_LP, 0);
		break;
	case 3:
		gen_push(g, 0);
		gen_emit(g, RPN_POP_STP, 0);
		break;
	case 4: /* remember one, go back to it */
		gen_emit(g, RPN_PUSH_STP, 0);
		gen_emit(g, RPN_LOG_ST, 0);
		gen_emit(g, RPN_POP_STP, 0);
		break;
	case 5:
		push_count(g, 120);
		gen_emit(g, RPN_POP_STP, 0);
		break;
	default:
		gen_emit(g, RPN_PUSH_STP, 0);
		gen_emit(g, RPN_PUSH_PLP, 0);
		gen_emit(g, RPN_PUSH_LP, 0);
		break;
	}
}

_Static_assert(RPN_COPY_TSP - RPN_PUSH_SBP == 5 && RPN_COPY_TSP_N - RPN_PUSH_SBP_N == 5,
	       "six operations on the stack's frame, in one order");

static void base_pointer(struct gen_state *g)
{
	bool indexed = ONE_IN(2);
	uint8_t op = (uint8_t)((indexed ? RPN_PUSH_SBP : RPN_PUSH_SBP_N) +
			       RANDOM(RPN_COPY_TSP - RPN_PUSH_SBP + 1));

	if (indexed) {
		if (op == RPN_COPY_SBP || op == RPN_COPY_TSP)
			push_value(g);
		push_count(g, 8);
		if (ONE_IN(2))
			gen_emit(g, RPN_NEG, 0);
		if (op == RPN_POP_SBP || op == RPN_POP_TSP)
			push_value(g);
	}
	emit_any(g, op);
}

static void stack_pointer(struct gen_state *g)
{
	gen_emit(g, ONE_IN(2) ? RPN_SAVE_TSP : RPN_SAVE_SBP, 0);
	if (!ONE_IN(3)) {
		push_count(g, 8);
		gen_emit(g, ONE_IN(2) ? RPN_ADD : RPN_SUB, 0);
	}
	if (!ONE_IN(3))
		gen_emit(g, ONE_IN(2) ? RPN_RESTORE_TSP : RPN_RESTORE_SBP, 0);
}

static void stack_trace(struct gen_state *g)
{
	switch (RANDOM(6)) {
	case 0:
		gen_emit(g, RPN_SAVE_TSP, 0);
		push_count(g, 4);
		gen_emit(g, RPN_TRACE_PV, 0);
		break;
	case 1:
		push_index(g, g->gen->header.vars);
		push_count(g, 4);
		gen_emit(g, RPN_TRACE_LV, 0);
		break;
	case 2:
		push_index(g, g->gen->header.gvars);
		push_count(g, 4);
		gen_emit(g, RPN_TRACE_GV, 0);
		break;
	case 3:
		gen_emit(g, ONE_IN(2) ? RPN_PURGE_ST : RPN_LOG_ST, 0);
		break;
	default:
		gen_emit(g, RPN_LOG_ST, 0);
		break;
	}
}

static void exceptions(struct gen_state *g)
{
	static const uint16_t codes[] = {
		RPN_X_INVALID_ADDR,
		RPN_X_SEG_FAULT,
		RPN_X_JMP_MAX,
		RPN_X_CALL_MAX,
		RPN_X_DIVIDE_BY_ZERO,
		RPN_X_INVALID_OPERAND,
		RPN_X_INVALID_OPCODE,
		RPN_X_LOG_OVERFLOW,
		RPN_X_USER_EX,
		RPN_X_USER_EX,
		0x0008,
		0x0100,
		0x4000,
		0,
	};

	switch (RANDOM(8)) {
	case 0:
		push_value(g);
		push_value(g);
		gen_push(g, codes[RANDOM(LENGTH(codes))] |
				    (ONE_IN(4) ? codes[RANDOM(LENGTH(codes))] : 0) |
				    (ONE_IN(4) ? (uint64_t)RANDOM(65536) << 16 : 0));
		gen_emit(g, RPN_RX, 0);
		break;
	case 1:
		gen_emit(g, RPN_PUSH_X, 0);
		if (ONE_IN(2))
			gen_emit(g, RPN_RX, 0);
		break;
	case 2:
		gen_emit(g, RPN_UX, 0);
		break;
	case 3: /* a sure one */
		gen_push(g, 0);
		gen_emit(g, RPN_DIV, 0);
		break;
	default:
		gen_emit(g, RPN_SX, 0);
		break;
	}
}

_Static_assert(RPN_LOOP - RPN_JMP == 7, "eight jumps, one after the other");

static void flow(struct gen_state *g)
{
	if (g->procs > 0 && ONE_IN(3)) {
		gen_emit(g, RPN_CALL, 0);
		return;
	}
	if (ONE_IN(2))
		push_value(g);
	gen_emit(g, (uint8_t)(RPN_JMP + RANDOM(RPN_LOOP - RPN_JMP + 1)), 0);
}

static void surroundings(struct gen_state *g)
{
	static const uint8_t alone[] = {
		RPN_PUSH_PID, RPN_PUSH_PROCID, RPN_PUSH_TASK,   RPN_CALLK,      RPN_PUSH_R,
		RPN_PUSH_R,   RPN_PUSH_U,      RPN_PUSH_WPADDR, RPN_PUSH_WPOLD, RPN_PUSH_WPNEW};
	static const uint8_t one[] = {RPN_PUSH_IO_8, RPN_PUSH_IO_16, RPN_PUSH_IO_32, RPN_POP_R,
				      RPN_FREEZE,    RPN_POP_U,      RPN_SETMIN,     RPN_SETMAJ};
	static const uint8_t two[] = {RPN_POP_IO_8, RPN_POP_IO_16, RPN_POP_IO_32, RPN_SEG2LIN};
	unsigned kind = RANDOM(3);

	if (kind == 0) {
		emit_any(g, one_of(g, alone, LENGTH(alone)));
		return;
	}
	push_value(g);
	if (kind == 1) {
		emit_any(g, one_of(g, one, LENGTH(one)));
		return;
	}
	push_value(g);
	emit_any(g, ONE_IN(4) ? RPN_RETURN : one_of(g, two, LENGTH(two)));
}

void gen_end(struct gen_state *g)
{
	static const uint8_t ends[] = {RPN_EXIT,   RPN_EXIT,  RPN_EXIT,
				       RPN_EXIT_N, RPN_ABORT, RPN_REMOVE};

	if (g->in_proc ? !ONE_IN(8) : ONE_IN(16))
		gen_emit(g, RPN_RET, 0);
	else
		emit_any(g, one_of(g, ends, LENGTH(ends)));
}

void gen_phrase(struct gen_state *g)
{
	static const struct {
		unsigned weight;
		void (*phrase)(struct gen_state *g);
	} phrases[] = {
		{12, push_value},   {14, any_instruction}, {14, arithmetic}, {5, copies},
		{6, read_memory},   {5, write_memory},     {9, log_memory},  {6, log_words},
		{5, log_variables}, {8, variables},        {5, pointers},    {6, base_pointer},
		{4, stack_pointer}, {7, stack_trace},      {8, exceptions},  {6, flow},
		{6, surroundings},
	};
	unsigned sum = 0, i;

	for (i = 0; i < LENGTH(phrases); i++)
		sum += phrases[i].weight;
	sum = RANDOM(sum);
	for (i = 0; sum >= phrases[i].weight; i++)
		sum -= phrases[i].weight;
	phrases[i].phrase(g);
}
