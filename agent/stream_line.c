/* SPDX-License-Identifier: BSD-2-Clause */
/* Stream lines: begun and ended. */
#include "dp_stream_line.h"

struct dp_line *dp_stream_begin(struct dp_agent *agent, struct dp_wire *wire,
				enum dp_frame_type type)
{
	dp_line_begin(&wire->out, type);
	dp_line_put(&wire->out, dp_port_cpu_number(), 1);
	dp_line_put(&wire->out, agent->transmit.seq++, DP_LINE_DIGITS);
	return &wire->out;
}

void dp_stream_end(struct dp_wire *wire)
{
	dp_line_end(&wire->out);
	wire->sent = 0;
}
