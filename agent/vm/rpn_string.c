/* SPDX-License-Identifier: BSD-2-Clause */
/* The instructions of strings. The first byte of a string is the highest one of its first word, and
 * NUL follows the last: the order of the words, without signs, is the order of the bytes. */
#include "dp_run.h"

#include "dp_build.h"
#include "dp_vm.h"

#if DP_WITH_D
/* --- the stack ----------------------------------------------------------------------------- */

static dp_word pop(struct dp_vm *vm)
{
	dp_word word = vm->stack[vm->tsp & DP_STACK_MASK];

	vm->tsp = (vm->tsp + 1) & DP_STACK_MASK;
	return word;
}

static dp_word *slot(struct dp_vm *vm, unsigned below_top)
{
	return &vm->stack[(vm->tsp + below_top) & DP_STACK_MASK];
}

/* --- bytes of a string --------------------------------------------------------------------- */

struct reader {
	const char *own; /* memory of the firmware that needs no check; null: */
	dp_addr at;      /* of the next byte */
	uint8_t chunk[DP_WORD_BYTES];
	uint8_t next, have; /* of the chunk */
	bool begun, ended;  /* the NUL was there */
};

/* Begin a string. own: as in the structure. Member by member: an initializer may call memset, which
 * firmware need not have. */
static void begin(struct reader *r, const char *own, dp_addr at)
{
	r->own = own;
	r->at = at;
	r->next = r->have = 0;
	r->begun = r->ended = false;
}

/* Read in aligned words: past the NUL, but never into the next page or range. Behind the end of the
 * address space there is nothing. */
static bool fill(struct reader *r)
{
	unsigned want = DP_WORD_BYTES - (unsigned)(r->at % DP_WORD_BYTES);

	if (r->begun && r->at == 0)
		return false;
	r->begun = true;
	r->next = 0;
	r->have = (uint8_t)dp_port_read(r->at, r->chunk, want, 0);
	return r->have != 0;
}

/* The next byte, and NUL behind the NUL. Returns false: it is not readable. */
static bool read_byte(struct reader *r, uint8_t *byte)
{
	*byte = 0;
	if (r->ended)
		return true;
	if (r->own) {
		*byte = (uint8_t)*r->own++;
	} else {
		if (r->next == r->have && !fill(r))
			return false;
		*byte = r->chunk[r->next++];
		r->at++;
	}
	r->ended = *byte == 0;
	return true;
}

/* --- instructions -------------------------------------------------------------------------- */

static enum dp_next not_readable(struct dp_run *run, const struct reader *r)
{
	return dp_raise_next(run, RPN_X_INVALID_ADDR, (dp_word)r->at, 0);
}

/* Push the string as words. Nothing is pushed where it is not readable. */
static enum dp_next push_words(struct dp_run *run, struct reader *r, unsigned count)
{
	for (unsigned i = 1; i <= count; i++) {
		dp_word word = 0;

		for (unsigned n = 0; n < DP_WORD_BYTES; n++) {
			uint8_t byte;

			if (!read_byte(r, &byte))
				return not_readable(run, r);
			word = word << 8 | byte;
		}
		*slot(run->vm, 0 - i) = word;
	}
	run->vm->tsp = (run->vm->tsp - count) & DP_STACK_MASK;
	return DP_NEXT_GO;
}

static enum dp_next push_name(struct dp_run *run, unsigned count)
{
	struct reader r;

	begin(&r, dp_vm_task(run->vm, run->hooks)->name, 0);
	return push_words(run, &r, count);
}

static enum dp_next push_string(struct dp_run *run, unsigned count)
{
	struct reader r;

	begin(&r, NULL, (dp_addr)pop(run->vm));
	return push_words(run, &r, count);
}

static void compare(struct dp_vm *vm, unsigned count)
{
	dp_word result = 0;

	for (unsigned i = count; i-- > 0 && result == 0;) {
		dp_word s = *slot(vm, count + i), t = *slot(vm, i);

		if (s != t)
			result = s < t ? (dp_word)-1 : 1;
	}
	vm->tsp = (vm->tsp + 2 * count - 1) & DP_STACK_MASK;
	*slot(vm, 0) = result;
}

static enum dp_next find(struct dp_run *run, unsigned most)
{
	uint8_t wanted = (uint8_t)pop(run->vm), byte;
	struct reader r;
	dp_word i;

	begin(&r, NULL, (dp_addr)pop(run->vm));
	for (i = 0; i < most; i++) {
		if (!dp_charge(run, 1))
			return DP_NEXT_BUDGET;
		if (!read_byte(&r, &byte))
			return not_readable(run, &r);
		if (byte == wanted || byte == 0)
			break;
	}
	run->vm->tsp = (run->vm->tsp - 1) & DP_STACK_MASK;
	*slot(run->vm, 0) = i;
	return DP_NEXT_GO;
}

enum dp_next dp_string_step(struct dp_run *run, unsigned op, unsigned count)
{
	if (!dp_charge(run, rpn_string_steps(op, count)))
		return DP_NEXT_BUDGET;
	switch (op) {
	case RPN_PUSH_NAME:
		return push_name(run, count);
	case RPN_PUSH_STR:
		return push_string(run, count);
	case RPN_FIND:
		return find(run, count);
	default:
		compare(run->vm, count);
		return DP_NEXT_GO;
	}
}
#endif
