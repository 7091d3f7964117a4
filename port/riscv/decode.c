/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder finds the step of a displaced RISC-V instruction in a table of mask and value. The
 * first match wins, the last row of each length rejects. */
#include "riscv_decode.h"

#include "dp_errors.h"

/* A field of an instruction: a number, or a number whose DP_FREE bits may have any value. */
#define DP_FREE(bits, value) ((bits) << 12 | (value))
#define DP_FREE_OF(field)    ((uint32_t)(field) >> 12)
#define DP_VALUE_OF(field)   ((uint32_t)(field)&0xfff)
#define DP_AMO(funct5)       DP_FREE(3, (funct5) << 2) /* aq and rl may be set */
#define DP_FP(funct7)        DP_FREE(1, funct7)        /* S or D */
enum field {
	DP_F7 = DP_FREE(0x7f, 0),
	DP_RS2 = DP_FREE(0x1f, 0),
	DP_RS1 = DP_FREE(0x1f, 0),
	DP_F3 = DP_FREE(7, 0),
	DP_RD = DP_FREE(0x1f, 0),
	DP_B12 = DP_FREE(1, 0),
	DP_UNARY = DP_FREE(7, 0),     /* 0 1 2 4 5 */
	DP_AMO_BY = DP_FREE(0x73, 0), /* funct5: 0 4 8 12 16 20 24 28 */
};

#define DP_ONE_TRAP       (DP_RISCV_ONE_TRAP << 5)
#define DP_MEMORY         (DP_RISCV_MEMORY << 5)
#define DP_TWO_TRAP       (DP_RISCV_TWO_TRAP << 5)
#define DP_NOP            (DP_RISCV_NOP << 5)
#define DP_EMULATE(class) (DP_RISCV_EMULATE << 5 | DP_RISCV_##class)
#define DP_REFUSE(reason) (DP_RISCV_REFUSE << 5 | DP_REFUSE_##reason)

/* Each kind of row gives its check a full name, which no macro of a firmware's headers replaces. */
#define DP_BITS_OF(of, f7, rs2, rs1, f3, rd, op)                                                   \
	(of(f7) << 25 | of(rs2) << 20 | of(rs1) << 15 | of(f3) << 12 | of(rd) << 7 | of(op))
