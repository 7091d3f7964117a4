/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of points that are no place in memory: events, and timers by their periods. */
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

/* Return "BEGIN", "END", or the name of a timer; null: the point has an address.
 * kind: enum dp_point_kind; the others as for dph_timer_name. */
const char *dph_nowhere_name(unsigned kind, uint64_t address, uint32_t nanoseconds, char *text);

#endif
