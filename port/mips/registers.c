/* SPDX-License-Identifier: BSD-2-Clause */
/* This file has the register table and reads and writes registers of a frame. */
#include "mips_port.h"

#define DP_REG(index, name, text, words, pops, access) {(index), (words), (pops), (access)},
#define DP_REG_ALIAS(text, index)
static const struct dp_reg dp_registers[] = {
#include "regs.def"
};

enum {
	DP_REGISTER_HI = 0x20,
	DP_REGISTER_LO,
	DP_REGISTER_PC,
	DP_REGISTER_STATUS,
	DP_REGISTER_CAUSE,
	DP_REGISTER_BADVADDR
};

const struct dp_reg *dp_port_regs(uint16_t *count)
{
	*count = sizeof(dp_registers) / sizeof(dp_registers[0]);
	return dp_registers;
}

static uint32_t special_get(const struct dp_frame *frame, unsigned index)
{
	switch (index) {
	case DP_REGISTER_HI:
		return frame->hi;
	case DP_REGISTER_LO:
		return frame->lo;
	case DP_REGISTER_PC:
		return dp_port_pc(frame);
	case DP_REGISTER_STATUS:
		return frame->status;
	case DP_REGISTER_CAUSE:
		return frame->cause;
	default:
		return frame->fault.badvaddr;
	}
}

/* Bare metal has one context: r and u are the same. decisions.txt C79 */
unsigned dp_port_reg_get(const struct dp_frame *frame, enum dp_context context, uint16_t index,
			 dp_word argument, dp_word *out)
{
	(void)context;
	(void)argument;
	out[0] = index < DP_REGISTER_HI ? frame->r[index] : special_get(frame, index);
	return 1;
}

#if DP_PROFILE == DP_PROFILE_FULL
void dp_port_reg_set(struct dp_frame *frame, enum dp_context context, uint16_t index, dp_word value)
{
	(void)context;
	if (index == DP_REGISTER_HI)
		frame->hi = value;
	else if (index == DP_REGISTER_LO)
		frame->lo = value;
	else
		frame->r[index] = value;
}
#endif

dp_addr dp_port_pc(const struct dp_frame *frame)
{
	return dp_mips_in_delay_slot(frame) ? frame->epc + 4 : frame->epc;
}

dp_word dp_port_sp(const struct dp_frame *frame)
{
	return frame->r[DP_MIPS_SP];
}
