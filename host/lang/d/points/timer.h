/* SPDX-License-Identifier: BSD-2-Clause */
/* Descriptions of timers: profile-97, tick-1s, profile:::tick-500ms. */
#ifndef DPH_D_TIMER_H
#define DPH_D_TIMER_H

#include "point.h"

/* Is it the name of a timer, or meant as one: tick-1s, profile-? */
bool dph_d_is_timer(const char *name);

/* Read the name of a timer. description: the whole of it, for messages.
 * Returns null: the name is wrong, and the error is said. */
const struct d_timer *dph_d_timer(struct d_front *d, const char *name, const char *description,
				  struct dph_place place);

/* Return what to write for a timer of another tracer (interval:s:1, profile:hz:99) or without a
 * number (tick). Null: the text is none of them. */
const char *dph_d_timer_meant(struct d_front *d, const char *text);

#endif
