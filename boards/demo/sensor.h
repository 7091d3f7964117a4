/* SPDX-License-Identifier: BSD-2-Clause */
/* The workload: a sensor that interrupts, a task that uses its samples, a monitor. */
#ifndef DEMO_SENSOR_H
#define DEMO_SENSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "lateness.h"
#include "queue.h"

enum msg_kind {
	MSG_SAMPLE = 1,
	MSG_CALIBRATION,
	MSG_RESULT,
};

struct sensor_counters {
	uint32_t made;         /* samples by sensor_isr */
	uint32_t refused;      /* of these, not queued: the queue was full */
	uint32_t seen;         /* samples by the sensor task */
	uint32_t calibrations; /* calibration messages by the sensor task */
	uint32_t batches;      /* times it fell behind and took many at once */
	uint32_t missing;      /* samples that the monitor missed */
	uint32_t alarms;       /* times it did */
	uint32_t average;      /* of the values, filtered */
};
extern struct sensor_counters sensor_counters;
extern struct queue sensor_queue;
extern struct lateness sensor_lateness;

/* Create the tasks. context: start-up. */
void sensor_create(void);

/* More samples, and calibration messages. context: a task. */
void sensor_load(bool on);

#endif
