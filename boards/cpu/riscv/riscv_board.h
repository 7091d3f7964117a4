/* SPDX-License-Identifier: BSD-2-Clause */
/* Start-up and devices that the RISC-V boards share. */
#ifndef RISCV_BOARD_H
#define RISCV_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board.h"

/* start.S. Neither returns. */
_Noreturn void riscv_restart(void);

/* --- clint.c: mtime and mtimecmp of the CLINT. Privileged ISA 3.2.1 --- */

/* The alarms (alarms.h) on the CLINT. base: its address. context: board_init. */
void clint_init(uintptr_t base);
uint32_t clint_counter(void); /* the low half of alarms_clock() */

/* --- plic.c: the PLIC's context of hart 0 in M mode --- */

/* sources: numbers of the interrupts that are to come, ended by 0. context: board_init. */
void plic_init(uintptr_t base, const uint8_t *sources);
/* Take the interrupt that waits, 0: none does. It comes again only behind plic_end. */
uint32_t plic_take(void);
void plic_end(uint32_t source);

/* Interrupts of the CPU, bits of mie and mip. */
#define RISCV_TIMER    0x080u
#define RISCV_EXTERNAL 0x800u
unsigned long riscv_pending(void); /* bits that are pending and enabled */
void riscv_enable(unsigned long bits);

#endif
