/* SPDX-License-Identifier: BSD-2-Clause */
/* This file changes ITSTATE and tests conditions. */
#include "it_state.h"

#if DP_ARM_WITH_THUMB

#define DP_IT_ALWAYS_LAST 0xe8u /* one more instruction, condition AL: rule 6 */

void dp_thumb_advance_it(struct dp_frame *frame)
{
	uint32_t status = DP_THUMB_STATUS(frame);

	DP_THUMB_STATUS(frame) = dp_thumb_with_it(status, dp_thumb_it_next(dp_thumb_it(status)));
}

void dp_thumb_let_it_execute(struct dp_frame *frame)
{
	if (DP_THUMB_STATUS(frame) & DP_THUMB_IT)
		DP_THUMB_STATUS(frame) =
			dp_thumb_with_it(DP_THUMB_STATUS(frame), DP_IT_ALWAYS_LAST);
}

#endif

/* Which values of NZCV satisfy the even conditions: bit n of a row for the value n.  DDI 0406C A8.3
 */
static const uint16_t satisfied[] = {0xf0f0, 0xcccc, 0xff00, 0xaaaa, 0x0c0c, 0xaa55, 0x0a05};

bool dp_arm_condition(unsigned condition, uint32_t status)
{
	return condition >= 14 ||
	       ((satisfied[condition >> 1] >> (status >> 28) ^ condition) & 1) != 0;
}
