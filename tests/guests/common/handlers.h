/* SPDX-License-Identifier: BSD-2-Clause */
/* What handlers do to the firmware's state behind its back, in each of three passes. */
#ifndef HANDLERS_H
#define HANDLERS_H

#include "core.h"

extern enum pass {
	PASS_PLAIN, /* every second run is that of a probe whose handlers do nothing */
	PASS_WATCH, /* probes want to know the end, and a callback has probes in it */
	PASS_NO_SLOT,
	PASSES
} pass;
extern bool access_in_hit;     /* each hit makes all checks of fault-safe access */
extern unsigned with, without; /* hits that ran a program, and that did not */

/* Supplied by the CPU. An access to a bad address, one of several: has it failed, as it must? */
bool bad_access_fails(unsigned which);
/* Call a function of the board that has a probe in it, one of several: is its result right? */
bool callback_is_right(unsigned which);
/* Where these functions begin: site[SITES + i] is at callbacks[i]. */
extern uint32_t (*const callbacks[NESTED_SITES])(uint32_t);

#endif
