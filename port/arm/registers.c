/* SPDX-License-Identifier: BSD-2-Clause */
/* This file has the register table and reads and writes registers of a frame. */
#include "dp_access_cpu.h"

#define DP_REG(index, name, text, words, pops, access) {(index), (words), (pops), (access)},
#define DP_REG_ALIAS(text, index)
static const struct dp_reg dp_registers[] = {
#include "regs.def"
};

enum {
	DP_REGISTER_SP = 13,
	DP_REGISTER_PC = 15,
	DP_REGISTER_CPSR = 16,
	DP_REGISTER_DFSR = 17
};

const struct dp_reg *dp_port_regs(uint16_t *count)
{
	*count = sizeof(dp_registers) / sizeof(dp_registers[0]);
	return dp_registers;
}

/* Bare metal has one context: r and u are the same. decisions.txt C79 */
unsigned dp_port_reg_get(const struct dp_frame *frame, enum dp_context context, uint16_t index,
			 dp_word argument, dp_word *out)
{
	struct dp_fault_status status;

	(void)context;
	(void)argument;
	if (index < DP_REGISTER_CPSR) {
		out[0] = frame->r[index];
	} else if (index == DP_REGISTER_CPSR) {
		out[0] = frame->cpsr;
	} else { /* the agent's own accesses put these back */
		dp_fault_status_get(&status);
		out[0] = index == DP_REGISTER_DFSR ? status.dfsr : status.dfar;
	}
	return 1;
}

#if DP_PROFILE == DP_PROFILE_FULL
void dp_port_reg_set(struct dp_frame *frame, enum dp_context context, uint16_t index, dp_word value)
{
	(void)context;
	frame->r[index] = value;
}
#endif

dp_addr dp_port_pc(const struct dp_frame *frame)
{
	return frame->r[DP_REGISTER_PC];
}

dp_word dp_port_sp(const struct dp_frame *frame)
{
	return frame->r[DP_REGISTER_SP];
}
