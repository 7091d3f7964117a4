/* SPDX-License-Identifier: BSD-2-Clause */
/* The quick step performs the commonest stores and loads at the hit, which costs less than the
 * second trap of their slot. Every other case executes the slot, also an access that fails: the
 * slot faults in the proper way. The frame changes only after the access succeeded. */
#include "arm_port.h"

#if DP_ARM_WITH_QUICK

enum form {
	NONE,
	PUSH,        /* the list in the low 16 bits */
	PUSH_NARROW, /* 16-bit Thumb: r0..r7, lr */
	PUSH_ONE,    /* str rt, [sp, #-4]! */
	/* base register and offset, no writeback */
	TRANSFER,        /* A32, 12 bits up or down */
	TRANSFER_WIDE,   /* Thumb-2, 12 bits */
	TRANSFER_NARROW, /* 16-bit Thumb, 5 bits */
	TRANSFER_STACK,  /* 16-bit Thumb, sp, 8 bits */
};

static enum form narrow_form(uint32_t w)
{
	if ((w & 0xfe00) == 0xb400)
		return PUSH_NARROW;
	if (w >> 12 == 9)
		return TRANSFER_STACK;
	return w >= 0x6000 && w < 0x9000 ? TRANSFER_NARROW : NONE;
}

uint8_t dp_arm_quick_form(const struct dp_site *site)
{
	uint32_t w = site->original;
	bool thumb = dp_arm_is_thumb(site);

	/* Where an abort cannot be caught it must not be ours. */
	if (dp_arm->board->ranges_only)
		return NONE;
	if (site->insn_bytes == 2)
		return narrow_form(w);
	if (thumb ? w >> 16 == 0xe92d : (w & 0x0fff0000) == 0x092d0000)
		return PUSH;
	if (thumb ? (w & 0xffff0fff) == 0xf84d0d04 : (w & 0x0fff0fff) == 0x052d0004)
		return PUSH_ONE;
	if (thumb)
		return (w & 0xff800000) == 0xf8800000 ? TRANSFER_WIDE : NONE;
	return (w & 0x0f200000) == 0x05000000 ? TRANSFER : NONE;
}

static bool push(const struct dp_site *site, struct dp_frame *frame)
{
	uint32_t w = site->original, sp = frame->r[DP_ARM_SP], list = w;

	if (sp & 3)
		return false;
	if (site->port.detail != PUSH)
		list = site->port.detail == PUSH_ONE ? 1u << (w >> 12 & 15)
						     : (w & 0xff) | (w & 0x100) << 6;
	sp = dp_arm_push(list, sp, &frame->r[16]);
	if (sp == 0)
		return false;
	frame->r[DP_ARM_SP] = sp;
	return true;
}

/* The effect of a transfer, from the encodings. */
struct transfer {
	uint32_t offset;
	uint8_t rt, rn, width, load;
};

static void understand(const struct dp_site *site, struct transfer *t)
{
	uint32_t w = site->original;

	if (site->insn_bytes == 4) {
		t->rt = w >> 12 & 15;
		t->rn = w >> 16 & 15;
		t->load = w >> 20 & 1;
		t->offset = w & 0xfff;
		if (site->port.detail == TRANSFER_WIDE) {
			t->width = (uint8_t)(1u << (w >> 21 & 3));
			return;
		}
		t->width = w >> 22 & 1 ? 1 : 4;
		if (!(w >> 23 & 1))
			t->offset = 0u - t->offset;
		return;
	}
	t->load = w >> 11 & 1;
	if (site->port.detail == TRANSFER_STACK) {
		t->rt = w >> 8 & 7;
		t->rn = DP_ARM_SP;
		t->width = 4;
		t->offset = (w & 0xff) * 4;
		return;
	}
	t->rt = w & 7;
	t->rn = w >> 3 & 7;
	t->width = w >= 0x8000 ? 2 : w >= 0x7000 ? 1 : 4;
	t->offset = (w >> 6 & 31) * t->width;
}

static bool transfer(const struct dp_site *site, struct dp_frame *frame)
{
	struct transfer t;
	uint64_t value = 0;

	understand(site, &t);
	t.offset += frame->r[t.rn];
	if (!t.load)
		return dp_access_store(t.offset, t.width, &frame->r[t.rt]);
	if (!dp_access_load(t.offset, t.width, &value))
		return false;
	frame->r[t.rt] = (uint32_t)value;
	return true;
}

bool dp_arm_quick(const struct dp_site *site, struct dp_frame *frame)
{
	/* The port may do more than user mode. */
	if ((frame->cpsr & DP_PSR_MODE) == DP_MODE_USR)
		return false;
	return site->port.detail <= PUSH_ONE ? push(site, frame) : transfer(site, frame);
}

#endif
