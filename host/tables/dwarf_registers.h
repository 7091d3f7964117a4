/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of DWARF registers finds registers by the numbers of debug information. */
#ifndef DPH_DWARF_REGISTERS_H
#define DPH_DWARF_REGISTERS_H

#include "registers.h"

/* The index in regs.def of the register with a DWARF number; UINT32_MAX: none. */
uint32_t dph_register_of_dwarf(const struct dph_cpu *cpu, unsigned number);

/* Print the name of a register that no agent reads: "d8". count: room in text. */
void dph_unseen_register(const struct dph_cpu *cpu, unsigned number, char *text, size_t count);

#endif
