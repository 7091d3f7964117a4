/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of decoders holds the DP_DECODER rows of port/ports.def. */
#include "decoders.h"

#include "dp_object.h"

#define DP_DECODER(name) extern const struct dp_decoder dp_decoder_##name;
#include "ports.def"

#define DP_DECODER(name) {DP_ROWS_OF, &dp_decoder_##name},
static const struct {
	unsigned cpu;
	const struct dp_decoder *decoder;
} decoders[] = {
#include "ports.def"
};

const struct dp_decoder *dph_decoder_of(unsigned cpu)
{
	for (size_t i = 0; i < sizeof decoders / sizeof decoders[0]; i++)
		if (decoders[i].cpu == cpu)
			return decoders[i].decoder;
	return NULL;
}

/* The length by the first unit, or by as many bytes as the decoder needs. 0: unknown. */
static unsigned length(const struct dph_code *code, struct dp_insn *insn)
{
	unsigned bytes = dph_insn_bytes(code->isa, insn->bytes, code->big_endian);
	while (bytes == 0 && code->decoder) {
		bytes = code->decoder->length(insn);
		if (bytes || insn->count == DP_INSN_MAX ||
		    !code->read(code->context, insn->address + insn->count,
				insn->bytes + insn->count, 1))
			break;
		insn->count++;
	}
	return bytes;
}

bool dph_insn_read(const struct dph_code *code, uint64_t address, struct dp_insn *insn)
{
	unsigned bytes;
	*insn = (struct dp_insn){.address = address,
				 .count = (uint8_t)code->isa->unit,
				 .isa = (uint8_t)code->isa->number,
				 .word_bits = (uint8_t)code->word_bits,
				 .big_endian = code->big_endian};
	if (!code->read(code->context, address, insn->bytes, insn->count)) {
		insn->count = 0;
		return false;
	}
	bytes = length(code, insn);
	if (bytes == 0)
		return false;
	if (bytes > insn->count &&
	    (bytes > DP_INSN_MAX || !code->read(code->context, address + insn->count,
						insn->bytes + insn->count, bytes - insn->count)))
		bytes = 0;
	insn->count = (uint8_t)bytes;
	return bytes != 0;
}
