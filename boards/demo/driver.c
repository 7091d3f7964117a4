/* SPDX-License-Identifier: BSD-2-Clause */
/* Send the text of com1, polled or with a ring and a transmit interrupt. */
#include "driver.h"

#include "agent_glue.h"
#include "kernel.h"

#define RING_BYTES 1024u /* a power of two */

uint32_t driver_sleeps;

static enum driver_kind kind_now;
static char ring[RING_BYTES];
static volatile uint32_t in, out; /* running counts */
static struct semaphore space;
static bool sleeps; /* a task, until a quarter of the ring is free */

void driver_set(enum driver_kind kind)
{
	kind_now = agent_room(0) < 0 ? DRIVER_POLLED : kind;
}

uint32_t driver_waiting(void)
{
	return in - out;
}

/* The part of the ring that is in one row, at most `most` characters. */
static size_t row(uint32_t most)
{
	uint32_t at = out % RING_BYTES, count = in - out;

	if (count > RING_BYTES - at)
		count = RING_BYTES - at;
	return count < most ? count : most;
}

/* Give the agent what it takes without waiting. context: interrupts masked. */
static void send_some(void)
{
	int room;

	while (in != out && (room = agent_room(0)) > 0)
		out += agent_take(0, &ring[out % RING_BYTES], row((uint32_t)room));
}

/* The same, and wait. context: interrupts masked. */
static void send_all(void)
{
	while (in != out)
		out += agent_take(0, &ring[out % RING_BYTES], row(RING_BYTES));
}

void driver_ready(void)
{
	unsigned state = arch_irq_save();
	bool wake;

	send_some();
	wake = sleeps && RING_BYTES - (in - out) >= RING_BYTES / 4;
	if (wake)
		sleeps = false;
	arch_irq_restore(state);
	if (wake)
		sem_give(&space);
}

/* Put what fits into the ring. *sleep: the ring is full, and driver_ready will wake this task.
 * returns: how many characters. */
static size_t fill_ring(const char *text, size_t n, bool may_sleep, bool *sleep)
{
	size_t done;
	unsigned state = arch_irq_save();

	for (done = 0; done < n && in - out < RING_BYTES; done++)
		ring[in++ % RING_BYTES] = text[done];
	send_some();
	if (done < n && !may_sleep)
		send_all();
	*sleep = done < n && in - out == RING_BYTES;
	sleeps |= *sleep;
	arch_irq_restore(state);
	return done;
}

void driver_write(const char *text, size_t n)
{
	bool may_sleep = !kernel_in_exception() && !arch_irq_masked();

	if (kind_now == DRIVER_POLLED) {
		agent_transmit(0, text, n);
		return;
	}
	while (n > 0) {
		bool sleep;
		size_t done = fill_ring(text, n, may_sleep, &sleep);

		text += done;
		n -= done;
		if (sleep) {
			driver_sleeps++;
			sem_take(&space);
		}
	}
}
