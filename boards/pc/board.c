/* SPDX-License-Identifier: BSD-2-Clause */
/* QEMU's pc: the 8259s, 16550s and HPET of a PC.  QEMU hw/i386/pc.c; Intel 82371AB
 * (PIIX4), 2.4, 7.2.6 */
#include "board.h"

#include "alarms.h"
#include "hpet.h"
#include "i8259.h"
#include "ia32_board.h"
#include "kernel.h"
#include "ns16550.h"
#include "reg_io.h"

#define ISA         0u /* where I/O port 0 is */
#define COM1        0x3f8u
#define COM2        0x2f8u
#define COM_DIVISOR 1u /* 115200 from 1.8432 MHz */
#define IRQ_TIMER   0
#define IRQ_COM2    3
#define IRQ_COM1    4
#define IRQS        ((uint8_t)(1u << IRQ_TIMER | 1u << IRQ_COM1 | 1u << IRQ_COM2))

#define RESET      0xcf9u
#define RESET_ALL  0x06u
#define SLEEP      0x604u /* of the power management, where the BIOS puts it */
#define SLEEP_OFF  0x2000u
#define DEBUG_EXIT 0xf4u /* of QEMU; run: isa-debug-exit */

extern char __ram_start[], __ram_bytes[];

const char board_name[] = "pc";
const char board_cpu[] = "qemu32";

const struct board_range board_ranges[] = {
	{(uintptr_t)__ram_start, (size_t)__ram_bytes, BOARD_RAM},
	{IA32_HPET, 0x1000u, BOARD_DEVICE},
};
const size_t board_range_count = sizeof(board_ranges) / sizeof(board_ranges[0]);

static const uintptr_t uart[BOARD_COMS] = {COM1, COM2};

void board_init(void)
{
	i8259_init(ISA, IRQS);
	for (unsigned com = 0; com < BOARD_COMS; com++)
		ns16550_init(uart[com], COM_DIVISOR);
	hpet_init(IA32_HPET);
}

void board_irq(void)
{
	const int irq = i8259_taken(ISA);

	if (irq == IRQ_TIMER)
		alarms_irq();
	else if (irq == IRQ_COM1 || irq == IRQ_COM2)
		uart_isr(irq == IRQ_COM2);
	if (irq >= 0)
		i8259_end(ISA);
}

void board_tick_start(unsigned hz)
{
	alarms_tick_start(hpet_hz() / hz);
}

uint32_t board_sensor_start(unsigned period_us)
{
	uint32_t period = (uint32_t)((uint64_t)hpet_hz() * period_us / 1000000u);

	alarms_sensor_start(period);
	return period;
}

BOARD_HIT_PATH uint64_t board_clock(void)
{
	return alarms_clock();
}

BOARD_HIT_PATH uint32_t board_counter(void)
{
	return hpet_counter();
}

uint32_t board_clock_hz(void)
{
	return hpet_hz();
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
	ia32_restart();
}

_Noreturn void board_restart_cold(void)
{
	reg_write8(RESET, 0, RESET_ALL);
	for (;;)
		;
}

/* QEMU's status is 0 by the power management; by isa-debug-exit it is odd: an even one is one more.
 */
_Noreturn void board_power_off(unsigned status)
{
	if (status == 0)
		__asm__ volatile("outw %0, %1" ::"a"((uint16_t)SLEEP_OFF), "d"((uint16_t)SLEEP));
	else
		reg_write8(DEBUG_EXIT, 0, (uint8_t)(status >> 1));
	board_restart_cold();
}
