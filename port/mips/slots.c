/* SPDX-License-Identifier: BSD-2-Clause */
/* This file fills slots and finds the original address of a pc in a slot. */
#include "mips_port.h"

#define DP_J           0x08000000u
#define DP_J_MASK      0xfc000000u
#define DP_REGION_MASK 0xf0000000u

static uint32_t jump_to(uint32_t address)
{
	return DP_J | (address >> 2 & 0x03ffffff);
}

bool dp_mips_same_region(uint32_t a, uint32_t b)
{
	return ((a ^ b) & DP_REGION_MASK) == 0;
}

bool dp_mips_slot_has_jump(const uint32_t *words)
{
	return (words[DP_MIPS_SLOT_JUMP] & DP_J_MASK) == DP_J;
}

/* In a slot for a delay slot the jump's target is the slot itself. */
static void compose(const struct dp_site *site, bool delay, uint32_t insn, uint32_t slot,
		    uint32_t *content)
{
	content[DP_MIPS_SLOT_JUMP] =
		jump_to(delay ? slot + 4 * DP_MIPS_SLOT_TRAP2 : site->address + 4);
	content[DP_MIPS_SLOT_INSN] = insn;
	content[DP_MIPS_SLOT_TRAP2] = DP_MIPS_TRAP2;
}

/* insn: the copy, of the site or of its delay slot. */
void dp_slots_compose(const struct dp_site *site, uint32_t insn, uintptr_t slot, uint32_t *content)
{
	compose(site, site->port.flags & DP_MIPS_SITE_DELAY, insn, slot, content);
	if (site->port.flags & DP_MIPS_SITE_OUT)
		content[DP_MIPS_SLOT_JUMP] = site->original;
}

uint32_t dp_mips_slot_insn(const struct dp_site *site)
{
	return dp_slots_words(&dp_mips->slots, site->port.slot)[DP_MIPS_SLOT_INSN];
}

uint32_t dp_mips_slot_scratch(const struct dp_site *site, bool delay, uint32_t insn)
{
	struct dp_slot_pool *pool = &dp_mips->slots;
	uint32_t *words = dp_slots_words(pool, pool->count - 1u);
	uint32_t content[DP_SLOT_WORDS];

	compose(site, delay, insn, (uint32_t)(uintptr_t)words, content);
	dp_slots_scratch(pool, site->address, content);
	return (uint32_t)(uintptr_t)&words[delay ? DP_MIPS_SLOT_JUMP : DP_MIPS_SLOT_INSN];
}

void dp_port_release(struct dp_site *site)
{
	/* A loser of a race for its slot's words may only be in one that jumps away. */
	dp_slots_release(&dp_mips->slots, site->port.slot,
			 (site->port.flags & DP_MIPS_SITE_OUT) ||
				 (site->port.action <= DP_MIPS_MEMORY &&
				  !(site->port.flags & DP_MIPS_SITE_DELAY)));
	site->port.slot = DP_SLOT_NONE;
}

struct dp_slot_pool *dp_slots_pool(void)
{
	return &dp_mips->slots;
}

/* At the copy or the jump that carries the copy: the original address; behind: the next address. */
dp_addr dp_port_slot_origin(dp_addr pc)
{
	const uint32_t *words;
	uint32_t address;

	if (dp_mips == NULL || !dp_slots_contain(&dp_mips->slots, pc))
		return pc;
	words = dp_slots_at(&dp_mips->slots, pc);
	address = *dp_slots_address(words);
	return pc - (uint32_t)(uintptr_t)words < 4 * DP_MIPS_SLOT_TRAP2 ? address : address + 4;
}
