/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of relocations has their effects on the bytes of an image: DP_RELOCATION of
 * port/ports.def. */
#ifndef DPH_RELOCATION_RULES_H
#define DPH_RELOCATION_RULES_H

#include "registers.h"

enum dph_relocation_rule {
	DPH_RELOCATION_FIXED,
	DPH_RELOCATION_RELATIVE,
	DPH_RELOCATION_WORD,
	DPH_RELOCATION_LOW,
	DPH_RELOCATION_HIGH,
	DPH_RELOCATION_HIGH_ROUNDED,
	DPH_RELOCATION_JUMP,
	DPH_RELOCATION_JUMP_WORDS,
	DPH_RELOCATION_UNKNOWN /* the host does not compute the new bytes */
};

/* The rule of a relocation. type: its number in an ELF file. cpu: null where unknown. */
enum dph_relocation_rule dph_relocation_rule(const struct dph_cpu *cpu, unsigned type);

#endif
