/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder of the M profile on the host: any word is decided, every row of its own tables
 * decides something, and a row of port/thumb decides for both profiles, unless a row of
 * profile_t16.def or profile_t32.def says why not. */
#include <stdio.h>
#include <stdlib.h>

#include "../../port/arm/arm_decode.h"
#include "../../port/cortexm/cortexm_decode.h"
#include "arm_rows.h"
#include "check.h"
#include "dp_errors.h"

enum {
	WORDS = 1000000,
	TRIES = 200000
};

static uint32_t random_word(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16);
}

#define DP_ROW16(a, b, c, d, arch, treat, what) what,
static const char *const profile_t16[] = {
#include "../../port/cortexm/profile_t16.def"
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) what,
#define DP_GROUP(a, b, c, d, e, f, g, h)
static const char *const profile_t32[] = {
#include "../../port/cortexm/profile_t32.def"
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) what,
#define DP_GROUP(a, b, c, d, e, f, g, h)
static const char *const system_t32[] = {
#include "../../port/cortexm/system_t32.def"
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) what,
static const char *const coprocessor_t32[] = {
#include "../../port/cortexm/coprocessor_t32.def"
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) what,
#define DP_GROUP(a, b, c, d, e, f, g, h)
static const char *const shared_t32[] = {
#include "../../port/thumb/decode_t32.def"
};
#define COUNT(names) (sizeof(names) / sizeof((names)[0]))
static const struct {
	const char *const *names;
	unsigned rows;
} own[DP_CORTEXM_TABLES] = {
	[DP_CORTEXM_TABLE_PROFILE_T16] = {profile_t16, COUNT(profile_t16)},
	[DP_CORTEXM_TABLE_PROFILE_T32] = {profile_t32, COUNT(profile_t32)},
	[DP_CORTEXM_TABLE_SYSTEM] = {system_t32, COUNT(system_t32)},
	[DP_CORTEXM_TABLE_COPROCESSOR] = {coprocessor_t32, COUNT(coprocessor_t32)},
};

static struct dp_arm_plan decode(uint32_t insn, unsigned bytes, unsigned architecture)
{
	struct dp_arm_plan plan = dp_cortexm_decode(insn, bytes, architecture);

	CHECK(plan.table < DP_CORTEXM_TABLES);
	CHECK(plan.action <= DP_ARM_REFUSE);
	if (plan.action == DP_ARM_EMULATE)
		CHECK(plan.detail < DP_CORTEXM_CLASSES);
	else if (plan.action == DP_ARM_REFUSE)
		CHECK(plan.detail >= 1 && plan.detail <= DP_REFUSE_UNSUPPORTED);
	else
		CHECK(plan.detail == 0);
	return plan;
}

enum {
	SHARED = DP_ARM_REFUSE + 1 /* port/thumb decides */
};

static bool is_like(uint32_t insn, uint32_t mask, uint32_t value)
{
	return (insn & mask) == value;
}

static unsigned unless(unsigned action, bool refused)
{
	return refused ? (unsigned)DP_ARM_REFUSE : action;
}

/* What the M profile does, written out of the manuals again: DDI 0403E A5.2, A5.3, A6.4 to A6.7,
 * B5.1.1, B5.2; DDI 0553B C2. */
static unsigned wanted_16(uint32_t insn)
{
	if (insn == 0x4778 || is_like(insn, 0xffe0, 0xb640))
		return DP_ARM_REFUSE;
	if (is_like(insn, 0xffe0, 0xb660))
		return unless(DP_ARM_EMULATE, (insn & 15) != 2);
	if (insn == 0xbf00 || insn == 0xbf40)
		return DP_ARM_ONE_TRAP;
	return is_like(insn, 0xff0f, 0xbf00) ? (unsigned)DP_ARM_NOP : (unsigned)SHARED;
}

static unsigned wanted_special(uint32_t number, bool write)
{
	if (number == 16)
		return DP_ARM_EMULATE;
	return unless(DP_ARM_ONE_TRAP, number == 4 || (number > 11 && number < 16) || number > 20 ||
					       (write && number == 19));
}

static bool no_core_register(uint32_t number)
{
	return (number & 15) == 13 || (number & 15) == 15;
}

static unsigned wanted_coprocessor(uint32_t insn)
{
	if (!is_like(insn, 0x0e00, 0x0a00) || is_like(insn, 0xffe0ffff, 0xec200a00))
		return DP_ARM_REFUSE;
	if (is_like(insn, 0xffe00000, 0xec400000))
		return unless(DP_ARM_TWO_TRAP, (insn >> 16 & 15) == 15 || (insn >> 12 & 15) == 15);
	if (is_like(insn, 0xff3f0000, 0xed1f0000))
		return DP_ARM_REWRITE;
	if (is_like(insn, 0xfe000000, 0xec000000))
		return unless(DP_ARM_MEMORY, (insn >> 16 & 15) == 15);
	return unless(DP_ARM_TWO_TRAP, is_like(insn, 0x0000f010, 0x0000f010) && insn != 0xeef1fa10);
}

