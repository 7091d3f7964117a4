/* SPDX-License-Identifier: BSD-2-Clause */
/* The registers of a CPU by gdb's numbers, and the description that gdb reads. */
#ifndef DPH_GDB_FEATURES_H
#define DPH_GDB_FEATURES_H

#include "target.h"

#include <stdio.h>

struct dp_reg;

/* Has gdb a description of the CPU? */
bool dph_gdb_describes(const struct dph_cpu *cpu, unsigned word_bytes);
/* Write the description as XML. */
void dph_gdb_describe(const struct dph_gdb_target *target, FILE *out);
/* Is 0 the program counter of a thread whose registers are not known? */
bool dph_gdb_needs_pc(const struct dph_gdb_target *target);
/* Does gdb let the CPU do the access by a step, when a watchpoint has stopped the target? */
bool dph_gdb_steps_at_watchpoint(const struct dph_gdb_target *target);
/* An address as gdb has it in rows of memory. */
uint64_t dph_gdb_address(const struct dph_gdb_target *target, uint64_t address);
/* The number of registers that gdb knows. */
unsigned dph_gdb_register_count(const struct dph_gdb_target *target);
/* Our register with gdb's number; null: no agent reads it. */
const struct dp_reg *dph_gdb_register(const struct dph_gdb_target *target, unsigned number);
/* gdb's number of one of our registers; UINT_MAX: it has none. */
unsigned dph_gdb_number_of(const struct dph_gdb_target *target, unsigned index);

#endif
