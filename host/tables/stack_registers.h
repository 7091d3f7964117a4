/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of stack registers lists the registers that a record of a call stack has. */
#ifndef DPH_STACK_REGISTERS_H
#define DPH_STACK_REGISTERS_H

#include "registers.h"

enum {
	DPH_STACK_REGISTERS_MAX = 24 /* of one CPU */
};

/* List the registers that the search of callers needs.
 * list: receives their indexes in regs.def, at most DPH_STACK_REGISTERS_MAX.
 * Returns the number of registers; 0: the table does not have the CPU. */
size_t dph_stack_registers(const struct dph_cpu *cpu, unsigned *list);

#endif
