/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of a ready-made glue (baremetal.c, freertos.c) that firmware calls, beside dprobes_rx.
 * The firmware's own header dprobes_settings.h sets the glue up. */

/* clang-format off: a table
 *
 * name in C                what it is
 *   DPROBES_PUT(byte)      required: sends a byte; false: the transmitter is full. Never waits;
 *                          nothing that it calls may be probed (DPROBES_CODE)
 *   DPROBES_GET()          a received byte, or -1. Without it the receive interrupt calls dprobes_rx
 *   DPROBES_CONSOLE(byte)  takes a byte that is not the agent's; default: the byte is discarded
 *   DPROBES_NAME           of the image; default "firmware"
 *   DPROBES_TICKS()        a time stamp of 64 bits, with DPROBES_TICK_HZ
 *   DPROBES_TICK_HZ        ticks a second; alone: of the CPU's counter
 *   DPROBES_KEY            16 bytes that a host must know too; default: no key. A pointer, so that
 *                          the firmware may change the bytes at any time
 *
 * symbol of the linker script
 *   DPROBES_TEXT, DPROBES_TEXT_END      default __text_start, __text_end
 *   DPROBES_RAM, DPROBES_RAM_END        default __ram_start, __ram_end
 *   DPROBES_LOCKED, DPROBES_LOCKED_END  code that must not be probed: vectors, exception entries
 *   DPROBES_NOTE                        default dprobes_note (dprobes.ld); dprobes_no_note: none
 *
 * clang-format on */
#ifndef DPROBES_START_H
#define DPROBES_START_H

#include "dprobes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Start the agent. Interrupts masked, vectors and caches as they will stay.
 * Returns as dprobes_init does, or -1: FreeRTOS has no room for the task. */
int dprobes_start(void);

/* Print on the console, whether or not the agent runs. Returns when the text is taken. */
void dprobes_print(const char *text, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
