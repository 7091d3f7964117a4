/* SPDX-License-Identifier: BSD-2-Clause */
/* Queue unsolicited events: the notices. */
#include "dp_notice.h"

#include "dp_form.h"
#include "dp_memory.h"

struct dp_notice_out *dp_notice_find(struct dp_agent *agent, bool waiting)
{
	struct dp_notice_out *out = agent->notice;

	for (unsigned i = 0; i < DP_NOTICES; i++, out++)
		if ((out->bytes != 0) == waiting)
			return out;
	return NULL;
}

bool dp_notice_put(struct dp_agent *agent, enum dp_notice number, unsigned widths,
		   const dp_word *values)
{
	dp_irq irq = dp_port_mask();
	struct dp_notice_out *out = dp_notice_find(agent, false);
	struct dp_answer body;

	if (out) {
		body.bytes = 1;
		body.payload[0] = (uint8_t)number;
		for (; widths > 1; widths >>= 2, values++) {
			unsigned width = 1u << (widths & 3);

			dp_give_number(&body,
				       (const uint8_t *)values +
					       (DP_FORM_HIGH ? 0 : sizeof(*values) - width),
				       width);
		}
		dp_copy(out, &body, sizeof(*out));
	}
	dp_port_unmask(irq);
	return out != NULL;
}
