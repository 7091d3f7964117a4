/* SPDX-License-Identifier: BSD-2-Clause */
/* Work that can be turned on: two tasks that use the whole CPU and log their results. */
#ifndef DEMO_LOAD_H
#define DEMO_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "queue.h"

extern struct queue result_queue;
extern uint32_t load_results; /* results logged */

/* Create the tasks. context: start-up. */
void load_create(void);

/* context: a task. */
void load_set(bool on);
bool load_is_on(void);

#endif
