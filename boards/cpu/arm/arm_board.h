/* SPDX-License-Identifier: BSD-2-Clause */
/* Devices and start-up that the ARM boards share. Each takes its register base. */
#ifndef ARM_BOARD_H
#define ARM_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board.h"

static inline void reg_write(uintptr_t base, unsigned offset, uint32_t value)
{
	*(volatile uint32_t *)(base + offset) = value;
}

static inline uint32_t reg_read(uintptr_t base, unsigned offset)
{
	return *(volatile uint32_t *)(base + offset);
}

/* mmu.c. Called by start.S: a flat map of board_ranges and nothing else. */
void arm_mmu_on(void);

/* cache.S. Write back and forget all cache lines: code was written. Interrupts masked or not. */
void arm_cache_clean_invalidate(void);
/* Does not return. */
_Noreturn void arm_restart(void);

/* Where a board has the devices that all of them have. Each board.c defines one. */
struct arm_devices {
	uintptr_t uart[BOARD_COMS];
	uintptr_t tick_timer;
	uintptr_t sensor_timer;
	uintptr_t clock24;
};
extern const struct arm_devices arm_devices;

/* common.c: the part of board.h that follows from arm_devices. */
void arm_devices_init(void);
void arm_tick_irq(void);
void arm_sensor_irq(void);

/* pl011.c */
void pl011_init(uintptr_t base);
bool pl011_put(uintptr_t base, uint8_t byte);
size_t pl011_write(uintptr_t base, const uint8_t *bytes, size_t count);
int pl011_get(uintptr_t base);
void pl011_ack(uintptr_t base);

/* sp804.c: one of the two timers of an SP804, clocked at SP804_HZ. */
#define SP804_HZ 1000000u
void sp804_start(uintptr_t base, uint32_t period);
void sp804_stop(uintptr_t base);
void sp804_ack(uintptr_t base);

/* clock24.c: the 24 MHz counter of the system registers, extended to 64 bits. */
#define CLOCK24_HZ 24000000u
uint64_t clock24_read(uintptr_t counter);

/* semihost.S. Returns when nobody answers (no debugger, no -semihosting). */
void semihost_exit(unsigned status);

#endif
