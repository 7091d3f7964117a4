/* SPDX-License-Identifier: BSD-2-Clause */
/* Somebody's firmware whose interrupt handler polls, and waits there until a character comes: `r`
 * raises the interrupt by a store, `g` lets the handler return. With a probe at the store, the
 * interrupt comes in the slot of that probe. */
#include "dprobes_settings.h"
#include "dprobes_start.h"

#include "polled_uart.inc"

#define GICD(offset) (*(volatile uint32_t *)(0x1e001000u + (offset)))
#define GICC(offset) (*(volatile uint32_t *)(0x1e000100u + (offset)))
#define GICD_SGIR    GICD(0xf00)
#define GICD_CTLR    GICD(0x00)
#define GICC_CTLR    GICC(0x00)
#define GICC_PMR     GICC(0x04)
#define GICC_IAR     GICC(0x0c)
#define GICC_EOIR    GICC(0x10)
#define TO_THIS_CPU  0x02000000u

extern uint32_t counter;
int main(void);
void interrupted(dprobes_word pc);
void raise_by_store(volatile uint32_t *place, uint32_t value);

uint32_t counter;                     /* of start.S */
volatile uint32_t handlers;           /* that are active */
static volatile bool is_raised, goes; /* what a character asked for */

void shell_byte(uint8_t byte)
{
	is_raised = is_raised || byte == 'r';
	goes = goes || byte == 'g';
}

/* The handler: pc is where it has interrupted the main loop. */
void interrupted(dprobes_word pc)
{
	uint32_t number = GICC_IAR;

	handlers++;
	if (dprobes_original_pc(pc) != pc)
		dprobes_print("waits in a slot\n", 16);
	else
		dprobes_print("waits\n", 6);
	while (!goes)
		dprobes_loop();
	goes = false;
	handlers--;
	GICC_EOIR = number;
}

int main(void)
{
	if (dprobes_start() != 0)
		dprobes_print("REFUSED\n", 8);
	GICC_PMR = 0xff;
	GICC_CTLR = 1;
	GICD_CTLR = 1;
	__asm__ volatile("cpsie i" ::: "memory");
	for (;;) {
		dprobes_loop();
		if (!is_raised)
			continue;
		is_raised = false;
		raise_by_store(&GICD_SGIR, TO_THIS_CPU);
		dprobes_print("returned\n", 9);
	}
}
