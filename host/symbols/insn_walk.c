/* SPDX-License-Identifier: BSD-2-Clause */
/* A walk from instruction to instruction, by the lengths of the instruction set. */
#include "insn_walk.h"

#include "elf_image.h"
#include "tables/decoders.h"
#include "tables/isas.h"

static bool read_image(void *context, uint64_t address, uint8_t *bytes, unsigned count)
{
	return dp_image_read(context, address, bytes, count);
}

struct dph_code dph_code_of_image(const struct dp_image *image, const struct dph_isa *isa)
{
	struct dp_image_info info;
	dp_image_info(image, &info);
	return (struct dph_code){.isa = isa,
				 .decoder = dph_decoder_of(isa->cpu),
				 .word_bits = info.word_bits,
				 .big_endian = dph_image_code_big(image),
				 .context = (void *)(uintptr_t)image,
				 .read = read_image};
}

bool dph_insn_at(const struct dp_image *image, const struct dph_isa *isa, uint64_t address,
		 struct dp_insn *insn)
{
	const struct dph_code code = dph_code_of_image(image, isa);
	return dph_insn_read(&code, address, insn);
}

/* The first unit decides nearly always, and the rest of the instruction need not be there. */
unsigned dph_insn_bytes_at(const struct dp_image *image, const struct dph_isa *isa,
			   uint64_t address)
{
	struct dp_insn insn;
	uint8_t bytes[DPH_UNIT_MAX];
	unsigned count;
	if (!dp_image_read(image, address, bytes, isa->unit))
		return 0;
	count = dph_insn_bytes(isa, bytes, dph_image_code_big(image));
	return count || !dph_insn_at(image, isa, address, &insn) ? count : insn.count;
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

const struct dph_isa *dph_isa_in(const struct dp_image *image, const struct dph_cpu *cpu,
				 uint64_t address)
{
	const struct dph_isa *isa, *usual = dph_isa_usual(cpu);
	const struct dp_symbol *symbol = dp_image_symbol(image, address);
	uint64_t start;
	if (dph_image_code(image, address, &start, &isa) != DPH_CODE_INSNS)
		return NULL;
	if (!usual->mapping && symbol && symbol->kind == DP_SYMBOL_OBJECT)
		return NULL;
	return isa ? isa : usual;
}
