/* SPDX-License-Identifier: BSD-2-Clause */
/* The instructions of 64-bit numbers. A pair is two words as `push mem, u64` leaves them, the lower
 * address on top; with 64-bit words it is one word. */
#include "dp_long.h"

#if DP_WITH_D
enum {
	DP_PAIR_WORDS = 64 / DP_WORD_BITS
};

/* --- the stack ----------------------------------------------------------------------------- */

static dp_word pop(struct dp_vm *vm)
{
	dp_word word = vm->stack[vm->tsp & DP_STACK_MASK];

	vm->tsp = (vm->tsp + 1) & DP_STACK_MASK;
	return word;
}

static void push(struct dp_vm *vm, dp_word word)
{
	vm->tsp = (vm->tsp - 1) & DP_STACK_MASK;
	vm->stack[vm->tsp] = word;
}

uint64_t dp_long_pop(struct dp_vm *vm)
{
	uint64_t top = pop(vm), below;

	if (DP_PAIR_WORDS == 1)
		return top;
	below = pop(vm);
	return DP_PORT_BIG_ENDIAN ? top << 32 | below : below << 32 | top;
}

static void push_long(struct dp_vm *vm, uint64_t value)
{
	dp_word low = (dp_word)value, high = (dp_word)(value >> 32);

	if (DP_PAIR_WORDS == 1) {
		push(vm, low);
		return;
	}
	push(vm, DP_PORT_BIG_ENDIAN ? low : high);
	push(vm, DP_PORT_BIG_ENDIAN ? high : low);
}

/* --- arithmetic ---------------------------------------------------------------------------- */

/* Of two numbers of 32 bits: from halves, so that no core needs a long multiplication. */
static uint64_t multiply_32(uint32_t a, uint32_t b)
{
	uint32_t low = (a & 0xffff) * (b & 0xffff), high = (a >> 16) * (b >> 16);
	uint32_t first = (a >> 16) * (b & 0xffff), second = (a & 0xffff) * (b >> 16);
	uint32_t middle = (low >> 16) + (first & 0xffff) + (second & 0xffff);

	high += (first >> 16) + (second >> 16) + (middle >> 16);
	return (uint64_t)high << 32 | (middle << 16) | (low & 0xffff);
}

uint64_t dp_long_multiply(uint64_t a, uint64_t b)
{
	uint32_t a_low = (uint32_t)a, a_high = (uint32_t)(a >> 32);
	uint32_t b_low = (uint32_t)b, b_high = (uint32_t)(b >> 32);

	return multiply_32(a_low, b_low) + ((uint64_t)(a_low * b_high + a_high * b_low) << 32);
}

uint64_t dp_long_divide(uint64_t dividend, uint64_t divisor, uint64_t *remainder)
{
	uint64_t quotient = 0, bit = 1;

	while (divisor < dividend && !(divisor >> 63)) {
		divisor <<= 1;
		bit <<= 1;
	}
	for (; bit != 0; bit >>= 1, divisor >>= 1)
		if (dividend >= divisor) {
			dividend -= divisor;
			quotient |= bit;
		}
	*remainder = dividend;
	return quotient;
}

static uint64_t negate_if(uint64_t value, uint64_t sign)
{
	return sign >> 63 ? 0 - value : value;
}

/* As idiv: toward zero, the remainder signed as the dividend. */
static uint64_t divide_signed(uint64_t dividend, uint64_t divisor, uint64_t *remainder)
{
	uint64_t quotient = dp_long_divide(negate_if(dividend, dividend),
					   negate_if(divisor, divisor), remainder);

	*remainder = negate_if(*remainder, dividend);
	return negate_if(quotient, dividend ^ divisor);
}

static bool is_less(uint64_t a, uint64_t b, bool is_signed)
{
	return is_signed ? (int64_t)a < (int64_t)b : a < b;
}

/* From two words: compilers call a library for a variable shift of 64 bits. A shift by 32 is done
 * in two steps, as C has none. */
