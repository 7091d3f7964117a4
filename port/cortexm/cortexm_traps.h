/* SPDX-License-Identifier: BSD-2-Clause */
/* Trap words: permanently undefined encodings.  DDI 0403E A7.7.194 */
#ifndef DP_CORTEXM_TRAPS_H
#define DP_CORTEXM_TRAPS_H

#define DP_ARM_TRAP_THUMB   0xde18u
#define DP_ARM_TRAP2_THUMB  0xde1cu
#define DP_ARM_TRAP_THUMB32 0xf7f0a018u /* udf.w #0x18 */

#endif
