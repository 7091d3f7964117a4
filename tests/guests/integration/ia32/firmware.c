/* SPDX-License-Identifier: BSD-2-Clause */
/* Somebody's firmware on a PC, with the ready-made glue: com1 polled, the timer's interrupt, work
 * to probe that checks itself. A wrong result ends QEMU. */
#include "dprobes_settings.h"
#include "dprobes_start.h"

enum {
	COM1 = 0x3f8,
	FIFO = COM1 + 2,
	FIFO_ON = 7, /* and empty */
	LINE_STATUS = COM1 + 5,
	RECEIVED = 1,
	ROOM = 0x20,
	PIC = 0x20,
	PIC_MASK = 0x21,
	PIC2_MASK = 0xa1,
	EOI = 0x20,
	PIT_COUNT = 0x40,
	PIT_MODE = 0x43,
	PIT_DIVISOR = 1193, /* 1 kHz */
	EXIT = 0xf4,
	PACE = 64, /* rounds of the main loop for one of the work */
};

static inline void port_write(uint16_t port, uint8_t value)
{
	__asm__ volatile("outb %0, %1" ::"a"(value), "d"(port));
}

static inline uint8_t port_read(uint16_t port)
{
	uint8_t value;

	__asm__ volatile("inb %1, %0" : "=a"(value) : "d"(port));
	return value;
}

DPROBES_CODE bool uart_put(uint8_t byte)
{
	if (!(port_read(LINE_STATUS) & ROOM))
		return false;
	port_write(COM1, byte);
	return true;
}

DPROBES_CODE int uart_get(void)
{
	return port_read(LINE_STATUS) & RECEIVED ? port_read(COM1) : -1;
}

#include "../work.inc"

volatile uint32_t interrupts;

void tick(void);
void tick(void)
{
	interrupts = interrupts + 1;
	port_write(PIC, EOI);
}

static void timer_start(void)
{
	static const uint8_t words[][2] = {{PIC, 0x11},
					   {PIC_MASK, 0x20},
					   {PIC_MASK, 4},
					   {PIC_MASK, 1},
					   {PIC_MASK, 0xfe},
					   {PIC2_MASK, 0xff},
					   {PIT_MODE, 0x34},
					   {PIT_COUNT, PIT_DIVISOR & 0xff},
					   {PIT_COUNT, PIT_DIVISOR >> 8}};

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		port_write(words[i][0], words[i][1]);
}

int main(void);
int main(void)
{
	port_write(FIFO, FIFO_ON);
	timer_start();
	if (dprobes_start() != 0)
		port_write(EXIT, 1);
	__asm__ volatile("sti");
	for (uint32_t n = 0;; n++) {
		dprobes_loop();
		if (n % PACE == 0 && work(&total, n / PACE) != checked(n / PACE))
			port_write(EXIT, 2);
	}
}
