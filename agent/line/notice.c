/* SPDX-License-Identifier: BSD-2-Clause */
/* Queue unsolicited events: the notices. */
#include "dp_tell.h"

#include "dp_form.h"
#include "dp_lock.h"
#include "dp_memory.h"

/* The first notice that waits, or the first free place. */
static struct dp_notice_out *find(struct dp_agent *agent, bool waits)
{
	for (unsigned i = 0; i < DP_NOTICES; i++)
		if ((agent->notice[i].bytes != 0) == waits)
			return &agent->notice[i];
	return NULL;
}

struct dp_notice_out *dp_notice_waiting(struct dp_agent *agent)
{
	return find(agent, true);
}

bool dp_notice_put(struct dp_agent *agent, enum dp_notice number, unsigned widths,
		   const dp_word *values)
{
	dp_irq irq = dp_lock_take();
	struct dp_notice_out *out = find(agent, false);
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
		agent->poll_due = 1;
	}
	dp_lock_give(irq);
	return out != NULL;
}