static uint64_t shift(unsigned op, uint64_t count, uint64_t value)
{
	uint64_t sign = op == RPN_LSAR && value >> 63 ? ~(uint64_t)0 : 0;
	uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32), fill = (uint32_t)sign;
	unsigned n = (unsigned)count & 31, rest = 31 - n;

	if (count >= 64)
		return sign;
	if (op == RPN_LSHL) {
		high = count < 32 ? high << n | low >> 1 >> rest : low << n;
		low = count < 32 ? low << n : 0;
	} else {
		low = count < 32 ? low >> n | high << 1 << rest : high >> n | fill << 1 << rest;
		high = count < 32 ? high >> n | fill << 1 << rest : fill;
	}
	return (uint64_t)high << 32 | low;
}

/* --- the clock ----------------------------------------------------------------------------- */

/* An agent without STREAM has no clock: HELLO has the rate 0. */
uint64_t dp_long_ticks(const struct dp_run *run)
{
	if (run->hooks->ticks)
		return run->hooks->ticks();
	return DP_WITH_STREAM ? dp_port_ticks() : 0;
}

/* The largest factor of 32 bits: its error is less than 2^-31 of the time. */
void dp_ns_scale(uint32_t hz, struct dp_program_view *view)
{
	uint64_t factor = 1000000000u, rest;

	view->ns_factor = view->ns_shift = 0;
	if (hz == 0)
		return;
	/* as many bits as the dividend takes: the quotient keeps 32 of them */
	while (!(factor >> 63)) {
		factor <<= 1;
		view->ns_shift++;
	}
	factor = dp_long_divide(factor, hz, &rest);
	while (factor >> 32) {
		factor >>= 1;
		view->ns_shift--;
	}
	view->ns_factor = (uint32_t)factor;
}

/* ticks x factor / 2^shift, of a product of 96 bits. shift is 1..63. */
static uint64_t ns_of(const struct dp_program_view *view, uint64_t ticks)
{
	uint64_t low = multiply_32((uint32_t)ticks, view->ns_factor);
	uint64_t high = multiply_32((uint32_t)(ticks >> 32), view->ns_factor) + (low >> 32);
	unsigned n = view->ns_shift;

	/* high has the bits from 32 on */
	if (n >= 32)
		return shift(RPN_LSHR, n - 32, high);
	return shift(RPN_LSHL, 32 - n, high) | (uint32_t)low >> n;
}

/* --- instructions -------------------------------------------------------------------------- */

static enum dp_next divide(struct dp_run *run, unsigned op)
{
	uint64_t divisor = dp_long_pop(run->vm), dividend = dp_long_pop(run->vm), rest, quotient;

	if (divisor == 0)
		return dp_raise_next(run, RPN_X_DIVIDE_BY_ZERO, 0, 0);
	quotient = op == RPN_LDIV ? dp_long_divide(dividend, divisor, &rest)
				  : divide_signed(dividend, divisor, &rest);
	push_long(run->vm, rest);
	push_long(run->vm, quotient);
	return DP_NEXT_GO;
}

static uint64_t result_of(unsigned op, uint64_t p, uint64_t q)
{
	switch (op) {
	case RPN_LADD:
		return q + p;
	case RPN_LSUB:
		return q - p;
	case RPN_LMUL:
		return dp_long_multiply(q, p);
	default:
		return shift(op, p, q);
	}
}

static void compute(struct dp_vm *vm, unsigned op)
{
	uint64_t q = dp_long_pop(vm), p = dp_long_pop(vm);

	if (op == RPN_LLT || op == RPN_LLTU)
		push(vm, is_less(p, q, op == RPN_LLT));
	else
		push_long(vm, result_of(op, p, q));
}

enum dp_next dp_long_step(struct dp_run *run, unsigned op)
{
	if (!dp_charge(run, rpn_long_steps(op)))
		return DP_NEXT_BUDGET;
	if (op == RPN_LDIV || op == RPN_LIDIV)
		return divide(run, op);
	if (op == RPN_PUSH_TICKS)
		push_long(run->vm, dp_long_ticks(run));
	else if (op == RPN_PUSH_NS)
		push_long(run->vm, ns_of(run->program, dp_long_ticks(run)));
	else if (op == RPN_LEXT)
		push_long(run->vm, (uint64_t)(int64_t)(dp_sword)pop(run->vm));
	else
		compute(run->vm, op);
	return DP_NEXT_GO;
}
#endif
