/* SPDX-License-Identifier: BSD-2-Clause */
/* Somebody's boot loader with the ready-made glue: interrupts stay masked, the UART is polled, a
 * prompt reads lines and prints a text that is longer than the agent's queue. */
#include "dprobes_settings.h"
#include "dprobes_start.h"

#include "polled_uart.inc"

extern uint32_t counter;
int main(void);
void work(uint32_t n);

uint32_t counter;

static int wait_for_byte(void)
{
	while (!dprobes_console_waiting())
		work(1);
	return dprobes_console_get();
}

static void help(void)
{
	static char line[] = "help 000: a command of the boot loader\r\n";

	for (unsigned n = 0; n < 50; n++) {
		line[6] = (char)('0' + n / 10);
		line[7] = (char)('0' + n % 10);
		dprobes_print(line, sizeof(line) - 1);
	}
}

int main(void)
{
	if (dprobes_start() != 0)
		dprobes_print("REFUSED\n", 8);
	for (;;) {
		dprobes_print("=> ", 3);
		if (wait_for_byte() == '?')
			help();
	}
}
