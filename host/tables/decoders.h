/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoders of the ports, by CPU, and the code that they read. */
#ifndef DPH_DECODERS_H
#define DPH_DECODERS_H

#include "dp_decoder.h"
#include "isas.h"

/* Find the decoder of a CPU (enum dp_cpu). Null: the CPU has none; dph_absent tells why. */
const struct dp_decoder *dph_decoder_of(unsigned cpu);

/* Code of one instruction set. */
struct dph_code {
	const struct dph_isa *isa;
	const struct dp_decoder *decoder; /* of the CPU; may be null */
	uint64_t from; /* an instruction at or before the address in question; no data between */
	unsigned word_bits;
	bool big_endian;
	void *context;
	/* Read bytes. Returns false where one is not there. */
	bool (*read)(void *context, uint64_t address, uint8_t *bytes, unsigned count);
};

/* Read the instruction at an address. The rows of the instruction set tell its length; where these
 * do not, its decoder. Returns false: there is none, or nobody knows its length. insn->count is
 * then the number of bytes that tell no length, 0: the instruction is not readable. */
bool dph_insn_read(const struct dph_code *code, uint64_t address, struct dp_insn *insn);

#endif
