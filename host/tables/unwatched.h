/* SPDX-License-Identifier: BSD-2-Clause */
/* Code whose accesses a CPU does not report: DP_UNWATCHED of port/ports.def. */
#ifndef DPH_UNWATCHED_H
#define DPH_UNWATCHED_H

/* Return which code has no watchpoints where the CPU reports behind the access; null: all has. */
const char *dph_unwatched(unsigned cpu);

#endif
