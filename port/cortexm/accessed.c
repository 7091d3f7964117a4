/* SPDX-License-Identifier: BSD-2-Clause */
/* The access of a Thumb instruction to memory: kinds, address, bytes. DDI 0403E A5.2, A5.3, A7.7 */
#include "cortexm_data.h"

#if DP_CORTEXM_WATCHERS > 0
enum {
	DP_SP = 13
};

static bool tell(struct dp_watched *access, bool loads, uint32_t address, unsigned bytes)
{
	access->kinds = loads ? DP_WATCHED_READ : DP_WATCHED_WRITE;
	access->address = address;
	access->bytes = (uint8_t)bytes;
	return bytes > 0;
}

/* The registers in a list. The compiler's function for it is one of its library. */
static unsigned count_of(uint32_t list)
{
	unsigned count = 0;

	for (; list != 0; list &= list - 1)
		count++;
	return count;
}

static unsigned field(uint32_t insn, unsigned low, unsigned count)
{
	return insn >> low & ((1u << count) - 1);
}

/* A register as a base: the pc is aligned.  A5.1.2 */
static uint32_t base_of(const struct dp_frame *frame, unsigned n)
{
	return n == DP_ARM_PC ? (frame->r[DP_ARM_PC] + 4) & ~3u : frame->r[n];
}

static bool tell_16(uint32_t w, const struct dp_frame *frame, struct dp_watched *access)
{
	const uint32_t n = frame->r[field(w, 3, 3)], imm = field(w, 6, 5);
	const bool load = w & 0x800;
	/* str strh strb ldrsb ldr ldrh ldrb ldrsh */
	static const uint8_t width[8] = {4, 2, 1, 1, 4, 2, 1, 2};

	switch (w >> 12) {
	case 4:
		return (w & 0x800) &&
		       tell(access, true, base_of(frame, DP_ARM_PC) + 4 * (w & 0xff), 4);
	case 5:
		return tell(access, field(w, 9, 3) >= 3, n + frame->r[field(w, 6, 3)],
			    width[field(w, 9, 3)]);
	case 6:
		return tell(access, load, n + 4 * imm, 4);
	case 7:
		return tell(access, load, n + imm, 1);
	case 8:
		return tell(access, load, n + 2 * imm, 2);
	case 9:
		return tell(access, load, frame->r[DP_SP] + 4 * (w & 0xff), 4);
	case 0xb: { /* push, pop */
		unsigned all = 4 * count_of(w & 0x1ff);

		return (w & 0x600) == 0x400 &&
		       tell(access, load, frame->r[DP_SP] - (load ? 0 : all), all);
	}
	case 0xc:
		return tell(access, load, frame->r[field(w, 8, 3)], 4 * count_of(w & 0xff));
	default:
		return false;
	}
}

/* Exclusives, and the table branches.  A5.3.6 */
static bool tell_special(uint32_t w, const struct dp_frame *frame, struct dp_watched *access)
{
	const unsigned base = field(w, 16, 4), op = field(w, 4, 4);
	const uint32_t n = frame->r[base];
	const bool load = w & 0x00100000;

	if (!(w & 0x00800000))
		return tell(access, load, n + 4 * (w & 0xff), 4);
	if (op <= 1) /* the pc of a table is not aligned */
		return tell(access, true,
			    n + (base == DP_ARM_PC ? 4 : 0) + (frame->r[w & 15] << op), 1u << op);
	return tell(access, load, n, 1u << (op & 3));
}

/* strd, ldrd, and those of FP: an offset of words; without P it comes behind the access. */
static uint32_t at_offset(uint32_t w, const struct dp_frame *frame)
{
	const uint32_t n = base_of(frame, field(w, 16, 4)), offset = 4 * (w & 0xff);

	if (!(w & 0x01000000))
		return n;
	return w & 0x00800000 ? n + offset : n - offset;
}

/* e8, e9: several registers, two, exclusive.  A5.3.5, A5.3.6 */
static bool tell_many(uint32_t w, const struct dp_frame *frame, struct dp_watched *access)
{
	const uint32_t n = frame->r[field(w, 16, 4)];
	const bool load = w & 0x00100000;

	if (!(w & 0x00400000)) {
		const unsigned list = 4 * count_of(w & 0xffff);

		return tell(access, load, w & 0x01000000 ? n - list : n, list);
	}
	if ((w & 0x01200000) == 0)
		return tell_special(w, frame, access);
	return tell(access, load, at_offset(w, frame), 8);
}

/* f8, f9: one register.  A5.3.7 to A5.3.10 */
static bool tell_one(uint32_t w, const struct dp_frame *frame, struct dp_watched *access)
{
	const uint32_t n = base_of(frame, field(w, 16, 4));
	const unsigned bytes = 1u << field(w, 21, 2);
	const bool load = w & 0x00100000;

	if (field(w, 16, 4) == DP_ARM_PC) /* bit 23: forward */
		return tell(access, load, w & 0x00800000 ? n + (w & 0xfff) : n - (w & 0xfff),
			    bytes);
	if (w & 0x00800000)
		return tell(access, load, n + (w & 0xfff), bytes);
	if (!(w & 0x800))
		return tell(access, load, n + (frame->r[w & 15] << field(w, 4, 2)), bytes);
	if (!(w & 0x400)) /* post-indexed */
		return tell(access, load, n, bytes);
	return tell(access, load, w & 0x200 ? n + (w & 0xff) : n - (w & 0xff), bytes);
}

/* ec, ed: vldr, vstr have P without W; vldm, vstm, vpush, vpop. A word of a vmov of two registers
 * is no access.  A6.6 */
static bool tell_fp(uint32_t w, const struct dp_frame *frame, struct dp_watched *access)
{
	const bool load = w & 0x00100000;

	if ((w & 0x01a00000) == 0)
		return false;
	if ((w & 0x01200000) == 0x01000000)
		return tell(access, load, at_offset(w, frame), w & 0x100 ? 8 : 4);
	return tell(access, load, frame->r[field(w, 16, 4)] - (w & 0x01000000 ? 4 * (w & 0xff) : 0),
		    4 * (w & 0xff));
}

bool dp_cortexm_access_of(uint32_t insn, unsigned bytes, const struct dp_frame *frame,
			  struct dp_watched *access)
{
	if (bytes == 2)
		return tell_16(insn, frame, access);
	switch (insn >> 25) {
	case 0xe8 >> 1:
		return tell_many(insn, frame, access);
	case 0xf8 >> 1:
		/* of size 3, and stores with a sign, there are none */
		return field(insn, 21, 2) != 3 && (insn & 0x01100000) != 0x01000000 &&
		       tell_one(insn, frame, access);
	case 0xec >> 1:
		return field(insn, 9, 3) == 5 && tell_fp(insn, frame, access);
	default:
		return false;
	}
}
#endif
