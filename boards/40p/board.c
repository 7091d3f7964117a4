/* SPDX-License-Identifier: BSD-2-Clause */
/* IBM RS/6000 40p: a PReP machine. Its ISA bus has the PC's 8259, 16550s and keyboard controller.
 * PReP specification 1.1, 5 */
#include "i8259.h"
#include "kernel.h"
#include "ns16550.h"
#include "ppc_board.h"
#include "reg_io.h"

#define ISA            0x80000000u
#define COM1           (ISA + 0x3f8)
#define COM2           (ISA + 0x2f8)
#define COM_DIVISOR    1u /* 115200 from 1.8432 MHz */
#define IRQ_COM2       3
#define IRQ_COM1       4
#define IRQS           ((uint8_t)(1u << IRQ_COM1 | 1u << IRQ_COM2))
#define KEYBOARD       (ISA + 0x64)
#define KEYBOARD_RESET 0xfe

extern char __ram_start[], __ram_bytes[];

const char board_name[] = "40p";
const char board_cpu[] = "750";

const struct board_range board_ranges[] = {
	{(uintptr_t)__ram_start, (size_t)__ram_bytes, BOARD_RAM},
	{ISA, 0x00010000u, BOARD_DEVICE},
};
const size_t board_range_count = sizeof(board_ranges) / sizeof(board_ranges[0]);

const struct bat ppc_bat[] = {
	{(uintptr_t)__ram_start + BAT_16M, (uintptr_t)__ram_start + BAT_MEMORY},
	{ISA | BAT_128K, ISA | BAT_DEVICES},
};

const uintptr_t ppc_uart[BOARD_COMS] = {COM1, COM2};
const uint32_t ppc_timebase_hz = 100000000; /* QEMU's */

void board_init(void)
{
	i8259_init(ISA, IRQS);
	for (unsigned com = 0; com < BOARD_COMS; com++)
		ns16550_init(ppc_uart[com], COM_DIVISOR);
	decrementer_init();
}

void board_irq(void)
{
	int irq;

	decrementer_irq();
	while ((irq = i8259_take(ISA)) >= 0) {
		if (irq == IRQ_COM1)
			uart_isr(0);
		else if (irq == IRQ_COM2)
			uart_isr(1);
		i8259_end(ISA);
	}
}

/* The keyboard controller's reset line. */
_Noreturn void board_restart_cold(void)
{
	reg_write8(KEYBOARD, 0, KEYBOARD_RESET);
	for (;;)
		;
}
