/* SPDX-License-Identifier: BSD-2-Clause */
/* AMCC Bamboo: PPC440EP, as much of it as QEMU has. PPC440EP user's manual 3 (map), 10 (UIC). */
#include "kernel.h"
#include "ns16550.h"
#include "ppc_board.h"

#define DEVICES     0xef600000u
#define COM1        (DEVICES + 0x300)
#define COM2        (DEVICES + 0x400)
#define COM_DIVISOR 6u /* 115200 from 11.0592 MHz */

/* UIC0: device control registers and requests. */
#define UIC_SR   0xc0
#define UIC_ER   0xc2
#define UIC_CR   0xc3
#define UIC_PR   0xc4
#define UIC_TR   0xc5
#define UIC_MSR  0xc6
#define IRQ_COM1 0x80000000u
#define IRQ_COM2 0x40000000u

#define DCR_PUT(dcr, value) __asm__ volatile("mtdcr %0, %1" ::"i"(dcr), "r"(value))
#define DCR_GET(value, dcr) __asm__ volatile("mfdcr %0, %1" : "=r"(value) : "i"(dcr))

extern char __ram_start[], __ram_bytes[];

const char board_name[] = "bamboo";
const char board_cpu[] = "440EP";

const struct board_range board_ranges[] = {
	{(uintptr_t)__ram_start, (size_t)__ram_bytes, BOARD_RAM},
	{DEVICES, 0x00010000u, BOARD_DEVICE},
};
const size_t board_range_count = sizeof(board_ranges) / sizeof(board_ranges[0]);

const struct tlb440 ppc_tlb[] = {
	{(uintptr_t)__ram_start + TLB440_16M, (uintptr_t)__ram_start, TLB440_MEMORY},
	{DEVICES | TLB440_64K, DEVICES, TLB440_DEVICES},
};
const unsigned ppc_tlb_count = sizeof(ppc_tlb) / sizeof(ppc_tlb[0]);

const uintptr_t ppc_uart[BOARD_COMS] = {COM1, COM2};
const uint32_t ppc_timebase_hz = 400000000; /* QEMU's */

void board_init(void)
{
	for (unsigned com = 0; com < BOARD_COMS; com++)
		ns16550_init(ppc_uart[com], COM_DIVISOR);
	DCR_PUT(UIC_ER, 0);
	DCR_PUT(UIC_CR, 0);           /* none is critical, */
	DCR_PUT(UIC_PR, 0xffffffffu); /* all are high */
	DCR_PUT(UIC_TR, 0);           /* levels */
	DCR_PUT(UIC_SR, 0xffffffffu);
	DCR_PUT(UIC_ER, IRQ_COM1 | IRQ_COM2);
	decrementer_init();
}

/* A level stays in SR when its device is silent; the write clears it, unless more has come. */
static void uic_irq(void)
{
	uint32_t pending;

	for (;;) {
		DCR_GET(pending, UIC_MSR);
		if (pending == 0)
			return;
		if (pending & IRQ_COM1)
			uart_isr(0);
		if (pending & IRQ_COM2)
			uart_isr(1);
		DCR_PUT(UIC_SR, pending);
	}
}

void board_irq(void)
{
	decrementer_irq();
	uic_irq();
}
