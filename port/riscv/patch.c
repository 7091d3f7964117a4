/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads instructions, composes traps and maintains the caches. */
#include "dp_patch.h"
#include "riscv_port.h"

unsigned dp_riscv_peek(dp_word address, uint32_t *insn)
{
	uint16_t low, high = 0;

	*insn = 0;
	if (!dp_access_load(address, 2, &low))
		return 0;
	if (dp_riscv_bytes(low) != 2 && !dp_access_load(address + 2, 2, &high))
		return 0;
	*insn = (uint32_t)high << 16 | low;
	return dp_riscv_bytes(low) == 2 ? 2 : 4;
}

enum dp_err dp_port_fetch(struct dp_site *site)
{
	site->insn_bytes = 4;
	if (site->address & (DP_RISCV_TRAP_BYTES - 1))
		return DP_ERR_NOT_BOUNDARY;
	site->insn_bytes = (uint8_t)dp_riscv_peek(site->address, &site->original);
	if (site->insn_bytes == 0)
		return DP_ERR_NOT_TEXT;
	/* Firmware with 16-bit instructions, an agent without: the trap is too long. */
	return site->insn_bytes < DP_RISCV_TRAP_BYTES ? DP_ERR_LEFT_OUT : DP_ERR_OK;
}

void dp_port_insn_bytes(const struct dp_site *site, uint8_t *bytes)
{
	unsigned count = site->insn_bytes == 2 ? 2 : 4;

	for (unsigned i = 0; i < count; i++)
		bytes[i] = (uint8_t)(site->original >> 8 * i);
}

unsigned dp_patch_trap(const struct dp_site *site, union dp_code *trap)
{
	(void)site;
	trap->word = DP_RISCV_TRAP;
	return DP_RISCV_TRAP_BYTES;
}

uint32_t dp_patch_number(const struct dp_site *site, const union dp_code *code, unsigned bytes)
{
	(void)site;
	return bytes == 2 ? code->half[0] : code->word;
}

bool dp_port_trap_at(const struct dp_frame *frame, uint32_t *found)
{
	*found = 0;
	if (dp_riscv_peek(frame->pc, found) == 0)
		return true;
	return *found == DP_RISCV_TRAP;
}

/* Stores before the fetches of this hart. Unprivileged ISA, chapter 3 */
void dp_port_text_written(uintptr_t address, size_t bytes)
{
	(void)address;
	(void)bytes;
	__asm__ volatile(".insn i 0x0f, 1, x0, x0, 0" ::: "memory"); /* fence.i */
}

/* The architecture has no operation on data caches that every CPU has: a board with a data cache
 * that a reset empties places the keep area outside of it. */
#if DP_WITH_INTEGRITY
void dp_port_keep_written(const void *note, size_t bytes)
{
	(void)note;
	(void)bytes;
	__asm__ volatile("fence" ::: "memory");
}
#endif
