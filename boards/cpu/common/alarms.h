/* SPDX-License-Identifier: BSD-2-Clause */
/* Tick and sensor on one comparator of a free running counter. */
#ifndef ALARMS_H
#define ALARMS_H

#include <stdint.h>

/* Alarms off, comparator far away. context: board_init, the counter runs. */
void alarms_init(void);
/* period: counts, 0: off. context: a task or start-up. */
void alarms_tick_start(uint32_t period);
void alarms_sensor_start(uint32_t period);
/* Call timer_isr and sensor_isr for what is due. context: the comparator's interrupt. */
void alarms_irq(void);

/* --- the device's file defines: --- */

uint64_t alarms_clock(void);
/* Interrupt when the counter has reached `at`, at once where it has. Interrupts are off. */
void alarms_compare(uint64_t at);

#endif
