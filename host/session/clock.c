/* SPDX-License-Identifier: BSD-2-Clause */
/* The clock of all waits. */
#define _GNU_SOURCE
#include <dprobes/session.h>

#include <time.h>

uint64_t dp_clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}
