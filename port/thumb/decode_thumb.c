/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of Thumb, and the search in a table of bit patterns. The first match wins, the last
 * row rejects. */
#include "decode_rows.h"

_Static_assert(DP_ARM_NOP == 4 && DP_ARM_EMULATE == 5, "five actions have no detail");
_Static_assert((int)DP_ARM_FIRST_REFUSAL + (int)DP_REFUSE_UNSUPPORTED < (int)DP_ARM_GROUP,
	       "treat has no room for another refusal");

/* The tables of the common ones alone want more of registers than the manual does. */
#define DP_WRONG_REGISTERS (DP_ARM_WITH_RARE ? DP_REFUSE(UNPREDICTABLE) : DP_REFUSE(UNSUPPORTED))

#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what)                                          \
	DP_PACK(a, b, c, d, e, f, g, h, arch, treat)
#define DP_GROUP(a, b, c, d, e, f, g, h) DP_PACK(a, b, c, d, e, f, g, h, 5, DP_ARM_GROUP)
const uint8_t dp_thumb_t32[] = {
#if DP_ARM_WITH_RARE
#include "decode_t32.def"
#else
#include "common_t32.def"
#endif
};
#define DP_ROW16(a, b, c, d, arch, treat, what) DP_PACK(a, b, c, d, _, _, _, _, arch, treat)
#define DP_GROUP16(a, b, c, d)                  DP_PACK(a, b, c, d, _, _, _, _, 5, DP_ARM_GROUP)
const uint8_t dp_thumb_t16[] = {
#include "decode_t16.def"
};

/* On which architectures a row exists, a digit for each ARCH_, from the right: bit 0 is ARMv5. */
#define DP_EXISTS 0x1467u

static bool has(unsigned treat, unsigned architecture)
{
	return DP_EXISTS >> (4 * (treat >> 6) + architecture - 5) & 1;
}

/* Is the register one the row allows? */
static bool allowed(enum dp_arm_reg constraint, unsigned reg)
{
	static const uint16_t registers[] = {
		[DP_ARM_NOPC] = 0x7fff, [DP_ARM_NOSPPC] = 0x5fff, [DP_ARM_ZERO] = 0x0001};

	return registers[constraint] >> reg & 1;
}

static struct dp_arm_plan plan(unsigned treat, unsigned table, unsigned row)
{
	struct dp_arm_plan p = {DP_ARM_EMULATE, (uint8_t)treat, (uint8_t)table, (uint8_t)row};

	if (p.detail >= DP_ARM_FIRST_REFUSAL) {
		p.action = DP_ARM_REFUSE;
		p.detail -= DP_ARM_FIRST_REFUSAL;
	} else if (p.detail >= DP_ARM_FIRST_ACTION) {
		p.action = p.detail - DP_ARM_FIRST_ACTION;
		p.detail = 0;
	}
	return p;
}

/* The highest nibble is the first. Registers count where all the rest is as the row says. */
struct dp_arm_plan dp_arm_look_up(uint32_t insn, const uint8_t *rows, unsigned table,
				  unsigned architecture)
{
	const uint8_t *next = rows;
	bool group = true;

	for (unsigned row = 0;;) {
		unsigned treat = *next++, nibbles = *next++;
		bool matches = has(treat, architecture), registers = true;

		for (uint32_t rest = insn; nibbles != 0;
		     nibbles = nibbles << 1 & 0xff, rest <<= 4) {
			unsigned mask = *next >> 4, value = *next & 15;

			if (!(nibbles & 0x80))
				continue;
			next++;
			if (mask == 0)
				registers &= allowed(value, rest >> 28);
			else
				matches &= (rest >> 28 & mask) == value;
		}
		treat &= 63;
		if (treat == DP_ARM_GROUP) {
			group = matches;
			continue;
		}
		matches &= group;
		if (matches && !registers)
			return plan(DP_WRONG_REGISTERS, table, row);
		if (matches && treat != DP_CHECK)
			return plan(treat, table, row);
		row++;
	}
}

int dp_thumb_window(uint32_t insn)
{
	bool load = insn >> 20 & 1, exclusive;

	if (load && (insn & 0xfff00000) == 0xe8500000)
		exclusive = (insn & 0xf00) == 0xf00;
	else /* strex, but not tt; bit 6: not tbb, lda, stl */
		exclusive = ((insn & 0xfff00000) == 0xe8400000 && (insn & 0xf000) != 0xf000) ||
			    (insn & 0xffe00040) == 0xe8c00040;
	if (exclusive)
		return load ? 1 : -1;
	return insn == 0xf3bf8f2f ? -1 : 0; /* clrex */
}
