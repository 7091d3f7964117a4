/* SPDX-License-Identifier: BSD-2-Clause */
/* This file reads instructions, composes traps and maintains the caches. */
#include "arm_port.h"
#include "dp_patch.h"

/* Two halves as they lie in memory, and as a number. */
static uint32_t swap_halves(uint32_t word)
{
	return word << 16 | word >> 16;
}

enum dp_err dp_port_fetch(struct dp_site *site)
{
	bool thumb = site->isa == DP_ISA_THUMB;
	unsigned width = thumb ? 2 : 4;
	union {
		uint32_t word;
		uint16_t half[2];
	} memory = {0};

	if (!(thumb ? DP_ARM_WITH_THUMB : DP_ARM_WITH_A32))
		return DP_ERR_LEFT_OUT;
	if (site->address & (width - 1))
		return DP_ERR_NOT_BOUNDARY;
	if (dp_port_read(site->address, &memory, width, width) != width)
		return DP_ERR_NOT_TEXT;
	site->original = memory.word;
	site->insn_bytes = (uint8_t)(width == 2 ? dp_thumb_bytes(memory.word) : 4);
	if (site->insn_bytes == width)
		return DP_ERR_OK;
	if (dp_port_read(site->address + 2, &memory.half[1], 2, 2) != 2)
		return DP_ERR_NOT_TEXT;
	site->original = swap_halves(memory.word);
	return DP_ERR_OK;
}

void dp_port_insn_bytes(const struct dp_site *site, uint8_t *bytes)
{
	uint32_t insn = site->original;
	unsigned count = site->insn_bytes == 2 ? 2 : 4;

	if (dp_arm_is_thumb(site) && count == 4)
		insn = swap_halves(insn);
	for (unsigned i = 0; i < count; i++)
		bytes[i] = (uint8_t)(insn >> 8 * i);
}

/* The trap. A Thumb-2 trap has the length of the instruction: UDF obeys IT, and a skipped 16-bit
 * UDF would let the second half of a 32-bit instruction run. Before Thumb-2 (bl only) there is
 * no IT. */
unsigned dp_patch_trap(const struct dp_site *site, union dp_code *trap)
{
	if (!dp_arm_is_thumb(site)) {
		trap->word = DP_ARM_TRAP;
		return 4;
	}
	if (site->insn_bytes == 2 || DP_ARM_ARCHITECTURE < 7) {
		trap->half[0] = DP_ARM_TRAP_THUMB;
		return 2;
	}
	trap->word = swap_halves(DP_ARM_TRAP_THUMB32);
	return 4;
}

uint32_t dp_patch_number(const struct dp_site *site, const union dp_code *code, unsigned bytes)
{
	if (bytes == 2)
		return code->half[0];
	return dp_arm_is_thumb(site) ? swap_halves(code->word) : code->word;
}

/* Text need not be in a readable range: looked at as the CPU does. */
bool dp_port_trap_at(const struct dp_frame *frame, uint32_t *found)
{
	uint32_t pc = frame->r[DP_ARM_PC];
	union dp_code code = {0};

	if (!dp_arm_thumb(frame)) {
		*found = dp_patch_read(pc, &code, 4) ? code.word : 0;
		return DP_ARM_WITH_A32 && (*found == DP_ARM_TRAP || *found == DP_ARM_TRAP2);
	}
	*found = DP_ARM_TRAP_THUMB32;
	if (DP_ARM_WITH_THUMB && DP_ARM_ARCHITECTURE >= 7 && dp_patch_read(pc, &code, 4) &&
	    swap_halves(code.word) == *found)
		return true;
	*found = dp_patch_read(pc, &code, 2) ? code.half[0] : 0;
	return DP_ARM_WITH_THUMB && (*found == DP_ARM_TRAP_THUMB || *found == DP_ARM_TRAP2_THUMB);
}

#define DP_CP15_WRITE(value, where)                                                                \
	__asm__ volatile("mcr p15, 0, %0, " where ::"r"(value) : "memory")
#define DP_LINE_BYTES 32u
#if __ARM_ARCH >= 7 /* has an instruction of its own for it; clang says so of the old one */
#define DP_DRAIN() __asm__ volatile("dsb" ::: "memory")
#else
#define DP_DRAIN() DP_CP15_WRITE(0u, "c7, c10, 4")
#endif

/* The keep area's note of the trap must be in memory before the trap: a reset loses data that
 * only the cache holds. The operations are the same from ARMv5 to ARMv7: clean lines, drain. */
#if DP_WITH_INTEGRITY
void dp_port_keep_written(const void *note, size_t bytes)
{
	uintptr_t line = (uintptr_t)note, end = line + bytes;

	for (line &= ~(uintptr_t)(DP_LINE_BYTES - 1); line < end; line += DP_LINE_BYTES)
		DP_CP15_WRITE(line, "c7, c10, 1");
	DP_DRAIN();
}
#endif

/* Clean the data lines, invalidate the instruction lines and the branch predictions.  DDI 0406C
 * B2.2.9; DDI 0198E 2.3.8 (ARM926). Lines are at least 32 bytes on all of these cores; before
 * ARMv7 the bits below must be zero. */
void dp_port_text_written(uintptr_t address, size_t bytes)
{
	uintptr_t end = address + bytes;

	for (uintptr_t line = address & ~(uintptr_t)(DP_LINE_BYTES - 1); line < end;
	     line += DP_LINE_BYTES) {
#if __ARM_ARCH >= 7
		DP_CP15_WRITE(line, "c7, c11, 1"); /* DCCMVAU */
		__asm__ volatile("dsb" ::: "memory");
		DP_CP15_WRITE(line, "c7, c5, 1"); /* ICIMVAU */
	}
#if DP_PORT_CPUS > 1
	DP_CP15_WRITE(0u, "c7, c1, 6"); /* BPIALLIS */
#else
	DP_CP15_WRITE(0u, "c7, c5, 6"); /* BPIALL */
#endif
	__asm__ volatile("dsb\n\tisb" ::: "memory");
#else
		DP_CP15_WRITE(line, "c7, c10, 1"); /* clean data line */
		DP_CP15_WRITE(0u, "c7, c10, 4");   /* drain the write buffer */
		DP_CP15_WRITE(line, "c7, c5, 1");  /* invalidate instruction line */
	}
#if __ARM_ARCH == 6
	DP_CP15_WRITE(0u, "c7, c5, 6"); /* branch predictor */
	DP_CP15_WRITE(0u, "c7, c5, 4"); /* prefetch */
#endif
#endif
}
