/* SPDX-License-Identifier: BSD-2-Clause */
/* Device registers on RISC-V: I/O regions are strongly ordered. Privileged ISA 3.6.5 */
#ifndef REG_IO_H
#define REG_IO_H

#include <stdint.h>

static inline void reg_write8(uintptr_t base, unsigned offset, uint8_t value)
{
	*(volatile uint8_t *)(base + offset) = value;
}

static inline uint8_t reg_read8(uintptr_t base, unsigned offset)
{
	return *(volatile uint8_t *)(base + offset);
}

#endif
