/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls at the end of a function that the compiler made jumps. */
#ifndef DPH_TAIL_CALLS_H
#define DPH_TAIL_CALLS_H

#include "debuginfo.h"

enum dph_tail_call {
	DPH_TAIL_CALL_UNKNOWN, /* the debug information does not list all calls of the function */
	DPH_TAIL_CALL_IS,
	DPH_TAIL_CALL_NOT
};

/* Ask the debug information whether a jump is a call.
 * bytes: of the jump with its delay slot. */
enum dph_tail_call dph_tail_call_at(struct dp_debuginfo *debug, uint64_t address, unsigned bytes);

#endif
