/* SPDX-License-Identifier: BSD-2-Clause */
/* What there must be MIPS cases of: rows of the decode table, and which operands they have. */
#include "checks.h"
#include "oracle.h"
#include "out.h"
#include "rows.h"

enum operand_class {
	RS_ZERO = 1,
	RS_OTHER = 2,
	RT_ZERO = 4,
	RT_OTHER = 8,
	RD_ZERO = 16,
	RD_OTHER = 32,
	RS_IS_RT = 64, /* and not zero */
	RS_IS_RD = 128,
	RT_IS_RD = 256
};

/* Which of rs, rt and rd (bits 0, 1, 2) name general registers, by the opcode map's outline. */
static unsigned operands(uint32_t insn)
{
	unsigned opcode = insn >> 26, function = insn & 63;

	if (opcode == 0 || opcode == 0x1c)
		return function >= 0x30 && opcode == 0 ? 3 : 7; /* traps: a code in place of rd */
	if (opcode == 0x1f)
		return function <= 4 ? 3 : function == 0x3b ? 2 : 6;
	if (opcode == 1 || opcode == 6 || opcode == 7 || opcode == 0x16 || opcode == 0x17)
		return 1;
	if (opcode == 0x0f)
		return 2;
	if (opcode == 2 || opcode == 3 || opcode == 0x2f || opcode == 0x33 ||
	    (opcode >= 0x10 && opcode <= 0x13) || (opcode & 0x33) == 0x31 ||
	    (opcode & 0x37) == 0x35)
		return 0;
	return 3;
}

static unsigned operand_classes(uint32_t insn)
{
	unsigned rs = insn >> 21 & 31, rt = insn >> 16 & 31, rd = insn >> 11 & 31, found = 0;

	found |= rs ? RS_OTHER : RS_ZERO;
	found |= rt ? RT_OTHER : RT_ZERO;
	found |= rd ? RD_OTHER : RD_ZERO;
	found |= rs && rs == rt ? RS_IS_RT : 0u;
	found |= rs && rs == rd ? RS_IS_RD : 0u;
	found |= rt && rt == rd ? RT_IS_RD : 0u;
	return found;
}

/* All classes that the row's fixed bits and checks permit. */
static unsigned classes_of(const struct dp_mips_row *r)
{
	uint32_t mask = dp_mips_row_mask(r);
	unsigned named = operands(r->value), wanted = 0;
	bool rs = (named & 1) && (mask >> 21 & 31) == 0, rt = (named & 2) && (mask >> 16 & 31) == 0,
	     rd = (named & 4) && (mask >> 11 & 31) == 0;

	wanted |= rs ? RS_ZERO | RS_OTHER : 0u;
	wanted |= rt ? RT_ZERO | RT_OTHER : 0u;
	wanted |= rd ? RD_ZERO | RD_OTHER : 0u;
	wanted |= rs && rt ? RS_IS_RT : 0u;
	wanted |= rs && rd && r->check != DP_MIPS_RS_NOT_RD ? RS_IS_RD : 0u;
	wanted |= rt && rd ? RT_IS_RD : 0u;
	return wanted;
}

/* Floating point, coprocessors 1 to 3, their loads and stores. */
static bool wants_fpu(uint32_t insn)
{
	unsigned opcode = insn >> 26, kind = opcode & 3;

	return is_fpu_insn(insn) || (opcode >= 0x11 && opcode <= 0x13) ||
	       (opcode >= 0x30 && (kind == 1 || kind == 2));
}

void row_wants(unsigned row, struct row_wants *wants)
{
	const struct dp_mips_row *r = &dp_mips_rows[row];
	bool here = dp_mips_decode(r->value, dp_mips->release).row == row;
	bool refuses = r->treat >> 5 == DP_MIPS_REFUSE;

	wants->value = r->value;
	wants->classes = classes_of(r);
	wants->executed =
		!refuses && r->arch <= dp_mips->release && (has_fpu || !wants_fpu(r->value));
	wants->refused = here && refuses;
	wants->checked = here && r->check != DP_MIPS_ANY;
}

void note_insn(uint32_t insn)
{
	note_executed(dp_mips_decode(insn, dp_mips->release).row, operand_classes(insn));
}

void cpu_figures(void)
{
	number(" missing ", row_gate(dp_mips_row_count));
	say("\n");
}

void note_case(const struct test_case *c)
{
	note_insn(c->insn[0]);
	note_insn(c->insn[1]);
}

void note_refusal(const struct test_case *c, enum dp_refusal why)
{
	unsigned row = dp_mips_decode(c->insn[0], dp_mips->release).row;

	if (why == DP_REFUSE_UNPREDICTABLE)
		note_checked(row);
	else if (!(c->flags & CASE_BAD_DELAY))
		note_refused(row);
}
