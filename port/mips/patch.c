/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads instructions, composes traps and maintains the caches. */
#include "dp_patch.h"
#include "mips_port.h"

#define DP_CONFIG                     "$16"
#define DP_CONFIG1                    "$16, 1"
#define DP_CONFIG_MORE                0x80000000u
#define DP_HIT_WRITEBACK_INVALIDATE_D "0x15"
#define DP_HIT_INVALIDATE_I           "0x10"

enum dp_err dp_port_fetch(struct dp_site *site)
{
	site->insn_bytes = 4;
	if (site->address & 3)
		return DP_ERR_NOT_BOUNDARY;
	return dp_mips_peek(site->address, &site->original) ? DP_ERR_OK : DP_ERR_NOT_TEXT;
}

void dp_port_insn_bytes(const struct dp_site *site, uint8_t *bytes)
{
	for (unsigned i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(site->original >> 8 * (DP_PORT_BIG_ENDIAN ? 3 - i : i));
}

bool dp_mips_peek(uint32_t address, uint32_t *word)
{
	return dp_access_load(address, 4, word);
}

unsigned dp_patch_trap(const struct dp_site *site, union dp_code *trap)
{
	(void)site;
	trap->word = DP_MIPS_TRAP;
	return 4;
}

uint32_t dp_patch_number(const struct dp_site *site, const union dp_code *code, unsigned bytes)
{
	(void)site;
	(void)bytes;
	return code->word;
}

/* EXL was set when there is no break at EPC: an exception handler executed the trap, at an
 * address that is not known. With several CPUs, another CPU may just have removed the trap. */
bool dp_port_trap_at(const struct dp_frame *frame, uint32_t *found)
{
	*found = 0;
	if (!dp_mips_peek(dp_port_pc(frame), found))
		return true;
	return *found == DP_MIPS_TRAP || *found == DP_MIPS_TRAP2 || DP_PORT_CPUS == 1;
}

/* Line sizes: Config1.DL and IL. Both releases have the CACHE instruction in kernel mode; SYNCI is
 * release 2 only. */
void dp_mips_cache_init(void)
{
	uint32_t config, config1;

	DP_MIPS_GET(config, DP_CONFIG);
	if ((config & DP_CONFIG_MORE) == 0)
		return;
	DP_MIPS_GET(config1, DP_CONFIG1);
	if (config1 >> 10 & 7)
		dp_mips->data_line = 2u << (config1 >> 10 & 7);
	if (config1 >> 19 & 7)
		dp_mips->code_line = 2u << (config1 >> 19 & 7);
}

#define DP_EACH_LINE(operation, size)                                                              \
	for (uintptr_t at = address & ~(uintptr_t)((size)-1); at < address + bytes; at += (size))  \
	__asm__ volatile("cache " operation ", 0(%0)" ::"r"(at) : "memory")

/* Data lines to memory, instruction lines away, nothing fetched before this.  MD00090 8.1 */
void dp_port_text_written(uintptr_t address, size_t bytes)
{
	uint32_t target;

	if (dp_mips->data_line)
		DP_EACH_LINE(DP_HIT_WRITEBACK_INVALIDATE_D, dp_mips->data_line);
	__asm__ volatile("sync" ::: "memory");
	if (dp_mips->code_line)
		DP_EACH_LINE(DP_HIT_INVALIDATE_I, dp_mips->code_line);
	/* jr.hb to the next instruction */
	__asm__ volatile(".set push\n\t.set noreorder\n\t.set noat\n\t"
			 "lui %0, %%hi(1f)\n\taddiu %0, %0, %%lo(1f)\n\tjr.hb %0\n\tnop\n1:\n\t"
			 ".set pop"
			 : "=&r"(target)::"memory");
}

/* The note in the keep area must be in memory before the trap. A reset may otherwise leave traps
 * with notes only in the cache. */
#if DP_WITH_INTEGRITY
void dp_port_keep_written(const void *note, size_t bytes)
{
	uintptr_t address = (uintptr_t)note;

	if (dp_mips->data_line)
		DP_EACH_LINE(DP_HIT_WRITEBACK_INVALIDATE_D, dp_mips->data_line);
	__asm__ volatile("sync" ::: "memory");
}
#endif
