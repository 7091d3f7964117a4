/* SPDX-License-Identifier: BSD-2-Clause */
/* What is known of the values of an agent expression. */
#include "values.h"

#include "base/pool.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	DEPTH_MAX = 128,    /* values on the stack */
	WHOLE = 64,         /* bits of gdb's numbers */
	MEMORY_WORDS = 3,   /* of a part of memory: kind, address, length; */
	MEMORY_TOKEN = 3,   /* what `log` writes before the bytes */
	VARIABLE_WORDS = 3, /* kind, number, value */
};

/* How gdb's number follows from the word. WITH_SIGN and WITHOUT are a set of readings. */
enum kind {
	CUT = 0,                     /* the bits above are not known */
	WITH_SIGN = 1,               /* the word with its sign */
	WITHOUT = 2,                 /* the word without one */
	SMALL = WITH_SIGN | WITHOUT, /* the number is less than half of all words */
	OWN = 4 | WITH_SIGN,         /* of a trace state variable, which is a word with its sign */
	ADDRESS = 8 | WITH_SIGN /* a constant of a whole word: perhaps an address of a CPU whose
				   addresses have a sign in gdb */
};

struct value {
	enum kind kind;
	bool known;
	uint64_t number; /* where it is known */
};

struct stack {
	bool live; /* an execution comes here */
	unsigned count;
	struct value values[DEPTH_MAX];
};

struct dph_gdb_values {
	unsigned word_bytes;
	size_t places;
	struct stack now, **at; /* by place: the stack of the jumps to it; null: none */
	bool jumped;            /* an instruction from here on may be left out */
	uint64_t bytes;
};

struct dph_gdb_values *dph_gdb_values_open(const struct dph_gdb_target *target, size_t count)
{
	struct dph_gdb_values *values = dph_malloc(sizeof *values);

	*values = (struct dph_gdb_values){.word_bytes = target->word_bytes, .places = count + 1};
	values->now.live = true;
	values->at = dph_malloc(values->places * sizeof(struct stack *));
	for (size_t i = 0; i < values->places; i++)
		values->at[i] = NULL;
	return values;
}

uint64_t dph_gdb_values_close(struct dph_gdb_values *values)
{
	const uint64_t bytes = values->bytes;

	for (size_t i = 0; i < values->places; i++)
		free(values->at[i]);
	free((void *)values->at);
	free(values);
	return bytes;
}

/* --- jumps ----------------------------------------------------------------------------------- */

static struct value either(struct value a, struct value b)
{
	return (struct value){
		.kind = a.kind & b.kind,
		.known = a.known && b.known && a.number == b.number,
		.number = a.number,
	};
}

/* The stack of two ways to a place. */
static void join(struct stack *to, const struct stack *from)
{
	if (!from->live)
		return;
	if (!to->live) {
		*to = *from;
		return;
	}
	/* The tops are the same values. */
	for (unsigned i = 1; i <= to->count && i <= from->count; i++)
		to->values[to->count - i] =
			either(to->values[to->count - i], from->values[from->count - i]);
	if (from->count < to->count) {
		memmove(to->values, to->values + (to->count - from->count),
			from->count * sizeof to->values[0]);
		to->count = from->count;
	}
}

void dph_gdb_values_jump(struct dph_gdb_values *values, size_t place, bool always)
{
	values->jumped = true;
	if (values->at[place] == NULL) {
		values->at[place] = dph_malloc(sizeof *values->at[place]);
		*values->at[place] = (struct stack){.live = false};
	}
	join(values->at[place], &values->now);
	if (always)
		values->now.live = false;
}

void dph_gdb_values_arrive(struct dph_gdb_values *values, size_t place)
{
	if (values->at[place] == NULL)
		return;
	join(&values->now, values->at[place]);
	free(values->at[place]);
	values->at[place] = NULL;
}

/* --- the stack ------------------------------------------------------------------------------- */

static struct value *top(struct stack *stack, uint64_t above)
{
	return above < stack->count ? &stack->values[stack->count - 1 - above] : NULL;
}

