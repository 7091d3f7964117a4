/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of a board for the demo kernel. Every board folder defines all functions; the
 * kernel in boards/demo/ is the same source on all boards.
 *
 * "Any context" means: a task, an interrupt handler, or a fault handler, interrupts on or off.
 * com 0 is com1 (the console), com 1 is com2.
 */
#ifndef DEMO_BOARD_H
#define DEMO_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOARD_COMS 2u

/* Marks what the agent calls while it handles a hit: the linker script keeps these together, and
 * they cannot be probed. */
#define BOARD_HIT_PATH __attribute__((section("dprobes_text")))

/* QEMU's bugs that the agent has to know about: the port's DP_QUIRK_* bits, from CPU_FLAGS of the
 * board's sources.mk. 0 on hardware. */
#ifndef BOARD_QUIRKS
#define BOARD_QUIRKS 0
#endif

/* The board's name as QEMU's -M knows it. */
extern const char board_name[];

/* The CPU's name, for the banner. */
extern const char board_cpu[];

/* One piece of the address map. What no range names does not answer: an access there faults. */
struct board_range {
	uintptr_t base;
	size_t bytes;
	enum board_range_kind {
		BOARD_RAM,    /* cached, readable, writable, executable */
		BOARD_DEVICE, /* reading may have side effects: nobody looks there uninvited */
	} kind;
};
extern const struct board_range board_ranges[];
extern const size_t board_range_count;

/* Bring up both UARTs, the interrupt controller and the free running clock. Timers stay off.
 * The start-up code has turned on the address map before.
 * context: once, interrupts off, before any other function here. */
void board_init(void);

/* Find out which devices interrupt, silence them, and call timer_isr, sensor_isr or uart_isr of
 * the kernel for each (demo/kernel.h).
 * context: the CPU's interrupt entry, interrupts off. */
void board_irq(void);

/* Start the periodic tick: timer_isr is called hz times a second (10..10000).
 * context: a task or start-up. */
void board_tick_start(unsigned hz);

/* The "sensor" is a second timer, so that its interrupts do not march with the tick: sensor_isr is
 * called every period_us microseconds (50..1000000); 0 turns it off.
 * returns: the period that the hardware has, in counts of board_clock(), rounded up; 0 for off.
 * context: a task. */
uint32_t board_sensor_start(unsigned period_us);

/* Free running counter, 64 bits, never set back. The board extends narrow hardware; it must be
 * read at least once per wrap of that hardware (the tick does).
 * context: any. */
uint64_t board_clock(void);

/* The low 32 bits of board_clock(), as the hardware has them.
 * context: any. */
uint32_t board_counter(void);

/* Counts per second of board_clock(). */
uint32_t board_clock_hz(void);

/* Give one byte to the UART.
 * returns: false, and nothing done, when its FIFO is full. Never waits.
 * context: any. */
bool board_uart_put(unsigned com, uint8_t byte);

/* Give several bytes to the UART. Never waits.
 * returns: how many the FIFO took.
 * context: any. */
size_t board_uart_write(unsigned com, const uint8_t *bytes, size_t count);

/* Take one received byte.
 * returns: 0..255, or -1 when nothing waits. Never waits.
 * context: any, one at a time per com. */
int board_uart_get(unsigned com);

/* Acknowledge the receive interrupt. Called before draining with board_uart_get, because on a
 * PL011 the other order loses the only edge (boards/cpu/arm/pl011.c). A no-op where reading does
 * it. context: uart_isr. */
void board_uart_ack(unsigned com);

/* Enter the image again at its entry, as a watchdog does: RAM text is not reloaded, .data is copied
 * anew, .bss cleared, no-init sections kept.
 * context: any; does not return. */
_Noreturn void board_restart_warm(void);

/* Reset the whole board; the loader brings a fresh image.
 * context: any; does not return. */
_Noreturn void board_restart_cold(void);

/* End the run. Under QEMU with semihosting, status (0..255) is QEMU's exit status.
 * context: any; does not return. */
_Noreturn void board_power_off(unsigned status);

#endif
