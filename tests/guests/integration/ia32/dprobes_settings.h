/* SPDX-License-Identifier: BSD-2-Clause */
/* Settings of the glue for com1 of a PC: agent/glue/dprobes_start.h. */
#ifndef DPROBES_SETTINGS_H
#define DPROBES_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

extern volatile uint32_t interrupts;

bool uart_put(uint8_t byte);
int uart_get(void);

#define DPROBES_PUT(byte) uart_put(byte)
#define DPROBES_GET()     uart_get()
#define DPROBES_NAME      "pc"

/* The time is that of the CPU's counter, or, where it has none, the number of interrupts. */
#if COUNTER_HZ
#define DPROBES_TICK_HZ COUNTER_HZ
#else
#define DPROBES_TICKS() interrupts
#define DPROBES_TICK_HZ 1000
#endif

#endif
