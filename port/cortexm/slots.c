/* SPDX-License-Identifier: BSD-2-Clause */
/* This file fills slots and finds the original address of a pc in a slot. port/README.md 7 */
#include "cortexm_port.h"

#define DP_NOP_THUMB  0xbf00u
#define DP_TWO_TRAPS2 (DP_ARM_TRAP2_THUMB << 16 | DP_ARM_TRAP2_THUMB)

/* insn: as a number, second half of a wide one low. */
void dp_slots_compose(const struct dp_site *site, uint32_t insn, uintptr_t slot, uint32_t *word)
{
	bool narrow = site->insn_bytes == 2;
	uint32_t swapped = insn << 16 | insn >> 16;

	(void)slot;
	word[DP_CORTEXM_SLOT_INSN] = narrow ? insn << 16 | DP_NOP_THUMB : swapped;
#if DP_CORTEXM_HAS_FAULTS
	word[DP_CORTEXM_SLOT_JUMP] = 0xf000f8dfu; /* ldr.w pc, [pc, #0] */
#else
	word[DP_CORTEXM_SLOT_JUMP] = 0x4801b403u;     /* push {r0, r1}; ldr r0, [pc, #4] */
	word[DP_CORTEXM_SLOT_JUMP + 1] = 0xbd019001u; /* str r0, [sp, #4]; pop {r0, pc} */
#endif
	word[DP_CORTEXM_SLOT_NEXT] = (site->address + site->insn_bytes) | 1;
	word[DP_CORTEXM_SLOT_INSN2] = narrow ? DP_ARM_TRAP2_THUMB << 16 | insn : swapped;
	word[DP_CORTEXM_SLOT_TRAP2] = DP_TWO_TRAPS2;
}

const uint32_t *dp_cortexm_slot_words(const struct dp_site *site)
{
	uint32_t content[DP_SLOT_WORDS];

	if (site->port.slot != DP_SLOT_SCRATCH)
		return dp_slots_words(&dp_cortexm->slots, site->port.slot);
	dp_slots_compose(site, dp_cortexm_slot_insn(site), 0, content);
	return dp_slots_scratch(&dp_cortexm->slots, site->address, content);
}

const uint32_t *dp_cortexm_slot_with(const struct dp_site *site, uint32_t insn)
{
	uint32_t content[DP_SLOT_WORDS];

	dp_slots_compose(site, insn, 0, content);
	content[DP_CORTEXM_SLOT_INSN2] = DP_ARM_TRAP2_THUMB << 16 | insn;
	return dp_slots_scratch(&dp_cortexm->slots, site->address, content);
}

void dp_port_release(struct dp_site *site)
{
	dp_slots_release(&dp_cortexm->slots, site->port.slot,
			 site->port.action <= DP_ARM_MEMORY || dp_cortexm_jumps_out(site));
	site->port.slot = DP_SLOT_NONE;
}

struct dp_slot_pool *dp_slots_pool(void)
{
	return &dp_cortexm->slots;
}

bool dp_cortexm_behind_copy(uint32_t pc)
{
	uint32_t byte = pc - (uint32_t)(uintptr_t)dp_slots_at(&dp_cortexm->slots, pc);

	return (byte >= 4 * DP_CORTEXM_SLOT_JUMP && byte < 4 * DP_CORTEXM_SLOT_INSN2) ||
	       byte >= 4 * DP_CORTEXM_SLOT_TRAP2;
}

/* Before the copy: the original; behind it: the instruction that comes next. */
dp_addr dp_port_slot_origin(dp_addr pc)
{
	const uint32_t *words;

	if (dp_cortexm == NULL || !dp_cortexm_in_slots(pc))
		return pc;
	words = dp_slots_at(&dp_cortexm->slots, pc);
	if (dp_cortexm_behind_copy(pc))
		return words[DP_CORTEXM_SLOT_NEXT] & ~1u;
	return *dp_slots_address(words) | (pc & 1);
}
