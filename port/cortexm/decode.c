/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder finds the step of a displaced instruction in tables of bit patterns: those of the M
 * profile here, and those of Thumb in port/thumb. */
#include "cortexm_decode.h"

#include "thumb/decode_rows.h"

_Static_assert((int)DP_ARM_M_SHARED < (int)DP_ARM_FIRST_ACTION,
	       "treat has no room for another class");

#define DP_ROW16(a, b, c, d, arch, treat, what) DP_PACK(a, b, c, d, _, _, _, _, arch, treat)
static const uint8_t profile_t16[] = {
#include "profile_t16.def"
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what)                                          \
	DP_PACK(a, b, c, d, e, f, g, h, arch, treat)
static const uint8_t profile_t32[] = {
#include "profile_t32.def"
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what)                                          \
	DP_PACK(a, b, c, d, e, f, g, h, arch, treat)
#define DP_GROUP(a, b, c, d, e, f, g, h) DP_PACK(a, b, c, d, e, f, g, h, 5, DP_ARM_GROUP)
static const uint8_t system_t32[] = {
#include "system_t32.def"
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what)                                          \
	DP_PACK(a, b, c, d, e, f, g, h, arch, treat)
static const uint8_t coprocessor_t32[] = {
#include "coprocessor_t32.def"
};
const uint8_t *const dp_cortexm_table[DP_CORTEXM_TABLES] = {
	dp_thumb_t16, dp_thumb_t32, profile_t16, profile_t32, system_t32, coprocessor_t32};

static enum dp_cortexm_table table_of(uint32_t insn, unsigned bytes)
{
	if (bytes == 2)
		return DP_CORTEXM_TABLE_PROFILE_T16;
	if (dp_thumb_is_coprocessor(insn))
		return DP_CORTEXM_TABLE_COPROCESSOR;
	return dp_thumb_is_system(insn) ? DP_CORTEXM_TABLE_SYSTEM : DP_CORTEXM_TABLE_PROFILE_T32;
}

struct dp_arm_plan dp_cortexm_decode(uint32_t insn, unsigned bytes, unsigned architecture)
{
	enum dp_cortexm_table table = table_of(insn, bytes);
	uint32_t word = bytes == 2 ? insn << 16 : insn;
	struct dp_arm_plan plan =
		dp_arm_look_up(word, dp_cortexm_table[table], table, architecture);

	if (plan.action != DP_ARM_EMULATE || plan.detail != DP_ARM_M_SHARED)
		return plan;
	table = bytes == 2 ? DP_CORTEXM_TABLE_T16 : DP_CORTEXM_TABLE_T32;
	return dp_arm_look_up(word, dp_cortexm_table[table], table, architecture);
}

int dp_cortexm_window(uint32_t insn)
{
	if ((insn & 0xffe90000) == 0xb6610000) /* cps with F */
		return insn & 0x00100000 ? 2 : -2;
	if ((insn & 0xfff0f3ff) == 0xf3808013) /* msr faultmask */
		return 2;
	return dp_thumb_window(insn);
}
