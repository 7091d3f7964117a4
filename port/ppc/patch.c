/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads instructions, composes traps and maintains the caches. */
#include "dp_patch.h"
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

unsigned dp_patch_trap(const struct dp_site *site, union dp_code *trap)
{
	(void)site;
	trap->word = DP_PPC_TRAP_WORD;
	return 4;
}

uint32_t dp_patch_number(const struct dp_site *site, const union dp_code *code, unsigned bytes)
{
	(void)site;
	(void)bytes;
	return code->word;
}

bool dp_port_trap_at(const struct dp_frame *frame, uint32_t *found)
{
	*found = 0;
	if (!dp_ppc_peek(frame->pc, found))
		return true;
	return *found == DP_PPC_TRAP_WORD || *found == DP_PPC_TRAP2_WORD;
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
