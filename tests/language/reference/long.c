/* SPDX-License-Identifier: BSD-2-Clause */
/* 64-bit numbers: RPN.md 5. A pair is two words, the lower address on top, or a 64-bit word. */
#include "reference.h"

static uint64_t pop_pair(struct ref_machine *m)
{
	uint64_t top = ref_pop(m), below;

	if (m->program->word_bits == 64)
		return top;
	below = ref_pop(m);
	return m->program->big_endian ? top << 32 | below : below << 32 | top;
}

static void push_pair(struct ref_machine *m, uint64_t value)
{
	if (m->program->word_bits == 32)
		ref_push(m, m->program->big_endian ? value & 0xffffffff : value >> 32);
	ref_push(m, m->program->word_bits == 64 ? value
		    : m->program->big_endian    ? value >> 32
						: value & 0xffffffff);
}

static void divide(struct ref_machine *m, bool with_sign)
{
	uint64_t divisor = pop_pair(m), dividend = pop_pair(m);
	bool negative = with_sign && dividend >> 63;
	bool opposite = with_sign && negative != (divisor >> 63 != 0);
	uint64_t a = negative ? 0 - dividend : dividend;
	uint64_t b = with_sign && divisor >> 63 ? 0 - divisor : divisor;

	if (divisor == 0) {
		ref_raise(m, RPN_X_DIVIDE_BY_ZERO, 0, 0);
		return;
	}
	push_pair(m, negative ? 0 - a % b : a % b);
	push_pair(m, opposite ? 0 - a / b : a / b);
}

/* One bit at a time. */
static uint64_t shifted(uint8_t op, uint64_t value, uint64_t count)
{
	const uint64_t top = op == RPN_LSAR ? value & (uint64_t)1 << 63 : 0;

	for (unsigned i = 0; i < 64 && i < count; i++)
		value = op == RPN_LSHL ? value << 1 : value >> 1 | top;
	return value;
}

static void combine(struct ref_machine *m, uint8_t op)
{
	uint64_t q = pop_pair(m), p = pop_pair(m);

	switch (op) {
	case RPN_LADD:
		push_pair(m, q + p);
		break;
	case RPN_LSUB:
		push_pair(m, q - p);
		break;
	case RPN_LMUL:
		push_pair(m, q * p);
		break;
	case RPN_LLT:
		ref_push(m, (int64_t)p < (int64_t)q);
		break;
	case RPN_LLTU:
		ref_push(m, p < q);
		break;
	default:
		push_pair(m, shifted(op, q, p));
		break;
	}
}

/* The steps beyond the one of the block. */
static unsigned steps_of(uint8_t op)
{
	if (op == RPN_LDIV || op == RPN_LIDIV)
		return 109;
	if (op == RPN_LSHL || op == RPN_LSHR || op == RPN_LSAR)
		return 5;
	if (op == RPN_LEXT)
		return 0;
	return op == RPN_PUSH_TICKS || op == RPN_PUSH_NS ? 7 : 2;
}

bool ref_long(struct ref_machine *m, uint8_t op)
{
	if (op < RPN_LADD || op > RPN_PUSH_NS)
		return false;
	if (!ref_charge(m, steps_of(op)))
		return true;
	if (op == RPN_LDIV || op == RPN_LIDIV)
		divide(m, op == RPN_LIDIV);
	else if (op == RPN_LEXT)
		push_pair(m, (uint64_t)ref_signed(m->program, ref_pop(m)));
	else if (op == RPN_PUSH_TICKS)
		push_pair(m, m->world->ticks);
	else if (op == RPN_PUSH_NS)
		push_pair(m, m->world->ticks * (1000000000 / REF_TICK_HZ));
	else
		combine(m, op);
	return true;
}
