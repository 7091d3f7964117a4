/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of a ready-made glue (baremetal.c, bootloader.c, freertos.c, nuttx.c) that firmware
 * calls, beside dprobes_rx. The firmware's header dprobes_settings.h has the settings of the glue.
 */

/* clang-format off: a table
 *
 * name in C                meaning
 *   DPROBES_PUT(byte)      required: sends a byte; false: the transmitter is full. Never waits.
 *                          Every function that it calls is marked DPROBES_CODE
 *   DPROBES_GET()          a received byte, or -1. Without it the receive interrupt calls dprobes_rx
 *   DPROBES_STOPPED()      without DPROBES_GET: a byte that the receiver has, or -1, while the
 *                          firmware is stopped (README.md, A stopped target); may serve a
 *                          watchdog. Every function that it calls is marked DPROBES_CODE
 *   DPROBES_CONSOLE(byte)  takes a byte of the firmware's console; default: discards the byte
 *   DPROBES_CONSOLE_READY() there is room again for dprobes_print. dprobes_print then never waits
 *   DPROBES_CONSOLE_WAITS  1: dprobes_print waits also with interrupts masked; default 0
 *   DPROBES_IN_HANDLER()   baremetal.c: whether an interrupt handler is active; default 0. Needed
 *                          where a handler calls dprobes_loop, too
 *   DPROBES_NAME           of the image; default "firmware"
 *   DPROBES_MOVED          of an image that moves itself: running minus linked address
 *   DPROBES_TICKS()        a time stamp of 64 bits, with DPROBES_TICK_HZ
 *   DPROBES_TICK_HZ        ticks a second; without DPROBES_TICKS: of the CPU's counter
 *   DPROBES_SAMPLE_HZ      calls of dprobes_sample a second, from a periodic interrupt; default 0
 *   DPROBES_KEY            pointer to the board's key of 16 bytes; default: no key. The firmware
 *                          may change the bytes at any time
 *   DPROBES_ENTROPY()      64 bits of a random number generator, others at each start, never 0
 *   DPROBES_SEED(bytes, write)  with a key and without a generator: reads 8 bytes of memory that
 *                          keeps them without power, or writes them; false: not possible. Flash,
 *                          battery RAM or a counter; the bytes need not be secret. A key needs one
 *                          of the two, or dprobes_start returns NO_ENTROPY: without them a recorded
 *                          session could be played again after a power cycle
 *
 * symbol of the linker script, which the glue declares
 *   DPROBES_TEXT, DPROBES_TEXT_END      default __text_start, __text_end
 *   DPROBES_RAM, DPROBES_RAM_END        default __ram_start, __ram_end
 *   DPROBES_LOCKED, DPROBES_LOCKED_END  code that must not be probed: vectors, exception entries
 *   DPROBES_RODATA, DPROBES_RODATA_END  constants outside text and RAM; default: none, and programs
 *                                       cannot read them
 *   DPROBES_NOTE                        default dprobes_note (dprobes.ld); dprobes_no_note: none
 *   DPROBES_DECLARED                    defined: the glue declares nothing. Then each of these names
 *                                       is a constant address, such as &_stext or (void *)0x8000
 *
 * clang-format on */
#ifndef DPROBES_START_H
#define DPROBES_START_H

#include "dprobes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Start the agent.
 * Context: interrupts masked, vectors and caches in their final state.
 * Returns as dprobes_init does, or -1: the RTOS has no room for the task. */
int dprobes_start(void);

/* Call dprobes_poll, and let the slots of removed probes be used again (baremetal.c).
 * Context: the main loop of firmware without tasks.
 * Returns as dprobes_poll does. */
bool dprobes_loop(void);

/* Return whether dprobes_console_get has a character; the next one, or -1 (bootloader.c). Both
 * poll. Context: a boot loader's. */
bool dprobes_console_waiting(void);
int dprobes_console_get(void);

/* Print on the console, whether or not the agent runs. The function returns when the agent or the
 * UART has taken the text; with a full queue and DPROBES_CONSOLE_READY, or with masked interrupts,
 * before. Returns how many characters were taken. */
size_t dprobes_print(const char *text, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
