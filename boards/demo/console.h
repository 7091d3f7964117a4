/* SPDX-License-Identifier: BSD-2-Clause */
/* Text in and out of the two UARTs. */
#ifndef DEMO_CONSOLE_H
#define DEMO_CONSOLE_H

#include <stddef.h>
#include <stdint.h>

/* Print on com1. Lines up to 159 characters, integers and strings only. Any context; in a task it
 * waits its turn, elsewhere it writes at once. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Write bytes to a com; "\n" becomes "\r\n" on com1. Context as for say. */
void console_write(unsigned com, const char *text, size_t n);

/* The same on com1, without a turn: the text of other tasks may stand between pieces of more than
 * 256 characters. Context: any, also with interrupts masked. */
void console_print(const char *text, size_t n);

/* Wait for one received byte. Context: one reader task per com. */
int console_get(unsigned com);

/* A received byte that is the firmware's. Context: uart_isr, or the agent's console_in. */
void console_receive(unsigned com, uint8_t byte);

/* Bytes that found the receive ring full. */
extern uint32_t console_overruns[];

#endif
