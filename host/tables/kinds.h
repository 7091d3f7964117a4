/* SPDX-License-Identifier: BSD-2-Clause */
/* The kinds of rows that a CPU may lack, with a reason: DP_ABSENT of port/ports.def. */
#ifndef DPH_KINDS_H
#define DPH_KINDS_H

#include "registers.h"

enum dph_row_kind {
	DPH_ROW_DECODER,
	DPH_ROW_ARGUMENTS,
	DPH_ROW_DWARF_REGS,
	DPH_ROW_OPERAND,
	DPH_ROW_STACK_REGS,
	DPH_ROW_REACH,
	DPH_ROW_RELOCATION,
	DPH_ROW_RETURN,
	DPH_ROW_ENTRIES,
	DPH_ROW_KINDS
};

/* Return the reason why the CPU has no row of the kind. Null: the CPU has one. */
const char *dph_absent(const struct dph_cpu *cpu, enum dph_row_kind kind);

#endif
