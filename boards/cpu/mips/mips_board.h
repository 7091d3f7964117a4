/* SPDX-License-Identifier: BSD-2-Clause */
/* Start-up and devices that the MIPS boards share. */
#ifndef MIPS_BOARD_H
#define MIPS_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board.h"

/* start.S. The first does not return; semihost_exit does when nobody answers. */
_Noreturn void mips_restart(void);
void semihost_exit(unsigned status);
void mips_cache_sync(uintptr_t address, size_t bytes);

/* count.c: the CPU's own counter, extended to 64 bits, and the tick from Compare. */
#define COUNT_HZ 166666667u /* QEMU's 24Kc and 4Kc: 6 ns */
uint64_t count_clock(void);
static inline uint32_t count_now(void)
{
	uint32_t value;

	__asm__ volatile("mfc0 %0, $9" : "=r"(value));
	return value;
}
void count_tick_start(unsigned hz);
/* Set Compare for the next tick. context: the tick's interrupt. */
void count_tick_ack(void);

/* Cause and Status, bits IP and IM. */
#define IP2 0x0400u
#define IP7 0x8000u
uint32_t count_pending(void); /* IP bits that are pending and not masked */
void count_enable(uint32_t ip);

#endif
