/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of answers, notices, items and sync lines, packed big-endian. */
#include "dp_tell.h"

#include "dp_form.h"

void dp_give_bytes(struct dp_answer *answer, const void *bytes, unsigned count)
{
	const uint8_t *p = bytes;

	while (count-- > 0 && answer->bytes < DP_PAYLOAD_MAX)
		answer->payload[answer->bytes++] = *p++;
}

void dp_give_number(struct dp_answer *answer, const void *number, unsigned width)
{
	const uint8_t *p = number;

	for (unsigned i = 0; i < width; i++)
		dp_give_bytes(answer, p + (DP_FORM_HIGH ? width - 1 - i : i), 1);
}

void dp_give(struct dp_answer *answer, const uint8_t *form, const void *const *bases)
{
	const uint8_t *base = form; /* a form names a struct before any member */

	while (*form != DP_FORM_END) {
		unsigned code = *form >> 6, at = *form & 63;

		form++;
		if (code < 3) {
			dp_give_number(answer, base + (at << code), 1u << code);
		} else if (at < 16) {
			base = bases[at];
		} else if (at < 32) {
			const struct dp_span *span =
				(const void *)(base + (at - 16) * sizeof(void *));

			dp_give_bytes(answer, span->bytes, span->count);
		} else {
			dp_give_bytes(answer, form, at - 32);
			form += at - 32;
		}
	}
}
