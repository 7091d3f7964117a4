/* SPDX-License-Identifier: BSD-2-Clause */
/* Glue for a boot loader: one context, a polled UART, interrupts that are never unmasked. The boot
 * loader's functions of the console call these:
 *   putc, puts         dprobes_print
 *   getc               dprobes_console_get, until it returns a character
 *   tstc               dprobes_console_waiting
 *   loops that wait    dprobes_loop, where the boot loader also serves its watchdog
 * dprobes_settings.h has DPROBES_PUT and DPROBES_GET. An image that moves itself calls
 * dprobes_start after the move, and dprobes_settings.h has DPROBES_MOVED. */
#include "dprobes_settings.h"

#ifndef DPROBES_GET
#error "dprobes_settings.h: bootloader.c polls the line, so define DPROBES_GET()"
#endif
#ifdef DPROBES_CONSOLE
#error "dprobes_settings.h: bootloader.c keeps the characters of the console for dprobes_console_get; do not define DPROBES_CONSOLE"
#endif
#ifndef DPROBES_CONSOLE_WAITS
#define DPROBES_CONSOLE_WAITS 1
#endif

#include "dprobes_start.h"

enum {
	DP_KEPT_MAX = 64 /* characters that nobody has asked for; a power of two */
};

static uint8_t kept[DP_KEPT_MAX];
static unsigned kept_in, kept_out;

static DPROBES_CODE void keep(uint8_t byte)
{
	if (kept_in - kept_out < DP_KEPT_MAX)
		kept[kept_in++ % DP_KEPT_MAX] = byte;
}

#define DPROBES_CONSOLE(byte) keep(byte)
#include "dprobes_settled.h"

int dprobes_start(void)
{
	return start_agent();
}

/* Nothing has interrupted the caller: no context stands in a slot. */
bool dprobes_loop(void)
{
	bool left = dprobes_poll();

	dprobes_quiescent();
	return left;
}

/* Without an agent the line is the console's alone. */
static void take(void)
{
	int byte;

	if (dprobes_console_room(0) >= 0) {
		dprobes_loop();
		return;
	}
	while (kept_in - kept_out < DP_KEPT_MAX && (byte = agent_get(NULL)) >= 0)
		keep((uint8_t)byte);
}

bool dprobes_console_waiting(void)
{
	take();
	return kept_in != kept_out;
}

int dprobes_console_get(void)
{
	return dprobes_console_waiting() ? kept[kept_out++ % DP_KEPT_MAX] : -1;
}
