/* SPDX-License-Identifier: BSD-2-Clause */
/* What an ELF file says of its CPU, beside e_machine: the section of build attributes. */
#ifndef DPH_ELF_ATTRIBUTES_H
#define DPH_ELF_ATTRIBUTES_H

#include "tables/registers.h"

#include <gelf.h>

/* The answer is valid as long as elf is. */
struct dph_elf_kind dph_elf_kind(Elf *elf, const GElf_Ehdr *header);

#endif
