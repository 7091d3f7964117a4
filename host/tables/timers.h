/* SPDX-License-Identifier: BSD-2-Clause */
/* The name of a timer, from its period. */
#ifndef DPH_TIMERS_H
#define DPH_TIMERS_H

#include <stdint.h>

enum {
	DPH_TIMER_ROOM = 32 /* "profile-2147483647999999999ns" */
};

/* Return "tick-1s", "profile-97": a name that D reads as the same period. Other names may have it
 * too.
 * address, nanoseconds: of a point of kind TIMER in an object; text: DPH_TIMER_ROOM bytes. */
const char *dph_timer_name(uint64_t address, uint32_t nanoseconds, char *text);

#endif
