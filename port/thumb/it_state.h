/* SPDX-License-Identifier: BSD-2-Clause */
/* ITSTATE in the status word of a frame, and conditions. CPSR and xPSR have ITSTATE in the same
 * bits.  DDI 0406C A2.5.2; DDI 0403E B1.4.2 */
#ifndef DP_IT_STATE_H
#define DP_IT_STATE_H

#include "dp_thumb_cpu.h"
#include "thumb_decode.h"

#define DP_THUMB_IT             0x0600fc00u
#define DP_THUMB_IT_ALWAYS_LAST 0xe8u /* one more instruction, condition AL: rule 6 */

static inline uint32_t dp_thumb_it(uint32_t status)
{
	return (status >> 8 & 0xfc) | (status >> 25 & 3);
}

static inline uint32_t dp_thumb_with_it(uint32_t status, uint32_t it)
{
	return (status & ~DP_THUMB_IT) | (it & 0xfc) << 8 | (it & 3) << 25;
}

/* ITSTATE after one more instruction. */
static inline uint32_t dp_thumb_it_next(uint32_t it)
{
	return it & 7 ? (it & 0xe0) | (it << 1 & 0x1f) : 0;
}

/* Without Thumb ITSTATE is always 0. */
#if DP_ARM_WITH_THUMB
/* ITSTATE after one more instruction, in the frame. */
void dp_thumb_advance_it(struct dp_frame *frame);

/* Let a copy run as the last instruction of an IT block that executes the copy. */
static inline void dp_thumb_let_it_execute(struct dp_frame *frame)
{
	if (DP_THUMB_STATUS(frame) & DP_THUMB_IT)
		DP_THUMB_STATUS(frame) =
			dp_thumb_with_it(DP_THUMB_STATUS(frame), DP_THUMB_IT_ALWAYS_LAST);
}
#else
static inline void dp_thumb_advance_it(struct dp_frame *frame)
{
	(void)frame;
}

static inline void dp_thumb_let_it_execute(struct dp_frame *frame)
{
	(void)frame;
}
#endif

/* Does a condition hold? 14 and 15: always. */
bool dp_arm_condition(unsigned condition, uint32_t status);

/* Does cbz or cbnz go to its target? */
static inline bool dp_thumb_cbz_taken(uint32_t insn, const struct dp_frame *frame)
{
	return (frame->r[insn & 7] != 0) == (insn >> 11 & 1);
}

/* The condition that a site's instruction has by itself: 14, 15 always. Negative: of a branch to a
 * fixed address, where a probe fires whatever the condition is, which has the four lowest bits. */
enum {
	DP_ARM_CHOICE = -16,
	DP_ARM_CBZ = DP_ARM_CHOICE | 15 /* cbz, cbnz: the emulator tests the register */
};

/* Return that condition of a Thumb instruction. Only branches have any.
 * action, class: of its plan. */
static inline int8_t dp_thumb_condition_of(uint32_t insn, unsigned action, unsigned class)
{
	if (action == DP_ARM_EMULATE && class == DP_ARM_T_BCOND)
		return (int8_t)((int)(insn >> 8) | DP_ARM_CHOICE);
	if (action == DP_ARM_EMULATE && class == DP_ARM_W_BCOND)
		return (int8_t)((int)(insn >> 22) | DP_ARM_CHOICE);
	if (action == DP_ARM_EMULATE && class == DP_ARM_T_CBZ)
		return DP_ARM_CBZ;
	return 14;
}

#endif
