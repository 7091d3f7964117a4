/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions that all PowerPC boards share. */
#include "ns16550.h"
#include "ppc_board.h"

BOARD_HIT_PATH bool board_uart_put(unsigned com, uint8_t byte)
{
	return ns16550_put(ppc_uart[com], byte);
}

BOARD_HIT_PATH size_t board_uart_write(unsigned com, const uint8_t *bytes, size_t count)
{
	return ns16550_write(ppc_uart[com], bytes, count);
}

int board_uart_get(unsigned com)
{
	return ns16550_get(ppc_uart[com]);
}

/* Reading the byte is the acknowledge. */
void board_uart_ack(unsigned com)
{
	(void)com;
}

/* QEMU can be told that it is over (run: -no-reboot), but not the status. */
_Noreturn void board_power_off(unsigned status)
{
	(void)status;
	board_restart_cold();
}
