/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The driver of com1's transmitter, in two kinds. The polled driver gives the text to the agent and
 * waits until the agent has taken all of it. The driver with a transmit interrupt has a ring: a
 * task returns when its text is in the ring, and sleeps while the ring is full. The agent's
 * console_ready is the transmit interrupt.
 */
#ifndef DEMO_DRIVER_H
#define DEMO_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum driver_kind {
	DRIVER_POLLED,
	DRIVER_INTERRUPT,
};

/* The driver from now on; without an agent it is the polled one. context: a task, the ring is
 * empty. */
void driver_set(enum driver_kind kind);

/* Send text. Context: any; one task at a time. Only a task with interrupts open sleeps; others send
 * what the ring holds themselves. */
void driver_write(const char *text, size_t n);

/* The transmitter has room. context: the agent's console_ready. */
void driver_ready(void);

/* Characters that wait in the ring; how often a task has slept for room. */
uint32_t driver_waiting(void);
extern uint32_t driver_sleeps;

#endif
