/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of operands reads what a compiler writes for an argument of a static hook: DP_OPERAND
 * of port/ports.def. */
#ifndef DPH_OPERANDS_H
#define DPH_OPERANDS_H

#include "registers.h"

/* The column KIND. */
enum dph_operand_kind {
	DPH_OPERAND_CONSTANT,
	DPH_OPERAND_MEMORY,
	DPH_OPERAND_REGISTER,
	DPH_OPERAND_REGISTERS
};

struct dph_operand {
	enum dph_operand_kind kind;
	unsigned reg;   /* index in regs.def; of a constant 0 */
	int64_t number; /* of MEMORY added to the register; of CONSTANT the value; else 0 */
};

/* Read the text of an operand. bytes: of the text. Returns false: the CPU has no such form. */
bool dph_operand_read(const struct dph_cpu *cpu, const char *text, size_t bytes,
		      struct dph_operand *operand);

#endif
