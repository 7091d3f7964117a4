/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder finds the step of a displaced PowerPC instruction in a table of mask and value. The
 * first match wins, the last row rejects. */
#include "ppc_decode.h"

#include "dp_errors.h"

/* The masks that the rows need: a row keeps the number of its mask. */
#define DP_MASKS(MASK, of)                                                                         \
	MASK(0x00000000, of)                                                                       \
	MASK(0xffffffff, of)                                                                       \
	MASK(0xfc000000, of)                                                                       \
	MASK(0xfc000003, of)                                                                       \
	MASK(0xfc00003f, of)                                                                       \
	MASK(0xfc600000, of)                                                                       \
	MASK(0xfc6007ff, of)                                                                       \
	MASK(0xfc63ffff, of)                                                                       \
	MASK(0xfc7fffff, of)                                                                       \
	MASK(0xfc0007ff, of)                                                                       \
	MASK(0xfc0007fe, of)                                                                       \
	MASK(0xfc00ffff, of)                                                                       \
	MASK(0xfc00fffe, of)                                                                       \
	MASK(0xffe007ff, of)                                                                       \
	MASK(0xfc1f07ff, of)                                                                       \
	MASK(0xffff07ff, of)                                                                       \
	MASK(0xfc0003fe, of)                                                                       \
	MASK(0xfc00fbfe, of)                                                                       \
	MASK(0xfc1fffff, of)                                                                       \
	MASK(0xfc100fff, of)                                                                       \
	MASK(0xfc10ffff, of)                                                                       \
	MASK(0xffff7fff, of)                                                                       \
	MASK(0xff9fffff, of)                                                                       \
	MASK(0xff8007ff, of)                                                                       \
	MASK(0xfc00003e, of)

#define DP_NAME(bits, of) MASK_##bits,
enum dp_ppc_mask {
	DP_MASKS(DP_NAME, )
};
#define DP_BITS(bits, of) bits,
static const uint32_t masks[] = {DP_MASKS(DP_BITS, )};
/* A row whose mask is not in DP_MASKS has 255: tests/port/test_ppc_decode.c finds it. */
#define DP_NUMBER(bits, of) (of) == (bits) ? MASK_##bits:
#define DP_MASK_NUMBER(of)  (uint8_t)(DP_MASKS(DP_NUMBER, of) 255)

/* A field of an instruction: a number, or a number whose DP_FREE bits may have any value. */
#define DP_FREE(bits, value) ((bits) << 12 | (value))
#define DP_FREE_OF(field)    ((field) >> 12)
#define DP_VALUE_OF(field)   ((field)&0xfff)
#define DP_OE(xo)            DP_FREE(0x200, xo) /* OE may be set */
#define DP_A_FORM(xo)        DP_FREE(0x3e0, xo) /* A-form: five bits */
enum field {
	DP_RT = DP_FREE(0x1f, 0),
	DP_RA = DP_FREE(0x1f, 0),
	DP_RB = DP_FREE(0x1f, 0),
	DP_XO = DP_FREE(0x3ff, 0),
	DP_RC = DP_FREE(1, 0),
	DP_BF = DP_FREE(0x1c, 0),       /* BF, then / and L, or // */
	DP_BFA = DP_FREE(0x1c, 0),      /* BFA, then // */
	DP_L = DP_FREE(0x03, 0),        /* ///, then L or WC */
	DP_SR = DP_FREE(0x0f, 0),       /* /, then SR */
	DP_FXM_0 = DP_FREE(0x0f, 0),    /* 0, then FXM */
	DP_FXM_1 = DP_FREE(0x0f, 0x10), /* 1, then FXM */
	DP_FXM = DP_FREE(0x1e, 0),      /* the rest of FXM, then / */
	DP_E = DP_FREE(0x10, 0),        /* E, then //// */
	DP_SC = DP_FREE(0x3fe, 1),      /* 1, then / */
};

#define DP_ONE_TRAP       (DP_PPC_ONE_TRAP << 5)
#define DP_MEMORY         (DP_PPC_MEMORY << 5)
#define DP_TWO_TRAP       (DP_PPC_TWO_TRAP << 5)
#define DP_NOP            (DP_PPC_NOP << 5)
#define DP_EMULATE(class) (DP_PPC_EMULATE << 5 | DP_PPC_##class)
#define DP_REFUSE(reason) (DP_PPC_REFUSE << 5 | DP_REFUSE_##reason)
#define DP_MASK_OF_ROW(op, t, a, b, xo, rc)                                                        \
	~((uint32_t)DP_FREE_OF(op) << 26 | DP_FREE_OF(t) << 21 | DP_FREE_OF(a) << 16 |             \
	  DP_FREE_OF(b) << 11 | DP_FREE_OF(xo) << 1 | DP_FREE_OF(rc))
#define DP_VALUE_OF_ROW(op, t, a, b, xo, rc)                                                       \
	((uint32_t)DP_VALUE_OF(op) << 26 | DP_VALUE_OF(t) << 21 | DP_VALUE_OF(a) << 16 |           \
	 DP_VALUE_OF(b) << 11 | DP_VALUE_OF(xo) << 1 | DP_VALUE_OF(rc))
/* Each kind of row gives its check a full name, which no macro of a firmware's headers replaces. */
#define DP_ROW_OF(op, t, a, b, xo, rc, check, treat)                                               \
	{DP_VALUE_OF_ROW(op, t, a, b, xo, rc),                                                     \
	 DP_MASK_NUMBER(DP_MASK_OF_ROW(op, t, a, b, xo, rc)), (treat), (check)},
