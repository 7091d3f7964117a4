/* SPDX-License-Identifier: BSD-2-Clause */
/* The emulator performs instructions that read or write the PC, or the interrupt mask. port/thumb
 * has most of it. port/README.md 7; DDI 0403E A7.7, B5.2 */
#include "thumb/emulate_thumb.h"

/* EXC_RETURN: what BX, POP, LDM and LDR take in handler mode for a return from the exception. Bits
 * 31 to 24 are ones; before ARMv8-M other values from 0xf0000000 on are unpredictable.
 * DDI 0403E B1.5.8; DDI 0553B */
#define DP_EXC_RETURN 0xff000000u
/* FNC_RETURN: what they take in either mode for a return to secure code. DDI 0553B */
#define DP_FNC_RETURN 0xfeffffffu

static bool dispatch(unsigned class, struct dp_arm_insn *i)
{
	struct dp_frame *f = i->frame;
	uint32_t w = i->word;
	bool privileged = dp_cortexm_privileged(f);

	switch (class) {
	case DP_ARM_T_CPS:
		if (privileged)
			f->primask = dp_arm_bits(w, 4, 1);
		return true;
	case DP_ARM_M_MRS:
		f->r[dp_arm_bits(w, 8, 4)] = privileged ? f->primask : 0;
		return true;
	case DP_ARM_M_MSR:
		if (privileged)
			f->primask = f->r[dp_arm_bits(w, 16, 4)] & 1;
		return true;
	default:
		return dp_thumb_emulate(class, i);
	}
}

/* Does the CPU take the target for more than an address? */
static bool is_magic(const struct dp_frame *frame)
{
	uint32_t pc = frame->r[DP_ARM_PC];

	return (dp_cortexm_in_handler(frame) && pc >= DP_EXC_RETURN) ||
	       (DP_CORTEXM_HAS_LIMITS && pc == (DP_FNC_RETURN & ~1u));
}

/* Is the instruction of a class one that returns so, by its target? */
static bool may_return(unsigned class, uint32_t word)
{
	return (class == DP_ARM_T_BX && !dp_arm_bits(word, 7, 1)) || class == DP_ARM_T_POP ||
	       class == DP_ARM_W_LDM || class == DP_ARM_W_LDR;
}

/* The return itself is the CPU's: `bx lr` behind the instruction, in the context. What lr holds
 * does not survive such a return. */
static void return_by_cpu(struct dp_frame *frame)
{
	frame->r[DP_ARM_LR] = frame->r[DP_ARM_PC] | (frame->xpsr & DP_XPSR_T ? 1 : 0);
	frame->r[DP_ARM_PC] = (uint32_t)(uintptr_t)dp_cortexm_return & ~1u;
	frame->xpsr |= DP_XPSR_T;
}

bool dp_cortexm_emulate(const struct dp_site *site, struct dp_frame *frame)
{
	struct dp_arm_insn i;
	uint32_t xpsr = frame->xpsr;

	dp_arm_begin(&i, site, frame, 4);
	if (!dispatch(site->port.detail, &i)) {
		frame->r[DP_ARM_PC] = i.address;
		frame->xpsr = xpsr;
		return false;
	}
	if (is_magic(frame) && may_return(site->port.detail, i.word))
		return_by_cpu(frame);
	return true;
}
