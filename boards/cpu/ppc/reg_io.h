/* SPDX-License-Identifier: BSD-2-Clause */
/* Device registers on PowerPC: guarded, uncached pages. A load may still overtake a store, so each
 * access is followed by eieio (mbar on BookE: the same word).  Power ISA 2.03 book II 1.7 */
#ifndef REG_IO_H
#define REG_IO_H

#include <stdint.h>

static inline void reg_write8(uintptr_t base, unsigned offset, uint8_t value)
{
	*(volatile uint8_t *)(base + offset) = value;
	__asm__ volatile("eieio" ::: "memory");
}

static inline uint8_t reg_read8(uintptr_t base, unsigned offset)
{
	uint8_t value = *(volatile uint8_t *)(base + offset);

	__asm__ volatile("eieio" ::: "memory");
	return value;
}

static inline void reg_write32(uintptr_t base, unsigned offset, uint32_t value)
{
	*(volatile uint32_t *)(base + offset) = value;
	__asm__ volatile("eieio" ::: "memory");
}

static inline uint32_t reg_read32(uintptr_t base, unsigned offset)
{
	uint32_t value = *(volatile uint32_t *)(base + offset);

	__asm__ volatile("eieio" ::: "memory");
	return value;
}

#endif
