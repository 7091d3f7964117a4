/* SPDX-License-Identifier: BSD-2-Clause */
/* The emulators of ARM's instruction sets share this header. An instruction changes the frame only
 * after all its accesses have succeeded, so that a fault leaves the frame unchanged.
 * Inline: as functions of another file they cost 200 bytes.  port/README.md 7; DDI 0406C A8.8 */
#ifndef DP_EMULATE_H
#define DP_EMULATE_H

#include "dp_thumb_cpu.h"
#include "it_state.h"
#include "thumb_decode.h"

/* A width of an access beside 1, 2, 4 and 8 bytes: a word with the alignment rules of LDM and STM.
 */
enum {
	DP_ARM_BLOCK_WORD = 3
};

struct dp_arm_insn {
	uint32_t word;
	uint32_t address, next;
	uint32_t pc; /* the value that a read of PC gives */
	struct dp_frame *frame;
	/* For dp_arm_transfer. The base register `back` gets `after`; PC: none does. */
	uint32_t at, after;
	uint8_t rt, rt2, back, width;
	bool store, sign;
};

static inline uint32_t dp_arm_bits(uint32_t word, unsigned low, unsigned count)
{
	return word >> low & ((1u << count) - 1);
}

static inline int32_t dp_arm_sign_extend(uint32_t value, unsigned count)
{
	return (int32_t)(value << (32 - count)) >> (32 - count);
}

/* Branches. The frame's pc has been set to the next instruction already. */
static inline bool dp_arm_jump(const struct dp_arm_insn *i, uint32_t target)
{
	i->frame->r[DP_ARM_PC] = target;
	return true;
}

static inline void dp_arm_link(const struct dp_arm_insn *i, uint32_t address)
{
	i->frame->r[DP_ARM_LR] = address;
}

/* Read a register. */
static inline uint32_t dp_arm_get(const struct dp_arm_insn *i, unsigned reg)
{
	return reg == DP_ARM_PC ? i->pc : i->frame->r[reg];
}

/* Branch; bit 0 chooses the instruction set (BXWritePC). */
static inline bool dp_arm_jump_exchange(const struct dp_arm_insn *i, uint32_t target)
{
	dp_thumb_exchange(i->frame, target);
	return dp_arm_jump(i, target & ~1u);
}

/* Write a register; a write of PC is a branch (LoadWritePC, v5T and later). */
static inline bool dp_arm_set(const struct dp_arm_insn *i, unsigned reg, uint32_t value)
{
	if (reg == DP_ARM_PC)
		return dp_arm_jump_exchange(i, value);
	i->frame->r[reg] = value;
	return true;
}

/* bx, blx: the target is read before LR is written. */
static inline bool dp_arm_branch_exchange(const struct dp_arm_insn *i, unsigned reg, bool with_link,
					  uint32_t back)
{
	uint32_t target = dp_arm_get(i, reg);

	if (with_link)
		dp_arm_link(i, back);
	return dp_arm_jump_exchange(i, target);
}

/* Begin with an instruction: the form of most transfers, and the place of their registers. The
 * frame is behind the instruction then.
 * ahead: bytes from the instruction to the value that a read of PC gives. */
static inline void dp_arm_begin(struct dp_arm_insn *i, const struct dp_site *site,
				struct dp_frame *frame, unsigned ahead)
{
	/* One by one: an initialiser becomes a call to memset. */
	i->word = site->original;
	i->address = site->address;
	i->next = site->address + site->insn_bytes;
	i->frame = frame;
	i->pc = i->address + ahead;
	i->at = 0;
	i->after = 0;
	i->rt = (uint8_t)dp_arm_bits(i->word, 12, 4);
	i->rt2 = (uint8_t)dp_arm_bits(i->word, 8, 4);
	i->back = DP_ARM_PC;
	i->width = 4;
	i->store = false;
	i->sign = false;
	frame->r[DP_ARM_PC] = i->next;
	if (DP_THUMB_STATUS(frame) & DP_THUMB_IT)
		dp_thumb_advance_it(frame);
}

/* The value that a store of a register writes. */
static inline uint32_t dp_arm_stored(const struct dp_arm_insn *i, unsigned reg)
{
	return DP_ARM_STORES && reg == DP_ARM_PC ? dp_thumb_stored_pc(i->address)
						 : i->frame->r[reg];
}

/* Load or store rt; rt2 too with a width of 8. sign: a loaded byte or halfword is signed.
 * Returns false when an access faulted: the frame is as dp_arm_begin left the frame. */
static inline bool dp_arm_transfer(const struct dp_arm_insn *i)
{
	uint32_t data[2] __attribute__((aligned(8))) = {0, 0};
	unsigned unused = 32u - 8u * i->width;

	bool store = DP_ARM_STORES && i->store;

	if (store) {
		data[0] = dp_arm_stored(i, i->rt);
		data[1] = i->frame->r[i->rt2];
	}
	if (!dp_thumb_access(i->frame, store, i->at, i->width, data))
		return false;
	if (i->back != DP_ARM_PC)
		i->frame->r[i->back] = i->after;
	if (store)
		return true;
	if (i->sign)
		data[0] = (uint32_t)((int32_t)(data[0] << unused) >> unused);
	dp_arm_set(i, i->rt, data[0]);
	if (i->width == 8)
		i->frame->r[i->rt2] = data[1];
	return true;
}

/* Perform LDM or STM, as the A32 word; Thumb-2 has the same bits. Returns as dp_arm_transfer does.
 * The lowest register, when also the base,
 * is stored with the base's old value. Any other base register is stored with the new value
 * before v7 (else UNPREDICTABLE). Without PC in the list the instruction runs from the slot. */
static inline bool dp_arm_block(const struct dp_arm_insn *i, uint32_t w)
{
	bool store = DP_ARM_STORES && !dp_arm_bits(w, 20, 1), up = dp_arm_bits(w, 23, 1);
	uint32_t word[16], rn = dp_arm_bits(w, 16, 4), address = i->frame->r[rn], after;
	unsigned count = 0;

	for (unsigned reg = 0; reg <= DP_ARM_PC; reg++)
		if (w >> reg & 1) {
			if (DP_ARM_STORES)
				word[count] = dp_arm_stored(i, reg);
			count++;
		}
	after = up ? address + 4 * count : address - 4 * count;
	if (!up)
		address = after;
	if (dp_arm_bits(w, 24, 1) == up)
		address += 4;
	for (unsigned n = 0; n < count; n++)
		if (!dp_thumb_access(i->frame, store, address + 4 * n, DP_ARM_BLOCK_WORD, &word[n]))
			return false;
	if (dp_arm_bits(w, 21, 1))
		i->frame->r[rn] = after;
	count = 0;
	for (unsigned reg = 0; reg <= DP_ARM_PC && !store; reg++)
		if (w >> reg & 1)
			dp_arm_set(i, reg, word[count++]);
	return true;
}

#endif
