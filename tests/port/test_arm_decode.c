/* SPDX-License-Identifier: BSD-2-Clause */
/* The ARM decoder on the host: any word is decided, every row of every table decides something,
 * and what is stepped by a copy with one trap can neither touch memory nor write the PC. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../port/arm/arm_decode.h"
#include "arm_rows.h"
#include "check.h"
#include "dp_errors.h"

enum {
	WORDS = 1000000,
	TRIES = 200000,
	REFUSALS = DP_REFUSE_UNSUPPORTED
};

static uint32_t random_word(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16);
}

static const unsigned architectures[] = {5, 6, 7};

#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) what,
#define DP_GROUP(a, b, c, d, e, f, g, h)
#define DP_ROW16(a, b, c, d, arch, treat, what) what,
#define DP_GROUP16(a, b, c, d)
static const char *const a32_names[] = {
#include "../../port/arm/decode_a32.def"
};
static const char *const t16_names[] = {
#include "../../port/thumb/decode_t16.def"
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) what,
#define DP_GROUP(a, b, c, d, e, f, g, h)
static const char *const t32_names[] = {
#include "../../port/thumb/decode_t32.def"
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) what,
#define DP_GROUP(a, b, c, d, e, f, g, h)
static const char *const system_names[] = {
#include "../../port/arm/system_t32.def"
};
#define COUNT(names) (sizeof(names) / sizeof((names)[0]))
_Static_assert(COUNT(a32_names) <= 256 && COUNT(t16_names) <= 256 && COUNT(t32_names) <= 256,
	       "a row's number is one byte of struct dp_arm_plan");
static const unsigned rows[DP_ARM_TABLES] = {COUNT(a32_names), COUNT(t16_names), COUNT(t32_names),
					     COUNT(system_names)};

/* What the row says by itself. */
static unsigned action_of(const struct row *r)
{
	if (r->treat >= DP_ARM_FIRST_REFUSAL)
		return DP_ARM_REFUSE;
	return r->treat >= DP_ARM_FIRST_ACTION ? r->treat - DP_ARM_FIRST_ACTION : DP_ARM_EMULATE;
}
static unsigned char reached[DP_ARM_TABLES][256];
static unsigned char classes[DP_ARM_CLASSES], refusals[REFUSALS + 1];

static struct dp_arm_plan decode(uint32_t insn, bool thumb, unsigned bytes, unsigned architecture)
{
	struct dp_arm_plan plan = dp_arm_decode(insn, thumb, bytes, architecture);

	CHECK(plan.table < DP_ARM_TABLES);
	CHECK(plan.row < rows[plan.table]);
	CHECK(plan.action <= DP_ARM_REFUSE);
	if (plan.action == DP_ARM_EMULATE) {
		CHECK(plan.detail < DP_ARM_CLASSES);
		classes[plan.detail] = 1;
	} else if (plan.action == DP_ARM_REFUSE) {
		CHECK(plan.detail >= 1 && plan.detail <= REFUSALS);
		refusals[plan.detail] = 1;
	} else {
		CHECK(plan.detail == 0);
	}
	reached[plan.table][plan.row] = 1;
	return plan;
}

/* What one trap may never be: worked out from the encoding's outline, not from the tables. */
static bool a32_is_harmless(uint32_t insn)
{
	unsigned op = insn >> 25 & 7, rd = insn >> 12 & 15;
	bool compare = (insn & 0x01900000) == 0x01100000;

	if (insn >> 28 == 15)
		return insn == 0xf57ff01f || (insn & 0xffffffc0) == 0xf57ff040;
	if (op == 0 && (insn & 0x90) == 0x90)
		return (insn & 0x0f000060) == 0 && (insn >> 16 & 15) != 15; /* multiplies */
	if (op == 0 || op == 1)
		return (rd != 15 || insn << 4 >> 4 == 0x0320f004) && !(compare && rd == 15);
	return op == 3 && (insn & 0x10) && rd != 15;
}

static bool t16_is_harmless(uint32_t insn)
{
	unsigned top = insn >> 12;

	if ((insn & 0xfc00) == 0x4400)
		return (insn & 0x0300) == 0x0100 || (insn & 0x87) != 0x87;
	return top < 4 || (insn & 0xfc00) == 0x4000 || (insn & 0xf800) == 0xa800 ||
	       (top == 0xb && (insn & 0x0600) != 0x0400 && (insn & 0x0500) != 0x0100) ||
	       insn == 0xbf40;
}

static bool t32_is_harmless(uint32_t insn)
{
	unsigned top = insn >> 25;

	return top == 0x75 ||                              /* ea, eb */
	       top == 0x7d ||                              /* fa, fb */
	       (insn >> 27 == 0x1e && !(insn & 0x8000)) || /* immediate */
	       (insn & 0xffffd700) == 0xf3af8000 ||        /* hints */
	       (insn & 0xffff0000) == 0xf3bf0000;          /* barriers, clrex */
}

