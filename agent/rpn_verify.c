/* SPDX-License-Identifier: BSD-2-Clause */
/* The code section.  PROTOCOL.md 2.1; spec/safety.md 2.3, 2.4.
 * Two walks, front to back: the first finds where instructions start and checks everything but
 * targets, the second checks targets. No recursion, no memory but the bitmap. */
#include "dp_verify_parts.h"

#include <stddef.h>

#include "dp_bytes.h"

/* What opcodes can be: an opcode is one byte, its row here. size: bytes of the operand, 0 also for
 * one stack word. */
#define KINDS                                                                                      \
	KIND(NONE, NEXT, BASE, 0)                                                                  \
	KIND(NONE, NEXT, WRITE, 0)                                                                 \
	KIND(NONE, NEXT, IO, 0)                                                                    \
	KIND(NONE, NEXT, SEG, 0)                                                                   \
	KIND(NONE, NEXT, HOOK, 0)                                                                  \
	KIND(NONE, END, BASE, 0)                                                                   \
	KIND(COUNT, NEXT, BASE, 1)                                                                 \
	KIND(LABEL, NEXT, BASE, 2)                                                                 \
	KIND(LABEL, COND, BASE, 2)                                                                 \
	KIND(LABEL, JUMP, BASE, 2)                                                                 \
	KIND(PROC, CALL, BASE, 2)                                                                  \
	KIND(U8, NEXT, BASE, 1)                                                                    \
	KIND(U8, END, BASE, 1)                                                                     \
	KIND(U16, NEXT, BASE, 2)                                                                   \
	KIND(S16, NEXT, BASE, 2)                                                                   \
	KIND(LV, NEXT, BASE, 1)                                                                    \
	KIND(GV, NEXT, BASE, 1)                                                                    \
	KIND(REG, NEXT, BASE, 2)                                                                   \
	KIND(REG, NEXT, WRITE, 2)                                                                  \
	KIND(IMM8, NEXT, BASE, 1)                                                                  \
	KIND(IMM16, NEXT, BASE, 2)                                                                 \
	KIND(IMMW, NEXT, BASE, 0)

