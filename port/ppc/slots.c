/* SPDX-License-Identifier: BSD-2-Clause */
/* This file fills slots and finds the original address of a pc in a slot. */
#include "ppc_port.h"

#define DP_REACH 0x02000000u

uint32_t dp_ppc_branch(uint32_t from, uint32_t to)
{
	uint32_t distance = to - from;

	if (distance + DP_REACH >= 2 * DP_REACH)
		return 0;
	return DP_PPC_BRANCH | (distance & DP_PPC_BRANCH_MASK);
}

/* With own_vectors the port does not know whether each fault comes to it. */
static bool leaves(const struct dp_site *site)
{
	return site->port.action <= (dp_ppc->vector ? DP_PPC_MEMORY : DP_PPC_ONE_TRAP) &&
	       !dp_site_is_late(site);
}

/* The slot's place decides the branch back, so the branch is filled in when the slot is known. A
 * released slot with the same branch is used again in its place. */
static uint32_t end_word(const struct dp_site *site, unsigned number)
{
	const uint32_t *words = dp_slots_words(&dp_ppc->slots, (uint8_t)number);
	uint32_t branch = 0;

	if (leaves(site))
		branch = dp_ppc_branch((uint32_t)(uintptr_t)&words[DP_PPC_SLOT_END],
				       site->address + 4);
	return branch ? branch : DP_PPC_TRAP2;
}

void dp_ppc_slot_take(struct dp_site *site)
{
	struct dp_slot_pool *pool = &dp_ppc->slots;
	uint32_t content[DP_PPC_SLOT_WORDS - 1] = {site->original, DP_PPC_TRAP2}, *words;
	uint8_t number = DP_SLOT_NONE;

	/* A released slot that still holds the branch back of this site? */
	for (unsigned i = 0; i + 1u < pool->count && number == DP_SLOT_NONE; i++) {
		words = dp_slots_words(pool, (uint8_t)i);
		if (words[DP_PPC_SLOT_WORDS - 1] != (site->address | 1))
			continue;
		content[DP_PPC_SLOT_END] = end_word(site, i);
		if (words[DP_PPC_SLOT_INSN] == content[DP_PPC_SLOT_INSN] &&
		    words[DP_PPC_SLOT_END] == content[DP_PPC_SLOT_END])
			number = dp_slots_take(pool, site->address, content);
	}
	if (number == DP_SLOT_NONE) {
		content[DP_PPC_SLOT_END] = DP_PPC_TRAP2;
		number = dp_slots_take(pool, site->address, content);
	}
	site->port.slot = number;
	if (number == DP_SLOT_SCRATCH)
		return;
	words = dp_slots_words(pool, number);
	words[DP_PPC_SLOT_END] = end_word(site, number);
	if (words[DP_PPC_SLOT_END] != DP_PPC_TRAP2)
		site->port.flags |= DP_PPC_SITE_LEAVES;
	dp_port_text_written((uintptr_t)words, DP_PORT_SLOT_BYTES);
}

uint32_t dp_ppc_slot_enter(const struct dp_site *site)
{
	return (uint32_t)(uintptr_t)dp_slots_words(&dp_ppc->slots, site->port.slot);
}

uint32_t dp_ppc_slot_enter_two(const struct dp_site *site)
{
	const uint32_t content[DP_PPC_SLOT_WORDS - 1] = {site->original, DP_PPC_TRAP2};

	if (site->port.slot < DP_SLOT_SCRATCH && !(site->port.flags & DP_PPC_SITE_LEAVES))
		return dp_ppc_slot_enter(site);
	return (uint32_t)(uintptr_t)dp_slots_scratch(&dp_ppc->slots, site->address, content);
}

void dp_port_release(struct dp_site *site)
{
	dp_slots_release(&dp_ppc->slots, site->port.slot, site->port.flags & DP_PPC_SITE_LEAVES);
	site->port.slot = DP_SLOT_NONE;
}

struct dp_slot_pool *dp_slots_pool(void)
{
	return &dp_ppc->slots;
}

bool dp_ppc_at_copy(uint32_t pc)
{
	return pc - (uint32_t)(uintptr_t)dp_slots_at(&dp_ppc->slots, pc) < 4 * DP_PPC_SLOT_END;
}

/* At the copy: the original address; behind the copy: the next address. */
dp_addr dp_port_slot_origin(dp_addr pc)
{
	uint32_t address;

	if (dp_ppc == NULL || !dp_slots_contain(&dp_ppc->slots, pc))
		return pc;
	address = dp_slots_at(&dp_ppc->slots, pc)[DP_PPC_SLOT_WORDS - 1] & ~3u;
	return dp_ppc_at_copy(pc) ? address : address + 4;
}
