/* SPDX-License-Identifier: BSD-2-Clause */
/* ARM Versatile Express with the Cortex-A9x4 tile: DUI 0447 (motherboard), DUI 0448 (tile). */
#include "arm_board.h"
#include "board.h"
#include "kernel.h"

#define SYS_BASE     0x10000000u
#define SYS_CFGCTRL  0xa4
#define CFG_SHUTDOWN 0xc0800000u
#define CFG_REBOOT   0xc0900000u
#define TICK_TIMER   0x10011000u
#define SENSOR_TIMER 0x10012000u

/* GIC: ARM IHI 0048. */
#define GICC_BASE      0x1e000100u
#define GICC_CTLR      0x00
#define GICC_PMR       0x04
#define GICC_IAR       0x0c
#define GICC_EOIR      0x10
#define GICD_BASE      0x1e001000u
#define GICD_CTLR      0x000
#define GICD_ISENABLER 0x100
#define GICD_ICACTIVER 0x380
#define GICD_ITARGETSR 0x800
#define GIC_SPURIOUS   1020u

#define IRQ_TICK   34u
#define IRQ_SENSOR 35u
#define IRQ_COM1   37u
#define IRQ_COM2   38u

extern char __ram_bytes[];

const char board_name[] = "vexpress-a9";
const char board_cpu[] = "Cortex-A9";

const struct board_range board_ranges[] = {
	{0x60000000u, (size_t)__ram_bytes, BOARD_RAM},
	{0x10000000u, 0x00100000u, BOARD_DEVICE},
	{0x1e000000u, 0x00100000u, BOARD_DEVICE},
};
const size_t board_range_count = sizeof(board_ranges) / sizeof(board_ranges[0]);

const struct arm_devices arm_devices = {
	.uart = {0x10009000u, 0x1000a000u},
	.tick_timer = TICK_TIMER,
	.sensor_timer = SENSOR_TIMER,
	.clock24 = SYS_BASE + 0x5c,
};

/* Level sensitive, to core 0. */
static void gic_enable(unsigned irq)
{
	*(volatile uint8_t *)(uintptr_t)(GICD_BASE + GICD_ITARGETSR + irq) = 1;
	reg_write(GICD_BASE, GICD_ISENABLER + irq / 32 * 4, 1u << irq % 32);
}

void board_init(void)
{
	arm_devices_init();
	/* A warm restart may have left an interrupt half served. */
	reg_write(GICD_BASE, GICD_ICACTIVER + 4, ~0u);
	gic_enable(IRQ_TICK);
	gic_enable(IRQ_SENSOR);
	gic_enable(IRQ_COM1);
	gic_enable(IRQ_COM2);
	reg_write(GICC_BASE, GICC_PMR, 0xff);
	reg_write(GICC_BASE, GICC_CTLR, 1);
	reg_write(GICD_BASE, GICD_CTLR, 1);
}

static void dispatch(unsigned irq)
{
	switch (irq) {
	case IRQ_TICK:
		arm_tick_irq();
		break;
	case IRQ_SENSOR:
		arm_sensor_irq();
		break;
	case IRQ_COM1:
		uart_isr(0);
		break;
	case IRQ_COM2:
		uart_isr(1);
		break;
	}
}

void board_irq(void)
{
	for (;;) {
		uint32_t iar = reg_read(GICC_BASE, GICC_IAR);

		if ((iar & 0x3ff) >= GIC_SPURIOUS)
			return;
		dispatch(iar & 0x3ff);
		reg_write(GICC_BASE, GICC_EOIR, iar);
	}
}

static _Noreturn void configure(uint32_t command)
{
	reg_write(SYS_BASE, SYS_CFGCTRL, command);
	for (;;)
		;
}

_Noreturn void board_restart_cold(void)
{
	configure(CFG_REBOOT);
}

_Noreturn void board_power_off(unsigned status)
{
	semihost_exit(status);
	configure(CFG_SHUTDOWN);
}