/* The verifier of RPN refuses what takes from an empty stack. */
static struct value pop(struct stack *stack)
{
	return stack->count > 0 ? stack->values[--stack->count] : (struct value){.kind = CUT};
}

static bool push(struct stack *stack, struct value value, struct dph_gdb_why *why)
{
	if (stack->count == DEPTH_MAX) {
		snprintf(why->text, sizeof why->text,
			 "an expression has more than %d values at a "
			 "time",
			 DEPTH_MAX);
		return false;
	}
	stack->values[stack->count++] = value;
	return true;
}

static bool is_short(const struct dph_gdb_values *values)
{
	return values->word_bytes * CHAR_BIT < WHOLE;
}

static bool refuse(const struct dph_gdb_values *values, const char *what, struct dph_gdb_why *why)
{
	if (!is_short(values))
		return true;
	snprintf(why->text, sizeof why->text,
		 "an expression %s a number that needs more than a word", what);
	return false;
}

/* --- instructions ---------------------------------------------------------------------------- */

static enum kind of_carry(enum kind a, enum kind b)
{
	return a == OWN || b == OWN ? OWN : CUT;
}

static enum kind of_bits(enum kind a, enum kind b)
{
	return a == OWN || b == OWN ? OWN : a & b;
}

/* Is the value, perhaps, an address? */
static bool is_address(enum kind kind)
{
	return kind == CUT || kind == ADDRESS || kind & WITHOUT;
}

static bool apply_two(struct dph_gdb_values *values, enum dph_gdb_effect effect,
		      struct dph_gdb_why *why)
{
	const enum kind b = pop(&values->now).kind, a = pop(&values->now).kind;
	bool good = true;
	enum kind kind = SMALL;

	switch (effect) {
	case DPH_GDB_CARRY:
		kind = of_carry(a, b);
		break;
	case DPH_GDB_BITS:
		kind = of_bits(a, b);
		break;
	case DPH_GDB_DIVIDE_SIGNED:
		good = a & b & WITH_SIGN || refuse(values, "divides", why);
		kind = a == OWN || b == OWN ? OWN : WITH_SIGN;
		break;
	case DPH_GDB_DIVIDE_UNSIGNED:
		good = a & b & WITHOUT || refuse(values, "divides", why);
		kind = WITHOUT;
		break;
	case DPH_GDB_SHIFT_SIGNED:
		good = a & WITH_SIGN || refuse(values, "shifts", why);
		kind = a;
		break;
	case DPH_GDB_SHIFT_UNSIGNED:
		good = a & WITHOUT || refuse(values, "shifts", why);
		kind = a;
		break;
	case DPH_GDB_COMPARE_SIGNED:
		good = a & b & WITH_SIGN || refuse(values, "compares", why);
		break;
	default: /* an address is cut, and is compared without a sign */
		good = a & b & WITH_SIGN || (is_address(a) && is_address(b)) ||
		       refuse(values, "compares", why);
		break;
	}
	return good && push(&values->now, (struct value){.kind = kind}, why);
}

static bool apply_extension(struct dph_gdb_values *values, bool with_sign, uint64_t bits,
			    struct dph_gdb_why *why)
{
	const struct value value = pop(&values->now);
	const unsigned word_bits = values->word_bytes * CHAR_BIT;
	enum kind kind = with_sign ? WITH_SIGN : bits < word_bits ? SMALL : WITHOUT;

	if (bits > word_bits) {
		/* It changes nothing of a number that has its higher bits from the word. */
		if (!(value.kind & WITHOUT) && !(with_sign && value.kind & WITH_SIGN) &&
		    !refuse(values, "extends", why))
			return false;
		kind = value.kind;
	} else if (value.kind == OWN && with_sign && bits == word_bits) {
		kind = OWN;
	} else if (value.known && with_sign && bits == word_bits) {
		kind = ADDRESS;
	}
	return push(&values->now, (struct value){.kind = kind}, why);
}

static struct value constant(const struct dph_gdb_values *values, uint64_t number)
{
	const bool small = number >> (values->word_bytes * CHAR_BIT - 1) == 0;

