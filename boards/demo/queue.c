/* SPDX-License-Identifier: BSD-2-Clause */
#include "queue.h"

#include <string.h>

void queue_init(struct queue *q, const char *name, struct msg *ring, uint32_t size)
{
	memset(q, 0, sizeof(*q));
	q->name = name;
	q->ring = ring;
	q->size = size;
}

static uint32_t following(const struct queue *q, uint32_t place)
{
	return place + 1 == q->size ? 0 : place + 1;
}

PROBE_TARGET uint32_t msg_check(const struct msg *m)
{
	uint32_t sum = m->kind ^ m->sequence ^ m->tick;
	for (unsigned i = 0; i < MSG_VALUES; i++)
		sum = (sum << 5 | sum >> 27) + m->value[i];
	return sum;
}

static void verify(struct queue *q, const struct msg *m)
{
	if (msg_check(m) != m->check)
		q->damaged++;
}

PROBE_TARGET bool queue_put(struct queue *q, const struct msg *m)
{
	uint32_t check = msg_check(m);
	unsigned state = arch_irq_save();
	bool fits = q->count < q->size;
	DPROBES_HOOK(queue, send, q, m, q->count);
	DPROBES_HOOK_CALL(queue, admit, q, m, &fits);
	if (fits) {
		q->ring[q->in] = *m;
		q->ring[q->in].check = check;
		q->in = following(q, q->in);
		q->count++;
		q->puts++;
		task_wake_one(&q->readers);
	} else {
		q->refused++;
		DPROBES_HOOK(queue, full, q, m);
	}
	if (DPROBES_HOOK_ENABLED(queue, sum))
		DPROBES_HOOK(queue, sum, q, msg_check(m), check);
	arch_irq_restore(state);
	sched_preempt();
	return fits;
}

PROBE_TARGET void queue_get(struct queue *q, struct msg *m)
{
	unsigned state = arch_irq_save();
	DPROBES_HOOK(queue, receive, q, q->count);
	while (q->count == 0)
		task_wait(&q->readers);
	*m = q->ring[q->out];
	q->out = following(q, q->out);
	q->count--;
	q->gets++;
	arch_irq_restore(state);
	verify(q, m);
}

/* Copying a long batch with interrupts off would delay them. There is one reader, only the reader
 * moves 'out', and writers fill places that are not waiting: the copy needs no lock. */
PROBE_TARGET uint32_t queue_get_batch(struct queue *q, struct msg *m, uint32_t max)
{
	uint32_t left = q->count;
	uint32_t n = 0;
	DPROBES_HOOK(queue, receive, q, left);
	while (left > 0 && n < max) {
		m[n] = q->ring[q->out];
		verify(q, &m[n]);
		q->out = following(q, q->out);
		n++;
		left--;
	}
	q->count = left;
	q->gets += n;
	return n;
}

void queue_flush(struct queue *q)
{
	unsigned state = arch_irq_save();

	q->flushed += q->count;
	q->out = q->in;
	q->count = 0;
	q->gets = q->puts;
	arch_irq_restore(state);
}
