/* SPDX-License-Identifier: BSD-2-Clause */
/* The patcher fetches, arms and disarms: one aligned store, visible to instruction fetch. */
#include "ppc_port.h"

/* Bytes of a cache line; less than it really is does no harm. 440, e500, 604, 750: 32. */
#ifndef DP_PPC_CACHE_LINE
#define DP_PPC_CACHE_LINE 32u
#endif

enum dp_err dp_port_fetch(struct dp_site *site)
{
	site->insn_bytes = 4;
	if (site->address & 3)
		return DP_ERR_NOT_BOUNDARY;
	return dp_ppc_peek(site->address, &site->original) ? DP_ERR_OK : DP_ERR_NOT_TEXT;
}

void dp_port_insn_bytes(const struct dp_site *site, uint8_t *bytes)
{
	for (unsigned i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(site->original >> 8 * (3 - i));
}

bool dp_ppc_peek(uint32_t address, uint32_t *word)
{
	return dp_access_load(address, 4, word);
}

bool dp_port_is_armed(const struct dp_site *site, uint32_t *found)
{
	*found = 0;
	return dp_ppc_peek(site->address, found) && *found == DP_PPC_TRAP;
}

bool dp_port_trap_at(const struct dp_frame *frame, uint32_t *found)
{
	*found = 0;
	if (!dp_ppc_peek(frame->pc, found))
		return true;
	return *found == DP_PPC_TRAP || *found == DP_PPC_TRAP2;
}

bool dp_ppc_put(uint32_t address, uint32_t word)
{
	const struct dp_board *board = dp_ppc != NULL ? dp_ppc->board : NULL;
	uint32_t now;

	if (board != NULL && board->text_write != NULL) {
		if (!board->text_write(address, &word, 4))
			return false;
	} else if (!dp_access_store(address, 4, &word)) {
		return false;
	}
	dp_port_text_written(address, 4);
	return dp_ppc_peek(address, &now) && now == word;
}

#define DP_EACH_LINE(operation)                                                                    \
	for (uintptr_t at = address & ~(uintptr_t)(DP_PPC_CACHE_LINE - 1); at < address + bytes;   \
	     at += DP_PPC_CACHE_LINE)                                                              \
	__asm__ volatile(operation " 0, %0" ::"r"(at) : "memory")

/* Data lines to memory, instruction lines away, nothing fetched before this.  Book II 3.2.2 */
void dp_port_text_written(uintptr_t address, size_t bytes)
{
	DP_EACH_LINE("dcbst");
	__asm__ volatile("sync" ::: "memory");
	DP_EACH_LINE("icbi");
	__asm__ volatile("sync\n\tisync" ::: "memory");
	if (dp_ppc != NULL && dp_ppc->board->text_sync != NULL)
		dp_ppc->board->text_sync((dp_addr)address, bytes);
}

/* The note in the keep area must be in memory before the trap. A reset may otherwise leave traps
 * with notes only in the cache. */
#if DP_WITH_INTEGRITY
void dp_port_keep_written(const void *note, size_t bytes)
{
	uintptr_t address = (uintptr_t)note;

	DP_EACH_LINE("dcbst");
	__asm__ volatile("sync" ::: "memory");
}
#endif

enum dp_err dp_port_arm(const struct dp_site *site)
{
	if (!dp_ppc_put(site->address, DP_PPC_TRAP))
		return DP_ERR_NOT_PATCHABLE;
	dp_slots_armed(&dp_ppc->slots, site->port.slot, site->address);
	return DP_ERR_OK;
}

enum dp_err dp_port_disarm(const struct dp_site *site)
{
	uint32_t found;

	if (!dp_port_is_armed(site, &found))
		return found == site->original ? DP_ERR_OK : DP_ERR_FOREIGN_BREAK;
	return dp_ppc_put(site->address, site->original) ? DP_ERR_OK : DP_ERR_NOT_PATCHABLE;
}
