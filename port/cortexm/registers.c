/* SPDX-License-Identifier: BSD-2-Clause */
/* This file has the register table and reads and writes registers of a frame. */
#include "dp_access_cpu.h"

#define DP_REG(index, name, text, words, pops, access) {(index), (words), (pops), (access)},
#define DP_REG_ALIAS(text, index)
static const struct dp_reg dp_registers[] = {
#include "regs.def"
};

enum {
	DP_REGISTER_XPSR = 16,
	DP_REGISTER_PRIMASK,
	DP_REGISTER_BASEPRI,
	DP_REGISTER_CONTROL,
	DP_REGISTER_CFSR,
	DP_REGISTER_MMFAR,
	DP_REGISTER_BFAR,
	DP_REGISTER_FAR
};

const struct dp_reg *dp_port_regs(uint16_t *count)
{
	*count = sizeof(dp_registers) / sizeof(dp_registers[0]);
	return dp_registers;
}

/* Registers that are not in the frame. The agent's own accesses put the fault status back. CONTROL
 * of handler mode has no stack bit.  DDI 0403E B1.4.4 */
static uint32_t elsewhere(const struct dp_frame *frame, uint16_t index)
{
	struct dp_fault_status status;

	if (index == DP_REGISTER_CONTROL)
		return frame->control | (frame->exc_return & 4 ? 2 : 0) |
		       (frame->exc_return & 0x10 ? 0 : 4);
#if DP_CORTEXM_HAS_FAULTS
	if (index == DP_REGISTER_BASEPRI) {
		uint32_t basepri;

		__asm__ volatile("mrs %0, basepri" : "=r"(basepri));
		return basepri;
	}
	dp_fault_status_get(&status);
	if (index == DP_REGISTER_CFSR)
		return status.cfsr & ~(DP_CFSR_UNDEF & ~dp_cortexm->held); /* of the trap */
	if (index == DP_REGISTER_FAR)
		index = status.cfsr & DP_CFSR_MMARVALID ? DP_REGISTER_MMFAR : DP_REGISTER_BFAR;
	return index == DP_REGISTER_MMFAR ? status.mmfar : status.bfar;
#else
	(void)status;
	return 0;
#endif
}

/* Bare metal has one context: r and u are the same. decisions.txt C79 */
unsigned dp_port_reg_get(const struct dp_frame *frame, enum dp_context context, uint16_t index,
			 dp_word argument, dp_word *out)
{
	(void)context;
	(void)argument;
	if (index < DP_REGISTER_XPSR)
		out[0] = frame->r[index];
	else if (index <= DP_REGISTER_PRIMASK)
		out[0] = index == DP_REGISTER_XPSR ? frame->xpsr : frame->primask;
	else
		out[0] = elsewhere(frame, index);
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
	return frame->r[DP_ARM_PC];
}

dp_word dp_port_sp(const struct dp_frame *frame)
{
	return frame->r[DP_ARM_SP];
}
