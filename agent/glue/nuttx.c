/* SPDX-License-Identifier: BSD-2-Clause */
/* Glue for NuttX: a kernel thread that polls, names of tasks in records, the system tick as time,
 * and the console of a driver with a transmit interrupt. Beside the settings of dprobes_start.h:
 *   DPROBES_CONSOLE_DEV  the uart_dev_t of the console, which the agent's line shares
 *   DPROBES_PRIORITY     of the thread; default SCHED_PRIORITY_MAX - 1
 *   DPROBES_STACK        bytes; default 2048
 *   DPROBES_IDLE_TICKS   the longest time that a record waits; default 50 ms
 * The driver (struct uart_ops_s) changes in two places:
 *   txint(dev, true)     calls dprobes_nuttx_send(dev), and leaves the transmit interrupt disabled
 *   its interrupt        calls dprobes_nuttx_receive(dev, byte) for each received byte, in place of
 *                        uart_recvchars
 * up_putc calls dprobes_print. The flat build alone: the thread and the driver are in the kernel.
 */
#include <nuttx/config.h>

#include <nuttx/clock.h>
#include <nuttx/irq.h>
#include <nuttx/kthread.h>
#include <nuttx/sched.h>
#include <nuttx/semaphore.h>
#include <nuttx/serial/serial.h>

#include "dprobes.h"
#include "dprobes_settings.h"

#ifndef DPROBES_PRIORITY
#define DPROBES_PRIORITY (SCHED_PRIORITY_MAX - 1)
#endif
#ifndef DPROBES_STACK
#define DPROBES_STACK 2048
#endif
#ifndef DPROBES_IDLE_TICKS
#define DPROBES_IDLE_TICKS (MSEC2TICK(50) + 1)
#endif
#ifdef DPROBES_CONSOLE
#error "dprobes_settings.h: nuttx.c gives the characters of the console to DPROBES_CONSOLE_DEV; do not define DPROBES_CONSOLE"
#endif

static sem_t work;
static volatile bool is_started;

static DPROBES_CODE void current_task(struct dprobes_task *now)
{
	struct tcb_s *task = nxsched_self();

	now->task = (dprobes_word)(uintptr_t)task;
	if (task != NULL) {
		now->pid = (uint32_t)task->pid;
		now->name = get_task_name(task);
	}
}

/* From dprobes_rx: the receive interrupt. */
static DPROBES_CODE void wake(void)
{
	if (is_started)
		nxsem_post(&work);
}

size_t dprobes_print(const char *text, size_t bytes); /* dprobes_settled.h */

/* Give the characters of the driver's ring to the agent. Context: any but a hit. */
void dprobes_nuttx_send(struct uart_dev_s *dev)
{
	irqstate_t flags = enter_critical_section();
	struct uart_buffer_s *ring = &dev->xmit;
	bool sent = false;
	int room;

	while (ring->head != ring->tail && (room = dprobes_console_room(0)) != 0) {
		int row = (ring->head > ring->tail ? ring->head : ring->size) - ring->tail;
		int taken;

		if (room > 0 && row > room)
			row = room;
		/* Without an agent, room is negative and the characters go out at once. */
		taken = (int)dprobes_print(&ring->buffer[ring->tail], (size_t)row);
		ring->tail = (int16_t)(ring->tail + taken == ring->size ? 0 : ring->tail + taken);
		sent = sent || taken > 0;
		if (taken < row)
			break;
	}
	leave_critical_section(flags);
	if (sent)
		uart_datasent(dev); /* wakes writers */
}

/* A full ring drops the byte, as uart_recvchars does. */
static void take(struct uart_dev_s *dev, uint8_t byte)
{
	irqstate_t flags = enter_critical_section();
	struct uart_buffer_s *ring = &dev->recv;
	int next = ring->head + 1 == ring->size ? 0 : ring->head + 1;
	bool fits = next != ring->tail;

	if (fits) {
		ring->buffer[ring->head] = (char)byte;
		ring->head = (int16_t)next;
	}
	leave_critical_section(flags);
	if (fits)
		uart_datareceived(dev); /* wakes readers */
}

/* A received byte. Context: the receive interrupt. */
void dprobes_nuttx_receive(struct uart_dev_s *dev, uint8_t byte)
{
	if (!dprobes_rx(0, byte))
		take(dev, byte);
}

#define DPROBES_CONSOLE(byte) take(&(DPROBES_CONSOLE_DEV), byte)
#ifndef DPROBES_CONSOLE_READY
#define DPROBES_CONSOLE_READY() dprobes_nuttx_send(&(DPROBES_CONSOLE_DEV))
#endif
#define DPROBES_TASK current_task
#define DPROBES_WAKE wake
#ifndef DPROBES_TICK_HZ
static DPROBES_CODE uint64_t system_ticks(void)
{
	return (uint64_t)clock_systime_ticks();
}

#define DPROBES_TICK_HZ TICK_PER_SEC
#define DPROBES_TICKS() system_ticks()
#endif
#include "dprobes_settled.h"

static int agent_main(int count, char *words[])
{
	(void)count, (void)words;
	for (;;)
		nxsem_tickwait(&work, dprobes_poll() ? 1 : DPROBES_IDLE_TICKS);
	return 0;
}

/* Start the agent, and the thread. Context: board_late_initialize. Without a thread nobody polls:
 * then no agent starts. Returns as dprobes_init does, or -1 without room for the thread. */
int dprobes_start(void)
{
	irqstate_t flags;
	int error;

	nxsem_init(&work, 0, 0);
	is_started = true;
	if (kthread_create("dprobes", DPROBES_PRIORITY, DPROBES_STACK, agent_main, NULL) < 0)
		return -1;
	flags = enter_critical_section();
	error = start_agent();
	leave_critical_section(flags);
	return error;
}
