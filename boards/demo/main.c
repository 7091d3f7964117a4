/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of the demo kernel, in the order of their start. */
#include "agent_glue.h"
#include "board.h"
#include "boot.h"
#include "console.h"
#include "critical.h"
#include "kernel.h"
#include "load.h"
#include "plugins.h"
#include "sensor.h"
#include "shell.h"
#include "uart_rate.h"

static void idle_main(void *arg)
{
	(void)arg;
	for (;;)
		if (uart_rate() == 0)
			arch_wait(); /* QEMU's clock follows the host's while the CPU waits */
}

/* com2 answers what it gets. */
static void echo_main(void *arg)
{
	(void)arg;
	for (;;) {
		char c = (char)console_get(1);

		console_write(1, &c, 1);
	}
}

_Noreturn void kernel_main(void)
{
	static uint64_t idle_stack[128], echo_stack[128];

	boot_init();
	board_init();
	agent_start();
	say("\ndprobes demo kernel on %s (%s), boot %lu\n", board_name, board_cpu,
	    (unsigned long)boot_number());
	task_create("idle", PRIORITY_IDLE, idle_main, NULL, idle_stack, sizeof(idle_stack));
	task_create("echo", PRIORITY_ECHO, echo_main, NULL, echo_stack, sizeof(echo_stack));
	sensor_create();
	load_create();
	plugins_create();
	critical_create();
	shell_create();
	kernel_go();
}
