/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder finds the step of a displaced ARM instruction in tables of bit patterns: those of
 * Thumb in port/thumb, and those here. */
#include "arm_decode.h"

#include "thumb/decode_rows.h"

_Static_assert((int)DP_ARM_CLASSES <= (int)DP_ARM_FIRST_ACTION,
	       "treat has no room for another class");

#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what)                                          \
	DP_PACK(a, b, c, d, e, f, g, h, arch, treat)
#define DP_GROUP(a, b, c, d, e, f, g, h) DP_PACK(a, b, c, d, e, f, g, h, 5, DP_ARM_GROUP)
static const uint8_t a32[] = {
#if DP_ARM_WITH_RARE
#include "decode_a32.def"
#else
#include "common_a32.def"
#endif
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what)                                          \
	DP_PACK(a, b, c, d, e, f, g, h, arch, treat)
#define DP_GROUP(a, b, c, d, e, f, g, h) DP_PACK(a, b, c, d, e, f, g, h, 5, DP_ARM_GROUP)
static const uint8_t system_t32[] = {
#if DP_ARM_WITH_RARE
#include "system_t32.def"
#else
#include "common_system_t32.def"
#endif
};
const uint8_t *const dp_arm_table[DP_ARM_TABLES] = {a32, dp_thumb_t16, dp_thumb_t32, system_t32};

static enum dp_arm_table table_of(uint32_t insn, bool thumb, unsigned bytes, unsigned architecture)
{
	if (!DP_ARM_WITH_THUMB)
		return DP_ARM_TABLE_A32;
	if (bytes == 2)
		return DP_ARM_TABLE_T16;
	if ((DP_ARM_WITH_A32 && !thumb) || (architecture >= 7 && dp_thumb_is_coprocessor(insn)))
		return DP_ARM_TABLE_A32;
	return dp_thumb_is_system(insn) ? DP_ARM_TABLE_SYSTEM : DP_ARM_TABLE_T32;
}

struct dp_arm_plan dp_arm_decode(uint32_t insn, bool thumb, unsigned bytes, unsigned architecture)
{
	enum dp_arm_table table = table_of(insn, thumb, bytes, architecture);

	return dp_arm_look_up(bytes == 2 ? insn << 16 : insn, dp_arm_table[table], table,
			      architecture);
}

#if DP_ARM_WITH_A32
#define DP_REGISTER_AT(insn, low) ((insn) >> (low)&15)
/* Neither field of an operand names PC. An immediate number has no register in the lower one. */
static bool reads_pc(uint32_t insn, bool immediate)
{
	return DP_REGISTER_AT(insn, 16) == DP_ARM_PC ||
	       (!immediate && DP_REGISTER_AT(insn, 0) == DP_ARM_PC);
}
#endif

enum dp_arm_action dp_arm_out(uint32_t insn, unsigned class)
{
	switch (class) {
#if DP_ARM_WITH_A32
	case DP_ARM_A_BX: /* not blx */
		return DP_REGISTER_AT(insn, 0) != DP_ARM_PC && !(insn & 0x20) ? DP_ARM_OUT
									      : DP_ARM_EMULATE;
	case DP_ARM_A_DATA:
		return DP_REGISTER_AT(insn, 12) == DP_ARM_PC && !reads_pc(insn, insn >> 25 & 1)
			       ? DP_ARM_OUT
			       : DP_ARM_EMULATE;
	case DP_ARM_A_LOAD_STORE:
		return (insn >> 20 & 1) && !reads_pc(insn, !(insn >> 25 & 1)) ? DP_ARM_OUT_MEMORY
									      : DP_ARM_EMULATE;
	case DP_ARM_A_BLOCK:
		return insn >> 20 & 1 ? DP_ARM_OUT_MEMORY : DP_ARM_EMULATE;
#endif
	default:
		return dp_thumb_out(insn, class);
	}
}

int dp_arm_window(uint32_t insn, bool thumb)
{
	if (thumb)
		return dp_thumb_window(insn);
	if ((insn & 0x0f800ff0) == 0x01800f90)
		return insn >> 20 & 1 ? 1 : -1;
	return insn == 0xf57ff01f ? -1 : 0; /* clrex */
}
