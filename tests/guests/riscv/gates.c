/* SPDX-License-Identifier: BSD-2-Clause */
/* What there must be RISC-V cases of: rows of the decode table. */
#include "checks.h"
#include "oracle.h"
#include "out.h"
#include "rows.h"

static bool has_row(const struct dp_riscv_row *r)
{
	switch (r->check) {
	case DP_RISCV_32:
		return DP_WORD_BITS == 32;
	case DP_RISCV_64:
	case DP_RISCV_64_WORD:
	case DP_RISCV_64_SUB:
		return DP_WORD_BITS == 64;
	default:
		return true;
	}
}

/* The row that refuses what a CPU without D may have in c.fsdsp's place: this one has D. */
static bool is_reached(const struct dp_riscv_row *r)
{
	return has_row(r) && !(r->value == 0xa002 && r->check == DP_RISCV_ANY);
}

void row_wants(unsigned row, struct row_wants *wants)
{
	const struct dp_riscv_row *r = &dp_riscv_rows[row];
	bool refuses = r->treat >> 5 == DP_RISCV_REFUSE;

	wants->value = r->value;
	wants->classes = 0;
	wants->executed = !refuses && has_row(r);
	wants->refused = refuses && is_reached(r) && row + 1u < dp_riscv_row_count;
	wants->checked = r->check == DP_RISCV_CSR;
}

static unsigned row_of(const struct test_case *c)
{
	return dp_riscv_decode(c->insn[0], dp_riscv->cpu).row;
}

void note_refusal(const struct test_case *c, enum dp_refusal why)
{
	(void)why;
	note_refused(row_of(c));
	note_checked(row_of(c));
}

void cpu_figures(void)
{
	number(" missing ", row_gate(dp_riscv_row_count));
	say("\n");
}

void note_case(const struct test_case *c)
{
	note_executed(row_of(c), 0);
}
