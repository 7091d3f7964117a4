/* SPDX-License-Identifier: BSD-2-Clause */
/* The patcher fetches, arms and disarms: one aligned store, visible to instruction fetch. */
#include "arm_port.h"

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

	if (dp_arm_is_thumb(site) && site->insn_bytes == 4)
		insn = swap_halves(insn);
	for (unsigned i = 0; i < site->insn_bytes; i++)
		bytes[i] = (uint8_t)(insn >> 8 * i);
}

/* The trap. A Thumb-2 trap has the length of the instruction: UDF obeys IT, and a skipped 16-bit
 * UDF would let the second half of a 32-bit instruction run. Before Thumb-2 (bl only) there is
 * no IT. */
static uint32_t trap_word(const struct dp_site *site)
{
	if (!dp_arm_is_thumb(site))
		return DP_ARM_TRAP;
	return site->insn_bytes == 2 || DP_ARM_ARCHITECTURE < 7 ? DP_ARM_TRAP_THUMB
								: DP_ARM_TRAP_THUMB32;
}

static unsigned trap_bytes(const struct dp_site *site)
{
	return trap_word(site) == DP_ARM_TRAP_THUMB ? 2 : 4;
}

/* The bytes of the site without the trap. */
static uint32_t untrapped(const struct dp_site *site)
{
	return trap_bytes(site) < site->insn_bytes ? site->original >> 16 : site->original;
}

/* The instruction at the address, as a number. Text need not be in a readable range: looked at as
 * the CPU does. */
static bool peek(uint32_t address, unsigned bytes, bool thumb, uint32_t *insn)
{
	uint32_t data[2] __attribute__((aligned(8))) = {0, 0};
	bool ok;

	if (thumb && bytes == 4) {
		ok = dp_access_load(address, 2, &data[0]) &&
		     dp_access_load(address + 2, 2, &data[1]);
		data[0] = data[0] << 16 | data[1];
	} else {
		ok = dp_access_load(address, bytes, data);
	}
	*insn = data[0];
	return ok;
}

/* A reset between the two stores of write() leaves half a trap. */
static bool is_torn(const struct dp_site *site, uint32_t found)
{
	uint32_t differs = found ^ trap_word(site), changed = found ^ site->original;

	return trap_bytes(site) == 4 && (site->address & 2) &&
	       ((differs >> 16 | (changed & 0xffff)) == 0 ||
		(changed >> 16 | (differs & 0xffff)) == 0);
}

/* A site that is not armed is a site of before a warm restart: half a trap is removed too. */
bool dp_port_is_armed(const struct dp_site *site, uint32_t *found)
{
	return peek(site->address, trap_bytes(site), dp_arm_is_thumb(site), found) &&
	       (*found == trap_word(site) ||
		(DP_WITH_INTEGRITY && !site->armed && is_torn(site, *found)));
}

bool dp_port_trap_at(const struct dp_frame *frame, uint32_t *found)
{
	uint32_t pc = frame->r[DP_ARM_PC];

	if (!dp_arm_thumb(frame))
		return DP_ARM_WITH_A32 && peek(pc, 4, false, found) &&
		       (*found == DP_ARM_TRAP || *found == DP_ARM_TRAP2);
	if (DP_ARM_WITH_THUMB && peek(pc, 4, true, found) && *found == DP_ARM_TRAP_THUMB32)
		return true;
	return DP_ARM_WITH_THUMB && peek(pc, 2, true, found) &&
	       (*found == DP_ARM_TRAP_THUMB || *found == DP_ARM_TRAP2_THUMB);
}

/* Write with one aligned store where one store suffices. A 32-bit Thumb word on an odd halfword
 * takes two stores, with interrupts masked: on one CPU no other code runs between the stores.
 * port/README.md 5. The second half may be in another page: store both halves or none. */
static bool write(uint32_t address, unsigned bytes, const uint16_t *half)
{
	uint16_t was;
	dp_irq irq;
	bool ok;

	if ((address & (bytes - 1)) == 0)
		return dp_access_store(address, bytes, half);
	irq = dp_port_mask();
	ok = dp_access_load(address, 2, &was) && dp_access_store(address, 2, &half[0]);
	if (ok && !dp_access_store(address + 2, 2, &half[1])) {
		dp_access_store(address, 2, &was);
		ok = false;
	}
	dp_port_unmask(irq);
	return ok;
}

bool dp_arm_put(uint32_t address, unsigned bytes, bool thumb, uint32_t insn)
{
	const struct dp_board *board = dp_arm->board;
	union {
		uint32_t word;
		uint16_t half[2];
	} memory = {thumb && bytes == 4 ? swap_halves(insn) : insn};
	uint32_t now;

	if (board->text_write != NULL) {
		if (!board->text_write(address, &memory, bytes))
			return false;
	} else if (!write(address, bytes, memory.half)) {
		return false;
	}
	dp_port_text_written(address, bytes);
	if (board->text_sync != NULL)
		board->text_sync(address, bytes);
	return peek(address, bytes, thumb, &now) && now == insn;
}

static enum dp_err put(const struct dp_site *site, uint32_t insn)
{
	return dp_arm_put(site->address, trap_bytes(site), dp_arm_is_thumb(site), insn)
		       ? DP_ERR_OK
		       : DP_ERR_NOT_PATCHABLE;
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

enum dp_err dp_port_arm(const struct dp_site *site)
{
	enum dp_err error = put(site, trap_word(site));

	if (error == DP_ERR_OK)
		dp_slots_armed(&dp_arm->slots, site->port.slot, site->address);
	return error;
}

enum dp_err dp_port_disarm(const struct dp_site *site)
{
	uint32_t found;

	if (!dp_port_is_armed(site, &found))
		return found == untrapped(site) ? DP_ERR_OK : DP_ERR_FOREIGN_BREAK;
	return put(site, untrapped(site));
}

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
