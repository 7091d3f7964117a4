/* SPDX-License-Identifier: BSD-2-Clause */
/* What agent/README.md leaves to the firmware: a polled UART, a shell that echoes, work to probe.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dprobes.h"

#define UART    0x10009000u /* PL011 */
#define DR      (*(volatile uint32_t *)UART)
#define FR      (*(volatile uint32_t *)(UART + 0x18))
#define FR_TXFF 0x20u
#define FR_RXFE 0x10u

void firmware_start(void);
void firmware_byte(uint8_t byte);
void firmware_print(const char *text, size_t bytes);
bool uart_put(uint8_t byte);
void shell_byte(uint8_t byte);
int main(void);
void work(uint32_t n);

uint32_t counter;

DPROBES_CODE bool uart_put(uint8_t byte)
{
	if (FR & FR_TXFF)
		return false;
	DR = byte;
	return true;
}

#ifdef POLLED
/* Only dprobes_poll reads the line: DPROBES_GET. */
int uart_get(void);
DPROBES_CODE int uart_get(void)
{
	return FR & FR_RXFE ? -1 : (int)(uint8_t)DR;
}
#else
static void read_uart(void)
{
	while (!(FR & FR_RXFE))
		firmware_byte((uint8_t)DR);
}
#endif

void shell_byte(uint8_t byte)
{
	const char text[3] = {'<', (char)byte, '>'};

	firmware_print(text, sizeof(text));
}

int main(void)
{
	firmware_start();
	firmware_print("up\n", 3);
	for (uint32_t sum = 0, n = 0;; n++) {
#ifndef POLLED
		read_uart();
#endif
		dprobes_poll();
		work(n);
		sum += n;
		if (sum != counter)
			firmware_print("WRONG\n", 6);
	}
}
