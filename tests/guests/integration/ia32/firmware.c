/* SPDX-License-Identifier: BSD-2-Clause */
/* Somebody's firmware on a PC, with the ready-made glue: com1 polled, the timer's interrupt, work
 * to probe that checks itself. A wrong result ends QEMU. */
#include "dprobes_settings.h"
#include "dprobes_start.h"

enum {
	PACE = 64, /* rounds of the main loop for one of the work */
};

#include "pc.inc"
#include "../work.inc"

volatile uint32_t interrupts;

void tick(void);
void tick(void)
{
	interrupts = interrupts + 1;
	port_write(PIC, EOI);
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
