/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads instructions, composes traps and maintains the caches. */
#include "cortexm_port.h"
#include "dp_patch.h"

/* Two halves as they lie in memory, and as a number. */
static uint32_t swap_halves(uint32_t word)
{
	return word << 16 | word >> 16;
}

enum dp_err dp_port_fetch(struct dp_site *site)
{
	uint16_t half[2] = {0, 0};

	if (site->address & 1)
		return DP_ERR_NOT_BOUNDARY;
	if (dp_port_read(site->address, &half[0], 2, 2) != 2)
		return DP_ERR_NOT_TEXT;
	site->original = half[0];
	site->insn_bytes = (uint8_t)dp_thumb_bytes(half[0]);
	if (site->insn_bytes == 2)
		return DP_ERR_OK;
	if (dp_port_read(site->address + 2, &half[1], 2, 2) != 2)
		return DP_ERR_NOT_TEXT;
	site->original = (uint32_t)half[0] << 16 | half[1];
	return DP_ERR_OK;
}

void dp_port_insn_bytes(const struct dp_site *site, uint8_t *bytes)
{
	unsigned count = site->insn_bytes == 2 ? 2 : 4;
	uint32_t insn = count == 4 ? swap_halves(site->original) : site->original;

	for (unsigned i = 0; i < count; i++)
		bytes[i] = (uint8_t)(insn >> 8 * i);
}

/* The trap has the length of the instruction: UDF obeys IT, and a skipped 16-bit UDF would let the
 * second half of a 32-bit instruction run. ARMv6-M has no IT, and needs one store. */
unsigned dp_patch_trap(const struct dp_site *site, union dp_code *trap)
{
	if (site->insn_bytes == 2 || !DP_CORTEXM_HAS_FAULTS) {
		trap->half[0] = DP_ARM_TRAP_THUMB;
		return 2;
	}
	trap->word = swap_halves(DP_ARM_TRAP_THUMB32);
	return 4;
}

uint32_t dp_patch_number(const struct dp_site *site, const union dp_code *code, unsigned bytes)
{
	(void)site;
	return bytes == 2 ? code->half[0] : swap_halves(code->word);
}

/* Text need not be in a readable range: looked at as the CPU does. */
bool dp_port_trap_at(const struct dp_frame *frame, uint32_t *found)
{
	uint32_t pc = frame->r[DP_ARM_PC];
	union dp_code code = {0};

	*found = dp_patch_read(pc, &code, 2) ? code.half[0] : 0;
	if (*found == DP_ARM_TRAP_THUMB || *found == DP_ARM_TRAP2_THUMB)
		return true;
	if (DP_CORTEXM_HAS_FAULTS && *found == DP_ARM_TRAP_THUMB32 >> 16 &&
	    dp_patch_read(pc + 2, &code, 2))
		*found = *found << 16 | code.half[0];
	return *found == DP_ARM_TRAP_THUMB32;
}

/* Caches of Cortex-M7 and later; registers of an absent cache ignore writes.  DDI 0403E B2.2.7,
 * B3.2.8 (CCR.DC, CCR.IC) */
#define DP_LINE_BYTES 32u
#define DP_CCR_DC     0x00010000u
#define DP_CCR_IC     0x00020000u

static inline void full_barrier(void)
{
	__asm__ volatile("dsb\n\tisb" ::: "memory");
}

#if DP_CORTEXM_HAS_FAULTS
/* Write the address of each line to an operation's register, if the cache is on. */
static void each_line(uintptr_t address, size_t bytes, volatile uint32_t *operation, uint32_t cache)
{
	uintptr_t line = address & ~(uintptr_t)(DP_LINE_BYTES - 1), end = address + bytes;

	__asm__ volatile("dsb" ::: "memory");
	for (; (DP_SCS(CCR) & cache) != 0 && line < end; line += DP_LINE_BYTES)
		*operation = (uint32_t)line;
}
#endif

/* The keep area's note of the trap must be in memory before the trap: a reset loses data that only
 * the cache holds. */
#if DP_WITH_INTEGRITY
void dp_port_keep_written(const void *note, size_t bytes)
{
#if DP_CORTEXM_HAS_FAULTS
	each_line((uintptr_t)note, bytes, &DP_SCS(DCCMVAC), DP_CCR_DC);
#else
	(void)note;
	(void)bytes;
#endif
	full_barrier();
}
#endif

void dp_port_text_written(uintptr_t address, size_t bytes)
{
#if DP_CORTEXM_HAS_FAULTS
	each_line(address, bytes, &DP_SCS(DCCMVAU), DP_CCR_DC);
	each_line(address, bytes, &DP_SCS(ICIMVAU), DP_CCR_IC);
	if (DP_SCS(CCR) & DP_CCR_IC)
		DP_SCS(BPIALL) = 0;
#else
	(void)address;
	(void)bytes;
#endif
	full_barrier();
}
