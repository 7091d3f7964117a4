/* SPDX-License-Identifier: BSD-2-Clause */
/* This file fills slots and finds the original address of a pc in a slot. */
#include "dp_patch.h"
#include "ia32_port.h"

enum {
	DP_CODE_BYTES = 4 * DP_SLOT_WORDS,
	DP_JMP = 0xe9,
	DP_JMP_BYTES = 5
};
_Static_assert(DP_IA32_INSN_MAX + DP_JMP_BYTES <= DP_CODE_BYTES, "a copy and a jump fit a slot");

static bool leaves(const struct dp_site *site)
{
	return !dp_site_is_late(site);
}

static uint8_t *copy(const struct dp_site *site, uint32_t *content)
{
	uint8_t *byte = (uint8_t *)content;
	unsigned i = 0;

	for (; i < site->insn_bytes; i++)
		byte[i] = site->original_bytes[i];
	for (; i < DP_CODE_BYTES; i++)
		byte[i] = DP_IA32_TRAP;
	return byte + site->insn_bytes;
}

/* jmp rel32 reaches every address. */
void dp_slots_compose(const struct dp_site *site, uint32_t insn, uintptr_t slot, uint32_t *content)
{
	uint8_t *behind = copy(site, content);
	const uint32_t distance = site->address - (uint32_t)slot - DP_JMP_BYTES;

	(void)insn;
	if (!leaves(site))
		return;
	behind[0] = DP_JMP;
	for (unsigned i = 0; i < 4; i++)
		behind[1 + i] = (uint8_t)(distance >> 8 * i);
}

void dp_ia32_slot_take(struct dp_site *site)
{
	struct dp_slot_pool *pool = &dp_ia32->slots;

	site->port.slot = dp_slots_take(pool, site, site->original);
	site->port.leaves = site->port.slot != DP_SLOT_SCRATCH && leaves(site);
}

uint32_t dp_ia32_slot_enter(const struct dp_site *site)
{
	return (uintptr_t)dp_slots_words(&dp_ia32->slots, site->port.slot);
}

uint32_t dp_ia32_slot_enter_two(const struct dp_site *site)
{
	uint32_t content[DP_SLOT_WORDS];

	if (site->port.slot < DP_SLOT_SCRATCH && !site->port.leaves)
		return dp_ia32_slot_enter(site);
	copy(site, content);
	return (uintptr_t)dp_slots_scratch(&dp_ia32->slots, site->address, content);
}

void dp_port_release(struct dp_site *site)
{
	dp_slots_release(&dp_ia32->slots, site->port.slot, site->port.leaves);
	site->port.slot = DP_SLOT_NONE;
}

struct dp_slot_pool *dp_slots_pool(void)
{
	return &dp_ia32->slots;
}

bool dp_ia32_at_copy(uint32_t pc)
{
	return pc == (uintptr_t)dp_slots_at(&dp_ia32->slots, pc);
}

/* At the copy: the original address; behind the copy: the next address. */
dp_addr dp_port_slot_origin(dp_addr pc)
{
	const struct dp_ia32_pending *p;
	const uint32_t *words;
	dp_addr address;

	if (dp_ia32 == NULL || !dp_slots_contain(&dp_ia32->slots, pc))
		return pc;
	words = dp_slots_at(&dp_ia32->slots, pc);
	address = *dp_slots_address(words);
	p = &dp_ia32->pending[dp_this_cpu()];
	if (p->active && pc == p->entry + p->bytes) /* behind an access in the place of the copy */
		return p->address + p->behind;
	return dp_ia32_at_copy(pc)
		       ? address
		       : address + dp_ia32_decode((const uint8_t *)words, DP_CODE_BYTES).bytes;
}
