/* SPDX-License-Identifier: BSD-2-Clause */
/* This file restores the register that a caught fault overwrites, and accesses I/O ports. */
#include "dp_access_cpu.h"

bool dp_ia32_find_stack(uint32_t sp)
{
	return dp_access_find_stack(&dp_ia32->begins, sp);
}

void dp_fault_status_put(const struct dp_fault_status *status)
{
	__asm__ volatile("mov %0, %%cr2" ::"r"(status->cr2));
}

/* In ring 0 no access to a port faults. SDM 1 19.5 */
dp_word dp_port_io_read(dp_word io_port, unsigned width)
{
	const uint16_t number = (uint16_t)io_port;
	uint8_t byte;
	uint16_t half;
	uint32_t word;

	switch (width) {
	case 1:
		__asm__ volatile("inb %1, %0" : "=a"(byte) : "d"(number) : "memory");
		return byte;
	case 2:
		__asm__ volatile("inw %1, %0" : "=a"(half) : "d"(number) : "memory");
		return half;
	default:
		__asm__ volatile("inl %1, %0" : "=a"(word) : "d"(number) : "memory");
		return word;
	}
}

void dp_port_io_write(dp_word io_port, unsigned width, dp_word value)
{
	const uint16_t number = (uint16_t)io_port;

	switch (width) {
	case 1:
		__asm__ volatile("outb %0, %1" ::"a"((uint8_t)value), "d"(number) : "memory");
		break;
	case 2:
		__asm__ volatile("outw %0, %1" ::"a"((uint16_t)value), "d"(number) : "memory");
		break;
	default:
		__asm__ volatile("outl %0, %1" ::"a"(value), "d"(number) : "memory");
		break;
	}
}
