/* SPDX-License-Identifier: BSD-2-Clause */
/* Stream lines: begun and ended. All with interrupts masked. */
#ifndef DP_STREAM_LINE_H
#define DP_STREAM_LINE_H

#include "dp_state.h"

/* Begin a line in the empty buffer of the wire, with the stream's number and the line's. */
struct dp_line *dp_stream_begin(struct dp_agent *agent, struct dp_wire *wire,
				enum dp_frame_type type);
/* End the line: it is to be sent. */
void dp_stream_end(struct dp_wire *wire);

#endif
