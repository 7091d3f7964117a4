/* SPDX-License-Identifier: BSD-2-Clause */
/* What each board supplies to firmware.c: a UART, a timer, and how text is written. */
#ifndef GUEST_H
#define GUEST_H

#include "boards/cpu/cortexm/cortexm_board.h"
#include "dprobes_hit.h"

/* A function that start-up copies into RAM; its text may be probed there. */
#define IN_RAM __attribute__((section(".ramcode"), noinline, noclone))

/* Polled. board_put returns false while the transmitter is full, board_get -1 without a byte. In
 * the section of the agent: hits call board_put. */
bool board_put(uint8_t byte);
int board_get(void);
/* Switch the UART on, and the timer, which interrupts some thousand times a second. */
void board_start(void);
/* End the timer's interrupt. */
void board_timer_ack(void);
/* Finish a write of text that a reset has interrupted. Context: start-up, behind the copy of .data.
 */
void board_finish_write(void);
/* As struct dprobes_board has it; null: text cannot be written. */
extern bool (*const board_text_write)(dprobes_word address, const void *bytes, size_t count);
/* Where a load is a fault, and no device. */
#define HOLE       0xa0000000u
#define HOLE_BYTES 0x1000u

/* Counts the writes of flash. */
extern uint32_t erases;

#endif