	return (struct value){small ? SMALL : WITHOUT, true, number};
}

/* Collections behind a jump may be left out at a hit, and count as nothing. */
static void collect(struct dph_gdb_values *values, uint64_t bytes)
{
	const uint64_t sum = values->bytes + bytes;

	if (!values->jumped)
		values->bytes = sum < bytes ? UINT64_MAX : sum;
}

uint64_t dph_gdb_memory_bytes(const struct dph_gdb_target *target, uint64_t bytes)
{
	const uint64_t before = MEMORY_WORDS * target->word_bytes + MEMORY_TOKEN;

	return bytes < UINT64_MAX - before ? bytes + before : UINT64_MAX;
}

static void collect_memory(struct dph_gdb_values *values, uint64_t bytes)
{
	const struct dph_gdb_target target = {.word_bytes = values->word_bytes};

	collect(values, dph_gdb_memory_bytes(&target, bytes));
}

/* An instruction that takes no value for a computation. */
static bool apply_other(struct dph_gdb_values *values, enum dph_gdb_effect effect, uint64_t operand,
			struct dph_gdb_why *why)
{
	struct stack *now = &values->now;
	struct value value;

	switch (effect) {
	case DPH_GDB_CONSTANT:
		return push(now, constant(values, operand), why);
	case DPH_GDB_REGISTER:
		return push(now, (struct value){.kind = CUT}, why);
	case DPH_GDB_VARIABLE:
		return push(now, (struct value){.kind = OWN}, why);
	case DPH_GDB_COPY:
		return push(now,
			    top(now, operand) != NULL ? *top(now, operand)
						      : (struct value){.kind = CUT},
			    why);
	case DPH_GDB_EXCHANGE:
		value = pop(now);
		if (now->count == 0)
			return push(now, value, why);
		now->count++;
		*top(now, 0) = *top(now, 1);
		*top(now, 1) = value;
		return true;
	case DPH_GDB_COLLECT:
		value = pop(now);
		pop(now);
		collect_memory(values, value.known ? value.number : 0);
		return true;
	case DPH_GDB_COLLECT_STRING:
		pop(now);
		pop(now);
		collect_memory(values, 0);
		return true;
	case DPH_GDB_COLLECT_TOP:
		collect_memory(values, operand);
		return true;
	case DPH_GDB_COLLECT_VARIABLE:
		collect(values, VARIABLE_WORDS * values->word_bytes);
		return true;
	case DPH_GDB_DROP:
		pop(now);
		return true;
	default:
		return true;
	}
}

bool dph_gdb_values_apply(struct dph_gdb_values *values, enum dph_gdb_effect effect, bool with_sign,
			  uint64_t operand, struct dph_gdb_why *why)
{
	enum kind kind = SMALL;

	if (!values->now.live)
		return true;
	switch (effect) {
	case DPH_GDB_CARRY:
	case DPH_GDB_DIVIDE_SIGNED:
	case DPH_GDB_DIVIDE_UNSIGNED:
	case DPH_GDB_SHIFT_SIGNED:
	case DPH_GDB_SHIFT_UNSIGNED:
	case DPH_GDB_BITS:
	case DPH_GDB_COMPARE:
	case DPH_GDB_COMPARE_SIGNED:
		return apply_two(values, effect, why);
	case DPH_GDB_EXTEND:
		return apply_extension(values, with_sign, operand, why);
	case DPH_GDB_TURN:
		kind = pop(&values->now).kind;
		kind = kind == OWN ? OWN : kind & WITH_SIGN;
		break;
	case DPH_GDB_LOAD:
		pop(&values->now);
		kind = WITHOUT;
		break;
	case DPH_GDB_STORE:
		pop(&values->now);
		kind = OWN;
		break;
	case DPH_GDB_LOAD_PART:
	case DPH_GDB_TRUTH:
		pop(&values->now);
		break;
	default:
		return apply_other(values, effect, operand, why);
	}
	return push(&values->now, (struct value){.kind = kind}, why);
}
