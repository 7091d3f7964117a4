/* SPDX-License-Identifier: BSD-2-Clause */
/* This file runs steps on recorded registers and memory. The compiler of D turns the same steps
 * into code of the agent. */
#include "steps_run.h"

#include "debuginfo.h"
#include "unwind.h"

#include <stdarg.h>
#include <stdio.h>

/* Steps while they run. Values are words of the target, zero-extended. */
struct running {
	struct dph_unwind *u;
	unsigned bits; /* of a word */
	uint64_t *stack;
	size_t count;
};

bool dph_unwind_fail(struct dph_unwind *u, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(u->why, sizeof(u->why), format, args);
	va_end(args);
	return false;
}

bool dph_unwind_word(struct dph_unwind *u, uint64_t address, unsigned bytes, uint64_t *value)
{
	const uint64_t at = address - u->base;
	*value = 0;
	if (address < u->base || at > u->bytes || bytes > u->bytes - at) {
		u->wanted = address < u->base ? 0 : at + bytes;
		return dph_unwind_fail(
			u, "the word at 0x%llx is not among the %zu bytes of the stack at 0x%llx",
			(unsigned long long)address, u->bytes, (unsigned long long)u->base);
	}
	for (unsigned i = 0; i < bytes; i++)
		*value = *value << 8 | u->memory[at + (u->debug->big_endian ? i : bytes - 1 - i)];
	return true;
}

static uint64_t narrow(const struct running *r, uint64_t value)
{
	return r->bits == 64 ? value : value & (((uint64_t)1 << r->bits) - 1);
}

static int64_t extended(uint64_t value, unsigned bits)
{
	const unsigned unused = bits && bits < 64 ? 64 - bits : 0;
	return (int64_t)(value << unused) >> unused;
}

static void push(struct running *r, uint64_t value)
{
	r->stack[r->count++] = narrow(r, value);
}

static uint64_t pop(struct running *r)
{
	return r->stack[--r->count];
}

static bool push_register(struct running *r, int64_t number)
{
	const struct dph_unwind *u = r->u;
	if (number < 0 || number >= DPH_UNWIND_REGISTERS || !u->known[number]) {
		const char *name =
			u->debug->cpu ? dph_reg_name(u->debug->cpu, (unsigned)number) : NULL;
		return dph_unwind_fail(r->u, "register %s is not recorded", name ? name : "?");
	}
	push(r, u->values[number]);
	return true;
}

static uint64_t shifted(const struct running *r, enum dph_step_op op, uint64_t a, uint64_t b)
{
	const bool all = b >= r->bits;
	if (op == DPH_STEP_SAR)
		return (uint64_t)(extended(a, r->bits) >> (all ? r->bits - 1 : b));
	if (all)
		return 0;
	return op == DPH_STEP_SHL ? a << b : a >> b;
}

static bool compared(const struct running *r, enum dph_step_op op, uint64_t a, uint64_t b)
{
	const int64_t x = extended(a, r->bits), y = extended(b, r->bits);
	switch (op) {
	case DPH_STEP_EQ:
		return x == y;
	case DPH_STEP_NE:
		return x != y;
	case DPH_STEP_LT:
		return x < y;
	case DPH_STEP_LE:
		return x <= y;
	case DPH_STEP_GT:
		return x > y;
	default:
		return x >= y;
	}
}

