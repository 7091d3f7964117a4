/* SPDX-License-Identifier: BSD-2-Clause */
/* QEMU's virt: com1 is the board's 16550, com2 a card on its PCI bus.  QEMU hw/riscv/virt.c; PCI
 * Local Bus 3.0, chapter 6; PCI Express 3.0, 7.2.2 */
#include "alarms.h"
#include "board.h"
#include "kernel.h"
#include "ns16550.h"
#include "riscv_board.h"

#define TEST       0x00100000u
#define TEST_FAIL  0x3333u
#define TEST_PASS  0x5555u
#define TEST_RESET 0x7777u
#define CLINT      0x02000000u
#define CLOCK_HZ   10000000u
#define PLIC       0x0c000000u
#define COM1       0x10000000u
#define IRQ_COM1   10
#define IRQ_PCI    32 /* of INTA of device 0; that of device n is n further, of four */

#define PCI_IO         0x03000000u
#define PCI_CONFIG     0x30000000u
#define CARD           1u /* number of the device */
#define CARD_CONFIG    (PCI_CONFIG + (CARD << 15))
#define CARD_IO        0x1000u
#define CONFIG_COMMAND 0x04
#define CONFIG_BAR0    0x10
#define COMMAND_IO     1u
#define COM2           (PCI_IO + CARD_IO)
#define IRQ_COM2       (IRQ_PCI + CARD)
#define COM_DIVISOR    2u /* 115200 from 3.6864 MHz */
#define COM2_DIVISOR   1u /* 115200 from 1.8432 MHz */

extern char __ram_bytes[];

#if __riscv_xlen == 64
const char board_name[] = "riscv-virt64";
const char board_cpu[] = "RV64";
#else
const char board_name[] = "riscv-virt32";
const char board_cpu[] = "RV32";
#endif

const struct board_range board_ranges[] = {
	{0x80000000u, (size_t)__ram_bytes, BOARD_RAM},
	{TEST, 0x1000u, BOARD_DEVICE},
	{CLINT, 0x10000u, BOARD_DEVICE},
	{PCI_IO, 0x10000u, BOARD_DEVICE},
	{PLIC, 0x600000u, BOARD_DEVICE},
	{COM1, 0x100u, BOARD_DEVICE},
};
const size_t board_range_count = sizeof(board_ranges) / sizeof(board_ranges[0]);

static const uintptr_t uart[BOARD_COMS] = {COM1, COM2};

static void write32(uintptr_t address, uint32_t value)
{
	*(volatile uint32_t *)address = value;
}

void board_init(void)
{
	static const uint8_t sources[] = {IRQ_COM1, IRQ_COM2, 0};

	write32(CARD_CONFIG + CONFIG_BAR0, CARD_IO);
	*(volatile uint16_t *)(CARD_CONFIG + CONFIG_COMMAND) = COMMAND_IO;
	ns16550_init(COM1, COM_DIVISOR);
	ns16550_init(COM2, COM2_DIVISOR);
	plic_init(PLIC, sources);
	clint_init(CLINT);
}

static void external_irq(void)
{
	uint32_t source;

	while ((source = plic_take()) != 0) {
		uart_isr(source == IRQ_COM2);
		plic_end(source);
	}
}

void board_irq(void)
{
	unsigned long pending;

	while ((pending = riscv_pending()) != 0) {
		if (pending & RISCV_TIMER)
			alarms_irq();
		if (pending & RISCV_EXTERNAL)
			external_irq();
	}
}

void board_tick_start(unsigned hz)
{
	alarms_tick_start(CLOCK_HZ / hz);
}

uint32_t board_sensor_start(unsigned period_us)
{
	uint32_t period = period_us * (CLOCK_HZ / 1000000u);

	alarms_sensor_start(period);
	return period;
}

BOARD_HIT_PATH uint64_t board_clock(void)
{
	return alarms_clock();
}

BOARD_HIT_PATH uint32_t board_counter(void)
{
	return clint_counter();
}

uint32_t board_clock_hz(void)
{
	return CLOCK_HZ;
}

BOARD_HIT_PATH bool board_uart_put(unsigned com, uint8_t byte)
{
	return ns16550_put(uart[com], byte);
}

BOARD_HIT_PATH size_t board_uart_write(unsigned com, const uint8_t *bytes, size_t count)
{
	return ns16550_write(uart[com], bytes, count);
}

int board_uart_get(unsigned com)
{
	return ns16550_get(uart[com]);
}

/* Reading the byte is the acknowledge. */
void board_uart_ack(unsigned com)
{
	(void)com;
}

_Noreturn void board_restart_warm(void)
{
	riscv_restart();
}

static _Noreturn void test_write(uint32_t value)
{
	write32(TEST, value);
	for (;;)
		;
}

_Noreturn void board_restart_cold(void)
{
	test_write(TEST_RESET);
}

_Noreturn void board_power_off(unsigned status)
{
	test_write(status == 0 ? TEST_PASS : status << 16 | TEST_FAIL);
}
