/* SPDX-License-Identifier: BSD-2-Clause */
/* This file fills slots and finds the original address of a pc in a slot. */
#include "riscv_port.h"

#define DP_REACH 0x00100000u

/* jal x0. Unprivileged ISA 2.5 */
uint32_t dp_riscv_jump(dp_word from, dp_word to)
{
	dp_word distance = to - from;
	uint32_t d = (uint32_t)distance;

	if (distance + DP_REACH >= 2 * (dp_word)DP_REACH)
		return 0;
	return 0x6fu | (d >> 20 & 1) << 31 | (d >> 1 & 0x3ff) << 21 | (d >> 11 & 1) << 20 |
	       (d & 0xff000);
}

/* With own_vectors the port does not know whether each fault comes to it. */
static bool leaves(const struct dp_site *site)
{
	return (site->port.action <= (dp_riscv->veneer ? DP_RISCV_MEMORY : DP_RISCV_ONE_TRAP) ||
		site->port.action == DP_RISCV_OUT) &&
	       !dp_site_is_late(site);
}

/* Two words of an instruction and what comes behind it. */
static void compose(uint32_t insn, unsigned bytes, uint32_t end, uint32_t *content)
{
	content[0] = bytes == 4 ? insn : (insn & 0xffff) | end << 16;
	content[1] = bytes == 4 ? end : end >> 16;
}

/* The slot's place decides the jump back. */
void dp_slots_compose(const struct dp_site *site, uint32_t insn, uintptr_t slot, uint32_t *content)
{
	uint32_t jump = 0;

	if (leaves(site))
		jump = dp_riscv_jump(slot + site->insn_bytes, site->address + site->insn_bytes);
	compose(insn, site->insn_bytes, jump ? jump : DP_RISCV_TRAP, content);
}

void dp_riscv_slot_take(struct dp_site *site)
{
	struct dp_slot_pool *pool = &dp_riscv->slots;
	uint8_t number = dp_slots_take(pool, site, site->original);
	uint32_t two[DP_SLOT_WORDS];

	site->port.slot = number;
	compose(site->original, site->insn_bytes, DP_RISCV_TRAP, two);
	if (number != DP_SLOT_SCRATCH && (dp_slots_words(pool, number)[0] != two[0] ||
					  dp_slots_words(pool, number)[1] != two[1]))
		site->port.flags |= DP_RISCV_SITE_LEAVES;
}

dp_word dp_riscv_slot_enter(const struct dp_site *site)
{
	return (uintptr_t)dp_slots_words(&dp_riscv->slots, site->port.slot);
}

dp_word dp_riscv_slot_enter_two(const struct dp_site *site)
{
	uint32_t content[DP_SLOT_WORDS];

	if (site->port.slot < DP_SLOT_SCRATCH && !(site->port.flags & DP_RISCV_SITE_LEAVES))
		return dp_riscv_slot_enter(site);
	compose(site->original, site->insn_bytes, DP_RISCV_TRAP, content);
	return (uintptr_t)dp_slots_scratch(&dp_riscv->slots, site->address, content);
}

void dp_port_release(struct dp_site *site)
{
	dp_slots_release(&dp_riscv->slots, site->port.slot,
			 site->port.flags & DP_RISCV_SITE_LEAVES);
	site->port.slot = DP_SLOT_NONE;
}

struct dp_slot_pool *dp_slots_pool(void)
{
	return &dp_riscv->slots;
}

static unsigned copy_bytes(const uint32_t *words)
{
	return dp_riscv_bytes(words[0]);
}

bool dp_riscv_at_copy(dp_word pc)
{
	return pc == (uintptr_t)dp_slots_at(&dp_riscv->slots, pc);
}

/* At the copy: the original address; behind the copy: the next address. */
dp_addr dp_port_slot_origin(dp_addr pc)
{
	const uint32_t *words;
	dp_addr address;

	if (dp_riscv == NULL || !dp_slots_contain(&dp_riscv->slots, pc))
		return pc;
	words = dp_slots_at(&dp_riscv->slots, pc);
	address = *dp_slots_address(words);
	return dp_riscv_at_copy(pc) ? address : address + copy_bytes(words);
}
