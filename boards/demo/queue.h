/* SPDX-License-Identifier: BSD-2-Clause */
/* Message queues: any number of writers, tasks or interrupt handlers; one reader task. */
#ifndef DEMO_QUEUE_H
#define DEMO_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "hooks.h"
#include "kernel.h"

#define MSG_VALUES 8u

struct msg {
	uint32_t kind;
	uint32_t sequence;
	uint32_t tick;
	uint32_t check; /* filled in by queue_put */
	uint32_t value[MSG_VALUES];
};

struct queue {
	const char *name;
	struct msg *ring;
	uint32_t size;
	uint32_t in;    /* next place to fill */
	uint32_t out;   /* next place to empty */
	uint32_t count; /* messages waiting */
	uint32_t puts, gets, refused;
	uint32_t flushed; /* forgotten by queue_flush */
	uint32_t damaged; /* check did not fit */
	struct task_list readers;
};

void queue_init(struct queue *q, const char *name, struct msg *ring, uint32_t size);

/* The check word of a message. Any context. */
uint32_t msg_check(const struct msg *m);

/* Append one message. Never waits.
 * returns: false, and counts it as refused, when the queue is full. Context: any. */
bool queue_put(struct queue *q, const struct msg *m);

/* Take one message, waiting for it if need be. Context: the reader task. */
void queue_get(struct queue *q, struct msg *m);

/* Take what waits, at most max messages, without waiting: for a reader that fell behind.
 * returns: how many. Context: the reader task. */
uint32_t queue_get_batch(struct queue *q, struct msg *m, uint32_t max);

/* Forget what waits and begin with an empty queue. Context: the reader task. */
void queue_flush(struct queue *q);

#endif
