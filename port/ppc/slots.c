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
	return (site->port.action <= (dp_ppc->vector ? DP_PPC_MEMORY : DP_PPC_ONE_TRAP) ||
		site->port.action == DP_PPC_OUT) &&
	       !dp_site_is_late(site);
}

/* The slot's place decides the branch back. */
void dp_slots_compose(const struct dp_site *site, uint32_t insn, uintptr_t slot, uint32_t *content)
{
	uint32_t branch = 0;

	if (leaves(site))
		branch = dp_ppc_branch(slot + 4 * DP_PPC_SLOT_END, site->address + 4);
	content[DP_PPC_SLOT_INSN] = insn;
	content[DP_PPC_SLOT_END] = branch ? branch : DP_PPC_TRAP2_WORD;
}

void dp_ppc_slot_take(struct dp_site *site)
{
	struct dp_slot_pool *pool = &dp_ppc->slots;
	uint8_t number = dp_slots_take(pool, site, site->original);

	site->port.slot = number;
	if (number != DP_SLOT_SCRATCH &&
	    dp_slots_words(pool, number)[DP_PPC_SLOT_END] != DP_PPC_TRAP2_WORD)
		site->port.flags |= DP_PPC_SITE_LEAVES;
}

uint32_t dp_ppc_slot_enter(const struct dp_site *site)
{
	return (uint32_t)(uintptr_t)dp_slots_words(&dp_ppc->slots, site->port.slot);
}

uint32_t dp_ppc_slot_enter_two(const struct dp_site *site)
{
	const uint32_t content[DP_SLOT_WORDS] = {site->original, DP_PPC_TRAP2_WORD};

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
	address = *dp_slots_address(dp_slots_at(&dp_ppc->slots, pc));
	return dp_ppc_at_copy(pc) ? address : address + 4;
}
