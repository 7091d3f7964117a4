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
/* What an ELF file says of its CPU. */
struct dph_elf_kind {
	unsigned machine; /* e_machine */
	unsigned word_bits;
	/* Find the number that the file has as attribute `tag` of the vendor. strings: of
	 * DP_ELF_ATTRIBUTE. Returns false: the file has none. Null: no file has any. */
	bool (*attribute)(void *context, const char *vendor, unsigned strings, unsigned tag,
			  unsigned *value);
	void *context;
};

/* The CPU of an ELF file; where no word size fits, the first CPU that the file may be for. Null:
 * none. */
const struct dph_cpu *dph_cpu_of_elf(const struct dph_elf_kind *kind);
/* The first CPU of the e_machine, whatever else the file says: code of its kin keeps its symbols in
 * one way. Null: none. */
const struct dph_cpu *dph_cpu_of_machine(unsigned machine);
/* May the file be for the CPU? Word sizes do not count. True for a CPU without an e_machine. */
bool dph_cpu_takes_elf(const struct dph_cpu *cpu, const struct dph_elf_kind *kind);
/* Return what the file is for: the name of a CPU of port/ports.def, or words. Null: not known. */
const char *dph_cpu_text_of_elf(const struct dph_elf_kind *kind);
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
