/* SPDX-License-Identifier: BSD-2-Clause */
/* HPET.  IA-PC HPET specification 1.0a, 2.3 */
#include "hpet.h"

#include "alarms.h"
#include "board.h"

#define PERIOD        0x004u /* of a count, in femtoseconds */
#define CONFIGURATION 0x010u
#define COUNTER       0x0f0u
#define TIMER0        0x100u
#define COMPARATOR0   0x108u

#define ENABLE 1u
#define LEGACY 2u /* comparator 0 in the place of the 8254's counter 0 */
/* One shot, by edges. */
#define TIMER_ON  0x004u
#define TIMER_32  0x100u
#define SECOND_FS 1000000000000000u
#define SHORTEST  64u         /* counts: nearer the comparator may be passed while it is written */
#define LONGEST   0x40000000u /* of 32 bits: it interrupts for nothing, and is set anew */

static uintptr_t hpet;

static inline volatile uint32_t *reg(uintptr_t offset)
{
	return (volatile uint32_t *)(hpet + offset);
}

void hpet_init(uintptr_t base)
{
	hpet = base;
	*reg(CONFIGURATION) = 0;
	*reg(TIMER0) = TIMER_ON | TIMER_32;
	*reg(CONFIGURATION) = ENABLE | LEGACY;
	alarms_init();
}

uint32_t hpet_hz(void)
{
	return (uint32_t)(SECOND_FS / *reg(PERIOD));
}

BOARD_HIT_PATH uint32_t hpet_counter(void)
{
	return *reg(COUNTER);
}

BOARD_HIT_PATH uint64_t alarms_clock(void)
{
	uint32_t high, low;

	do {
		high = *reg(COUNTER + 4);
		low = *reg(COUNTER);
	} while (high != *reg(COUNTER + 4));
	return (uint64_t)high << 32 | low;
}

/* The comparator interrupts when the counter has its value: it may not be passed. */
void alarms_compare(uint64_t at)
{
	uint32_t shortest = SHORTEST, left;

	do {
		uint64_t now = alarms_clock();
		uint64_t distance = at > now + shortest ? at - now : shortest;

		left = distance < LONGEST ? (uint32_t)distance : LONGEST;
		*reg(COMPARATOR0) = (uint32_t)now + left;
		left = (uint32_t)now + left - *reg(COUNTER);
		shortest *= 2;
	} while ((int32_t)left <= 0);
}