static void random_words(void)
{
	for (unsigned i = 0; i < WORDS; i++) {
		uint32_t word = random_word();
		unsigned architecture = architectures[i % 3];
		struct dp_arm_plan plan = decode(word, false, 4, architecture);

		if (plan.action == DP_ARM_ONE_TRAP)
			CHECK(a32_is_harmless(word));
		word |= 0xe8000000u;
		plan = decode(word, true, 4, architecture);
		if (plan.action == DP_ARM_ONE_TRAP)
			CHECK(t32_is_harmless(word));
	}
	for (uint32_t half = 0; half < 0xe800; half++) {
		for (unsigned a = 0; a < 3; a++) {
			struct dp_arm_plan plan = decode(half, true, 2, architectures[a]);

			if (plan.action == DP_ARM_ONE_TRAP)
				CHECK(t16_is_harmless(half));
		}
	}
}

/* A row that no word reaches is a row in the wrong place. The last one is there for words that the
 * others forget: it need not be reached. */
static void reach(enum dp_arm_table table, unsigned row)
{
	const struct row r = row_of(dp_arm_table[table], row);
	bool thumb = table != DP_ARM_TABLE_A32;

	for (unsigned i = 0; i < TRIES; i++) {
		uint32_t word = (random_word() & ~r.mask) | r.value;
		struct dp_arm_plan plan;

		if (thumb && word < 0xe8000000u)
			word |= 0xe8000000u;
		plan = decode(word, thumb, 4, architectures[i % 3]);
		if (plan.table == table && plan.row == row && plan.action == action_of(&r))
			return; /* by the row's own treatment, not refused for a register */
	}
	printf("table %d row %u (0x%08x) never decides\n", table, row, r.value);
	CHECK(false);
}

static void all_rows(void)
{
	for (unsigned row = 0; row + 1 < rows[DP_ARM_TABLE_A32]; row++)
		reach(DP_ARM_TABLE_A32, row);
	for (unsigned row = 0; row + 1 < rows[DP_ARM_TABLE_T32]; row++)
		reach(DP_ARM_TABLE_T32, row);
	for (unsigned row = 0; row + 1 < rows[DP_ARM_TABLE_SYSTEM]; row++)
		reach(DP_ARM_TABLE_SYSTEM, row);
	for (unsigned row = 0; row + 1 < rows[DP_ARM_TABLE_T16]; row++)
		if (!reached[DP_ARM_TABLE_T16][row]) {
			printf("16-bit row %u is never reached\n", row);
			CHECK(false);
		}
	for (unsigned i = 0; i < DP_ARM_CLASSES; i++)
		if (!classes[i]) {
			printf("class %u is never chosen\n", i);
			CHECK(false);
		}
}

/* Refusals that no ARM instruction asks for: nothing is left for "not yet" and "a form this port
 * does not step". */
static void all_refusals(void)
{
	for (unsigned i = 1; i <= REFUSALS; i++)
		if (i != 13 && i != 14 && /* not given */
		    i != DP_REFUSE_UNSUPPORTED && i != DP_REFUSE_PC_RELATIVE)
			CHECK(refusals[i]);
}

static void last_rows_reject(void)
{
	for (unsigned table = 0; table < DP_ARM_TABLES; table++) {
		struct row last = row_of(dp_arm_table[table], rows[table] - 1);

		CHECK(last.mask == 0 && action_of(&last) == DP_ARM_REFUSE);
	}
}

/* Random operands for a row, anywhere in the table. */
static uint32_t of_some_row(enum dp_arm_table table)
{
	unsigned row = random_word() % rows[table];
	const struct row r = row_of(dp_arm_table[table], row);

	return (random_word() & ~r.mask) | r.value;
}

/* For test_arm_objdump.py: a line for each word. After `random` ones of any kind as many as
 * `aimed`, each with random operands of a row, so that the rare ones are there too. */
static int sample32(enum dp_arm_table table, unsigned architecture, unsigned random, unsigned aimed)
{
	bool thumb = table == DP_ARM_TABLE_T32;

	for (unsigned i = 0; i < random + aimed; i++) {
		uint32_t word = i < random ? random_word() : of_some_row(table);
		struct dp_arm_plan plan;

		while (thumb && dp_thumb_bytes(word >> 16) != 4)
			word = i < random ? random_word() : word | 0xe8000000u;
		plan = decode(word, thumb, 4, architecture);
		printf("%08x %u %u\n", word, plan.action, plan.detail);
	}
	return check_status();
}

static int sample16(unsigned architecture)
{
	for (uint32_t half = 0; dp_thumb_bytes(half) == 2; half++) {
		struct dp_arm_plan plan = decode(half, true, 2, architecture);

		printf("%08x %u %u\n", half, plan.action, plan.detail);
	}
	return check_status();
}

static unsigned number(const char *text)
{
	return (unsigned)strtoul(text, NULL, 10);
}

int main(int argc, char **argv)
{
	if (argc == 5 && strcmp(argv[1], "t16") != 0)
		return sample32(strcmp(argv[1], "a32") == 0 ? DP_ARM_TABLE_A32 : DP_ARM_TABLE_T32,
				number(argv[2]), number(argv[3]), number(argv[4]));
	if (argc == 5)
		return sample16(number(argv[2]));
	random_words();
	all_rows();
	all_refusals();
	last_rows_reject();
	return check_status();
}
