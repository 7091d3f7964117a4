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

/* How many characters the agent takes without waiting; -1: it takes none of this UART. context:
 * any. */
int agent_room(unsigned com);

/* Give the agent text. Returns how many characters it took. context: any. */
size_t agent_take(unsigned com, const char *text, size_t n);

/* The tick has interrupted something. context: timer_isr. */
void agent_sample(void);

/* Something has faulted: the flight recorder keeps what led to it. context: any. */
void agent_fault(void);

#else

static inline void agent_fault(void)
{
}

static inline void agent_sample(void)
{
}

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

static inline int agent_room(unsigned com)
{
	(void)com;
	return -1;
}

static inline size_t agent_take(unsigned com, const char *text, size_t n)
{
	agent_transmit(com, text, n);
	return n;
}
#endif
#endif
