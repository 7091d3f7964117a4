/* SPDX-License-Identifier: BSD-2-Clause */
/* The access of an instruction to memory: kind, address, width. A trigger tells none of them.
 * Unprivileged ISA 2.6, 8, 11.5, 16.3 */
#include "riscv_triggers.h"

#if DP_RISCV_TRIGGERS > 0
enum {
	DP_LOAD = 0x03,
	DP_LOAD_FP = 0x07,
	DP_STORE = 0x23,
	DP_STORE_FP = 0x27,
	DP_AMO = 0x2f
};

/* bits from `high` down to `low` of the instruction, at `to` */
static uint32_t field(uint32_t insn, unsigned high, unsigned low, unsigned to)
{
	return (insn >> low & ((1u << (high - low + 1)) - 1)) << to;
}

static void tell(struct dp_watched *access, bool stores, unsigned bytes, dp_word address)
{
	access->kinds = stores ? DP_WATCHED_WRITE : DP_WATCHED_READ;
	access->bytes = (uint8_t)bytes;
	access->address = address;
	access->told = true;
}

/* 32 bits. Returns false: no access that is known. */
static bool tell_32(uint32_t insn, const struct dp_frame *frame, struct dp_watched *access)
{
	const dp_word base = frame->x[insn >> 15 & 31];
	const dp_word upper = (dp_word)((int32_t)insn >> 25) << 5; /* with its sign */
	const unsigned width = insn >> 12 & 7, opcode = insn & 0x7f;
	/* 4: a load without its sign; of floating point and atomic: 16 bytes */
	const unsigned bytes = 1u << (width & 3), wide_bytes = 1u << width;

	switch (opcode) {
	case DP_LOAD:
		tell(access, false, bytes, base + upper + field(insn, 24, 20, 0));
		return true;
	case DP_LOAD_FP:
		tell(access, false, wide_bytes, base + upper + field(insn, 24, 20, 0));
		return width - 1 < 4;
	case DP_STORE:
		tell(access, true, bytes, base + upper + field(insn, 11, 7, 0));
		return true;
	case DP_STORE_FP:
		tell(access, true, wide_bytes, base + upper + field(insn, 11, 7, 0));
		return width - 1 < 4;
	case DP_AMO:
		tell(access, true, wide_bytes, base);
		if (dp_riscv_window(insn) > 0)
			access->kinds = DP_WATCHED_READ;
		else if (dp_riscv_window(insn) == 0)
			access->kinds |= DP_WATCHED_READ;
		return width <= 4;
	default:
		return false;
	}
}

/* 16 bits: funct3 1 has 8 bytes, 2 has 4, 3 has a word of RV64 or the float of RV32; 4 more: a
 * store. Without D the 8 bytes are another instruction, such as cm.push. */
static bool tell_16(uint32_t insn, const struct dp_frame *frame, struct dp_watched *access)
{
	const unsigned funct3 = insn >> 13 & 7, width = funct3 & 3;
	const bool stores = funct3 & 4, wide = width == 1 || (width == 3 && DP_WORD_BITS == 64);
	uint32_t offset;

	if (width == 0 || (insn & 3) == 1 || (width == 1 && !(dp_riscv->cpu & DP_RISCV_HAS_D)))
		return false;
	if ((insn & 3) == 0)
		offset =
			field(insn, 12, 10, 3) |
			(wide ? field(insn, 6, 5, 6) : field(insn, 6, 6, 2) | field(insn, 5, 5, 6));
	else if (stores)
		offset = wide ? field(insn, 12, 10, 3) | field(insn, 9, 7, 6)
			      : field(insn, 12, 9, 2) | field(insn, 8, 7, 6);
	else
		offset = field(insn, 12, 12, 5) |
			 (wide ? field(insn, 6, 5, 3) | field(insn, 4, 2, 6)
			       : field(insn, 6, 4, 2) | field(insn, 3, 2, 6));
	tell(access, stores, wide ? 8 : 4,
	     frame->x[(insn & 3) == 0 ? 8 + (insn >> 7 & 7) : DP_RISCV_SP] + offset);
	return true;
}

void dp_riscv_access_of(uint32_t insn, const struct dp_frame *frame, struct dp_watched *access)
{
	if (dp_riscv_bytes(insn) == 2 ? tell_16(insn, frame, access) : tell_32(insn, frame, access))
		return;
	access->kinds = DP_WATCHED_READ | DP_WATCHED_WRITE;
	access->bytes = 0;
	access->told = false;
}
#endif
