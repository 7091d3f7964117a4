/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a core file has the registers of a CPU: core_registers.def. */
#ifndef DPH_CORE_REGISTERS_H
#define DPH_CORE_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dph_cpu;

enum {
	DPH_CORE_NO_REGISTER = 0xffff
};

/* Words of pr_reg on a CPU with words of so many bytes; 0: no core of it is known. */
unsigned dph_core_slots(const struct dph_cpu *cpu, unsigned word_bytes);
/* A word of pr_reg. */
struct dph_core_slot {
	unsigned index;    /* of the register in regs.def; DPH_CORE_NO_REGISTER: none */
	bool made;         /* the word is no plain copy of the register: a reader leaves it out */
	unsigned from, to; /* of such a word: bits of BIT in core_registers.def */
};
struct dph_core_slot dph_core_slot(const struct dph_cpu *cpu, unsigned word_bytes, unsigned slot);
/* The word for a value of the register. */
uint64_t dph_core_word(const struct dph_core_slot *slot, uint64_t value);

#endif
