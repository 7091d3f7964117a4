/* SPDX-License-Identifier: BSD-2-Clause */
/* QEMU's ppce500: an e500v2 with the UARTs and the MPIC of an MPC8544E. Its reference manual: 2
 * (map), 10 (MPIC), 12 (UART). */
#include "kernel.h"
#include "ns16550.h"
#include "ppc_board.h"
#include "reg_io.h"

/* CCSR is at 0xf_e0000000. */
#define CCSR        0xe0000000u
#define CCSR_UPPER  0xfu
#define CCSR_BYTES  0x00100000u
#define COM1        (CCSR + 0x4500)
#define COM2        (CCSR + 0x4600)
#define COM_DIVISOR 217u /* 115200 from 400 MHz */

/* MPIC, offsets in CCSR. The UARTs share one internal source. */
#define MPIC_GCR        0x41020u
#define GCR_MIXED       0x20000000u
#define MPIC_CTPR       0x60080u
#define MPIC_IACK       0x600a0u
#define MPIC_EOI        0x600b0u
#define SOURCE_UART     26u
#define MPIC_IVPR(n)    (0x50200u + (n)*0x20)
#define MPIC_IDR(n)     (0x50210u + (n)*0x20)
#define IVPR_PRIORITY   0x00080000u
#define IVPR_HIGH       0x00800000u
#define IDR_CPU0        1u
#define VECTOR_UART     1u
#define VECTOR_SPURIOUS 0xffffu

extern char __ram_start[], __ram_bytes[];

const char board_name[] = "ppce500";
const char board_cpu[] = "e500v2";

const struct board_range board_ranges[] = {
	{(uintptr_t)__ram_start, (size_t)__ram_bytes, BOARD_RAM},
	{CCSR, CCSR_BYTES, BOARD_DEVICE},
};
const size_t board_range_count = sizeof(board_ranges) / sizeof(board_ranges[0]);

const struct tlb500 ppc_tlb[] = {
	{TLB500_16M, (uintptr_t)__ram_start + TLB500_CACHED, (uintptr_t)__ram_start + TLB500_MEMORY,
	 0},
	{TLB500_1M, CCSR | TLB500_GUARDED, CCSR | TLB500_DEVICES, CCSR_UPPER},
};
const unsigned ppc_tlb_count = sizeof(ppc_tlb) / sizeof(ppc_tlb[0]);

const uintptr_t ppc_uart[BOARD_COMS] = {COM1, COM2};
const uint32_t ppc_timebase_hz = 400000000; /* QEMU's */

void board_init(void)
{
	for (unsigned com = 0; com < BOARD_COMS; com++)
		ns16550_init(ppc_uart[com], COM_DIVISOR);
	reg_write32(CCSR, MPIC_GCR, GCR_MIXED);
	reg_write32(CCSR, MPIC_IVPR(SOURCE_UART), IVPR_HIGH | IVPR_PRIORITY | VECTOR_UART);
	reg_write32(CCSR, MPIC_IDR(SOURCE_UART), IDR_CPU0);
	reg_write32(CCSR, MPIC_CTPR, 0);
	decrementer_init();
}

/* Reading IACK takes the request, EOI ends it. */
static void mpic_irq(void)
{
	uint32_t vector;

	while ((vector = reg_read32(CCSR, MPIC_IACK)) != VECTOR_SPURIOUS) {
		if (vector == VECTOR_UART) {
			uart_isr(0);
			uart_isr(1);
		}
		reg_write32(CCSR, MPIC_EOI, 0);
	}
}

/* On hardware the UARTs' requests are joined. In QEMU both drive source 26, and what the last one
 * said counts: while one sends, a byte for the other lies there with no request, for a second and
 * more. So each interrupt, the tick among them, looks for it. */
static void uart_unrequested(void)
{
	for (unsigned com = 0; com < BOARD_COMS; com++)
		if (ns16550_has(ppc_uart[com]))
			uart_isr(com);
}

void board_irq(void)
{
	decrementer_irq();
	mpic_irq();
	uart_unrequested();
}
