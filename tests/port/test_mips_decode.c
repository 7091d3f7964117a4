/* SPDX-License-Identifier: BSD-2-Clause */
/* The MIPS decoder on the host: any word is decided, every row of the table decides something, what
 * takes one trap can neither touch memory nor jump, and a jump is a jump by another rule too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../port/mips/mips_decode.h"
#include "check.h"
#include "dp_errors.h"

enum {
	WORDS = 1000000,
	TRIES = 1000,
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

/* From the opcode map's outline, not from the table: arithmetic on general registers, HI and LO,
 * and the hints. */
static bool is_harmless(uint32_t insn)
{
	unsigned opcode = insn >> 26, function = insn & 63;

	if (opcode == 0) /* no jumps, traps, add and sub with overflow, movf and movt */
		return (function < 0x30 && (function & 0x3e) != 0x08 && (function & 0x3e) != 0x0c &&
			function != 0x20 && function != 0x22 && function != 1) ||
		       function == 0x0f;
	if (opcode == 0x1c)
		return function < 0x06 || (function & 0x3e) == 0x20;
	if (opcode == 0x1f)
		return function == 0 || function == 4 || function == 0x20;
	return (opcode >= 9 && opcode <= 15) || opcode == 0x33;
}

static bool reached[256];

static struct dp_mips_plan decode(uint32_t insn, unsigned release)
{
	struct dp_mips_plan plan = dp_mips_decode(insn, release);

	CHECK(plan.row < dp_mips_row_count);
	CHECK(plan.action <= DP_MIPS_REFUSE);
	if (plan.action == DP_MIPS_REFUSE)
		CHECK(plan.detail >= 1 && plan.detail <= REFUSALS);
	else
		CHECK(plan.detail < DP_MIPS_CLASSES);
	if (plan.action == DP_MIPS_JUMP)
		CHECK(dp_mips_has_delay_slot(insn) && plan.detail >= DP_MIPS_J);
	else if (dp_mips_has_delay_slot(insn))
		CHECK(plan.action == DP_MIPS_REFUSE);
	if (plan.action == DP_MIPS_ONE_TRAP)
		CHECK(is_harmless(insn));
	reached[plan.row] = true;
	return plan;
}

static void all_rows(void)
{
	for (unsigned row = 0; row < dp_mips_row_count; row++) {
		const struct dp_mips_row *r = &dp_mips_rows[row];
		bool by_itself = false;

		CHECK(r->mask != 255); /* else decode.c has no such mask */
		for (unsigned i = 0; i < TRIES && !by_itself; i++) {
			uint32_t word = (random_word() & ~dp_mips_row_mask(r)) | r->value;
			struct dp_mips_plan plan = decode(word, i & 1 ? 2 : r->arch);

			by_itself = plan.row == row && plan.action == r->treat >> 5;
		}
		/* The last one is there for words that the others forget. */
		if (!by_itself && row + 1 < dp_mips_row_count) {
			printf("row %u (0x%08x) never decides\n", row, r->value);
			CHECK(false);
		}
	}
}

/* Release 1 knows less. */
static void releases(void)
{
	CHECK(decode(0x7c000000, 1).action == DP_MIPS_REFUSE); /* ext */
	CHECK(decode(0x7c000000, 2).action == DP_MIPS_ONE_TRAP);
	CHECK(decode(0x41606000, 1).action == DP_MIPS_REFUSE); /* di */
	CHECK(decode(0x41606000, 2).action == DP_MIPS_EMULATE);
	CHECK(decode(0x0c0, 1).action == DP_MIPS_NOP); /* ehb is a nop there */
}

/* Coprocessor 1 is not all branches. */
static void coprocessor_1(void)
{
	CHECK(decode(0x44840000, 2).action == DP_MIPS_TWO_TRAP); /* mtc1 */
	CHECK(decode(0x46020800, 2).action == DP_MIPS_TWO_TRAP); /* add.s */
	CHECK(decode(0x45010004, 2).action == DP_MIPS_JUMP);     /* bc1t */
	CHECK(!dp_mips_has_delay_slot(0x44840000) && !dp_mips_has_delay_slot(0x46020800));
}

/* For test_mips_classifier.py: a line for each of many words, in half of them a row of the table
 * with random bits in its operands, so that the rare ones are there too. */
static int sample(unsigned count, unsigned release)
{
	for (unsigned i = 0; i < count; i++) {
		const struct dp_mips_row *row = &dp_mips_rows[random_word() % dp_mips_row_count];
		uint32_t word = random_word();
		struct dp_mips_plan plan;

		if (i & 1)
			word = (word & ~dp_mips_row_mask(row)) | row->value;
		plan = decode(word, release);
		printf("%08x %u %u\n", word, plan.action, plan.detail);
	}
	return check_status();
}

int main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "sample") == 0)
		return sample((unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]));
	for (unsigned i = 0; i < WORDS; i++)
		decode(random_word(), 1 + (i & 1));
	all_rows();
	releases();
	coprocessor_1();
	CHECK(dp_mips_row_mask(&dp_mips_rows[dp_mips_row_count - 1]) == 0);
	return check_status();
}
