/* SPDX-License-Identifier: BSD-2-Clause */
/* Arithmetic of D's integer types, on 64-bit values. */
#include "d_tree.h"

#include <string.h>

uint64_t dt_narrow(struct dt_type type, uint64_t value)
{
	const unsigned unused = 64 - type.bits;

	if (type.is_bool)
		return value != 0;
	if (type.is_signed)
		return (uint64_t)((int64_t)(value << unused) >> unused);
	return value << unused >> unused;
}

struct dt_type dt_promoted(struct dt_type type)
{
	if (type.bits < 32 || type.is_bool)
		return (struct dt_type){.bits = 32, .is_signed = true};
	return type;
}

struct dt_type dt_common(struct dt_type a, struct dt_type b)
{
	const struct dt_type x = dt_promoted(a), y = dt_promoted(b);

	if (x.bits != y.bits)
		return x.bits > y.bits ? x : y;
	return (struct dt_type){.bits = x.bits, .is_signed = x.is_signed && y.is_signed};
}

struct dt_type dt_constant_type(uint64_t value, bool is_negative)
{
	if (is_negative)
		return (struct dt_type){.bits = (int64_t)value >= INT32_MIN ? 32 : 64,
					.is_signed = true};
	if (value <= INT32_MAX)
		return (struct dt_type){.bits = 32, .is_signed = true};
	return (struct dt_type){.bits = 64, .is_signed = value <= INT64_MAX};
}

static uint64_t shifted(char sign, struct dt_type type, uint64_t a, uint64_t count)
{
	const bool negative = type.is_signed && a >> 63;

	if (count >= type.bits)
		return sign == '>' && negative ? UINT64_MAX : 0;
	if (sign == '<')
		return a << count;
	return negative ? ~(~a >> count) : a >> count;
}

static uint64_t magnitude(uint64_t value, bool negative)
{
	return negative ? 0 - value : value;
}

/* Toward zero; the remainder has the sign of the dividend. */
static uint64_t divided(char sign, struct dt_type type, uint64_t a, uint64_t b)
{
	const bool minus_a = type.is_signed && a >> 63, minus_b = type.is_signed && b >> 63;
	const uint64_t x = magnitude(a, minus_a), y = magnitude(b, minus_b);

	/* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): dt_apply refuses a divisor of 0 */
	return sign == '/' ? magnitude(x / y, minus_a != minus_b) : magnitude(x % y, minus_a);
}

static bool compared(const char *sign, struct dt_type type, uint64_t a, uint64_t b)
{
	const bool less = type.is_signed ? (int64_t)a < (int64_t)b : a < b;

	if (sign[0] == '=')
		return a == b;
	if (sign[0] == '!')
		return a != b;
	if (sign[0] == '<')
		return less || (sign[1] && a == b);
	return sign[1] ? !less : !less && a != b;
}

static uint64_t simple(char sign, uint64_t a, uint64_t b)
{
	switch (sign) {
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	case '&':
		return a & b;
	case '|':
		return a | b;
	default:
		return a ^ b;
	}
}

bool dt_apply(const char *sign, struct dt_type type, uint64_t a, uint64_t b, uint64_t *result)
{
	const bool shift = !strcmp(sign, "<<") || !strcmp(sign, ">>");

	if (shift) {
		*result = dt_narrow(type, shifted(sign[0], type, a, b));
		return true;
	}
	a = dt_narrow(type, a);
	b = dt_narrow(type, b);
	if (strchr("<>=!", sign[0])) {
		*result = compared(sign, type, a, b);
		return true;
	}
	if ((sign[0] == '/' || sign[0] == '%') && b == 0)
		return false;
	*result = dt_narrow(type, strchr("/%", sign[0]) ? divided(sign[0], type, a, b)
							: simple(sign[0], a, b));
	return true;
}
