/* SPDX-License-Identifier: BSD-2-Clause */
/* Queue unsolicited events: the notices. */
#include "dp_notice.h"

#include "dp_form.h"
#include "dp_memory.h"

static struct dp_notice_out *find_free(struct dp_agent *agent)
{
	for (unsigned i = 0; i < DP_NOTICES; i++)
		if (agent->notice[i].bytes == 0)
			return &agent->notice[i];
	return NULL;
}

struct dp_notice_out *dp_notice_waiting(struct dp_agent *agent)
{
	for (unsigned i = 0; i < DP_NOTICES; i++)
		if (agent->notice[i].bytes != 0)
			return &agent->notice[i];
	return NULL;
}

bool dp_notice_put(struct dp_agent *agent, enum dp_notice number, unsigned widths,
		   const dp_word *values)
{
	dp_irq irq = dp_port_mask();
	struct dp_notice_out *out = find_free(agent);
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
