/* SPDX-License-Identifier: BSD-2-Clause */
/* A deterministic workload whose result must not change, however the image is probed. */
#ifndef DEMO_SELFTEST_H
#define DEMO_SELFTEST_H

#include <stdint.h>

/* The CRC over all results of that many rounds. The same on every board and CPU, with load on or
 * off. context: a task with 1.5 KiB of stack free. */
uint32_t selftest_run(uint32_t rounds);

/* The same for what the C library does in its corners. The heap's lock is nobody's: one task at a
 * time. context: as above. */
uint32_t selftest_library(void);

/* selftest_library(), the same on every board. */
#define SELFTEST_LIBRARY_CRC 0x8cce9d3fu

#endif
