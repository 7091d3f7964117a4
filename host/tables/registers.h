/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of CPUs answers questions of compiler, disassembler and verifier on the host. */
#ifndef DPH_REGISTERS_H
#define DPH_REGISTERS_H

#include "dp_regs.h"

#include <stdbool.h>
#include <stddef.h>

struct dph_cpu {
	unsigned number; /* enum dp_cpu */
	const char *name;
	unsigned word_bytes;      /* 0: 4 or 8 */
	bool little, big;         /* byte orders it can have */
	unsigned groups;          /* enum rpn_group: those it can do */
	unsigned elf_machine;     /* 0: none */
	unsigned elf_code_little; /* bits of e_flags: code is little-endian in a big-endian file */
};

const struct dph_cpu *dph_cpu_named(const char *name);
const struct dph_cpu *dph_cpu_numbered(unsigned number);
/* The CPU of ELF files with this e_machine and class; where no word size fits, the first CPU with
 * the e_machine. Null: none has it. */
const struct dph_cpu *dph_cpu_of_elf(unsigned elf_machine, unsigned word_bits);
/* The CPU of a program that neither an option nor an ELF file gives one. */
const struct dph_cpu *dph_cpu_default(void);
const struct dph_cpu *dph_cpu_at(size_t index); /* null behind the last */

/* The register table of the CPU, sorted by index. */
const struct dp_reg *dph_cpu_regs(const struct dph_cpu *cpu, size_t *count);
const struct dp_reg *dph_reg_numbered(const struct dph_cpu *cpu, unsigned index);
const struct dp_reg *dph_reg_named(const struct dph_cpu *cpu, const char *name, size_t bytes);
/* Find a word on the stack by the name of a register of other CPUs: the calling convention of
 * this CPU has the word at sp + *offset when a function begins. Returns false: no such name.
 * Source: regs.def. */
bool dph_reg_on_stack(const struct dph_cpu *cpu, const char *name, size_t bytes, unsigned *offset);
const char *dph_reg_name(const struct dph_cpu *cpu, unsigned index); /* null: unknown */
/* Names (aliases and those of words on the stack included) one after another; null behind the
 * last. */
const char *dph_reg_name_at(const struct dph_cpu *cpu, size_t i);

#endif