static unsigned wanted_profile_32(uint32_t insn)
{
	bool two = no_core_register(insn >> 16) || no_core_register(insn >> 8);

	if (is_like(insn, 0xfff08010, 0xeac00000))
		return unless(DP_ARM_TWO_TRAP, two || no_core_register(insn));
	if (is_like(insn, 0xff70f0f0, 0xf3200000))
		return unless(DP_ARM_TWO_TRAP, two);
	if (is_like(insn, 0xffffffe0, 0xf3bf8f40) || is_like(insn, 0xfffffff0, 0xf3bf8f60))
		return DP_ARM_ONE_TRAP;
	if (is_like(insn, 0xff000e00, 0xfe000a00))
		return DP_ARM_TWO_TRAP;
	return unless(SHARED, is_like(insn, 0xfffffd00, 0xf3af8400) ||
				      is_like(insn, 0xf800d000, 0xf000c000) ||
				      is_like(insn, 0xff100000, 0xf9000000) ||
				      is_like(insn, 0xef000000, 0xef000000));
}

static unsigned wanted_32(uint32_t insn)
{
	if (insn >> 24 >= 0xec && insn >> 24 <= 0xee)
		return wanted_coprocessor(insn);
	if (is_like(insn, 0xfffff000, 0xf3ef8000))
		return unless(wanted_special(insn & 0xff, false), no_core_register(insn >> 8));
	if (is_like(insn, 0xfff0f300, 0xf3808000))
		return unless(wanted_special(insn & 0xff, true), no_core_register(insn >> 16));
	if (is_like(insn, 0xff80d000, 0xf3808000) && !is_like(insn, 0x00600000, 0x00200000))
		return DP_ARM_REFUSE;
	return wanted_profile_32(insn);
}

/* Both profiles take the same row, or a row of the M profile's tables does what is wanted. */
static void compare(uint32_t insn, unsigned bytes)
{
	struct dp_arm_plan arm = dp_arm_decode(insn, true, bytes, 7);
	struct dp_arm_plan m = decode(insn, bytes, DP_CORTEXM_V7);

	unsigned wanted = bytes == 2 ? wanted_16(insn) : wanted_32(insn);

	if (m.table == DP_CORTEXM_TABLE_T16 || m.table == DP_CORTEXM_TABLE_T32) {
		CHECK(wanted == SHARED);
		CHECK(arm.table == (bytes == 2 ? DP_ARM_TABLE_T16 : DP_ARM_TABLE_T32));
		CHECK(arm.row == m.row && arm.action == m.action && arm.detail == m.detail);
	} else if (m.action != wanted) {
		printf("%x: %u by %s, wanted %u\n", insn, m.action, own[m.table].names[m.row],
		       wanted);
		CHECK(false);
	}
}

static uint32_t wide(uint32_t word)
{
	return word < 0xe8000000u ? word | 0xe8000000u : word;
}

static void random_words(void)
{
	for (unsigned i = 0; i < WORDS; i++)
		compare(wide(random_word()), 4);
	for (unsigned i = 0; i < WORDS; i++) /* around mrs, msr and the coprocessors */
		compare(wide((random_word() & 0x1fffffff) | (i & 1 ? 0xe0000000u : 0xf0000000u)),
			4);
	for (uint32_t half = 0; half < 0x10000; half++) {
		compare(0xf3ef0000u | half, 4);
		compare(0xf3af0000u | half, 4);
		compare(0xf3bf0000u | half, 4);
		compare(0xf3800000u | (half & 0xf) << 16 | 0x8800 | (half >> 4 & 0xff), 4);
	}
	for (uint32_t half = 0; half < 0xe800; half++) {
		compare(half, 2);
		decode(half, 2, DP_CORTEXM_V6);
	}
}

/* ARMv6-M has six instructions of 32 bits: the CPU of the tests runs more, and shows nothing.
 * DDI 0419E A5.3 */
static void v6_has_little(void)
{
	static const uint32_t has[] = {0xf000f800u, 0xf3bf8f4fu, 0xf3bf8f5fu,
				       0xf3bf8f6fu, 0xf3ef8010u, 0xf3808810u};
	static const uint32_t has_not[] = {0xf8d12000u, 0xf0009000u, 0xf2400001u,
					   0xfb90f1f2u, 0xed900a00u, 0xf3ef8011u};

	for (unsigned i = 0; i < COUNT(has); i++) {
		CHECK(decode(has[i], 4, DP_CORTEXM_V6).action != DP_ARM_REFUSE);
		CHECK(decode(has_not[i], 4, DP_CORTEXM_V6).action == DP_ARM_REFUSE);
	}
	CHECK(decode(0xb108, 2, DP_CORTEXM_V6).action == DP_ARM_REFUSE); /* cbz */
	CHECK(decode(0xbf08, 2, DP_CORTEXM_V6).action == DP_ARM_REFUSE); /* it eq */
	CHECK(decode(0xbf30, 2, DP_CORTEXM_V6).action == DP_ARM_NOP);    /* wfi */
}

