/* SPDX-License-Identifier: BSD-2-Clause */
/* A kernel with DEMO_WITH_CRITICAL runs critical sections as FreeRTOS has them on a Cortex-A. */
#ifndef DEMO_CRITICAL_H
#define DEMO_CRITICAL_H

#ifdef DEMO_WITH_CRITICAL
/* context: start-up. */
void critical_create(void);
#else
static inline void critical_create(void)
{
}
#endif

#endif
