/* SPDX-License-Identifier: BSD-2-Clause */
/* The check that each CPU has each kind of row or says why not, and these reasons. */
#include "kinds.h"

#include "dp_object.h"

/* Every CPU has rows of these kinds. */
enum {
	NEEDED_REG = DPH_ROW_KINDS,
	NEEDED_CODE,
	NEEDED_INSN
};

/* clang-format off */
/* Bits of the kinds of which a CPU has rows: HAS_NAME. */
#define DP_CPU(name, ...)     , HAS_##name = 0
#define DP_REG(...)           | 1 << NEEDED_REG
#define DP_CODE(...)          | 1 << NEEDED_CODE
#define DP_INSN(...)          | 1 << NEEDED_INSN
#define DP_DECODER(...)       | 1 << DPH_ROW_DECODER
#define DP_ARGUMENTS(...)     | 1 << DPH_ROW_ARGUMENTS
#define DP_DWARF_REGS(...)    | 1 << DPH_ROW_DWARF_REGS
#define DP_OPERAND(...)       | 1 << DPH_ROW_OPERAND
#define DP_STACK_REGS(...)    | 1 << DPH_ROW_STACK_REGS
#define DP_REACH(...)         | 1 << DPH_ROW_REACH
#define DP_RELOCATION(...)    | 1 << DPH_ROW_RELOCATION
#define DP_RETURN(...)        | 1 << DPH_ROW_RETURN
#define DP_ENTRIES(...)       | 1 << DPH_ROW_ENTRIES
enum {
	HAS_NOTHING = 0
#include "ports.def"
};

/* Bits of the kinds that a CPU lacks with a reason: LACKS_NAME. */
#define DP_CPU(name, ...)     , LACKS_##name = 0
#define DP_ABSENT(kind, ...)  | 1 << DPH_ROW_##kind
enum {
	LACKS_NOTHING = 0
#include "ports.def"
};
/* clang-format on */

#define HAS(cpu, kind)                                                                             \
	_Static_assert(HAS_##cpu >> NEEDED_##kind & 1,                                             \
		       #cpu " of port/ports.def has no DP_" #kind " row");
#define HAS_OR_LACKS(cpu, kind)                                                                    \
	_Static_assert((HAS_##cpu ^ LACKS_##cpu) >> DPH_ROW_##kind & 1,                            \
		       #cpu " of port/ports.def has either a DP_" #kind " row or DP_ABSENT(" #kind \
			    ", reason)");
#define DP_CPU(name, ...)                                                                          \
	HAS(name, REG)                                                                             \
	HAS(name, CODE)                                                                            \
	HAS(name, INSN)                                                                            \
	HAS_OR_LACKS(name, DECODER)                                                                \
	HAS_OR_LACKS(name, ARGUMENTS)                                                              \
	HAS_OR_LACKS(name, DWARF_REGS)                                                             \
	HAS_OR_LACKS(name, OPERAND)                                                                \
	HAS_OR_LACKS(name, STACK_REGS)                                                             \
	HAS_OR_LACKS(name, REACH)                                                                  \
	HAS_OR_LACKS(name, RELOCATION)                                                             \
	HAS_OR_LACKS(name, RETURN)                                                                 \
	HAS_OR_LACKS(name, ENTRIES)
#include "ports.def"

static const struct {
	unsigned cpu;
	enum dph_row_kind kind;
	const char *reason;
} absent[] = {
#define DP_ABSENT(kind, reason) {DP_ROWS_OF, DPH_ROW_##kind, reason},
#include "ports.def"
};

const char *dph_absent(const struct dph_cpu *cpu, enum dph_row_kind kind)
{
	for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++)
		if (absent[i].cpu == cpu->number && absent[i].kind == kind)
			return absent[i].reason;
	return NULL;
}
