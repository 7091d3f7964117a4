/* SPDX-License-Identifier: BSD-2-Clause */
/* The PowerPC decoder on the host: any word is decided, every row of the table decides something.
 * With a file of big-endian words and the port's SPRG: what is decided, a line each, for
 * test_ppc_classifier.py. */
#include <stdio.h>
#include <stdlib.h>

#include "../../port/ppc/ppc_decode.h"
#include "check.h"
#include "dp_errors.h"

enum {
	WORDS = 1000000,
	TRIES = 4000,
	SPRG3 = 275,
	SPRG7 = 279,
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

static struct dp_ppc_plan decode(uint32_t insn, unsigned sprg)
{
	struct dp_ppc_plan plan = dp_ppc_decode(insn, sprg);

	CHECK(plan.row < dp_ppc_row_count);
	CHECK(plan.action <= DP_PPC_REFUSE);
	if (plan.action == DP_PPC_REFUSE)
		CHECK(plan.detail >= 1 && plan.detail <= REFUSALS);
	else
		CHECK(plan.detail < DP_PPC_CLASSES);
	if (dp_ppc_window(insn) != 0)
		CHECK(plan.action == DP_PPC_REFUSE);
	return plan;
}

static void all_rows(void)
{
	for (unsigned row = 0; row < dp_ppc_row_count; row++) {
		const struct dp_ppc_row *r = &dp_ppc_rows[row];
		bool by_itself = false;

		CHECK(r->mask != 255); /* else decode.c has no such mask */
		for (unsigned i = 0; i < TRIES && !by_itself; i++) {
			uint32_t word = (random_word() & ~dp_ppc_row_mask(r)) | r->value;
			struct dp_ppc_plan plan = decode(word, SPRG7);

			by_itself = plan.row == row && plan.action == r->treat >> 5;
		}
		/* The last one is there for words that the others forget. */
		if (!by_itself && row + 1 < dp_ppc_row_count) {
			printf("row %u (0x%08x) never decides\n", row, r->value);
			CHECK(false);
		}
	}
}

/* The port's own SPRG, under both its numbers; the others are the firmware's. */
static void own_sprg(void)
{
	CHECK(decode(0x7c5742a6, SPRG7).action == DP_PPC_REFUSE);   /* mfspr r2, 279 */
	CHECK(decode(0x7c4742a6, SPRG7).action == DP_PPC_REFUSE);   /* mfspr r2, 263 */
	CHECK(decode(0x7c5743a6, SPRG7).action == DP_PPC_REFUSE);   /* mtspr 279, r2 */
	CHECK(decode(0x7c5343a6, SPRG7).action == DP_PPC_TWO_TRAP); /* mtspr 275, r2 */
	CHECK(decode(0x7c5343a6, SPRG3).action == DP_PPC_REFUSE);
	CHECK(decode(0x7c4342a6, SPRG3).action == DP_PPC_TWO_TRAP); /* mfspr r2, 259 */
}

static const char *const actions[] = {"one", "memory", "two", "nop", "emulate", "refuse"};
#undef DP_REFUSAL
#define DP_REFUSAL(number, name, sentence) [number] = #name,
static const char *const refusals[] = {
#include "refusals.def"
};

static int classify(const char *path, unsigned sprg)
{
	FILE *file = fopen(path, "rb");
	uint8_t b[4];

	if (file == NULL)
		return 1;
	while (fread(b, 1, 4, file) == 4) {
		uint32_t word =
			(uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
		struct dp_ppc_plan plan = decode(word, sprg);

		puts(plan.action == DP_PPC_REFUSE ? refusals[plan.detail] : actions[plan.action]);
	}
	fclose(file);
	return check_status();
}

int main(int argc, char **argv)
{
	if (argc == 3)
		return classify(argv[1], (unsigned)atoi(argv[2]));
	for (unsigned i = 0; i < WORDS; i++)
		decode(random_word(), i & 1 ? SPRG7 : SPRG3);
	all_rows();
	own_sprg();
	CHECK(dp_ppc_row_mask(&dp_ppc_rows[dp_ppc_row_count - 1]) == 0);
	return check_status();
}
