/* SPDX-License-Identifier: BSD-2-Clause */
/* For firmware that takes part in hits: its own vectors, callk, exit hooks. C99 and C++11. */
#ifndef DPROBES_HIT_H
#define DPROBES_HIT_H

#include "dprobes.h"
#include "dprobes_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

enum dprobes_taken {
	DPROBES_NOT_OURS = 0, /* the exception is the firmware's, frame untouched */
	DPROBES_RESUME = 1,   /* resume the frame */
	DPROBES_FIRMWARE = 2, /* enter the firmware's own handler with the frame */
};

/* Dispatch an exception of a firmware with own_vectors, before the firmware looks at it.
 * exception: DP_CLASS_* of dprobes_frame.h. frame: the interrupted context.
 * Context: the handler, interrupts masked, on a stack of DP_PORT_STACK_BYTES. */
enum dprobes_taken dprobes_exception(unsigned exception, struct dp_frame *frame);

/* For callk and exit hooks, with DP_PROFILE_FULL: pop and push a word of the program's stack;
 * address and registers of the hit. */
dprobes_word dprobes_pop(struct dprobes_call *call);
void dprobes_push(struct dprobes_call *call, dprobes_word value);
dprobes_word dprobes_pc(const struct dprobes_call *call);
struct dp_frame *dprobes_frame(const struct dprobes_call *call);

#ifdef __cplusplus
}
#endif
#endif
