/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions between the demo kernel and the agent. With DEMO_WITH_AGENT agent_glue.c has them;
 * without it the kernel uses the UARTs directly.
 */
#ifndef DEMO_AGENT_GLUE_H
#define DEMO_AGENT_GLUE_H

#include <stddef.h>
#include <stdint.h>

#include "board.h"
#include "console.h"
#include "uart_rate.h"

#ifdef DEMO_WITH_AGENT

/* context: start-up, interrupts off, after board_init. */
void agent_start(void);

/* context: uart_isr. */
void agent_receive(unsigned com, uint8_t byte);

/* context: any. Returns when all bytes are taken. */
void agent_transmit(unsigned com, const char *text, size_t n);

#else

static inline void agent_start(void)
{
}

static inline void agent_receive(unsigned com, uint8_t byte)
{
	console_receive(com, byte);
}

static inline void agent_transmit(unsigned com, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		while (!uart_put(com, (uint8_t)text[i]))
			;
	}
}
#endif
#endif