/* A row that no word reaches is a row in the wrong place. */
static void reach(unsigned table, unsigned row)
{
	const struct row r = row_of(dp_cortexm_table[table], row);
	const bool narrow = table == DP_CORTEXM_TABLE_PROFILE_T16;

	for (unsigned i = 0; i < TRIES; i++) {
		uint32_t word = (random_word() & ~r.mask) | r.value;
		struct dp_arm_plan plan = decode(narrow ? word >> 16 : wide(word), narrow ? 2 : 4,
						 i & 1 ? DP_CORTEXM_V6 : DP_CORTEXM_V7);

		if (plan.table == table && plan.row == row)
			return;
	}
	printf("table %u row %u (%s) never decides\n", table, row, own[table].names[row]);
	CHECK(false);
}

static void all_rows(void)
{
	for (unsigned table = DP_CORTEXM_TABLE_PROFILE_T16; table < DP_CORTEXM_TABLES; table++)
		for (unsigned row = 0; row + 1 < own[table].rows; row++)
			reach(table, row);
}

static void windows(void)
{
	CHECK(dp_cortexm_window(0xb671u << 16) == 2 && dp_cortexm_window(0xb673u << 16) == 2);
	CHECK(dp_cortexm_window(0xb661u << 16) == -2 && dp_cortexm_window(0xb663u << 16) == -2);
	CHECK(dp_cortexm_window(0xf3848813u) == 2 && dp_cortexm_window(0xf3848811u) == 0);
	CHECK(dp_cortexm_window(0xb672u << 16) == 0 && dp_cortexm_window(0xb662u << 16) == 0);
	CHECK(dp_cortexm_window(0xe8561f00u) == 1 && dp_cortexm_window(0xf3bf8f2fu) == -1);
	/* ARMv8-M: ldaex, ldaexb, ldaexh; stlex, stlexb, stlexh; not lda, stl, tt.  DDI 0553B C2.4
	 */
	CHECK(dp_cortexm_window(0xe8d31fefu) == 1 && dp_cortexm_window(0xe8d31fcfu) == 1);
	CHECK(dp_cortexm_window(0xe8d31fdfu) == 1 && dp_cortexm_window(0xe8c32fe1u) == -1);
	CHECK(dp_cortexm_window(0xe8c32fc1u) == -1 && dp_cortexm_window(0xe8c32fd1u) == -1);
	CHECK(dp_cortexm_window(0xe8d31fafu) == 0 && dp_cortexm_window(0xe8c31fafu) == 0);
	CHECK(dp_cortexm_window(0xe8d3f001u) == 0 && dp_cortexm_window(0xe843f100u) == 0);
}

/* For test_cortexm_objdump.py: a line for each word, as sample32 of test_arm_decode.c. */
static void sample32(unsigned random, unsigned aimed)
{
	for (unsigned i = 0; i < random + aimed; i++) {
		unsigned table =
			DP_CORTEXM_TABLE_PROFILE_T32 - 1 +
			random_word() % (DP_CORTEXM_TABLES - DP_CORTEXM_TABLE_PROFILE_T32 + 1);
		bool shared = table < DP_CORTEXM_TABLE_PROFILE_T32;
		struct row r;
		uint32_t word = random_word();
		struct dp_arm_plan plan;

		table = shared ? (unsigned)DP_CORTEXM_TABLE_T32 : table;
		r = row_of(dp_cortexm_table[table],
			   random_word() %
				   (shared ? (unsigned)COUNT(shared_t32) : own[table].rows));
		if (i >= random)
			word = (word & ~r.mask) | r.value;
		word = wide(word);
		plan = decode(word, 4, DP_CORTEXM_V7);
		printf("%08x %u %u\n", word, plan.action, plan.detail);
	}
}

static void sample16(void)
{
	for (uint32_t half = 0; half < 0xe800; half++) {
		struct dp_arm_plan plan = decode(half, 2, DP_CORTEXM_V7);

		printf("%08x %u %u\n", half, plan.action, plan.detail);
	}
}

int main(int argc, char **argv)
{
	if (argc == 3) {
		sample32((unsigned)strtoul(argv[1], NULL, 10),
			 (unsigned)strtoul(argv[2], NULL, 10));
		return check_status();
	}
	if (argc == 2) {
		sample16();
		return check_status();
	}
	random_words();
	v6_has_little();
	all_rows();
	windows();
	return check_status();
}
