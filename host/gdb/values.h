/* SPDX-License-Identifier: BSD-2-Clause */
/* What is known of the values of an agent expression. gdb computes with 64 bits and RPN with words:
 * where a word is shorter, an instruction is refused whose result depends on the bits above it. */
#ifndef DPH_GDB_VALUES_H
#define DPH_GDB_VALUES_H

#include "target.h"

/* What an instruction does to the stack. */
enum dph_gdb_effect {
	DPH_GDB_KEEP,
	DPH_GDB_CARRY, /* two values become one, and bits above the word are lost */
	DPH_GDB_DIVIDE_SIGNED,
	DPH_GDB_DIVIDE_UNSIGNED,
	DPH_GDB_SHIFT_SIGNED,
	DPH_GDB_SHIFT_UNSIGNED,
	DPH_GDB_BITS, /* and, or, xor */
	DPH_GDB_TURN, /* not */
	DPH_GDB_TRUTH,
	DPH_GDB_COMPARE, /* equal, or less without a sign */
	DPH_GDB_COMPARE_SIGNED,
	DPH_GDB_EXTEND,    /* operand: bits */
	DPH_GDB_LOAD_PART, /* of a word */
	DPH_GDB_LOAD,
	DPH_GDB_CONSTANT, /* operand: the number */
	DPH_GDB_REGISTER,
	DPH_GDB_VARIABLE,
	DPH_GDB_STORE,
	DPH_GDB_COPY, /* operand: how many values are above */
	DPH_GDB_EXCHANGE,
	DPH_GDB_DROP,
	DPH_GDB_COLLECT,
	DPH_GDB_COLLECT_TOP, /* operand: bytes at the address on the stack */
	DPH_GDB_COLLECT_STRING,
	DPH_GDB_COLLECT_VARIABLE
};

struct dph_gdb_values;

/* Begin an expression of `count` bytes, with an empty stack. */
struct dph_gdb_values *dph_gdb_values_open(const struct dph_gdb_target *target, size_t count);
/* End. Returns the bytes of a record that each hit writes at least. */
uint64_t dph_gdb_values_close(struct dph_gdb_values *values);
/* Come to the instruction at a place: jumps to it are known, and none comes later. */
void dph_gdb_values_arrive(struct dph_gdb_values *values, size_t place);
/* Jump to a later place. always: the next instruction is not come to from here. */
void dph_gdb_values_jump(struct dph_gdb_values *values, size_t place, bool always);
/* Do an instruction. with_sign: of an extension. Returns false: why has the reason. */
bool dph_gdb_values_apply(struct dph_gdb_values *values, enum dph_gdb_effect effect, bool with_sign,
			  uint64_t operand, struct dph_gdb_why *why);
/* The bytes of a record that the collection of memory takes. */
uint64_t dph_gdb_memory_bytes(const struct dph_gdb_target *target, uint64_t bytes);

#endif