#define DP_ROW(op, t, a, b, xo, rc, check, treat, what)                                            \
	DP_ROW_OF(op, t, a, b, xo, rc, DP_PPC_##check, treat)
#define DP_ROW_D(op, t, a, check, treat, what)                                                     \
	DP_ROW_OF(op, t, a, DP_RB, DP_XO, DP_RC, DP_PPC_##check, treat)
#define DP_ROW_ANY(check, treat, what)                                                             \
	DP_ROW_OF(DP_FREE(0x3f, 0), DP_RT, DP_RA, DP_RB, DP_XO, DP_RC, DP_PPC_##check, treat)

const struct dp_ppc_row dp_ppc_rows[] = {
#include "decode.def"
};
_Static_assert(sizeof(dp_ppc_rows) / sizeof(dp_ppc_rows[0]) <= 255, "a row number is one byte");
const uint8_t dp_ppc_row_count = sizeof(dp_ppc_rows) / sizeof(dp_ppc_rows[0]);

/* Special purpose registers, first to last. The trap overwrites the registers of the first rows.
 * The agent depends on the registers of the other rows (vectors, translation, debug, core
 * set-up), so programs must not write them. */
static const struct {
	uint16_t first, last;
	bool read; /* refused for reading too */
} own_spr[] = {
	{26, 27, true},      /* SRR0 SRR1 */
	{58, 59, true},      /* CSRR0 CSRR1 */
	{61, 62, true},      /* DEAR ESR */
	{570, 571, true},    /* MCSRR0 MCSRR1 */
	{574, 575, true},    /* DSRR0 DSRR1 */
	{48, 48, false},     /* PID */
	{63, 63, false},     /* IVPR */
	{304, 319, false},   /* DBSR DBCR IAC DAC DVC */
	{400, 415, false},   /* IVOR0 .. IVOR15 */
	{528, 543, false},   /* BAT; e500: IVOR32 .. */
	{560, 575, false},   /* BAT of later CPUs */
	{624, 630, false},   /* MAS */
	{633, 634, false},   /* PID1 PID2 */
	{944, 944, false},   /* MAS7 */
	{946, 946, false},   /* MMUCR */
	{1008, 1013, false}, /* HID0 HID1 IABR HID2 DABR; 440: CCR0 */
	{25, 25, false},     /* SDR1 */
};

uint32_t dp_ppc_row_mask(const struct dp_ppc_row *row)
{
	return masks[row->mask];
}

static bool spr_is_free(uint32_t insn, bool write, unsigned sprg)
{
	unsigned number = dp_ppc_spr(insn);

	/* SPRG4 to 7 are read under another number in user mode. */
	if (number == sprg || (sprg >= 276 && sprg <= 279 && number == sprg - 16))
		return false;
	for (unsigned i = 0; i < sizeof(own_spr) / sizeof(own_spr[0]); i++)
		if (number >= own_spr[i].first && number <= own_spr[i].last)
			return !write && !own_spr[i].read;
	return true;
}

/* Does lmw or lswi load its own base? count: registers from rt on, r0 behind r31. */
static bool loads_base(unsigned rt, unsigned count, unsigned ra)
{
	return ((ra - rt) & 31) < count;
}

static unsigned treatment(uint32_t insn, const struct dp_ppc_row *row, unsigned sprg)
{
	unsigned field = insn >> 12 & 0xff, rt = insn >> 21 & 31, ra = insn >> 16 & 31,
		 rb = insn >> 11 & 31;
	bool good = true;

	switch (row->check) {
	case DP_PPC_UPDATE:
		good = ra != 0 && ra != rt;
		break;
	case DP_PPC_UPDATE_BASE:
		good = ra != 0;
		break;
	case DP_PPC_MULTIPLE:
		good = ra < rt;
		break;
	case DP_PPC_STRING:
		good = !loads_base(rt, ((rb ? rb : 32) + 3) / 4, ra);
		break;
	case DP_PPC_STRING_X:
		good = rt != ra && rt != rb;
		break;
	case DP_PPC_ONE_FIELD:
		good = field != 0 && (field & (field - 1)) == 0;
		break;
	case DP_PPC_COUNT:
		good = rt & 4;
		break;
	case DP_PPC_TRAP:
		return rt == 31 ? DP_REFUSE(BREAKPOINT) : row->treat;
	case DP_PPC_SPR_READ:
		return spr_is_free(insn, false, sprg) ? row->treat : DP_REFUSE(SYSTEM_REGISTER);
	case DP_PPC_SPR_WRITE:
		return spr_is_free(insn, true, sprg) ? row->treat : DP_REFUSE(SYSTEM_REGISTER);
	default:
		break;
	}
	return good ? row->treat : DP_REFUSE(UNPREDICTABLE);
}

struct dp_ppc_plan dp_ppc_decode(uint32_t insn, unsigned sprg)
{
	const struct dp_ppc_row *row = dp_ppc_rows;
	unsigned treat;

	while ((insn & masks[row->mask]) != row->value)
		row++;
	treat = treatment(insn, row, sprg);
	return (struct dp_ppc_plan){(uint8_t)(treat >> 5), treat & 31,
				    (uint8_t)(row - dp_ppc_rows)};
}

static bool opens_window(uint32_t insn)
{
	uint32_t word = insn & 0xfc0007fe;

	return word == 0x7c000028 || word == 0x7c000068 || word == 0x7c0000e8;
}

static bool closes_window(uint32_t insn)
{
	uint32_t word = insn & 0xfc0007ff;

	return word == 0x7c00012d || word == 0x7c00056d || word == 0x7c0005ad;
}

int dp_ppc_window(uint32_t insn)
{
	return opens_window(insn) - closes_window(insn);
}

bool dp_ppc_is_trap(uint32_t insn)
{
	return insn >> 26 == 3 || (insn & 0xfc0007ff) == 0x7c000008;
}
