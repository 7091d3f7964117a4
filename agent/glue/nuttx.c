/* SPDX-License-Identifier: BSD-2-Clause */
/* Glue for NuttX: a kernel thread that polls, names of tasks in records, the system tick as time,
 * and the line of the console. The driver of the console stays as it is: the glue puts functions of
 * its own into a copy of the driver's struct uart_ops_s. Each byte of the driver then goes to the
 * agent first, and the text of the driver goes out between the lines of the agent.
 * Beside the settings of dprobes_start.h, of which none is required:
 *   DPROBES_CONSOLE_PATH the console's device; default "/dev/console"
 *   DPROBES_CONSOLE_DEV  pointer to the console's uart_dev_t; default: the device of the path
 *   DPROBES_PRIORITY     of the thread; default SCHED_PRIORITY_MAX - 1
 *   DPROBES_STACK        bytes; default 2048
 *   DPROBES_IDLE_TICKS   the longest time that a record waits; default 50 ms
 * up_putc and the driver's registers are not the glue's: text of syslog that takes this way may
 * break a line of the agent, which the host repairs. CONFIG_SYSLOG_CONSOLE takes the driver's way.
 * The flat build alone: the thread and the driver are in the kernel. */
#include <nuttx/config.h>

#include <fcntl.h>
#include <nuttx/clock.h>
#include <nuttx/fs/fs.h>
#include <nuttx/irq.h>
#include <nuttx/kthread.h>
#include <nuttx/sched.h>
#include <nuttx/semaphore.h>
#include <nuttx/serial/serial.h>

#include "dprobes.h"
#include "dprobes_settings.h"

#ifdef CONFIG_SMP
#error "nuttx.c: the agent probes one CPU; CONFIG_SMP needs the functions of dprobes.h themselves"
#endif
#ifndef DPROBES_CONSOLE_PATH
#define DPROBES_CONSOLE_PATH "/dev/console"
#endif
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
#error "dprobes_settings.h: nuttx.c gives the characters of the console to its driver; do not define DPROBES_CONSOLE"
#endif

static sem_t work;
static volatile bool is_started;
static int result; /* of the start */

static DPROBES_CODE void current_task(struct dprobes_task *now)
{
	struct tcb_s *task = nxsched_self();

	now->task = (dprobes_word)(uintptr_t)task;
	if (task != NULL) {
		now->pid = (uint32_t)task->pid;
		now->name = get_task_name(task);
	}
}

/* From dprobes_rx: the receive interrupt, never a hit. */
static void agent_wake(void)
{
	if (is_started)
		nxsem_post(&work);
}

/* --- the driver of the console --- */

static uart_dev_t *console;
static const struct uart_ops_s *driver; /* its own functions */
static struct uart_ops_s shared;        /* what the serial layer calls instead */
static unsigned int status_held;
static int held = -1; /* a byte for the console, which the serial layer has not taken yet */

size_t dprobes_print(const char *text, size_t bytes); /* dprobes_settled.h */

/* A line of the agent: the driver's registers. */
static DPROBES_CODE bool driver_put(uint8_t byte)
{
	if (!driver->txready(console))
		return false;
	driver->send(console, byte);
	return true;
}

/* Give the characters of the driver's ring to the agent. Context: any but a hit. */
static void send_ring(struct uart_dev_s *dev)
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

/* A byte that the agent has held and gives back. A full ring drops the byte, as uart_recvchars
 * does. */
static void give_back(struct uart_dev_s *dev, uint8_t byte)
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

/* The serial layer asks before it receives: bytes of the agent's lines leave the driver here. */
static bool shared_rxavailable(struct uart_dev_s *dev)
{
	while (held < 0 && driver->rxavailable(dev)) {
		unsigned int status = 0;
		uint8_t byte = (uint8_t)driver->receive(dev, &status);

		if (dprobes_rx(0, byte))
			continue;
		held = byte;
		status_held = status;
	}
	return held >= 0;
}

static int shared_receive(struct uart_dev_s *dev, unsigned int *status)
{
	int byte = held;

	if (byte < 0)
		return driver->receive(dev, status);
	held = -1;
	*status = status_held;
	return byte;
}

/* The transmit interrupt stays disabled: the agent asks the transmitter. */
static void shared_txint(struct uart_dev_s *dev, bool enable)
{
	if (enable)
		send_ring(dev);
	else
		driver->txint(dev, false);
}

/* Text of an interrupt handler or of a panic goes past the ring, and waits (DPROBES_CONSOLE_WAITS).
 */
static void shared_send(struct uart_dev_s *dev, int byte)
{
	const char text = (char)byte;

	(void)dev;
	dprobes_print(&text, 1);
}

static bool shared_txready(struct uart_dev_s *dev)
{
	(void)dev;
	return true;
}

/* Return the uart_dev_t of the console, or null. */
static uart_dev_t *find_console(void)
{
#ifdef DPROBES_CONSOLE_DEV
	return DPROBES_CONSOLE_DEV;
#else
	struct file file;
	uart_dev_t *found;

	if (file_open(&file, DPROBES_CONSOLE_PATH, O_RDWR | O_CLOEXEC) < 0)
		return NULL;
	found = (uart_dev_t *)file.f_inode->i_private;
	file_close(&file);
	return found;
#endif
}

/* Put the functions above into the console. Returns false where no driver of single bytes is. */
static bool share_console(void)
{
	console = find_console();
	if (console == NULL || console->ops == NULL || console->ops->receive == NULL ||
	    console->ops->rxavailable == NULL || console->ops->send == NULL ||
	    console->ops->txready == NULL || console->ops->txint == NULL)
		return false;
	if (console->ops == &shared)
		return true;
	driver = console->ops;
	shared = *driver;
	shared.rxavailable = shared_rxavailable;
	shared.receive = shared_receive;
	shared.recvbuf = NULL;
	shared.txint = shared_txint;
	shared.txready = shared_txready;
	shared.send = shared_send;
	shared.sendbuf = NULL;
	return true;
}

#ifndef DPROBES_PUT
#define DPROBES_PUT(byte) driver_put(byte)
#endif
#define DPROBES_CONSOLE(byte) give_back(console, byte)
#ifndef DPROBES_CONSOLE_READY
#define DPROBES_CONSOLE_READY() send_ring(console)
#endif
#ifndef DPROBES_CONSOLE_WAITS
#define DPROBES_CONSOLE_WAITS 1
#endif
#define DPROBES_TASK   current_task
#define DPROBES_CALLED nxsched_self
/* It loads a pointer, and returns. */
#define DPROBES_CALLED_BYTES 12u
#define DPROBES_WAKE         agent_wake
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

/* Start the agent, and the thread. Context: board_late_initialize, or a task. Without a thread
 * nobody polls: then no agent starts. Returns as dprobes_init does, -1 without room for the thread,
 * or -2 where the console's driver has no functions for single bytes. */
int dprobes_start(void)
{
	irqstate_t flags;

	if (is_started)
		return result;
	if (!share_console())
		return -2;
	nxsem_init(&work, 0, 0);
	if (kthread_create("dprobes", DPROBES_PRIORITY, DPROBES_STACK, agent_main, NULL) < 0)
		return -1;
	is_started = true;
	flags = enter_critical_section();
	result = start_agent();
	if (result == 0)
		console->ops = &shared;
	leave_critical_section(flags);
	return result;
}
