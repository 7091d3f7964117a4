/* SPDX-License-Identifier: BSD-2-Clause */
/* Device registers of a PC: I/O ports. Intel SDM 1, chapter 19 */
#ifndef REG_IO_H
#define REG_IO_H

#include <stdint.h>

static inline void reg_write8(uintptr_t base, unsigned offset, uint8_t value)
{
	__asm__ volatile("outb %0, %w1" ::"a"(value), "Nd"(base + offset) : "memory");
}

static inline uint8_t reg_read8(uintptr_t base, unsigned offset)
{
	uint8_t value;

	__asm__ volatile("inb %w1, %0" : "=a"(value) : "Nd"(base + offset) : "memory");
	return value;
}

#endif
