/* SPDX-License-Identifier: BSD-2-Clause */
/* The HPET of a PC: the counter is the clock, comparator 0 has the alarms (alarms.h) at request 0
 * of the first 8259. */
#ifndef HPET_H
#define HPET_H

#include <stdint.h>

/* Start the counter; alarms off. base: the HPET's address. context: board_init. */
void hpet_init(uintptr_t base);
/* Counts per second. */
uint32_t hpet_hz(void);
/* The low half of alarms_clock(). context: any. */
uint32_t hpet_counter(void);

#endif
