/* SPDX-License-Identifier: BSD-2-Clause */
/* This file has the register table and reads and writes registers of a frame. */
#include "riscv_port.h"

#define DP_REG(index, name, text, words, pops, access) {(index), (words), (pops), (access)},
#define DP_REG_ALIAS(text, index)
static const struct dp_reg dp_registers[] = {
#include "regs.def"
};

enum {
	DP_REGISTER_PC = 1,
	DP_REGISTER_MSTATUS,
	DP_REGISTER_MCAUSE,
	DP_REGISTER_MTVAL,
	DP_REGISTER_X0 = 0x10,
};

const struct dp_reg *dp_port_regs(uint16_t *count)
{
	*count = sizeof(dp_registers) / sizeof(dp_registers[0]);
	return dp_registers;
}

/* The context's mstatus: the trap has moved MIE to MPIE. What it has overwritten is as mret leaves
 * it. Privileged ISA 3.1.6.1 */
dp_word dp_riscv_status(const struct dp_frame *frame)
{
	const dp_word of_trap = DP_STATUS_MIE | DP_STATUS_MPIE | DP_STATUS_MPP;
	dp_word mstatus = (frame->mstatus & ~of_trap) | DP_STATUS_MPIE;

	mstatus |= frame->mstatus & DP_STATUS_MPIE ? DP_STATUS_MIE : 0;
	return mstatus | (dp_riscv->has_u ? 0 : DP_STATUS_MPP);
}

/* Bare metal has one context: r and u are the same. decisions.txt C79 */
unsigned dp_port_reg_get(const struct dp_frame *frame, enum dp_context context, uint16_t index,
			 dp_word argument, dp_word *out)
{
	(void)context;
	(void)argument;
	switch (index) {
	case DP_REGISTER_PC:
		out[0] = frame->pc;
		break;
	case DP_REGISTER_MSTATUS:
		out[0] = dp_riscv_status(frame);
		break;
	case DP_REGISTER_MCAUSE:
		out[0] = frame->mcause;
		break;
	case DP_REGISTER_MTVAL:
		out[0] = frame->mtval;
		break;
	default:
		out[0] = frame->x[index - DP_REGISTER_X0];
		break;
	}
	return 1;
}

#if DP_PROFILE == DP_PROFILE_FULL
void dp_port_reg_set(struct dp_frame *frame, enum dp_context context, uint16_t index, dp_word value)
{
	(void)context;
	frame->x[index - DP_REGISTER_X0] = value;
}
#endif

dp_addr dp_port_pc(const struct dp_frame *frame)
{
	return frame->pc;
}

dp_word dp_port_sp(const struct dp_frame *frame)
{
	return frame->x[DP_RISCV_SP];
}
