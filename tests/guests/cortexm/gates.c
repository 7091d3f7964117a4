/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of the decode tables that no case tries. test_cortexm_port.py knows why. */
#include "checks.h"
#include "oracle.h"
#include "out.h"

#ifndef CASE_STRIDE
#define CASE_STRIDE 1
#endif

static uint8_t tried[DP_CORTEXM_TABLES][256];

#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) what,
#define DP_GROUP(a, b, c, d, e, f, g, h)
#define DP_ROW16(a, b, c, d, arch, treat, what) what,
#define DP_GROUP16(a, b, c, d)
static const char *const t16[] = {
#include "thumb/decode_t16.def"
};
static const char *const t32[] = {
#include "thumb/decode_t32.def"
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) what,
#define DP_GROUP(a, b, c, d, e, f, g, h)
#define DP_ROW16(a, b, c, d, arch, treat, what) what,
static const char *const profile_t16[] = {
#include "profile_t16.def"
};
static const char *const profile_t32[] = {
#include "profile_t32.def"
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) what,
#define DP_GROUP(a, b, c, d, e, f, g, h)
static const char *const system_t32[] = {
#include "system_t32.def"
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) what,
static const char *const coprocessor_t32[] = {
#include "coprocessor_t32.def"
};

void note_case(const struct test_case *c)
{
	struct dp_arm_plan plan =
		dp_cortexm_decode(c->insn[0], case_bytes(c, 0), DP_CORTEXM_ARCHITECTURE);

	tried[plan.table][plan.row] = 1;
}

void note_refusal(const struct test_case *c, enum dp_refusal why)
{
	(void)why;
	note_case(c);
}

void cpu_figures(void)
{
	static const struct {
		const char *const *names;
		unsigned rows;
	} tables[DP_CORTEXM_TABLES] = {
		{t16, sizeof(t16) / sizeof(t16[0])},
		{t32, sizeof(t32) / sizeof(t32[0])},
		{profile_t16, sizeof(profile_t16) / sizeof(profile_t16[0])},
		{profile_t32, sizeof(profile_t32) / sizeof(profile_t32[0])},
		{system_t32, sizeof(system_t32) / sizeof(system_t32[0])},
		{coprocessor_t32, sizeof(coprocessor_t32) / sizeof(coprocessor_t32[0])},
	};

	/* CASE_STRIDE leaves the other cases to another run. */
	for (unsigned i = 0; i < case_count && CASE_STRIDE > 1; i++)
		note_case(&cases[i]);
	for (unsigned t = 0; t < DP_CORTEXM_TABLES; t++)
		for (unsigned row = 0; row < tables[t].rows; row++)
			if (!tried[t][row]) {
				number("untried ", t);
				say(" ");
				say(tables[t].names[row]);
				say("\n");
			}
}