#define KIND(operand, flow, group, size) KIND_##operand##_##flow##_##group,
enum {
	KIND_UNKNOWN,
	KINDS KIND_LEFT_OUT /* of a part that is not in this build */
};
#undef KIND
#define KIND(operand, flow, group, size)                                                           \
	{RPN_ARG_##operand, size, RPN_FLOW_##flow, RPN_GROUP_##group},
static const struct kind {
	uint8_t operand : 4, size : 4;
	uint8_t flow : 4, group : 4;
} kinds[] = {{0, 0, 0, 0}, KINDS};

#define OP(code, name, text, operand, pops, pushes, flow, group, exceptions, cost, part)           \
	[code] = DP_WITH_##part ? KIND_##operand##_##flow##_##group : KIND_LEFT_OUT,
static const uint8_t ops[] = {
#include "rpn_ops.def"
};

struct insn {
	uint32_t at, size;
	uint8_t op;
	const struct kind *kind;
};

static const uint8_t *code_of(const struct dp_check *check)
{
	return check->object + check->layout->code;
}

static bool is_marker(uint8_t op)
{
	return op == RPN_HANDLER || op == RPN_PROC || op == RPN_BLOCK;
}

static bool is_routine(uint8_t op)
{
	return op == RPN_HANDLER || op == RPN_PROC;
}

/* Decode at a code offset inside the section. */
static enum dp_err decode(struct dp_check *check, uint32_t at, struct insn *insn)
{
	uint8_t op = code_of(check)[at], kind = KIND_UNKNOWN;

	insn->at = at;
	insn->op = op;
	if (op < sizeof ops)
		kind = ops[op];
	if (DP_PARTS != DP_PARTS_ALL && kind == KIND_LEFT_OUT)
		return dp_refuse(check, DP_ERR_LEFT_OUT, at, op);
	if (kind == KIND_UNKNOWN)
		return dp_refuse(check, DP_ERR_BAD_OPCODE, at, op);
	insn->kind = &kinds[kind];
	insn->size = 1u + insn->kind->size;
	if (insn->kind->operand == RPN_ARG_IMMW)
		insn->size += check->target->word_bytes;
	if (insn->size > check->layout->code_bytes - at)
		return dp_refuse(check, DP_ERR_OPERAND_CUT, at, op);
	return DP_ERR_OK;
}

/* A 16-bit operand, in the order of the code. */
static uint16_t operand_u16(const struct dp_check *check, const struct insn *insn)
{
	const uint8_t *p = code_of(check) + insn->at + 1;

	if (check->target->order == DP_ORDER_BIG)
		return dp_get_u16(p);
	return (uint16_t)(p[0] | p[1] << 8);
}

static bool starts_at(const struct dp_check *check, uint32_t at)
{
	return check->starts[at / 8] >> at % 8 & 1;
}

bool dp_is_marker(const struct dp_check *check, uint32_t offset, enum rpn_op op)
{
	return offset < check->layout->code_bytes && starts_at(check, offset) &&
	       code_of(check)[offset] == op;
}

static const struct dp_reg *find_register(const struct dp_target *target, uint16_t index)
{
	uint16_t low = 0, high = target->reg_count;

	while (low < high) {
		uint16_t middle = (uint16_t)((low + high) / 2);

		if (target->regs[middle].index == index)
			return &target->regs[middle];
		if (target->regs[middle].index < index)
			low = (uint16_t)(middle + 1);
		else
			high = middle;
	}
	return NULL;
}

static enum dp_err check_register(struct dp_check *check, const struct insn *insn)
{
	uint16_t index = operand_u16(check, insn);
	const struct dp_reg *reg = find_register(check->target, index);
	bool user = insn->op == RPN_PUSH_U || insn->op == RPN_POP_U;

	if (!reg)
		return dp_refuse(check, DP_ERR_BAD_REG, insn->at, index);
	if (insn->op == RPN_PUSH_R || insn->op == RPN_PUSH_U) {
		if (!(reg->access & (user ? DP_REG_PUSH_U : DP_REG_PUSH_R)))
			return dp_refuse(check, DP_ERR_REG_NOT_READABLE, insn->at, index);
	} else if (!(reg->access & (user ? DP_REG_POP_U : DP_REG_POP_R))) {
		return dp_refuse(check, DP_ERR_REG_READONLY, insn->at, index);
	}
	return DP_ERR_OK;
}

static enum dp_err check_operand(struct dp_check *check, const struct insn *insn)
{
	uint8_t byte = insn->size > 1 ? code_of(check)[insn->at + 1] : 0;

	if (insn->kind->operand == RPN_ARG_LV && byte >= dp_get_u16(check->object + DP_OBJ_VARS))
		return dp_refuse(check, DP_ERR_LV_RANGE, insn->at, byte);
	if (insn->kind->operand == RPN_ARG_GV && byte >= dp_get_u16(check->object + DP_OBJ_GVARS))
		return dp_refuse(check, DP_ERR_GV_RANGE, insn->at, byte);
	if (insn->kind->operand == RPN_ARG_REG)
		return check_register(check, insn);
	if (insn->kind->operand == RPN_ARG_COUNT && byte == 0)
		return dp_refuse(check, DP_ERR_BAD_BLOCK, insn->at, byte);
	return DP_ERR_OK;
}

/* Where the first walk is. */
struct walk {
	uint32_t block;     /* marker of the current block */
	uint8_t left;       /* instructions it still has */
	uint32_t last;      /* the instruction before this one */
	enum rpn_flow flow; /* of that */
};

/* The routine is at its end: the last instruction must not go on. */
static enum dp_err check_end(struct dp_check *check, const struct walk *walk, enum dp_err error)
{
	if (walk->flow != RPN_FLOW_JUMP && walk->flow != RPN_FLOW_END)
		return dp_refuse(check, error, walk->last, code_of(check)[walk->last]);
	return DP_ERR_OK;
}

/* Do blocks and routines begin and end where they must? */
static enum dp_err check_block(struct dp_check *check, struct walk *walk, const struct insn *insn)
{
	bool first = insn->at == 0;
	enum dp_err error;

	if (!is_marker(insn->op)) {
		if (walk->left == 0)
			return dp_refuse(check, DP_ERR_BAD_BLOCK, insn->at, insn->op);
		walk->left--;
		if (insn->kind->flow != RPN_FLOW_NEXT && walk->left != 0)
			return dp_refuse(check, DP_ERR_BAD_BLOCK, walk->block, walk->left);
		return DP_ERR_OK;
	}
	if (is_routine(insn->op) && !first) {
		error = check_end(check, walk, DP_ERR_FALL_INTO_PROC);
		if (error != DP_ERR_OK)
			return error;
	}
	if (walk->left != 0)
		return dp_refuse(check, DP_ERR_BAD_BLOCK, walk->block, walk->left);
	if (first && !is_routine(insn->op))
		return dp_refuse(check, DP_ERR_BAD_BLOCK, insn->at, insn->op);
	walk->block = insn->at;
	walk->left = code_of(check)[insn->at + 1];
	return DP_ERR_OK;
}

static enum dp_err check_instructions(struct dp_check *check)
{
	uint32_t end = check->layout->code_bytes, at;
	struct walk walk;
	struct insn insn;
	enum dp_err error;

	walk.block = walk.last = 0;
	walk.left = 0;
	walk.flow = RPN_FLOW_END;
	for (at = 0; at < end; at += insn.size) {
		error = decode(check, at, &insn);
		if (error == DP_ERR_OK)
			error = check_operand(check, &insn);
		if (error == DP_ERR_OK)
			error = check_block(check, &walk, &insn);
		if (error != DP_ERR_OK)
			return error;
		check->starts[at / 8] |= (uint8_t)(1u << at % 8);
		check->groups |= insn.kind->group;
		walk.last = at;
		walk.flow = insn.kind->flow;
	}
	error = check_end(check, &walk, DP_ERR_NO_END);
	if (error == DP_ERR_OK && walk.left != 0)
		error = dp_refuse(check, DP_ERR_BAD_BLOCK, walk.block, walk.left);
	return error;
}

/* The target of a jump or sx, in a routine that lies at [start, end). */
static enum dp_err check_label(struct dp_check *check, const struct insn *insn, uint32_t start,
			       uint32_t end)
{
	uint32_t target = operand_u16(check, insn);

	if (target < start || target >= end) {
		if (insn->op == RPN_SX)
			return dp_refuse(check, DP_ERR_BAD_HANDLER, insn->at, target);
		if (target == end && end == check->layout->code_bytes)
			return dp_refuse(check, DP_ERR_NO_END, insn->at, target);
		return dp_refuse(check, DP_ERR_JUMP_OUT, insn->at, target);
	}
	if (!starts_at(check, target))
		return dp_refuse(check, DP_ERR_JUMP_INTO_OPERAND, insn->at, target);
	if (code_of(check)[target] != RPN_BLOCK)
		return dp_refuse(check, DP_ERR_BAD_BLOCK, insn->at, target);
	return DP_ERR_OK;
}

/* After the first walk: where the next instruction starts, or the end. */
static uint32_t next_start(const struct dp_check *check, uint32_t at)
{
	do
		at++;
	while (at < check->layout->code_bytes && !starts_at(check, at));
	return at;
}

static uint32_t routine_end(const struct dp_check *check, uint32_t at)
{
	do
		at = next_start(check, at);
	while (at < check->layout->code_bytes && !is_routine(code_of(check)[at]));
	return at;
}

static enum dp_err check_targets(struct dp_check *check)
{
	uint32_t at, start = 0, end = 0;
	enum dp_err error = DP_ERR_OK;
	struct insn insn;

	for (at = 0; at < check->layout->code_bytes && error == DP_ERR_OK;
	     at = next_start(check, at)) {
		error = decode(check, at, &insn); /* the first walk has seen to it */
		if (error != DP_ERR_OK)
			break;
		if (is_routine(insn.op)) {
			start = at;
			end = routine_end(check, at);
		}
		if (insn.kind->operand == RPN_ARG_LABEL)
			error = check_label(check, &insn, start, end);
		else if (insn.kind->operand == RPN_ARG_PROC &&
			 !dp_is_marker(check, operand_u16(check, &insn), RPN_PROC))
			error = dp_refuse(check, DP_ERR_BAD_CALL, at, operand_u16(check, &insn));
	}
	return error;
}

enum dp_err dp_check_code(struct dp_check *check)
{
	uint32_t need = (check->layout->code_bytes + 7u) / 8, i;
	enum dp_err error;

	if (check->starts_bytes < need)
		return dp_refuse(check, DP_ERR_ARENA_FULL, 0, need);
	for (i = 0; i < need; i++)
		check->starts[i] = 0;
	check->groups = 0;
	error = check_instructions(check);
	if (error == DP_ERR_OK)
		error = check_targets(check);
	return error;
}
