/* SPDX-License-Identifier: BSD-2-Clause */
/* The code section.  PROTOCOL.md 2.1.
 * Two walks, front to back: the first finds where instructions start and checks everything but
 * targets, the second checks targets. No recursion, no memory but the bitmap. */
#include "dp_verify_parts.h"

#include <stddef.h>

#include "dp_bytes.h"
#include "dp_memory.h"
#include "dp_watch.h"

/* The properties of opcodes, by ranges: R(of, last opcode, operand, flow, group, part). Opcodes
 * of a part or group that this build lacks have numbers above all others. */
#define DP_RANGES(R, of)                                                                           \
	R(of, HANDLER, COUNT, NEXT, BASE, CORE)                                                    \
	R(of, PROC, COUNT, NEXT, BASE, CALLS)                                                      \
	R(of, BLOCK, COUNT, NEXT, BASE, CORE)                                                      \
	R(of, JMP, LABEL, JUMP, BASE, CORE)                                                        \
	R(of, LOOP, LABEL, COND, BASE, CORE)                                                       \
	R(of, REMOVE, NONE, END, BASE, CORE)                                                       \
	R(of, EXIT_N, U8, END, BASE, CORE)                                                         \
	R(of, SETMAJ_N, U16, NEXT, BASE, STATE)                                                    \
	R(of, LOG_N, U16, NEXT, BASE, CORE)                                                        \
	R(of, ROS_N, U8, NEXT, BASE, CORE)                                                         \
	R(of, DEC_LV_N, LV, NEXT, BASE, CORE)                                                      \
	R(of, DEC_GV_N, GV, NEXT, BASE, GLOBALS)                                                   \
	R(of, PUSH_8, IMM8, NEXT, BASE, CORE)                                                      \
	R(of, PUSH_16, IMM16, NEXT, BASE, CORE)                                                    \
	R(of, PUSH_W, IMMW, NEXT, BASE, CORE)                                                      \
	R(of, PUSH_U, REG, NEXT, BASE, CORE)                                                       \
	R(of, PUSH_TASK, NONE, NEXT, BASE, CORE)                                                   \
	R(of, PUSH_PROCID, NONE, NEXT, BASE, STATE)                                                \
	R(of, PBR, NONE, NEXT, BASE, BITS)                                                         \
	R(of, LOG_MRF, NONE, NEXT, BASE, BYTES)                                                    \
	R(of, DEC_GV, NONE, NEXT, BASE, INDEXED)                                                   \
	R(of, POP_STP, NONE, NEXT, BASE, TRACES)                                                   \
	R(of, RX, NONE, NEXT, BASE, HANDLERS)                                                      \
	R(of, COPY_TSP, NONE, NEXT, BASE, CALLS)                                                   \
	R(of, RET, NONE, END, BASE, CALLS)                                                         \
	R(of, CALL, PROC, CALL, BASE, CALLS)                                                       \
	R(of, COPY_TSP_N, S16, NEXT, BASE, CALLS)                                                  \
	R(of, SX, LABEL, NEXT, BASE, HANDLERS)                                                     \
	R(of, PBR_N, U8, NEXT, BASE, BITS)                                                         \
	R(of, POP_U, REG, NEXT, WRITE, CORE)                                                       \
	R(of, POP_MEM_64, NONE, NEXT, WRITE, CORE)                                                 \
	R(of, POP_IO_32, NONE, NEXT, IO, CORE)                                                     \
	R(of, CALLK, NONE, NEXT, HOOK, CORE)                                                       \
	R(of, SEG2LIN, NONE, NEXT, SEG, CORE)                                                      \
	R(of, ADD_MAP, MAP, NEXT, BASE, MAPS)                                                      \
	R(of, BUCKET, MAP, NEXT, BASE, LONG)                                                       \
	R(of, PUSH_NS, NONE, NEXT, BASE, LONG)                                                     \
	R(of, FIND, U8, NEXT, BASE, STRINGS)                                                       \
	R(of, STOP, NONE, NEXT, BASE, STOPS)                                                       \
	R(of, PUSH_WPNEW, NONE, NEXT, BASE, WATCHED)                                               \
	R(of, RETURN, U8, NEXT, WRITE, RETURN)                                                     \
	R(of, FREEZE, NONE, NEXT, BASE, FLIGHT)                                                    \
	R(of, DISCARD, MAP, NEXT, BASE, SPECULATE)

