/* SPDX-License-Identifier: BSD-2-Clause */
/* What happened that nobody asked for. */
#include "dp_core.h"
#include "dp_memory.h"

struct dp_notice_out *dp_notice_find(struct dp_agent *agent, bool waiting)
{
	struct dp_notice_out *out = agent->notice;

	for (unsigned i = 0; i < DP_NOTICES; i++, out++)
		if ((out->bytes != 0) == waiting)
			return out;
	return NULL;
}

bool dp_notice_put(struct dp_agent *agent, enum dp_notice number, unsigned widths, ...)
{
	dp_irq irq = dp_port_mask();
	struct dp_notice_out *out = dp_notice_find(agent, false);
	struct dp_answer body;
	va_list arguments;

	if (out) {
		body.bytes = 0;
		dp_give(&body, DP_WIDTHS(1), number);
		va_start(arguments, widths);
		dp_give_list(&body, widths, arguments);
		va_end(arguments);
		dp_copy(out, &body, sizeof(*out));
	}
	dp_port_unmask(irq);
	return out != NULL;
}
