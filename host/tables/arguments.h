/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of arguments has the places of a function's arguments and result:
 * DP_ARGUMENTS of port/ports.def. */
#ifndef DPH_ARGUMENTS_H
#define DPH_ARGUMENTS_H

#include "registers.h"

/* The columns PAIRS and STRUCTS. */
enum dph_pairs {
	DPH_PAIRS_ANY,
	DPH_PAIRS_EVEN,
	DPH_PAIRS_SPLIT
};

enum dph_structs {
	DPH_STRUCTS_WORDS,
	DPH_STRUCTS_ADDRESS,
	DPH_STRUCTS_PAIR
};

struct dph_arguments {
	unsigned cpu;
	unsigned first, registers; /* register of word 0; words in registers */
	unsigned stack; /* distance from the stack pointer of the first word behind them */
	enum dph_pairs pairs;
	enum dph_structs structs;
	unsigned result, above; /* registers of the result: its first and its second word */
};

/* The row of the CPU. Null: its calling convention is not known. */
const struct dph_arguments *dph_arguments_of(const struct dph_cpu *cpu);

#endif