/* The flow; for opcodes that fall through, the group. */
enum what {
	DP_GOES_ON,
	DP_BRANCHES, /* and comes back, or falls into the next block */
	DP_LEAVES,
	DP_NEEDS_GROUP, /* + the bit's number */
	DP_LEFT_OUT = DP_NEEDS_GROUP + 4
};
#define DP_GROUP_BIT(group) ((group) == 8 ? 3 : (group) / 2)
#define DP_WHAT(flow, group)                                                                        \
	((group) != RPN_GROUP_BASE                           ? DP_NEEDS_GROUP + DP_GROUP_BIT(group) \
	 : (flow) == RPN_FLOW_NEXT                           ? DP_GOES_ON                           \
	 : (flow) == RPN_FLOW_JUMP || (flow) == RPN_FLOW_END ? DP_LEAVES                            \
							     : DP_BRANCHES)
#define DP_ROW(of, last, operand, flow, group, part)                                               \
	{RPN_##last, RPN_ARG_##operand,                                                            \
	 DP_HAS_##part ? DP_WHAT(RPN_FLOW_##flow, RPN_GROUP_##group) : DP_LEFT_OUT},
static const struct range {
	uint8_t last;
	uint8_t operand : 5, what : 3;
} op_ranges[] = {DP_RANGES(DP_ROW, )};

/* Every opcode is in the range of its kind. */
#define DP_PART_CORE 31
#define DP_FACTS(operand, flow, group, part)                                                       \
	((operand) | (flow) << 8 | (group) << 16 | (part) << 20)
#define DP_FACTS_IN(of, last, operand, flow, group, part)                                          \
	(of) <= RPN_##last                                                                         \
		? DP_FACTS(RPN_ARG_##operand, RPN_FLOW_##flow, RPN_GROUP_##group, DP_PART_##part)  \
		:
#define DP_OP(code, name, text, operand, pops, pushes, flow, group, exceptions, cost, part)        \
	_Static_assert((DP_RANGES(DP_FACTS_IN, code) - 1) ==                                       \
			       DP_FACTS(RPN_ARG_##operand, RPN_FLOW_##flow, RPN_GROUP_##group,     \
					DP_PART_##part),                                           \
		       #name);
#include "rpn_ops.def"

_Static_assert(DP_REG_PUSH_R == 1 << RPN_PUSH_R % 4 && DP_REG_PUSH_U == 1 << RPN_PUSH_U % 4 &&
		       DP_REG_POP_R == 1 << RPN_POP_R % 4 && DP_REG_POP_U == 1 << RPN_POP_U % 4,
	       "what an access wants is a shift by its opcode");

/* An instruction taken apart. */
struct insn {
	uint32_t arg, what; /* of its range */
	uint32_t next;      /* where the one behind it starts */
	uint32_t op;
	uint32_t operand; /* of one or two bytes, else of no meaning */
};

_Static_assert(RPN_HANDLER == 1 && RPN_PROC == 2 && RPN_BLOCK == 3,
	       "no other opcode is RPN_BLOCK or less");
static bool is_routine(uint32_t op)
{
	return op == RPN_HANDLER || (DP_WITH_LANGUAGE && op == RPN_PROC);
}

/* Decode at a code offset inside the section. */
static enum dp_err decode(struct dp_check *check, uint32_t at, struct insn *insn)
{
	const uint8_t *p = check->code + at;
	const struct range *is = op_ranges,
			   *end = op_ranges + sizeof op_ranges / sizeof op_ranges[0];
	uint32_t left = check->layout.code_bytes - at, op = *p++, bytes;

	insn->op = op;
	dp_at(check, at, op);
	while (is < end && (uint8_t)(op - 1) >= is->last) /* 0 is above them all */
		is++;
	if (is == end)
		return DP_ERR_BAD_OPCODE;
	if (DP_PARTS != DP_PARTS_ALL && is->what == DP_LEFT_OUT)
		return DP_ERR_LEFT_OUT;
	insn->arg = is->operand;
	insn->what = is->what;
	bytes = rpn_operand_bytes(is->operand, check->target->word_bytes);
	if (bytes >= left)
		return DP_ERR_OPERAND_CUT;
	insn->next = at + 1 + bytes;
	insn->operand = *p; /* or the byte behind the code: a CRC ends the object */
	if (bytes == 2)
		insn->operand = check->target->order == DP_ORDER_BIG ? dp_get_u16(p)
								     : p[0] | (uint32_t)p[1] << 8;
	return DP_ERR_OK;
}

static bool starts_at(const struct dp_check *check, uint32_t at)
{
	return check->starts[at / 8] >> at % 8 & 1;
}

/* Does an instruction `op` start there? */
static bool is_marker(const struct dp_check *check, uint32_t offset, enum rpn_op op)
{
	return offset < check->layout.code_bytes && starts_at(check, offset) &&
	       check->code[offset] == op;
}

static enum dp_err check_register(const struct dp_target *target, const struct insn *insn)
{
	const struct dp_reg *reg = target->regs, *end = reg + target->reg_count;

	while (reg < end && reg->index != insn->operand)
		reg++;
	if (reg == end)
		return DP_ERR_BAD_REG;
	if (reg->access & 1u << insn->op % 4)
		return DP_ERR_OK;
	_Static_assert(RPN_PUSH_R < RPN_POP_R && RPN_PUSH_U < RPN_POP_R && RPN_POP_U > RPN_POP_R,
		       "those that read come first");
	return insn->op < RPN_POP_R ? DP_ERR_REG_NOT_READABLE : DP_ERR_REG_READONLY;
}

_Static_assert(RPN_ARG_GV == RPN_ARG_LV + 1 && DP_OBJ_GVARS == DP_OBJ_VARS + 2 &&
		       DP_ERR_GV_RANGE == DP_ERR_LV_RANGE + 1,
	       "local and global variables: one check");
static enum dp_err check_operand(struct dp_check *check, uint32_t at, const struct insn *insn)
{
	uint32_t kind = insn->arg, operand = insn->operand;

	dp_at(check, at, operand);
	if (kind == RPN_ARG_LV || (DP_WITH_LANGUAGE && kind == RPN_ARG_GV)) {
		uint32_t global = kind - RPN_ARG_LV;

		if (operand >= dp_get_u16(check->object + DP_OBJ_VARS + 2 * global))
			return (enum dp_err)(DP_ERR_LV_RANGE + global);
	}
	if (DP_WITH_COUNTS && kind == RPN_ARG_MAP)
		return dp_rule_map(check, insn->op, operand);
	if (kind == RPN_ARG_COUNT && operand == 0)
		return DP_ERR_BAD_BLOCK;
	return kind == RPN_ARG_REG ? check_register(check->target, insn) : DP_ERR_OK;
}

/* Does the code ask for the value before an access? Then the agent has to read the watched memory
 * ahead, which may be a device. */
static void note_old(struct dp_check *check, uint32_t op)
{
	if (DP_WITH_LANGUAGE && DP_PORT_COMPARATORS > 0 && op == RPN_PUSH_WPOLD)
		check->layout.asks_old = true;
}

/* Note `return`, which is for handlers, and takes the words of 64 bits at most.
 * routine: the marker of its routine. */
static enum dp_err check_return(struct dp_check *check, const struct insn *insn, uint32_t routine)
{
	if (!DP_RETURNS || insn->op != RPN_RETURN)
		return DP_ERR_OK;
	check->returns = true;
	return routine != RPN_HANDLER ||
			       insn->operand * check->target->word_bytes > sizeof(uint64_t)
		       ? DP_ERR_BAD_RETURN
		       : DP_ERR_OK;
}

/* The first walk: instructions are whole, blocks and routines begin and end where they must. */
static enum dp_err check_instructions(struct dp_check *check)
{
	uint32_t end = check->layout.code_bytes, at, block = 0, last = 0;
	uint32_t routine = 0;      /* the marker of the current one */
	uint32_t left = 0;         /* instructions that the current block still has */
	uint32_t what = DP_LEAVES; /* of the last instruction */
	struct insn insn;
	enum dp_err error;

	for (at = 0;; at = insn.next) {
		insn.op = RPN_HANDLER; /* as if a routine began at the end */
		if (at != end) {
			error = decode(check, at, &insn);
			if (error == DP_ERR_OK)
				error = check_operand(check, at, &insn);
			if (error == DP_ERR_OK)
				error = check_return(check, &insn, routine);
			if (error != DP_ERR_OK)
				return error;
		}
		dp_at(check, at, insn.op);
		if (is_routine(insn.op)) {
			if (what != DP_LEAVES) {
				dp_at(check, last, check->code[last]);
				return at == end ? DP_ERR_NO_END : DP_ERR_FALL_INTO_PROC;
			}
		} else if (insn.op != RPN_BLOCK ? left-- == 0 : at == 0) {
			return DP_ERR_BAD_BLOCK;
		}
		if (left != 0 &&
		    (insn.op <= RPN_BLOCK || insn.what == DP_BRANCHES || insn.what == DP_LEAVES)) {
			dp_at(check, block, left);
			return DP_ERR_BAD_BLOCK;
		}
		if (at == end)
			return DP_ERR_OK;
		if (insn.op <= RPN_BLOCK) {
			block = at;
			left = insn.operand;
		}
		if (is_routine(insn.op))
			routine = insn.op;
		check->starts[at / 8] |= (uint8_t)(1u << at % 8);
		what = insn.what;
		check->groups |= (uint8_t)(1u << what >> DP_NEEDS_GROUP);
		note_old(check, insn.op);
		last = at;
	}
}
_Static_assert(RPN_HANDLER == 1 && RPN_PROC == 2 && RPN_BLOCK == 3, "markers come first");

/* The target of a jump or sx, in the routine [start, end). */
static enum dp_err check_label(const struct dp_check *check, const struct insn *insn,
			       uint32_t start, uint32_t end)
{
	uint32_t target = insn->operand;

	if (target < start || target >= end) {
		if (DP_WITH_LANGUAGE && insn->op == RPN_SX)
			return DP_ERR_BAD_HANDLER;
		return target == end && end == check->layout.code_bytes ? DP_ERR_NO_END
									: DP_ERR_JUMP_OUT;
	}
	if (!starts_at(check, target))
		return DP_ERR_JUMP_INTO_OPERAND;
	return check->code[target] == RPN_BLOCK ? DP_ERR_OK : DP_ERR_BAD_BLOCK;
}

/* The second walk: targets. */
static enum dp_err check_targets(struct dp_check *check)
{
	uint32_t bytes = check->layout.code_bytes, at, start = 0, end = 0;
	enum dp_err error = DP_ERR_OK;
	struct insn insn;

	for (at = 0; at < bytes && error == DP_ERR_OK; at = insn.next) {
		error = decode(check, at, &insn); /* the first walk has seen to it */
		if (error != DP_ERR_OK)
			break;
		if (is_routine(insn.op)) {
			start = end = at;
			do
				end++;
			while (end < bytes &&
			       !(starts_at(check, end) && is_routine(check->code[end])));
		}
		dp_at(check, at, insn.operand);
		if (insn.arg == RPN_ARG_LABEL)
			error = check_label(check, &insn, start, end);
		else if (DP_WITH_LANGUAGE && insn.arg == RPN_ARG_PROC &&
			 !is_marker(check, insn.operand, RPN_PROC))
			error = DP_ERR_BAD_CALL;
	}
	return error;
}

/* Every point begins with a handler. */
static enum dp_err check_entries(struct dp_check *check)
{
	const uint8_t *p = check->object + check->layout.probes + DP_PT_ENTRY;
	unsigned i;

	for (i = 0; i < check->layout.probe_count; i++, p += DP_PROBE_BYTES) {
		uint32_t entry = dp_get_u32(p);

		dp_at_point(check, i);
		dp_at(check, entry, entry);
		if (!is_marker(check, entry, RPN_HANDLER))
			return DP_ERR_BAD_ENTRY;
	}
	dp_at_point(check, DP_NO_POINT);
	return DP_ERR_OK;
}

#if DP_RETURNS
/* The count behind a HANDLER marker starts no instruction: there the bitmap notes a handler with
 * `return`, when nothing else asks it any more. */
static void mark_returns(struct dp_check *check)
{
	uint32_t handler = 0;
	struct insn insn;

	for (uint32_t at = 0; at < check->layout.code_bytes; at = insn.next) {
		if (decode(check, at, &insn) != DP_ERR_OK) /* the first walk has seen to it */
			return;
		if (insn.op == RPN_HANDLER)
			handler = at + 1;
		if (insn.op == RPN_RETURN)
			check->starts[handler / 8] |= (uint8_t)(1u << handler % 8);
	}
}

/* May the handler of the point let a function return? The address begins the function, as far as
 * the object knows; the target looks at its own table of functions. */
static bool may_return(const struct dp_check *check, const uint8_t *point)
{
	const uint8_t *traits = dp_check_traits(check, point);

	return traits[DP_TR_KIND] == DP_PROBE_BREAK && traits[DP_TR_PHASE] == DP_PHASE_BEFORE &&
	       (traits[DP_TR_FLAGS] & DP_POINT_RETURNS) != 0 &&
	       dp_get_u32(point + DP_PT_BEFORE) == 0 && dp_get_u32(point + DP_PT_EXTENT) != 0;
}

static enum dp_err check_returns(struct dp_check *check)
{
	const uint8_t *p = check->object + check->layout.probes;

	mark_returns(check);
	for (unsigned i = 0; i < check->layout.probe_count; i++, p += DP_PROBE_BYTES) {
		uint32_t entry = dp_get_u32(p + DP_PT_ENTRY);

		dp_at_point(check, i);
		dp_at(check, entry, dp_get_u32(p + DP_PT_BEFORE));
		if (starts_at(check, entry + 1) && !may_return(check, p))
			return DP_ERR_NOT_ENTRY;
	}
	dp_at_point(check, DP_NO_POINT);
	return DP_ERR_OK;
}
#else
static enum dp_err check_returns(struct dp_check *check)
{
	(void)check;
	return DP_ERR_OK;
}
#endif

enum dp_err dp_check_code(struct dp_check *check)
{
	uint32_t need = (check->layout.code_bytes + 7u) / 8;
	enum dp_err error;

	dp_at(check, 0, need);
	if (check->starts_bytes < need)
		return DP_ERR_ARENA_FULL;
	dp_clear(check->starts, need);
	check->code = check->object + check->layout.code;
	error = check_instructions(check);
	if (error == DP_ERR_OK)
		error = check_targets(check);
	if (error == DP_ERR_OK)
		error = check_entries(check);
	if (error == DP_ERR_OK && check->returns)
		error = check_returns(check);
	return error;
}
