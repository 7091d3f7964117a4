/* SPDX-License-Identifier: BSD-2-Clause */
/* Slots: copies of displaced instructions in executable memory.  spec/stepping.md 1.4 rules 1, 6
 *
 * Every slot has both ways to end: a jump to the next instruction, and a second trap. Which one a
 * step uses is decided at the hit: in the middle of an IT block the jump would lose ITSTATE. */
#include "arm_port.h"

enum {
	INSN,
	JUMP,
	NEXT,
	INSN2,
	TRAP2,
	ORIGIN
};
enum {
	RELEASED = 1,
	FREE = -1,
	TAKEN = -2 /* by a site that has not been armed */
};

/* Words of the slot: the instruction, how to go on, the trap. */
#define LDR_PC_A32   0xe51ff004u /* ldr pc, [pc, #-4] */
#define LDR_PC_THUMB 0xf000f8dfu /* ldr.w pc, [pc, #0], halves in memory order */
#define NOP_THUMB    0xbf00u
#define TWO_TRAPS2   (DP_ARM_TRAP2_THUMB << 16 | DP_ARM_TRAP2_THUMB)

bool dp_arm_slots_init(struct dp_port_state *state, uintptr_t start, uintptr_t end)
{
	state->slot = (struct dp_arm_slot *)start;
	state->slots = 0;
	while (start + sizeof(struct dp_arm_slot) <= end && state->slots <= DP_ARM_SLOTS_MAX) {
		state->slot[state->slots++].word[ORIGIN] = (uint32_t)FREE;
		start += sizeof(struct dp_arm_slot);
	}
	return state->slots > 0;
}

static bool same(const uint32_t *a, const uint32_t *b)
{
	for (unsigned i = 0; i < ORIGIN; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* The words for one instruction. insn: as a number, second half of Thumb-2 low. */
static void compose(const struct dp_site *site, uint32_t insn, uint32_t *word)
{
	word[NEXT] = site->address + site->insn_bytes;
	if (site->isa != DP_ISA_THUMB) {
		word[INSN] = word[INSN2] = insn;
		word[JUMP] = LDR_PC_A32;
		word[TRAP2] = DP_ARM_TRAP2;
	} else if (site->insn_bytes == 2) {
		word[INSN] = insn << 16 | NOP_THUMB;
		word[INSN2] = DP_ARM_TRAP2_THUMB << 16 | insn;
	} else {
		word[INSN] = word[INSN2] = insn << 16 | insn >> 16;
	}
	if (site->isa == DP_ISA_THUMB) {
		word[JUMP] = LDR_PC_THUMB;
		word[NEXT] |= 1;
		word[TRAP2] = TWO_TRAPS2;
	}
}

static void fill(struct dp_arm_slot *slot, const uint32_t *word)
{
	for (unsigned i = 0; i <= ORIGIN; i++)
		slot->word[i] = word[i];
	dp_arm_sync((uintptr_t)slot, sizeof(*slot));
}

uint8_t dp_arm_slot_take(const struct dp_site *site, uint32_t insn)
{
	unsigned found = DP_ARM_SCRATCH;
	uint32_t word[ORIGIN + 1];

	compose(site, insn, word);
	word[ORIGIN] = (uint32_t)TAKEN;
	for (unsigned i = 0; i + 1 < dp_arm->slots; i++) {
		uint32_t *have = dp_arm->slot[i].word;

		if (have[ORIGIN] == (site->address | RELEASED) && same(have, word)) {
			have[ORIGIN] = site->address; /* still right, perhaps still occupied */
			return (uint8_t)i;
		}
		if (have[ORIGIN] == (uint32_t)FREE && found == DP_ARM_SCRATCH)
			found = i;
	}
	if (found != DP_ARM_SCRATCH)
		fill(&dp_arm->slot[found], word);
	return (uint8_t)found;
}

uint32_t dp_arm_slot_enter(const struct dp_site *site, bool two)
{
	struct dp_arm_slot *slot;
	uint32_t word[ORIGIN + 1], thumb = site->isa == DP_ISA_THUMB;

	if (site->port.slot == DP_ARM_SCRATCH) {
		slot = &dp_arm->slot[dp_arm->slots - 1];
		compose(site, dp_arm_slot_insn(site), word);
		word[ORIGIN] = site->address;
		fill(slot, word);
		two = true;
	} else {
		slot = &dp_arm->slot[site->port.slot];
	}
	if (two)
		return (uint32_t)(uintptr_t)&slot->word[INSN2] | thumb;
	return (uint32_t)(uintptr_t)&slot->word[INSN] + (thumb && site->insn_bytes == 2 ? 2 : 0) +
	       thumb;
}

void dp_arm_slot_armed(const struct dp_site *site)
{
	if (site->port.slot < DP_ARM_SCRATCH)
		dp_arm->slot[site->port.slot].word[ORIGIN] = site->address;
}

void dp_port_release(struct dp_site *site)
{
	uint32_t *origin;

	if (site->port.slot < DP_ARM_SCRATCH) {
		origin = &dp_arm->slot[site->port.slot].word[ORIGIN];
		if (site->port.action == DP_ARM_ONE_TRAP && *origin != (uint32_t)TAKEN)
			*origin |= RELEASED;
		else
			*origin = (uint32_t)FREE;
	}
	site->port.slot = DP_ARM_NO_SLOT;
}

void dp_port_quiescent(void)
{
	for (unsigned i = 0; i < dp_arm->slots; i++)
		if (dp_arm->slot[i].word[ORIGIN] & RELEASED)
			dp_arm->slot[i].word[ORIGIN] = (uint32_t)FREE;
}

void dp_port_slots(unsigned *total, unsigned *available)
{
	*total = dp_arm->slots - 1;
	*available = 0;
	for (unsigned i = 0; i + 1 < dp_arm->slots; i++)
		if (dp_arm->slot[i].word[ORIGIN] == (uint32_t)FREE)
			++*available;
}

bool dp_arm_in_slots(uint32_t pc)
{
	return dp_arm != NULL &&
	       pc - (uint32_t)(uintptr_t)dp_arm->slot < dp_arm->slots * sizeof(struct dp_arm_slot);
}

/* Slot and byte in it. No division: there is none in hardware, and none in this image. */
static const struct dp_arm_slot *slot_of(uint32_t pc, uint32_t *byte)
{
	uint32_t offset = pc - (uint32_t)(uintptr_t)dp_arm->slot;
	uint32_t index = offset * 43691u >> 20; /* / 24, exact below 64 KiB */

	*byte = offset - index * (uint32_t)sizeof(struct dp_arm_slot);
	return &dp_arm->slot[index];
}

bool dp_arm_slot_trap2(const struct dp_frame *frame)
{
	uint32_t byte;

	slot_of(frame->r[DP_ARM_PC], &byte);
	return byte == 16 || byte == 14; /* 14: behind a 16-bit copy */
}

/* Before the copy: the original; behind it: the instruction that comes next. */
dp_addr dp_port_slot_origin(dp_addr pc)
{
	const struct dp_arm_slot *slot;
	uint32_t byte;

	if (!dp_arm_in_slots(pc))
		return pc;
	slot = slot_of(pc, &byte);
	if ((byte >= 4 && byte < 12) || byte >= 16)
		return slot->word[NEXT];
	return (slot->word[ORIGIN] & ~1u) | (pc & 1);
}
