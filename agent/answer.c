/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers of answers, notices and sync lines, packed big-endian. */
#include "dp_bytes.h"
#include "dp_core.h"

void dp_give_bytes(struct dp_answer *answer, const void *bytes, unsigned count)
{
	const uint8_t *p = bytes;

	while (count-- > 0 && answer->bytes < DP_PAYLOAD_MAX)
		answer->payload[answer->bytes++] = *p++;
}

void dp_give_list(struct dp_answer *answer, unsigned widths, va_list numbers)
{
	for (; widths > 1; widths >>= 2) {
		unsigned width = 1u << (widths & 3);
		uint8_t number[8];

		dp_put_u64(number,
			   width == 8 ? va_arg(numbers, uint64_t) : va_arg(numbers, uint32_t));
		dp_give_bytes(answer, number + 8 - width, width);
	}
}

void dp_give(struct dp_answer *answer, unsigned widths, ...)
{
	va_list numbers;

	va_start(numbers, widths);
	dp_give_list(answer, widths, numbers);
	va_end(numbers);
}
