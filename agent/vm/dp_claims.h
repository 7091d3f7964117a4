/* SPDX-License-Identifier: BSD-2-Clause */
/* The debug build of the interpreter (-DDP_VM_ASSERT) checks every claim of the verifier again
 * before each instruction, and is therefore slow. Only rpn_interp.c includes this file. */
#ifndef DP_CLAIMS_H
#define DP_CLAIMS_H

#include "dp_run.h"

/* Counts of each opcode's executions, in all forms. A program built with -DDP_VM_ASSERT defines
 * the array. */
extern unsigned long dp_vm_executed[256];

struct dp_claim {
	uint8_t known, operand, flow, group;
};

#define DP_OP(code, name, text, operand, pops, pushes, flow, group, exceptions, cost, part)        \
	[code] = {1, RPN_ARG_##operand, RPN_FLOW_##flow, RPN_GROUP_##group},
static const struct dp_claim dp_claims[256] = {
#include "rpn_ops.def"
};

static inline bool dp_claim_marker(uint8_t op)
{
	return op == RPN_HANDLER || op == RPN_PROC || op == RPN_BLOCK;
}

/* A target: a marker of the kind, and for labels no routine begins in between. */
static inline void dp_claim_target(const struct dp_run *run, uint32_t at, uint32_t target,
				   enum rpn_op kind)
{
	const uint8_t *code = run->program->code;
	uint32_t low = at < target ? at : target, high = at < target ? target : at;

	DP_CLAIM(target < run->program->code_bytes && code[target] == kind);
	if (kind == RPN_PROC)
		return;
	while (low < high) {
		low += 1 + rpn_operand_bytes(dp_claims[code[low]].operand, DP_WORD_BYTES);
		DP_CLAIM(low > high || (code[low] != RPN_HANDLER && code[low] != RPN_PROC));
	}
	DP_CLAIM(low == high); /* the target is where an instruction starts */
}

static inline void dp_claim_register(uint16_t index, unsigned access)
{
	uint16_t count, i;
	const struct dp_reg *regs = dp_port_regs(&count);

	for (i = 0; i < count && regs[i].index != index; i++)
		;
	DP_CLAIM(i < count && (regs[i].access & access));
}

static inline void dp_claim_instruction(struct dp_run *run, const uint8_t *pc)
{
	const struct dp_program_view *program = run->program;
	uint32_t at = (uint32_t)(pc - program->code);
	const struct dp_claim *claim = &dp_claims[*pc];

	DP_CLAIM(pc >= program->code && at < program->code_bytes && claim->known);
	dp_vm_executed[*pc]++;
	DP_CLAIM(at + 1 + rpn_operand_bytes(claim->operand, DP_WORD_BYTES) <= program->code_bytes);
	DP_CLAIM(!(claim->group & ~(DP_PORT_GROUPS)));
	if (dp_claim_marker(*pc)) {
		DP_CLAIM(*pc == RPN_BLOCK && run->in_block == 0);
		return;
	}
	DP_CLAIM(run->in_block > 0);
	run->in_block--;
	if (claim->flow != RPN_FLOW_NEXT) {
		DP_CLAIM(run->in_block == 0);
		run->in_block = 0;
	}
	switch ((enum rpn_operand)claim->operand) {
	case RPN_ARG_LABEL:
		dp_claim_target(run, at, dp_load_u16(pc + 1), RPN_BLOCK);
		break;
	case RPN_ARG_PROC:
		dp_claim_target(run, at, dp_load_u16(pc + 1), RPN_PROC);
		break;
	case RPN_ARG_LV:
		DP_CLAIM(pc[1] < program->vars);
		break;
	case RPN_ARG_GV:
		DP_CLAIM(pc[1] < program->gvars);
		break;
	case RPN_ARG_REG:
		dp_claim_register(dp_load_u16(pc + 1), *pc == RPN_PUSH_R   ? DP_REG_PUSH_R
						       : *pc == RPN_PUSH_U ? DP_REG_PUSH_U
						       : *pc == RPN_POP_R  ? DP_REG_POP_R
									   : DP_REG_POP_U);
		break;
	default:
		break;
	}
	if (claim->flow == RPN_FLOW_COND || claim->flow == RPN_FLOW_CALL) {
		DP_CLAIM(at + 3 < program->code_bytes && pc[3] == RPN_BLOCK);
	}
}

#endif
