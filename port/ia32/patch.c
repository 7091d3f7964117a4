/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads instructions and composes traps. The CPU keeps its instruction cache coherent. */
#include "dp_patch.h"
#include "ia32_port.h"

/* Byte by byte: the instruction may end at the end of memory. */
enum dp_err dp_port_fetch(struct dp_site *site)
{
	struct dp_ia32_insn insn = {.cut = true};
	unsigned there = 0;

	site->insn_bytes = 1;
	while (insn.cut && there < DP_IA32_INSN_MAX) {
		if (!dp_access_load(site->address + there, 1, &site->original_bytes[there]))
			return DP_ERR_NOT_TEXT;
		there++;
		insn = dp_ia32_decode(site->original_bytes, there);
	}
	if (insn.bytes != 0)
		site->insn_bytes = insn.bytes;
	site->original = 0;
	for (unsigned i = 0; i < 4; i++)
		site->original =
			site->original << 8 | (i < site->insn_bytes ? site->original_bytes[i] : 0);
	if (site->insn_bytes < 4)
		site->original >>= 8 * (4 - site->insn_bytes);
	return DP_ERR_OK;
}

void dp_port_insn_bytes(const struct dp_site *site, uint8_t *bytes)
{
	for (unsigned i = 0; i < site->insn_bytes && i < DP_PORT_INSN_BYTES_MAX; i++)
		bytes[i] = site->original_bytes[i];
}

unsigned dp_patch_trap(const struct dp_site *site, union dp_code *trap)
{
	(void)site;
	trap->byte[0] = DP_IA32_TRAP;
	return 1;
}

uint32_t dp_patch_number(const struct dp_site *site, const union dp_code *code, unsigned bytes)
{
	uint32_t number = 0;

	(void)site;
	for (unsigned i = 0; i < bytes && i < 4; i++)
		number = number << 8 | code->byte[i];
	return number;
}

bool dp_port_trap_at(const struct dp_frame *frame, uint32_t *found)
{
	uint8_t byte;

	*found = 0;
	if (!dp_access_load(frame->eip, 1, &byte))
		return true;
	*found = byte;
	return byte == DP_IA32_TRAP;
}

/* The next jump or iret serialises the fetches of this CPU. SDM 3A 11.6 */
void dp_port_text_written(uintptr_t address, size_t bytes)
{
	(void)address;
	(void)bytes;
	__asm__ volatile("" ::: "memory");
}

#if DP_WITH_INTEGRITY
/* A board with a data cache that a reset empties has the keep area in memory that is not cached. */
void dp_port_keep_written(const void *note, size_t bytes)
{
	(void)note;
	(void)bytes;
	__asm__ volatile("" ::: "memory");
}
#endif
