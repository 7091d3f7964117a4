/* SPDX-License-Identifier: BSD-2-Clause */
/* What there must be PowerPC cases of: rows of the decode table, which operands they have, and all
 * conditions of branches. */
#include "checks.h"
#include "oracle.h"
#include "out.h"
#include "rows.h"
#include "special.h"

enum operand_class {
	RT_ZERO = 1,
	RT_OTHER = 2,
	RA_ZERO = 4,
	RA_OTHER = 8,
	RB_ZERO = 16,
	RB_OTHER = 32,
	RT_IS_RA = 64, /* and not zero */
	RT_IS_RB = 128,
	RA_IS_RB = 256,
	LAST_SET = 512, /* bit 0: Rc, LK */
	LAST_CLEAR = 1024,
	OE_SET = 2048,
	OE_CLEAR = 4096,
	AA_SET = 8192,
	AA_CLEAR = 16384,
};
enum {
	NAMES_RT = 1,
	NAMES_RA = 2,
	NAMES_RB = 4,
	NAMES_LAST = 8,
	NAMES_OE = 16,
	NAMES_AA = 32
};

/* Opcode 31: what else than three registers the fields that a mask leaves open may be. */
static unsigned operands_31(unsigned extended)
{
	static const uint16_t two[] = {4,   22,  134, 166, 230, 246, 278, 390, 486,
				       535, 567, 599, 631, 663, 695, 727, 759, 983};
	static const uint16_t one[] = {323, 334, 339, 371, 451, 462, 467};

	for (unsigned i = 0; i < sizeof(two) / sizeof(two[0]); i++)
		if (extended == two[i]) /* a level, a condition, a floating point register */
			return NAMES_RA | NAMES_RB;
	for (unsigned i = 0; i < sizeof(one) / sizeof(one[0]); i++)
		if (extended == one[i]) /* the number of a special register */
			return NAMES_RT;
	switch (extended) {
	case 597: /* lswi, stswi: a count */
	case 725:
		return NAMES_RT | NAMES_RA;
	case 824: /* srawi: an amount */
		return NAMES_RT | NAMES_RA | NAMES_LAST;
	case 131: /* wrtee, mtmsr: what is in r0 is no MSR to run with */
	case 146:
	case 854: /* mbar */
	case 914: /* tlbsx, tlbre: differ from core to core */
	case 946:
		return 0;
	default:
		return NAMES_RT | NAMES_RA | NAMES_RB | NAMES_LAST | NAMES_OE;
	}
}

/* Which fields name general registers, and which bits choose a form: by the opcode map's outline.
 */
static unsigned operands(uint32_t insn)
{
	unsigned opcode = insn >> 26;

	if (opcode == 31)
		return operands_31(insn >> 1 & 1023);
	if (opcode == 16 || opcode == 18)
		return NAMES_LAST | NAMES_AA;
	if (opcode == 19 || opcode == 59 || opcode == 63)
		return NAMES_LAST;
	if (opcode == 20 || opcode == 21)
		return NAMES_RT | NAMES_RA | NAMES_LAST;
	if (opcode == 23)
		return NAMES_RT | NAMES_RA | NAMES_RB | NAMES_LAST;
	if (opcode == 3 || opcode == 10 || opcode == 11 || (opcode >= 48 && opcode <= 55))
		return NAMES_RA;
	return NAMES_RT | NAMES_RA;
}

static unsigned operand_classes(uint32_t insn)
{
	unsigned rt = insn >> 21 & 31, ra = insn >> 16 & 31, rb = insn >> 11 & 31, found = 0;

	found |= rt ? RT_OTHER : RT_ZERO;
	found |= ra ? RA_OTHER : RA_ZERO;
	found |= rb ? RB_OTHER : RB_ZERO;
	found |= rt && rt == ra ? RT_IS_RA : 0u;
	found |= rt && rt == rb ? RT_IS_RB : 0u;
	found |= ra && ra == rb ? RA_IS_RB : 0u;
	found |= insn & 1 ? LAST_SET : LAST_CLEAR;
	found |= insn >> 10 & 1 ? OE_SET : OE_CLEAR;
	found |= insn >> 1 & 1 ? AA_SET : AA_CLEAR;
	return found;
}

