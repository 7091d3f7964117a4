/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of arguments has the places of a function's arguments and result:
 * DP_ARGUMENTS of port/ports.def. */
#ifndef DPH_ARGUMENTS_H
#define DPH_ARGUMENTS_H

#include "registers.h"

struct dph_arguments {
	unsigned cpu;
	unsigned first, registers; /* register of word 0; words in registers */
	unsigned stack;         /* distance from the stack pointer of the first word behind them */
	bool even;              /* a value of 64 bits begins at an even word */
	bool struct_addresses;  /* a struct is passed by its address */
	unsigned result, above; /* registers of the result: its first and its second word */
};

/* The row of the CPU. Null: its calling convention is not known. */
const struct dph_arguments *dph_arguments_of(const struct dph_cpu *cpu);

#endif
