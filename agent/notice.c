/* SPDX-License-Identifier: BSD-2-Clause */
/* What happened that nobody asked for. */
#include "dp_core.h"
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

bool dp_notice_put(struct dp_agent *agent, enum dp_notice number, unsigned widths, ...)
{
	dp_irq irq = dp_port_mask();
	struct dp_notice_out *out = dp_notice_find(agent, false);
	struct dp_answer body;
	va_list arguments;

	if (out) {
		body.bytes = 1;
		body.payload[0] = (uint8_t)number;
		va_start(arguments, widths);
		for (; widths > 1; widths >>= 2) {
			unsigned width = 1u << (widths & 3);
			dp_word value = sizeof(value) == 8 && width == 8
						? (dp_word)va_arg(arguments, uint64_t)
						: va_arg(arguments, uint32_t);

			dp_give_number(&body,
				       (uint8_t *)&value +
					       (DP_FORM_HIGH ? 0 : sizeof(value) - width),
				       width);
		}
		va_end(arguments);
		dp_copy(out, &body, sizeof(*out));
	}
	dp_port_unmask(irq);
	return out != NULL;
}
