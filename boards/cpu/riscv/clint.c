/* SPDX-License-Identifier: BSD-2-Clause */
/* mtime and mtimecmp of hart 0. One comparator serves the tick and the sensor.  Privileged
 * ISA 3.2.1; SiFive FU540-C000 manual, chapter 9 */
#include "alarms.h"
#include "riscv_board.h"

#define MTIMECMP 0x4000u
#define MTIME    0xbff8u

static uintptr_t clint;

static inline uint32_t half(uintptr_t offset)
{
	return *(volatile uint32_t *)(clint + offset);
}

BOARD_HIT_PATH uint64_t alarms_clock(void)
{
	uint32_t high, low;

	do {
		high = half(MTIME + 4);
		low = half(MTIME);
	} while (high != half(MTIME + 4));
	return (uint64_t)high << 32 | low;
}

BOARD_HIT_PATH uint32_t clint_counter(void)
{
	return half(MTIME);
}

/* No interrupt on the way: the comparator never holds less than it is to hold. */
void alarms_compare(uint64_t at)
{
	volatile uint32_t *compare = (volatile uint32_t *)(clint + MTIMECMP);

	compare[1] = 0xffffffffu;
	compare[0] = (uint32_t)at;
	compare[1] = (uint32_t)(at >> 32);
}

void clint_init(uintptr_t base)
{
	clint = base;
	alarms_init();
	riscv_enable(RISCV_TIMER);
}
