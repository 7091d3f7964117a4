/* SPDX-License-Identifier: BSD-2-Clause */
/* ARM MPS2 FPGA images with one Cortex-M: AN385, AN386, AN505. */
#include "board.h"
#include "cortexm_board.h"
#include "kernel.h"
#include "mps2_map.h"

#define BAUD 115200u

static const uintptr_t uart[BOARD_COMS] = {UART_COM1, UART_COM2};

extern char __vectors[], __text_bytes[], __ram_start[], __ram_bytes[];

const struct board_range board_ranges[] = {
	{(uintptr_t)__vectors, (size_t)__text_bytes, BOARD_RAM},
	{(uintptr_t)__ram_start, (size_t)__ram_bytes, BOARD_RAM},
	{DEVICES, DEVICES_BYTES, BOARD_DEVICE},
};
const size_t board_range_count = sizeof(board_ranges) / sizeof(board_ranges[0]);

void board_init(void)
{
	cmsdk_timer_stop(TICK_TIMER);
	cmsdk_timer_stop(SENSOR_TIMER);
	for (unsigned com = 0; com < BOARD_COMS; com++)
		cmsdk_uart_init(uart[com], CLOCK_HZ / BAUD);
	nvic_enable(IRQ_COM1);
	nvic_enable(IRQ_COM2);
	nvic_enable(IRQ_TICK);
	nvic_enable(IRQ_SENSOR);
}

void board_irq(void)
{
	switch (nvic_active()) {
	case IRQ_TICK:
		cmsdk_timer_ack(TICK_TIMER);
		timer_isr();
		break;
	case IRQ_SENSOR:
		cmsdk_timer_ack(SENSOR_TIMER);
		sensor_isr();
		break;
	case IRQ_COM1:
		uart_isr(0);
		break;
	case IRQ_COM2:
		uart_isr(1);
		break;
	}
}

void board_tick_start(unsigned hz)
{
	cmsdk_timer_start(TICK_TIMER, CLOCK_HZ / hz);
}

uint32_t board_sensor_start(unsigned period_us)
{
	uint32_t period = period_us * (CLOCK_HZ / 1000000u);

	if (period == 0)
		cmsdk_timer_stop(SENSOR_TIMER);
	else
		cmsdk_timer_start(SENSOR_TIMER, period);
	return period;
}

BOARD_HIT_PATH uint64_t board_clock(void)
{
	static uint32_t high, last;
	unsigned state = arch_hit_irq_save();
	uint32_t now = board_counter();
	uint64_t value;

	if (now < last)
		high++;
	last = now;
	value = (uint64_t)high << 32 | now;
	arch_hit_irq_restore(state);
	return value;
}

BOARD_HIT_PATH uint32_t board_counter(void)
{
	return reg_read(COUNTER, 0);
}

uint32_t board_clock_hz(void)
{
	return CLOCK_HZ;
}

BOARD_HIT_PATH bool board_uart_put(unsigned com, uint8_t byte)
{
	return cmsdk_uart_put(uart[com], byte);
}

BOARD_HIT_PATH size_t board_uart_write(unsigned com, const uint8_t *bytes, size_t count)
{
	return cmsdk_uart_write(uart[com], bytes, count);
}

int board_uart_get(unsigned com)
{
	return cmsdk_uart_get(uart[com]);
}

void board_uart_ack(unsigned com)
{
	cmsdk_uart_ack(uart[com]);
}

_Noreturn void board_restart_warm(void)
{
	cortexm_restart();
}

_Noreturn void board_restart_cold(void)
{
	nvic_reset();
}

_Noreturn void board_power_off(unsigned status)
{
	semihost_exit(status);
	for (;;)
		;
}
