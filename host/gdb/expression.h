/* SPDX-License-Identifier: BSD-2-Clause */
/* gdb's agent expressions, and what else a tracepoint collects, become instructions of RPN. A
 * record then is a row of parts, each with words before it. */
#ifndef DPH_GDB_EXPRESSION_H
#define DPH_GDB_EXPRESSION_H

#include "target.h"

#include <stdio.h>

/* The first word of a part of a record. */
enum dph_gdb_part {
	DPH_GDB_PART_MEMORY = 1, /* then address and length, and what `log mrf` writes */
	DPH_GDB_PART_STRING,     /* then address and length, and what `log str` writes */
	DPH_GDB_PART_REGISTERS,  /* then those of the tracepoint's mask, by gdb's number */
	DPH_GDB_PART_VARIABLE    /* then the number of a trace state variable, and its value */
};

/* Trace state variables in the order of local variables of the program. gdb tells their first
 * values behind the expressions, so the text of the program has a macro in place of the value: the
 * local variable is the difference to it. */
struct dph_gdb_variables {
	unsigned *numbers;
	size_t count, capacity;
};
#define DPH_GDB_FIRST "FIRST_OF_" /* and the number */

struct dph_gdb_code {
	const struct dph_gdb_target *target;
	FILE *out;
	unsigned labels; /* number of labels that were written */
	struct dph_gdb_variables *variables;
	struct dph_gdb_why *why;
	uint64_t collects; /* bytes of a record that each hit writes at least, so far */
};

/* The bytes of an instruction behind its number. */
unsigned dph_gdb_operand_bytes(uint8_t instruction);
/* Write an expression. Its value, if it has one, stays on the stack.
 * Returns false: why has the reason, and a part was written. */
bool dph_gdb_write_expression(struct dph_gdb_code *code, const uint8_t *bytes, size_t count);
/* Write the end of a hit whose condition, on the stack, is false. */
void dph_gdb_write_condition(struct dph_gdb_code *code);
/* Write the collection of memory at an address: the sum of a register by gdb's number, or none
 * where it is negative, and an offset. Returns false as above. */
bool dph_gdb_write_memory(struct dph_gdb_code *code, int64_t base, uint64_t offset, uint64_t bytes);
/* Write the collection of registers. mask: a bit for each of gdb's numbers that the agent reads. */
void dph_gdb_write_registers(struct dph_gdb_code *code, const bool *mask);
/* The bytes of a record that this collection takes. */
uint64_t dph_gdb_registers_bytes(const struct dph_gdb_target *target, const bool *mask);

#endif
