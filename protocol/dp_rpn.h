/* SPDX-License-Identifier: BSD-2-Clause */
/* The RPN byte code: opcodes, their properties, exceptions, log tokens, ends.  Source of all of
 * it: rpn_ops.def and exceptions.def; RPN.md for the meaning. */
#ifndef DP_RPN_H
#define DP_RPN_H

#include <stdint.h>

#define DP_EXCEPTION(bit, name, maskable, parm1, parm2) RPN_X_##name = (bit),
enum rpn_exception {
	RPN_X_NONE = 0,
#include "exceptions.def"
	RPN_X_MASKABLE = RPN_X_LOG_OVERFLOW | RPN_X_USER_EX,
	RPN_X_FATAL = 0x0fff, /* raised while masked: the handler ends (decisions.txt C99) */
	RPN_X_ALL = 0xffff,
};
#define DP_RPN_EXCPT_MASK_DEFAULT 0x0fffu

/* INVALID_OPERAND, parm1 */
enum rpn_operand_kind {
	RPN_BAD_LV = 1,
	RPN_BAD_GV = 2,
	RPN_BAD_BIT = 3,
	RPN_BAD_EXIT = 4,
	RPN_BAD_POINTER = 5, /* pop lp, pop stp: decisions.txt C58 */
	RPN_BAD_RETURN = 6,  /* the context has no address to return to */
};

/* Times 8: the bytes of the operand, 3 for one stack word. */
enum rpn_operand {
	RPN_ARG_NONE,
	RPN_ARG_COUNT = 1 << 3,
	RPN_ARG_U8,
	RPN_ARG_LV,
	RPN_ARG_GV,
	RPN_ARG_IMM8,
	RPN_ARG_MAP,
	RPN_ARG_LABEL = 2 << 3,
	RPN_ARG_PROC,
	RPN_ARG_U16,
	RPN_ARG_S16,
	RPN_ARG_REG,
	RPN_ARG_IMM16,
	RPN_ARG_IMMW = 3 << 3,
};

enum rpn_flow {
	RPN_FLOW_NEXT,
	RPN_FLOW_JUMP,
	RPN_FLOW_COND,
	RPN_FLOW_CALL,
	RPN_FLOW_END
};

/* Instruction groups. Each group but BASE is a capability bit of object, port and build. */
#define DP_GROUP(bit, name, text, destructive, sentence) RPN_GROUP_##name = (bit),
enum rpn_group {
	RPN_GROUP_BASE = 0x00,
#include "groups.def"
#define DP_GROUP(bit, name, text, destructive, sentence) | (bit)
	RPN_GROUP_ALL = 0
#include "groups.def"
		,
#define DP_GROUP(bit, name, text, destructive, sentence) | (bit) * (destructive)
	RPN_GROUP_DESTRUCTIVE = 0
#include "groups.def"
};

enum rpn_cost {
	RPN_COST_MARK,
	RPN_COST_ONE,
	RPN_COST_DATA
};

#define DP_OP(code, name, text, operand, pops, pushes, flow, group, exceptions, cost, part)        \
	RPN_##name = (code),
enum rpn_op {
#include "rpn_ops.def"
	RPN_ESCAPE = 0xff, /* later pages */
};

/* Prefixed log data begin with a token byte and a 16-bit count. dprobes.lang(8), RPN.md 5, 9 */
enum {
	RPN_PREFIX_BYTES = 3
};
enum rpn_token {
	RPN_TOKEN_MEMORY = 0,
	RPN_TOKEN_STRING = 1, /* log str; also the module name in a stack trace */
	RPN_TOKEN_TRACE = 2,
	RPN_TOKEN_FRAMES = 3,
	RPN_TOKEN_STACK = 4,
	RPN_TOKEN_LV = 5,
	RPN_TOKEN_GV = 6,
	RPN_TOKEN_WORDS = 7,
	RPN_TOKEN_SELECTOR = 0xfe, /* reserved, never emitted: decisions.txt C43 */
	RPN_TOKEN_FAULT = 0xff,
};

/* How a handler ended.  RPN.md 6. */
enum rpn_end {
	RPN_END_EXIT,
	RPN_END_EXCEPTION,
	RPN_END_BUDGET,
	RPN_END_ABORT
};

enum {
	RPN_CALL_DEPTH = 32,
	RPN_VARS_MAX = 256,
	RPN_CODE_MAX = 65535,
	RPN_JMPMAX_DEFAULT = 256,
	RPN_LOGMAX_DEFAULT = 1024,
	RPN_MAXHITS_DEFAULT = 0x7fffffff,
};

/* Bytes of the operand of an instruction, by word size (4 or 8). */
static inline unsigned rpn_operand_bytes(enum rpn_operand operand, unsigned word_bytes)
{
	return operand == RPN_ARG_IMMW ? word_bytes : (unsigned)operand >> 3;
}

/* Steps of the parts MAPS, LONG and STRINGS beyond the one that the block charges. PROTOCOL.md 2.2
 */
enum {
	RPN_MAP_STEPS =
		7, /* and one for each word of the entry, and each place that another key has */
	RPN_POWERS_STEPS = 4,
	RPN_LINEAR_STEPS = 14,
	RPN_MAGNITUDES_STEPS = 49,
};
static inline unsigned rpn_long_steps(unsigned op)
{
	if (op == RPN_LDIV || op == RPN_LIDIV)
		return 109;
	if (op >= RPN_LSHL && op <= RPN_LSAR)
		return 5;
	return op == RPN_LEXT ? 0 : op >= RPN_PUSH_TICKS ? 7 : 2;
}
/* Of the part STRINGS, by the operand; FIND takes one more for each byte that it reads. */
static inline unsigned rpn_string_steps(unsigned op, unsigned words)
{
	switch (op) {
	case RPN_PUSH_NAME:
		return words;
	case RPN_PUSH_STR:
		return 3 + 6 * words;
	case RPN_CMP_STR:
		return 2 * words;
	default:
		return 3;
	}
}

/* A constant, sign-extended to the stack word. */
static inline int rpn_is_immediate(enum rpn_operand operand)
{
	return operand == RPN_ARG_IMM8 || operand == RPN_ARG_IMM16 || operand == RPN_ARG_IMMW;
}

#endif
