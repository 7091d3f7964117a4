/* SPDX-License-Identifier: BSD-2-Clause */
/* The agent's own copy, clear and compare. */
#include "dp_memory.h"

void dp_copy(void *to, const void *from, size_t bytes)
{
	uint8_t *t = to;
	const uint8_t *f = from;

	while (bytes-- > 0)
		*t++ = *f++;
}

typedef uint32_t __attribute__((may_alias)) word;

void dp_copy_words(void *to, const void *from, size_t bytes)
{
	word *t = to;
	const word *f = from, *end = f + bytes / sizeof(*f);

	if (bytes < sizeof(*f))
		return;
	do
		*t++ = *f++;
	while (f != end);
}

void dp_clear_words(void *to, size_t bytes)
{
	for (word *t = to, *end = t + bytes / sizeof(*t); t != end; t++)
		*t = 0;
}

void dp_clear(void *to, size_t bytes)
{
	uint8_t *t = to;

	while (bytes-- > 0)
		*t++ = 0;
}

bool dp_equal(const void *a, const void *b, size_t bytes)
{
	const uint8_t *x = a, *y = b;

	while (bytes-- > 0)
		if (*x++ != *y++)
			return false;
	return true;
}
