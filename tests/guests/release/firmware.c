/* SPDX-License-Identifier: BSD-2-Clause */
/* Somebody's firmware with the ready-made glue: a polled UART, a shell that echoes, work to probe.
 * C99 and C++11; start.S is that of the guest integration. */
#include "dprobes_settings.h"
#include "dprobes_start.h"

#include "polled_uart.inc"

#ifdef __cplusplus
extern "C" {
#endif
extern uint32_t counter;
int main(void);
void work(uint32_t n);
#ifdef __cplusplus
}
#endif

#ifndef POLL /* freertos.c has no main loop */
#define POLL dprobes_poll
#endif

uint32_t counter;

void shell_byte(uint8_t byte)
{
	const char text[3] = {'<', (char)byte, '>'};

	dprobes_print(text, sizeof(text));
}

int main(void)
{
	uint32_t sum = 0;

	if (dprobes_start() != 0)
		dprobes_print("REFUSED\n", 8);
	dprobes_print("up\n", 3);
	for (uint32_t n = 0;; n++) {
		POLL();
		work(n);
		sum += n;
		if (sum != counter)
			dprobes_print("WRONG\n", 6);
	}
}
