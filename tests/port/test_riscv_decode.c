/* SPDX-License-Identifier: BSD-2-Clause */
/* The RISC-V decoder on the host: any word is decided, every row of the tables decides something.
 * With a file of words and the CPU's bits (enum dp_riscv_cpu): what is decided, a line each, for
 * test_riscv_classifier.py. */
#include <stdio.h>
#include <stdlib.h>

#include "../../port/riscv/riscv_decode.h"
#include "check.h"
#include "dp_errors.h"

enum {
	WORDS = 1000000,
	TRIES = 4000,
	BOTH = DP_RISCV_IS_64 | DP_RISCV_HAS_D,
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

static struct dp_riscv_plan decode(uint32_t insn, unsigned cpu)
{
	struct dp_riscv_plan plan = dp_riscv_decode(insn, cpu);

	CHECK(plan.row < dp_riscv_row_count);
	CHECK(plan.action <= DP_RISCV_REFUSE && plan.action != DP_RISCV_OUT);
	if (plan.action == DP_RISCV_REFUSE)
		CHECK(plan.detail >= 1 && plan.detail <= REFUSALS);
	else
		CHECK(plan.detail < DP_RISCV_CLASSES);
	if (dp_riscv_window(insn) != 0 && (cpu & DP_RISCV_IS_64))
		CHECK(plan.action == DP_RISCV_REFUSE);
	return plan;
}

/* Does the row decide a word of its own, on one of the CPUs? */
static bool decides(unsigned row)
{
	const struct dp_riscv_row *r = &dp_riscv_rows[row];

	for (unsigned i = 0; i < TRIES; i++) {
		uint32_t word = (random_word() & ~r->mask) | r->value;
		struct dp_riscv_plan plan = decode(word, i & BOTH);

		if (plan.row == row && (plan.action == r->treat >> 5 || r->check == DP_RISCV_CSR))
			return true;
	}
	return false;
}

static void all_rows(void)
{
	for (unsigned row = 0; row < dp_riscv_row_count; row++) {
		/* The last one is there for words that the others forget. */
		if (!decides(row) && row + 1 < dp_riscv_row_count) {
			printf("row %u (0x%08x) never decides\n", row, dp_riscv_rows[row].value);
			CHECK(false);
		}
	}
}

static unsigned action_of(uint32_t insn, unsigned cpu)
{
	return decode(insn, cpu).action;
}

/* Registers of the machine, by what is done to them. */
static void registers(void)
{
	CHECK(action_of(0x30002573, 0) == DP_RISCV_EMULATE); /* csrr a0, mstatus */
	CHECK(action_of(0x30046073, 0) == DP_RISCV_EMULATE); /* csrsi mstatus, 8 */
	CHECK(action_of(0x30502573, 0) == DP_RISCV_EMULATE); /* csrr a0, mtvec */
	CHECK(action_of(0x30551073, 0) == DP_RISCV_REFUSE);  /* csrw mtvec, a0 */
	CHECK(action_of(0x34102573, 0) == DP_RISCV_REFUSE);  /* csrr a0, mepc */
	CHECK(action_of(0xb0002573, 0) == DP_RISCV_MEMORY);  /* csrr a0, mcycle */
	CHECK(action_of(0x7a002573, 0) == DP_RISCV_MEMORY);  /* csrr a0, tselect */
	CHECK(action_of(0x7a051073, 0) == DP_RISCV_REFUSE);  /* csrw tselect, a0 */
	CHECK(action_of(0x30127073, 0) == DP_RISCV_REFUSE);  /* csrci misa, 4 */
	CHECK(action_of(0x80002573, 0) == DP_RISCV_REFUSE);  /* csrr a0, 0x800 */
	CHECK(action_of(0x80051073, 0) == DP_RISCV_REFUSE);  /* csrw 0x800, a0 */
}

/* Encodings that are different instructions on CPUs of 32 and 64 bits, or with another extension.
 */
static void widths(void)
{
	CHECK(action_of(0x2501, 0) == DP_RISCV_EMULATE);               /* c.jal */
	CHECK(action_of(0x2501, DP_RISCV_IS_64) == DP_RISCV_ONE_TRAP); /* c.addiw */
	CHECK(action_of(0x00053503, 0) == DP_RISCV_REFUSE);            /* ld a0, 0(a0) */
	CHECK(action_of(0x00053503, DP_RISCV_IS_64) == DP_RISCV_MEMORY);
	CHECK(action_of(0xa42e, DP_RISCV_HAS_D) == DP_RISCV_MEMORY); /* c.fsdsp */
	CHECK(action_of(0xa42e, 0) == DP_RISCV_REFUSE);
}

static void distances(void)
{
	CHECK(dp_riscv_distance(0x0000006f | 1u << 31, DP_RISCV_JAL) == -0x100000);
	CHECK(dp_riscv_distance(0x7fffff6f, DP_RISCV_JAL) == 0xffffe);
	CHECK(dp_riscv_distance(0x80000063, DP_RISCV_BRANCH) == -0x1000);
	CHECK(dp_riscv_distance(0x7e000fe3, DP_RISCV_BRANCH) == 0xffe);
	CHECK(dp_riscv_distance(0xbffd, DP_RISCV_C_J) == -2);
	CHECK(dp_riscv_distance(0xaffd, DP_RISCV_C_J) == 0x7fe);
	CHECK(dp_riscv_distance(0xdc7d, DP_RISCV_C_BRANCH) == -2);
	CHECK(dp_riscv_distance(0xcc7d, DP_RISCV_C_BRANCH) == 0xfe);
}

static const char *const actions[] = {"one", "memory", "two", "nop", "emulate", "out", "refuse"};
#undef DP_REFUSAL
#define DP_REFUSAL(number, name, sentence) [number] = #name,
static const char *const refusals[] = {
#include "refusals.def"
};

static int decide_file(const char *path, unsigned cpu)
{
	FILE *file = fopen(path, "rb");
	uint8_t b[4];

	if (file == NULL)
		return 1;
	while (fread(b, 1, sizeof(b), file) == sizeof(b)) {
		struct dp_riscv_plan plan = decode(
			b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24,
			cpu);

		printf("%s\n", plan.action == DP_RISCV_REFUSE ? refusals[plan.detail]
							      : actions[plan.action]);
	}
	fclose(file);
	return check_status();
}

int main(int argc, char **argv)
{
	if (argc == 3)
		return decide_file(argv[1], (unsigned)atoi(argv[2]));
	for (unsigned i = 0; i < WORDS; i++)
		decode(random_word(), i & BOTH);
	all_rows();
	registers();
	widths();
	distances();
	return check_status();
}
