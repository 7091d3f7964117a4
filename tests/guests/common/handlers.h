/* SPDX-License-Identifier: BSD-2-Clause */
/* What handlers do to the firmware's state behind its back, in each of three passes. */
#ifndef HANDLERS_H
#define HANDLERS_H

#include "core.h"

extern enum pass {
	PASS_PLAIN, /* every case also with a probe whose handlers do nothing */
	PASS_WATCH, /* probes want to know the end, and a callback has probes in it */
	PASS_NO_SLOT,
	PASSES
} pass;
extern bool quiet; /* handlers do nothing */
/* What a check does at each hit besides, or null. */
extern void (*at_hit)(const struct dp_site *s, struct dp_frame *frame);
extern unsigned with, without; /* hits that ran a program, and that did not */

/* Supplied by the CPU. What a handler does, one of several: has an access to a bad address failed,
 * as it must, and is what it sees right? */
bool handler_is_right(struct dp_frame *frame, unsigned which);
/* Call a function of the board that has a probe in it, one of several: is its result right? */
bool callback_is_right(unsigned which);
/* Where the probes are: site[SITES + i] is at callbacks[i]. */
extern uint32_t (*const callbacks[NESTED_SITES])(uint32_t);
/* Can they be probed? Supplied by the CPU, where not always. */
bool has_callbacks(void);

#endif