#define DP_ROW(f7, rs2, rs1, f3, rd, op, check, treat, what)                                       \
	{~DP_BITS_OF(DP_FREE_OF, f7, rs2, rs1, f3, rd, op),                                        \
	 DP_BITS_OF(DP_VALUE_OF, f7, rs2, rs1, f3, rd, op), (treat), DP_RISCV_##check},
#define DP_ROW_ANY(check, treat, what) {3, 3, (treat), DP_RISCV_##check},
#define DP_BITS_OF_C(of, f3, b12, rd, rs2, quadrant)                                               \
	(of(f3) << 13 | of(b12) << 12 | of(rd) << 7 | of(rs2) << 2 | of(quadrant))
#define DP_ROW_C(f3, b12, rd, rs2, quadrant, check, treat, what)                                   \
	{0xffff & ~DP_BITS_OF_C(DP_FREE_OF, f3, b12, rd, rs2, quadrant),                           \
	 DP_BITS_OF_C(DP_VALUE_OF, f3, b12, rd, rs2, quadrant), (treat), DP_RISCV_##check},

const struct dp_riscv_row dp_riscv_rows[] = {
#include "decode.def"
#include "decode_c.def"
};
_Static_assert(sizeof(dp_riscv_rows) / sizeof(dp_riscv_rows[0]) <= 255, "a row number is one byte");
const uint8_t dp_riscv_row_count = sizeof(dp_riscv_rows) / sizeof(dp_riscv_rows[0]);

#define DP_ONE(...) +1
#undef DP_ROW
#undef DP_ROW_ANY
#define DP_ROW     DP_ONE
#define DP_ROW_ANY DP_ONE
enum {
	DP_FIRST_C = 0
#include "decode.def"
};

/* Control and status registers, first to last. A trap overwrites the registers with `read`. The
 * agent depends on the others (vectors, protection, translation, debug), so programs must not write
 * them. Privileged ISA 2.2 */
static const struct {
	uint16_t first, last;
	bool read; /* refused for reading too */
} own_csr[] = {
	{0x340, 0x343, true},  /* mscratch mepc mcause mtval */
	{0x345, 0x34b, true},  /* CLIC: mnxti mintstatus mscratchcsw mscratchcswl; mtinst mtval2 */
	{0x740, 0x744, true},  /* mnscratch mnepc mncause mnstatus */
	{0x7b0, 0x7bf, true},  /* debug mode */
	{0x800, 0x8ff, true},  /* of the CPU's maker, for U mode: one has MIE and MPIE there */
	{0x180, 0x180, false}, /* satp */
	{0x301, 0x301, false}, /* misa: the trap and the jumps depend on C */
	{0x302, 0x303, false}, /* medeleg mideleg */
	{0x305, 0x305, false}, /* mtvec */
	{0x307, 0x307, false}, /* CLIC: mtvt */
	{0x30a, 0x313, false}, /* menvcfg mstatush medelegh */
	{0x31a, 0x31a, false}, /* menvcfgh */
	{0x3a0, 0x3ef, false}, /* pmpcfg pmpaddr */
	{0x747, 0x757, false}, /* mseccfg mseccfgh */
	{0x7a0, 0x7af, false}, /* triggers */
	{0x5c0, 0x5ff, false}, /* of the CPU's maker */
	{0x6c0, 0x6ff, false}, /* the same, to the end */
	{0x7c0, 0x7ff, false}, {0x9c0, 0x9ff, false}, {0xac0, 0xaff, false}, {0xbc0, 0xbff, false},
};
enum {
	DP_OF_MSTATUS = 0x300,
	DP_OF_MTVEC = 0x305
};

static unsigned csr_treatment(uint32_t insn, unsigned treat)
{
	unsigned number = dp_riscv_csr(insn);
	bool write = dp_riscv_writes_csr(insn);

	if (number == DP_OF_MSTATUS)
		return DP_EMULATE(STATUS);
	if (number == DP_OF_MTVEC && !write)
		return DP_EMULATE(VECTOR);
	for (unsigned i = 0; i < sizeof(own_csr) / sizeof(own_csr[0]); i++)
		if (number >= own_csr[i].first && number <= own_csr[i].last)
			return write || own_csr[i].read ? DP_REFUSE(SYSTEM_REGISTER) : treat;
	return treat;
}

/* Is the row for this CPU and these operands? */
static bool holds(const struct dp_riscv_row *row, uint32_t insn, unsigned cpu)
{
	bool is_64 = cpu & DP_RISCV_IS_64;
	unsigned f3 = insn >> 12 & 7, rs2 = insn >> 20 & 31;

	switch (row->check) {
	case DP_RISCV_32:
		return !is_64;
	case DP_RISCV_64:
		return is_64;
	case DP_RISCV_UNARY:
		return rs2 != 3 && rs2 <= 5;
	case DP_RISCV_64_WORD:
		return is_64 && rs2 != 3;
	case DP_RISCV_64_SUB:
		return is_64 && (f3 == 0 || f3 == 5);
	case DP_RISCV_D:
		return cpu & DP_RISCV_HAS_D;
	default:
		return true;
	}
}

struct dp_riscv_plan dp_riscv_decode(uint32_t insn, unsigned cpu)
{
	const struct dp_riscv_row *row = dp_riscv_rows;
	unsigned treat;

	if ((insn & 3) != 3) {
		row += DP_FIRST_C;
		insn &= 0xffff;
	}
	while ((insn & row->mask) != row->value || !holds(row, insn, cpu))
		row++;
	treat = row->treat;
	if (row->check == DP_RISCV_CSR)
		treat = csr_treatment(insn, treat);
	return (struct dp_riscv_plan){(uint8_t)(treat >> 5), treat & 31,
				      (uint8_t)(row - dp_riscv_rows)};
}

/* lr.w lr.d; sc.w sc.d */
int dp_riscv_window(uint32_t insn)
{
	if ((insn & 0x607f) != 0x202f)
		return 0;
	return (insn >> 27 == 2 && (insn >> 20 & 31) == 0) - (insn >> 27 == 3);
}

/* The bits of insn from `bit` on, as bits from `to` on. */
static uint32_t bits(uint32_t insn, unsigned bit, unsigned count, unsigned to)
{
	return (insn >> bit & ((1u << count) - 1)) << to;
}

static int32_t with_sign(uint32_t value, unsigned width)
{
	const uint32_t sign = 1u << (width - 1);

	return (int32_t)((value ^ sign) - sign);
}

int32_t dp_riscv_distance(uint32_t insn, unsigned class)
{
	switch (class) {
	case DP_RISCV_JAL:
		return with_sign(bits(insn, 31, 1, 20) | bits(insn, 12, 8, 12) |
					 bits(insn, 20, 1, 11) | bits(insn, 21, 10, 1),
				 21);
	case DP_RISCV_BRANCH:
		return with_sign(bits(insn, 31, 1, 12) | bits(insn, 7, 1, 11) |
					 bits(insn, 25, 6, 5) | bits(insn, 8, 4, 1),
				 13);
	case DP_RISCV_C_BRANCH:
		return with_sign(bits(insn, 12, 1, 8) | bits(insn, 5, 2, 6) | bits(insn, 2, 1, 5) |
					 bits(insn, 10, 2, 3) | bits(insn, 3, 2, 1),
				 9);
	default: /* c.j c.jal */
		return with_sign(bits(insn, 12, 1, 11) | bits(insn, 8, 1, 10) |
					 bits(insn, 9, 2, 8) | bits(insn, 6, 1, 7) |
					 bits(insn, 7, 1, 6) | bits(insn, 2, 1, 5) |
					 bits(insn, 11, 1, 4) | bits(insn, 3, 3, 1),
				 12);
	}
}