/* a b -- result */
static bool run_binary(struct running *r, enum dph_step_op op)
{
	const uint64_t b = pop(r), a = pop(r);
	switch (op) {
	case DPH_STEP_ADD:
		push(r, a + b);
		break;
	case DPH_STEP_SUB:
		push(r, a - b);
		break;
	case DPH_STEP_MUL:
		push(r, a * b);
		break;
	case DPH_STEP_DIV:
	case DPH_STEP_UDIV:
	case DPH_STEP_MOD:
		if (!b)
			return dph_unwind_fail(r->u, "its call frame rule divides by zero");
		if (op == DPH_STEP_MOD)
			push(r, a % b);
		else if (op == DPH_STEP_UDIV)
			push(r, a / b);
		else /* the smallest number by -1 is itself */
			push(r, extended(b, r->bits) == -1
					? 0 - a
					: (uint64_t)(extended(a, r->bits) / extended(b, r->bits)));
		break;
	case DPH_STEP_AND:
		push(r, a & b);
		break;
	case DPH_STEP_OR:
		push(r, a | b);
		break;
	case DPH_STEP_XOR:
		push(r, a ^ b);
		break;
	case DPH_STEP_SHL:
	case DPH_STEP_SHR:
	case DPH_STEP_SAR:
		push(r, shifted(r, op, a, b));
		break;
	default:
		push(r, compared(r, op, a, b));
		break;
	}
	return true;
}

static void run_unary(struct running *r, const struct dph_step *step)
{
	const uint64_t a = pop(r);
	const unsigned bits = (unsigned)step->value;
	switch (step->op) {
	case DPH_STEP_NOT:
		push(r, ~a);
		break;
	case DPH_STEP_NEG:
		push(r, 0 - a);
		break;
	case DPH_STEP_ABS:
		push(r, extended(a, r->bits) < 0 ? 0 - a : a);
		break;
	case DPH_STEP_ZEXT:
		push(r, bits < 64 ? a & (((uint64_t)1 << bits) - 1) : a);
		break;
	default:
		push(r, (uint64_t)extended(a, bits));
		break;
	}
}

/* Move words of the stack. */
static void run_order(struct running *r, const struct dph_step *step)
{
	uint64_t a, b, c;
	switch (step->op) {
	case DPH_STEP_DROP:
		pop(r);
		break;
	case DPH_STEP_PICK:
		push(r, r->stack[r->count - 1 - (size_t)step->value]);
		break;
	case DPH_STEP_SWAP:
		b = pop(r);
		a = pop(r);
		push(r, b);
		push(r, a);
		break;
	default: /* ROT: a b c -- c a b */
		c = pop(r);
		b = pop(r);
		a = pop(r);
		push(r, c);
		push(r, a);
		push(r, b);
		break;
	}
}

static bool run_step(struct running *r, const struct dph_step *step)
{
	uint64_t value;
	switch (step->op) {
	case DPH_STEP_CONST:
		push(r, (uint64_t)step->value);
		return true;
	case DPH_STEP_REG:
		return push_register(r, step->value);
	case DPH_STEP_ENTRY:
		return dph_unwind_fail(r->u, "its call frame rule needs a value of its entry");
	case DPH_STEP_LOAD:
		if (!dph_unwind_word(r->u, pop(r), (unsigned)step->value, &value))
			return false;
		push(r, value);
		return true;
	case DPH_STEP_NOT:
	case DPH_STEP_NEG:
	case DPH_STEP_ABS:
	case DPH_STEP_ZEXT:
	case DPH_STEP_SEXT:
		run_unary(r, step);
		return true;
	case DPH_STEP_DROP:
	case DPH_STEP_PICK:
	case DPH_STEP_SWAP:
	case DPH_STEP_ROT:
		run_order(r, step);
		return true;
	default:
		return run_binary(r, step->op);
	}
}

bool dph_steps_run(struct dph_unwind *u, struct dph_steps steps, uint64_t *value)
{
	uint64_t stack[DPH_STEPS_MAX + 1] = {0};
	struct running r = {.u = u, .bits = u->debug->word_bytes == 8 ? 64 : 32, .stack = stack};
	for (size_t i = 0; i < steps.count; i++) { /* jumps lead forward */
		const struct dph_step *step = &steps.list[i];
		if (step->op == DPH_STEP_SKIP || (step->op == DPH_STEP_BRANCH && pop(&r)))
			i = (size_t)step->value - 1;
		else if (step->op != DPH_STEP_BRANCH && !run_step(&r, step))
			return false;
	}
	if (!r.count)
		return dph_unwind_fail(u, "its call frame rule cannot be evaluated");
	*value = pop(&r);
	return true;
}
