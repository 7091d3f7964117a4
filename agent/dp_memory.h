/* SPDX-License-Identifier: BSD-2-Clause */
/* The agent's own copy, clear and compare: a probe on the firmware's memcpy must not meet us. */
#ifndef DP_MEMORY_H
#define DP_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline void dp_copy(void *to, const void *from, size_t bytes)
{
	uint8_t *t = to;
	const uint8_t *f = from;

	while (bytes-- > 0)
		*t++ = *f++;
}

/* Overlap allowed when `to` lies below `from`. */
static inline void dp_move_down(void *to, const void *from, size_t bytes)
{
	dp_copy(to, from, bytes);
}

static inline void dp_clear(void *to, size_t bytes)
{
	uint8_t *t = to;

	while (bytes-- > 0)
		*t++ = 0;
}

static inline bool dp_equal(const void *a, const void *b, size_t bytes)
{
	const uint8_t *x = a, *y = b;

	while (bytes-- > 0)
		if (*x++ != *y++)
			return false;
	return true;
}

#endif