/* All classes that the row's fixed bits and checks permit. */
static unsigned classes_of(const struct dp_ppc_row *r)
{
	uint32_t open = ~dp_ppc_row_mask(r);
	unsigned named = operands(r->value), wanted = 0;
	bool rt = (named & NAMES_RT) && (open >> 21 & 31) == 31,
	     ra = (named & NAMES_RA) && (open >> 16 & 31) == 31,
	     rb = (named & NAMES_RB) && (open >> 11 & 31) == 31;
	bool no_base = r->check == DP_PPC_UPDATE || r->check == DP_PPC_UPDATE_BASE;
	bool apart = r->check == DP_PPC_UPDATE || r->check == DP_PPC_MULTIPLE ||
		     r->check == DP_PPC_STRING || r->check == DP_PPC_STRING_X;

	wanted |= rt ? RT_OTHER : 0u;
	/* With rt 0 lmw would load its base. */
	wanted |= rt && r->check != DP_PPC_MULTIPLE ? RT_ZERO : 0u;
	wanted |= ra ? RA_OTHER : 0u;
	wanted |= ra && !no_base ? RA_ZERO : 0u;
	wanted |= rb ? RB_ZERO | RB_OTHER : 0u;
	wanted |= rt && ra && !apart ? RT_IS_RA : 0u;
	wanted |= rt && rb && r->check != DP_PPC_STRING_X ? RT_IS_RB : 0u;
	wanted |= ra && rb ? RA_IS_RB : 0u;
	wanted |= (named & NAMES_LAST) && (open & 1) ? LAST_SET | LAST_CLEAR : 0u;
	wanted |= (named & NAMES_OE) && (open >> 10 & 1) ? OE_SET | OE_CLEAR : 0u;
	wanted |= (named & NAMES_AA) ? AA_SET | AA_CLEAR : 0u;
	return wanted;
}

void row_wants(unsigned row, struct row_wants *wants)
{
	const struct dp_ppc_row *r = &dp_ppc_rows[row];
	bool refuses = r->treat >> 5 == DP_PPC_REFUSE;

	wants->value = r->value;
	wants->classes = classes_of(r);
	wants->executed = !refuses;
	wants->refused = refuses;
	wants->checked = !refuses && r->check != DP_PPC_ANY;
}

void note_refusal(const struct test_case *c, enum dp_refusal why)
{
	unsigned row = dp_ppc_decode(c->insn[0], DP_PPC_SPRG).row;

	(void)why;
	note_refused(row);
	note_checked(row);
}

static uint32_t conditions_seen[3]; /* BO, of bc, bclr and bcctr */

/* Every BO of bc and bclr, every one of bcctr that does not count. */
static void note_condition(uint32_t insn)
{
	uint32_t form = insn & 0xfc0007fe, bit = 1u << (insn >> 21 & 31);

	if (insn >> 26 == 16)
		conditions_seen[0] |= bit;
	else if (form == 0x4c000020)
		conditions_seen[1] |= bit;
	else if (form == 0x4c000420)
		conditions_seen[2] |= bit;
}

static unsigned condition_gate(void)
{
	if (conditions_seen[0] == 0xffffffffu && conditions_seen[1] == 0xffffffffu &&
	    conditions_seen[2] == 0xf0f0f0f0u)
		return 0;
	say("a BO was never tried\n");
	return 1;
}

void cpu_figures(void)
{
	number(" missing ", row_gate(dp_ppc_row_count) + condition_gate());
	say("\n");
}

void note_case(const struct test_case *c)
{
	uint32_t insn = c->insn[0];

	note_executed(dp_ppc_decode(insn, DP_PPC_SPRG).row, operand_classes(insn));
	note_condition(insn);
}
