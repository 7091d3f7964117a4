/* SPDX-License-Identifier: BSD-2-Clause */
/* ARM Versatile Platform Baseboard for ARM926EJ-S: DUI 0225, "Memory map". */
#include "arm_board.h"
#include "board.h"
#include "kernel.h"

#define SYS_BASE     0x10000000u
#define SYS_LOCK     0x20
#define SYS_RESETCTL 0x40
#define VIC_BASE     0x10140000u
#define VIC_STATUS   0x00
#define VIC_ENABLE   0x10
#define TICK_TIMER   0x101e2000u
#define SENSOR_TIMER 0x101e3000u

#define IRQ_TICK   (1u << 4)
#define IRQ_SENSOR (1u << 5)
#define IRQ_COM1   (1u << 12)
#define IRQ_COM2   (1u << 13)

extern char __ram_bytes[];

const char board_name[] = "versatilepb";
const char board_cpu[] = "ARM926EJ-S";

/* RAM is at 0 here and holds the vectors: a NULL pointer reads, it does not fault. */
const struct board_range board_ranges[] = {
	{0x00000000u, (size_t)__ram_bytes, BOARD_RAM},
	{0x10000000u, 0x00200000u, BOARD_DEVICE},
};
const size_t board_range_count = sizeof(board_ranges) / sizeof(board_ranges[0]);

const struct arm_devices arm_devices = {
	.uart = {0x101f1000u, 0x101f2000u},
	.tick_timer = TICK_TIMER,
	.sensor_timer = SENSOR_TIMER,
	.clock24 = SYS_BASE + 0x5c,
};

void board_init(void)
{
	arm_devices_init();
	reg_write(VIC_BASE, VIC_ENABLE, IRQ_TICK | IRQ_SENSOR | IRQ_COM1 | IRQ_COM2);
}

void board_irq(void)
{
	uint32_t pending = reg_read(VIC_BASE, VIC_STATUS);

	if (pending & IRQ_TICK)
		arm_tick_irq();
	if (pending & IRQ_SENSOR)
		arm_sensor_irq();
	if (pending & IRQ_COM1)
		uart_isr(0);
	if (pending & IRQ_COM2)
		uart_isr(1);
}

_Noreturn void board_restart_cold(void)
{
	reg_write(SYS_BASE, SYS_LOCK, 0xa05f);
	reg_write(SYS_BASE, SYS_RESETCTL, 0x105);
	for (;;)
		;
}

/* There is no power switch: without semihosting reset instead (QEMU -no-reboot ends there). */
_Noreturn void board_power_off(unsigned status)
{
	semihost_exit(status);
	board_restart_cold();
}
