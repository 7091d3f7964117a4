/* SPDX-License-Identifier: BSD-2-Clause */
/* A walk from instruction to instruction, by the lengths of the instruction set. */
#include "insn_walk.h"

#include "elf_image.h"
#include "tables/isas.h"

unsigned dph_insn_bytes_at(const struct dp_image *image, const struct dph_isa *isa,
			   uint64_t address)
{
	uint8_t bytes[DPH_UNIT_MAX];
	if (!dp_image_read(image, address, bytes, isa->unit))
		return 0;
	return dph_insn_bytes(isa, bytes, dph_image_code_big(image));
}

uint64_t dph_insn_around(const struct dp_image *image, const struct dph_isa *isa, uint64_t start,
			 uint64_t address, unsigned *bytes)
{
	while (start < address) {
		*bytes = dph_insn_bytes_at(image, isa, start);
		if (*bytes == 0)
			return address;
		if (address - start < *bytes)
			break;
		start += *bytes;
	}
	return start;
}

uint64_t dph_insn_near(const struct dp_image *image, const struct dph_isa *isa, uint64_t start,
		       uint64_t address, uint64_t reach)
{
	while (address - start > reach) {
		const unsigned bytes = dph_insn_bytes_at(image, isa, start);
		if (bytes == 0)
			break;
		start += bytes;
	}
	return start;
}

unsigned dph_opcode_at(const struct dp_image *image, const struct dph_isa *isa, uint64_t address,
		       uint32_t *opcode)
{
	uint8_t bytes[DPH_OPCODE_MAX];
	const unsigned count = dph_opcode_bytes(isa, dph_insn_bytes_at(image, isa, address));
	if (!count || !dp_image_read(image, address, bytes, count))
		return 0;
	*opcode = dph_opcode(isa, bytes, count, dph_image_code_big(image));
	return count;
}
