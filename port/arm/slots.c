/* SPDX-License-Identifier: BSD-2-Clause */
/* This file fills slots and finds the original address of a pc in a slot. port/README.md 7 */
#include "arm_port.h"

#define DP_LDR_PC_A32   0xe51ff004u /* ldr pc, [pc, #-4] */
#define DP_LDR_PC_THUMB 0xf000f8dfu /* ldr.w pc, [pc, #0], halves in memory order */
#define DP_NOP_THUMB    0xbf00u
#define DP_TWO_TRAPS2   (DP_ARM_TRAP2_THUMB << 16 | DP_ARM_TRAP2_THUMB)

/* insn: as a number, second half of Thumb-2 low. */
void dp_slots_compose(const struct dp_site *site, uint32_t insn, uintptr_t slot, uint32_t *word)
{
	bool thumb = dp_arm_is_thumb(site), narrow = thumb && site->insn_bytes == 2;
	uint32_t swapped = thumb ? insn << 16 | insn >> 16 : insn;

	(void)slot;
	word[DP_ARM_SLOT_INSN] = narrow ? insn << 16 | DP_NOP_THUMB : swapped;
	word[DP_ARM_SLOT_JUMP] = thumb ? DP_LDR_PC_THUMB : DP_LDR_PC_A32;
	word[DP_ARM_SLOT_NEXT] = (site->address + site->insn_bytes) | thumb;
	word[DP_ARM_SLOT_INSN2] = narrow ? DP_ARM_TRAP2_THUMB << 16 | insn : swapped;
	word[DP_ARM_SLOT_TRAP2] = thumb ? DP_TWO_TRAPS2 : DP_ARM_TRAP2;
}

const uint32_t *dp_arm_slot_words(const struct dp_site *site)
{
	uint32_t content[DP_SLOT_WORDS];

	if (site->port.slot != DP_SLOT_SCRATCH)
		return dp_slots_words(&dp_arm->slots, site->port.slot);
	dp_slots_compose(site, dp_arm_slot_insn(site), 0, content);
	return dp_slots_scratch(&dp_arm->slots, site->address, content);
}

void dp_port_release(struct dp_site *site)
{
	dp_slots_release(&dp_arm->slots, site->port.slot,
			 site->port.action <= DP_ARM_MEMORY || dp_arm_jumps_out(site));
	site->port.slot = DP_SLOT_NONE;
}

struct dp_slot_pool *dp_slots_pool(void)
{
	return &dp_arm->slots;
}

bool dp_arm_behind_copy(uint32_t pc)
{
	uint32_t byte = pc - (uint32_t)(uintptr_t)dp_slots_at(&dp_arm->slots, pc);

	return (byte >= 4 * DP_ARM_SLOT_JUMP && byte < 4 * DP_ARM_SLOT_INSN2) ||
	       byte >= 4 * DP_ARM_SLOT_TRAP2;
}

/* Before the copy: the original; behind it: the instruction that comes next. */
dp_addr dp_port_slot_origin(dp_addr pc)
{
	const uint32_t *words;

	if (dp_arm == NULL || !dp_arm_in_slots(pc))
		return pc;
	words = dp_slots_at(&dp_arm->slots, pc);
	if (dp_arm_behind_copy(pc))
		return words[DP_ARM_SLOT_NEXT];
	return *dp_slots_address(words) | (pc & 1);
}
