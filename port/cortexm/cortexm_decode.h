/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder chooses the plan for a displaced instruction of the M profile. Pure C, target and
 * host. port/README.md 4
 * Sources: ARMv7-M ARM (DDI 0403E) chapter A5, ARMv6-M ARM (DDI 0419E), ARMv8-M ARM (DDI 0553B). */
#ifndef DP_CORTEXM_DECODE_H
#define DP_CORTEXM_DECODE_H

#include "thumb/thumb_decode.h"

enum {
	DP_CORTEXM_V6 = 6, /* ARMv6-M */
	DP_CORTEXM_V7 = 7, /* ARMv7-M, ARMv8-M mainline */
};

/* Classes that are emulated, besides those of Thumb. decode_rows.h makes the names. */
enum dp_cortexm_class {
	DP_ARM_M_MRS = DP_THUMB_CLASSES, /* mrs primask */
	DP_ARM_M_MSR,                    /* msr primask */
	DP_ARM_M_SHARED,                 /* in a profile table: the table of port/thumb decides */
	DP_CORTEXM_CLASSES = DP_ARM_M_SHARED,
};

/* Decode one instruction. insn: a halfword, or first halfword << 16 | second.
 * bytes: 2 or 4.
 * architecture: DP_CORTEXM_V6 or DP_CORTEXM_V7. */
struct dp_arm_plan dp_cortexm_decode(uint32_t insn, unsigned bytes, unsigned architecture);

/* Return whether an instruction opens a window without probes (1: load-exclusive; 2: cpsid f, msr
 * faultmask), closes a window (-1: store-exclusive, clrex; -2: cpsie f), or neither (0). With
 * FAULTMASK set no exception but NMI can be taken: a trap ends in lockup. What msr writes is not
 * known.  DDI 0403E B1.5.15
 * insn: first halfword << 16 | second, also of a 16-bit instruction. */
int dp_cortexm_window(uint32_t insn);

/* The tables, by number. */
enum dp_cortexm_table {
	DP_CORTEXM_TABLE_T16,
	DP_CORTEXM_TABLE_T32,
	DP_CORTEXM_TABLE_PROFILE_T16,
	DP_CORTEXM_TABLE_PROFILE_T32,
	DP_CORTEXM_TABLE_SYSTEM,
	DP_CORTEXM_TABLE_COPROCESSOR,
	DP_CORTEXM_TABLES
};
extern const uint8_t *const dp_cortexm_table[DP_CORTEXM_TABLES];

#endif
