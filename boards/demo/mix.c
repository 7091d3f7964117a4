/* SPDX-License-Identifier: BSD-2-Clause */
/* Small functions with many kinds of instructions, for selftest. */
#include "mix.h"

#include <string.h>

#include "kernel.h"

PROBE_TARGET uint32_t mix_branches(uint32_t x)
{
	uint32_t r = x;

	for (unsigned i = 0; i < 8; i++) {
		switch (r & 7) {
		case 0:
			r += 0x9e3779b9u;
			break;
		case 1:
			r ^= r >> 15;
			break;
		case 2:
			r *= 0x85ebca6bu;
			break;
		case 3:
			r = (r << 13) | (r >> 19);
			break;
		case 4:
			r = ~r;
			break;
		case 5:
			r -= 0x01234567u;
			break;
		case 6:
			r ^= r << 7;
			break;
		default:
			r = r / 3 + 1;
			break;
		}
	}
	return r;
}

PROBE_TARGET uint32_t mix_recursion(uint32_t n)
{
	return n < 2 ? n : mix_recursion(n - 1) + mix_recursion(n - 2);
}

PROBE_TARGET uint32_t mix_bytes(uint8_t *p, uint32_t n, uint32_t x)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		p[i] = (uint8_t)(x >> (i & 24)) ^ (uint8_t)i;
	if (n > 1)
		memmove(p + 1, p, n - 1);
	for (uint32_t i = 0; i + 4 <= n; i += 3) {
		uint16_t half = (uint16_t)(p[i] | p[i + 1] << 8);
		int8_t narrow = (int8_t)p[i + 2];

		sum = (sum << 3 | sum >> 29) + half + (uint32_t)narrow;
	}
	return sum;
}

PROBE_TARGET uint64_t mix_long(uint64_t a, uint32_t b)
{
	uint64_t q = a / (b | 1);
	uint64_t m = a % (b | 1);

	return (q * b ^ m << 17) + ((int64_t)a >> 5) - (uint64_t)((int32_t)b / 7);
}

PROBE_TARGET uint32_t mix_calls(uint32_t x, uint32_t (*f)(uint32_t))
{
	return f(x) ^ f(~x);
}

PROBE_TARGET uint32_t mix_conditions(int32_t a, int32_t b)
{
	uint32_t r = 0;

	r += a < b ? 1u : 2u;
	r += a == b ? 4u : 8u;
	r ^= (uint32_t)a > (uint32_t)b ? (uint32_t)a : (uint32_t)b;
	if (a < 0 && b >= 0)
		r = r * 5 + 3;
	else if (a > b)
		r -= (uint32_t)(a - b);
	return a > 1000 ? r + 17 : r - 17;
}
