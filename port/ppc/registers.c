/* SPDX-License-Identifier: BSD-2-Clause */
/* This file has the register table and reads and writes registers of a frame. */
#include "ppc_port.h"

#define DP_REG(index, name, text, words, pops, access) {(index), (words), (pops), (access)},
#define DP_REG_ALIAS(text, index)
static const struct dp_reg dp_registers[] = {
#include "regs.def"
};

enum {
	DP_REGISTER_NIP = 1,
	DP_REGISTER_MSR,
	DP_REGISTER_CTR,
	DP_REGISTER_LNK,
	DP_REGISTER_XER,
	DP_REGISTER_CCR,
	DP_REGISTER_MQ,
	DP_REGISTER_DAR,
	DP_REGISTER_DSISR,
	DP_REGISTER_FPC,
	DP_REGISTER_CPUID,
	DP_REGISTER_R0 = 0x10,
	DP_REGISTER_FPR0 = 0x30,
	DP_REGISTER_FPSCR = 32
};
#define DP_PVR 287

const struct dp_reg *dp_port_regs(uint16_t *count)
{
	*count = sizeof(dp_registers) / sizeof(dp_registers[0]);
	return dp_registers;
}

static uint32_t special_get(const struct dp_frame *frame, unsigned index)
{
	uint32_t value[4] __attribute__((aligned(8)));

	value[0] = value[1] = 0;
	switch (index) {
	case DP_REGISTER_NIP:
		return frame->pc;
	case DP_REGISTER_MSR:
		return frame->msr;
	case DP_REGISTER_CTR:
		return frame->ctr;
	case DP_REGISTER_LNK:
		return frame->lr;
	case DP_REGISTER_XER:
		return frame->xer;
	case DP_REGISTER_CCR:
		return frame->cr;
	case DP_REGISTER_DAR: /* BookE: DEAR, ESR */
		return frame->address;
	case DP_REGISTER_DSISR:
		return frame->syndrome;
	case DP_REGISTER_FPC:
		dp_ppc_fp_get(DP_REGISTER_FPSCR, value);
		return value[1];
	case DP_REGISTER_CPUID:
		DP_PPC_GET(value[0], DP_PVR);
		return value[0];
	default: /* MQ: the 601's only */
		return 0;
	}
}

/* Bare metal has one context: r and u are the same. decisions.txt C79 */
unsigned dp_port_reg_get(const struct dp_frame *frame, enum dp_context context, uint16_t index,
			 dp_word argument, dp_word *out)
{
	uint32_t value[4] __attribute__((aligned(8)));

	(void)context;
	(void)argument;
	if (index >= DP_REGISTER_FPR0) {
		value[0] = value[1] = 0;
		dp_ppc_fp_get(index - DP_REGISTER_FPR0, value);
		out[0] = value[1];
		out[1] = value[0];
		return 2;
	}
	out[0] = index >= DP_REGISTER_R0 ? frame->r[index - DP_REGISTER_R0]
					 : special_get(frame, index);
	return 1;
}

#if DP_PROFILE == DP_PROFILE_FULL
void dp_port_reg_set(struct dp_frame *frame, enum dp_context context, uint16_t index, dp_word value)
{
	(void)context;
	frame->r[index - DP_REGISTER_R0] = value;
}
#endif

dp_addr dp_port_pc(const struct dp_frame *frame)
{
	return frame->pc;
}

dp_word dp_port_sp(const struct dp_frame *frame)
{
	return frame->r[DP_PPC_SP];
}
