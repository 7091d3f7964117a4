/* SPDX-License-Identifier: BSD-2-Clause */
/* The part of board.h that is the same on every board with PL011, SP804 and a 24 MHz counter. */
#include "arm_board.h"
#include "board.h"
#include "kernel.h"

void arm_devices_init(void)
{
	sp804_stop(arm_devices.tick_timer);
	sp804_stop(arm_devices.sensor_timer);
	for (unsigned com = 0; com < BOARD_COMS; com++)
		pl011_init(arm_devices.uart[com]);
}

void arm_tick_irq(void)
{
	sp804_ack(arm_devices.tick_timer);
	timer_isr();
}

void arm_sensor_irq(void)
{
	sp804_ack(arm_devices.sensor_timer);
	sensor_isr();
}

void board_tick_start(unsigned hz)
{
	sp804_start(arm_devices.tick_timer, SP804_HZ / hz);
}

uint32_t board_sensor_start(unsigned period_us)
{
	if (period_us == 0)
		sp804_stop(arm_devices.sensor_timer);
	else
		sp804_start(arm_devices.sensor_timer, period_us);
	return period_us * (CLOCK24_HZ / SP804_HZ);
}

BOARD_HIT_PATH uint64_t board_clock(void)
{
	return clock24_read(arm_devices.clock24);
}

BOARD_HIT_PATH uint32_t board_counter(void)
{
	return reg_read(arm_devices.clock24, 0);
}

uint32_t board_clock_hz(void)
{
	return CLOCK24_HZ;
}

BOARD_HIT_PATH bool board_uart_put(unsigned com, uint8_t byte)
{
	return pl011_put(arm_devices.uart[com], byte);
}

BOARD_HIT_PATH size_t board_uart_write(unsigned com, const uint8_t *bytes, size_t count)
{
	return pl011_write(arm_devices.uart[com], bytes, count);
}

int board_uart_get(unsigned com)
{
	return pl011_get(arm_devices.uart[com]);
}

void board_uart_ack(unsigned com)
{
	pl011_ack(arm_devices.uart[com]);
}

_Noreturn void board_restart_warm(void)
{
	arm_restart();
}
