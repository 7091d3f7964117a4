/* SPDX-License-Identifier: BSD-2-Clause */
/* A measuring station, in kernels that are built with DEMO_STATION: it takes frames of samples from
 * a device, checks them, and writes them to a log in flash. Each step may fail. The station counts
 * each failure, and goes on. The devices are models in memory, which never fail by themselves:
 * probes let them fail (agent/guide/faults.md). */
#ifndef DEMO_STATION_H
#define DEMO_STATION_H

#include <stdint.h>

struct station_counters {
	uint32_t cycles, stored;
	uint32_t no_memory;    /* no block was free: the frame is lost */
	uint32_t timeouts;     /* the device was not ready in time: the frame is lost */
	uint32_t naks;         /* the bus had no answer, and was asked again */
	uint32_t short_reads;  /* a part came, and the rest was read */
	uint32_t dma_errors;   /* the CPU copied in its place */
	uint32_t damaged;      /* the sum was wrong: the frame is lost */
	uint32_t out_of_range; /* the value before was taken */
	uint32_t queue_full;   /* the frame is lost */
	uint32_t flash_errors; /* the place is left out */
	uint32_t log_full;     /* the log was erased */
	uint32_t clock_errors; /* the clock went back */
};
extern struct station_counters station_counters;

/* Begin with an empty log, and work so many cycles. Context: a task, one at a time. */
void station_run(uint32_t cycles);

#endif
