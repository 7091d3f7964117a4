/* SPDX-License-Identifier: BSD-2-Clause */
/* These functions walk from instruction to instruction in the code of an ELF file. */
#ifndef DPH_INSN_WALK_H
#define DPH_INSN_WALK_H

#include <dprobes/host.h>

struct dp_insn;
struct dph_cpu;
struct dph_code;
struct dph_isa;

/* Length of the instruction at an address; 0: the address is not in the file, or the length is not
 * known. */
unsigned dph_insn_bytes_at(const struct dp_image *image, const struct dph_isa *isa,
			   uint64_t address);

/* Walk from an instruction to the one that has the byte at the address. Returns where that one
 * begins, *bytes: its length; where lengths are not known, the address. */
uint64_t dph_insn_around(const struct dp_image *image, const struct dph_isa *isa, uint64_t start,
			 uint64_t address, unsigned *bytes);

/* Walk from an instruction towards the address while it is further than `reach`. Returns the last
 * instruction reached; where lengths are not known, start. */
uint64_t dph_insn_near(const struct dp_image *image, const struct dph_isa *isa, uint64_t start,
		       uint64_t address, uint64_t reach);

/* The code of an image in an instruction set; from: left to the caller. */
struct dph_code dph_code_of_image(const struct dp_image *image, const struct dph_isa *isa);

/* Read the instruction at an address. Returns false: the image has none there. */
bool dph_insn_at(const struct dp_image *image, const struct dph_isa *isa, uint64_t address,
		 struct dp_insn *insn);

/* Read the opcode of the instruction at an address. Returns its bytes; 0: the image has none. */
unsigned dph_opcode_at(const struct dp_image *image, const struct dph_isa *isa, uint64_t address,
		       uint32_t *opcode);

/* The instruction set of the code at an address, for the table of functions and whoever counts its
 * instructions; null: data, or nothing. Without mapping symbols the symbol of an object tells data.
 */
const struct dph_isa *dph_isa_in(const struct dp_image *image, const struct dph_cpu *cpu,
				 uint64_t address);

#endif
