/* SPDX-License-Identifier: BSD-2-Clause */
/* The relocations of an ELF file show which of its bytes differ in memory: those that start-up code
 * applies (.rel.dyn), and those that the linker kept (--emit-relocs) where the image has moved. */
#ifndef DPH_RELOCATIONS_H
#define DPH_RELOCATIONS_H

#include "tables/relocation_rules.h"

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dph_relocation {
	uint64_t address; /* linked */
	unsigned bytes;
	enum dph_relocation_rule rule; /* never FIXED */
	bool at_start;                 /* start-up code applies it, also where nothing moved */
	bool has_addend;               /* else the addend stands in the file's bytes */
	int64_t addend;
	uint64_t symbol_value; /* linked */
	/* Of an upper half without an addend: where the lower half stands; 0: nowhere. */
	uint64_t lower;
	size_t symbol; /* number in the file */
};

struct dph_relocations {
	struct dph_relocation *list; /* by rising address */
	size_t count, capacity;
	unsigned bytes_max; /* of the longest */
};

/* Read all relocations of loaded bytes. relocations: all zero. cpu: null where unknown. */
void dph_relocations_read(struct dph_relocations *relocations, Elf *elf, const struct dph_cpu *cpu);
void dph_relocations_free(struct dph_relocations *relocations);

/* Does a relocation change one of these bytes? moved: the image runs elsewhere than linked. */
bool dph_relocations_touch(const struct dph_relocations *relocations, bool moved, uint64_t address,
			   size_t bytes);

/* Does the relocation change the upper half of an address, which depends on the lower half as the
 * file has it? Such relocations are applied before all others. */
static inline bool dph_relocation_is_upper(const struct dph_relocation *relocation)
{
	return relocation->rule == DPH_RELOCATION_HIGH ||
	       relocation->rule == DPH_RELOCATION_HIGH_ROUNDED;
}

/* Compute the bytes of a relocation in memory.
 * bytes: as the file has them; receives the new ones. lower: the bytes at relocation->lower; may be
 * null. Returns false where the host cannot. */
bool dph_relocation_apply(const struct dph_relocation *relocation, uint64_t moved, bool big_endian,
			  uint8_t *bytes, const uint8_t *lower);

#endif
