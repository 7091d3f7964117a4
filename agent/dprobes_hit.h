/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions for firmware with its own vectors, callk or exit hooks, in C99 and C++11. */
#ifndef DPROBES_HIT_H
#define DPROBES_HIT_H

#include "dprobes.h"
#include "dprobes_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

enum dprobes_taken {
	DPROBES_NOT_OURS = 0, /* the exception belongs to the firmware; the frame is unchanged */
	DPROBES_RESUME = 1,   /* resume the frame */
	DPROBES_FIRMWARE = 2, /* enter the firmware's own handler with the frame */
};

/* Dispatch an exception of firmware with own_vectors. The firmware's handler calls the function
 * first.
 * exception: DP_CLASS_* of dprobes_frame.h.
 * frame: the interrupted context.
 * Context: the handler, interrupts masked, on a stack of DP_PORT_STACK_BYTES. */
enum dprobes_taken dprobes_exception(unsigned exception, struct dp_frame *frame);

/* Pop or push a word of the program's stack; return the address or the registers of the hit.
 * Context: callk and exit hooks, with DP_PROFILE_FULL. */
dprobes_word dprobes_pop(struct dprobes_call *call);
void dprobes_push(struct dprobes_call *call, dprobes_word value);
dprobes_word dprobes_pc(const struct dprobes_call *call);
struct dp_frame *dprobes_frame(const struct dprobes_call *call);

#ifdef __cplusplus
}
#endif
#endif
