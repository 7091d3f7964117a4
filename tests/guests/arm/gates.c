/* SPDX-License-Identifier: BSD-2-Clause */
/* What was tried, by state and by row of the decode tables. Not common/rows.h: the gate is on the
 * host (coverage.py), where the cases are made from the tables, bit by bit; test_arm_port.py
 * compares with these counts. */
#include "arm_decode.h"
#include "checks.h"
#include "out.h"
#include "special.h"
#include "states.h"

/* Probed runs of the first pass, by variant, at 0 or 2 mod 4, and by flags or ITSTATE. */
enum variant {
	QUIET,
	PROGRAM,
	SECOND, /* and a probe on the next instruction */
	VARIANTS
};
static unsigned ran_with_flags[VARIANTS][2][16], ran_in_it[VARIANTS][2][256];

void note_run(const struct state *in, unsigned mask)
{
	unsigned place = in->pc >> 1 & 1;
	enum variant variant = mask == 1 ? (quiet ? QUIET : PROGRAM) : SECOND;

	if (pass != PASS_PLAIN)
		return;
	ran_with_flags[variant][place][in->cpsr >> 28]++;
	ran_in_it[variant][place][it_of(in->cpsr)]++;
}

static unsigned tried[DP_ARM_TABLES][256];
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) what,
#define DP_GROUP(a, b, c, d, e, f, g, h)
static const char *const a32_names[] = {
#if DP_ARM_WITH_RARE
#include "decode_a32.def"
#else
#include "common_a32.def"
#endif
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) what,
#define DP_GROUP(a, b, c, d, e, f, g, h)
static const char *const t32_names[] = {
#if DP_ARM_WITH_RARE
#include "thumb/decode_t32.def"
#else
#include "thumb/common_t32.def"
#endif
};
#define DP_ROW(a, b, c, d, e, f, g, h, arch, treat, what) what,
#define DP_GROUP(a, b, c, d, e, f, g, h)
static const char *const system_names[] = {
#if DP_ARM_WITH_RARE
#include "system_t32.def"
#else
#include "common_system_t32.def"
#endif
};
#define DP_ROW16(a, b, c, d, arch, treat, what) what,
#define DP_GROUP16(a, b, c, d)
static const char *const t16_names[] = {
#include "thumb/decode_t16.def"
};

void note_case(const struct test_case *c)
{
	struct dp_arm_plan plan = dp_arm_decode(c->insn[0], c->flags & CASE_THUMB, case_bytes(c, 0),
						DP_ARM_ARCHITECTURE);

	if (pass == PASS_PLAIN)
		tried[plan.table][plan.row]++;
}

static void print_runs(void)
{
	static const char *const with[VARIANTS] = {"quiet", "program", "second"};

	for (unsigned v = QUIET; v < VARIANTS; v++)
		for (unsigned place = 0; place < 2; place++) {
			say("ran ");
			say(with[v]);
			number(" at ", 2 * place);
			say(": flags");
			for (unsigned i = 0; i < 16; i++)
				number(" ", ran_with_flags[v][place][i]);
			say(" it");
			for (unsigned i = 0; i < IT_STATES; i++)
				number(" ", ran_in_it[v][place][it_states[i]]);
			say("\n");
		}
}

static void print_rows(void)
{
	static const char *const tables[DP_ARM_TABLES] = {"row a32 ", "row t16 ", "row t32 ",
							  "row sys "};
	static const char *const *const names[DP_ARM_TABLES] = {a32_names, t16_names, t32_names,
								system_names};
	static const unsigned rows[DP_ARM_TABLES] = {
		sizeof(a32_names) / sizeof(a32_names[0]), sizeof(t16_names) / sizeof(t16_names[0]),
		sizeof(t32_names) / sizeof(t32_names[0]),
		sizeof(system_names) / sizeof(system_names[0])};

	for (unsigned t = 0; t < DP_ARM_TABLES; t++)
		for (unsigned row = 0; row < rows[t]; row++)
			if (tried[t][row] != 0) {
				number(tables[t], row);
				number(": ", tried[t][row]);
				say(" ");
				say(names[t][row]);
				say("\n");
			}
}

void cpu_figures(void)
{
	print_runs();
	print_rows();
	number("vectors a32 ", vectors_run[0]);
	number(" thumb ", vectors_run[1]);
	number(" left out ", left_out);
	say("\n");
}
