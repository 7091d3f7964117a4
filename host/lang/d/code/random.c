/* SPDX-License-Identifier: BSD-2-Clause */
/* Random numbers of the target: Marsaglia's xorshift, whose state is one program variable. The
 * clock is the seed. */
#include "random.h"

enum {
	RESULT_BITS = 31 /* of an int that is never negative */
};

/* Shifts to the left, right and left: with these the state takes each value but 0. Marsaglia,
 * "Xorshift RNGs", 2003, section 3. */
static const struct shifts {
	unsigned word_bytes, first, second, third;
} shifts[] = {{4, 13, 17, 5}, {8, 13, 7, 17}};

/* Push the state. A program variable is 0 when the program is inserted; the state is 0 only then.
 */
static void push_state(struct d_lower *l, unsigned state)
{
	const size_t there = dph_d_label(l->code);
	dph_d_emit(l->code, RPN_PUSH_LV_N, state);
	dph_d_emit(l->code, RPN_JNZ, there);
	dph_d_emit(l->code, RPN_ROS_N, 1);
	dph_d_emit(l->code, RPN_PUSH_TICKS, 0);
	if (l->code->word_bytes < sizeof(uint64_t))
		dph_d_long_to_word(l);
	dph_d_push(l->code, 1);
	dph_d_emit(l->code, RPN_OR, 0);
	dph_d_put(l->code, there);
}

/* v -- v ^ (v shifted by count) */
static void mix(struct d_lower *l, enum rpn_op op, unsigned count)
{
	dph_d_emit(l->code, RPN_DUP_N, 1);
	dph_d_emit(l->code, op, count);
	dph_d_emit(l->code, RPN_XOR, 0);
}

void dph_d_lower_random(struct d_lower *l, struct d_node *node)
{
	(void)node;
	const unsigned word = l->code->word_bytes, state = dph_d_random_state(l);
	const struct shifts *by = shifts;
	while (by->word_bytes != word)
		by++;
	push_state(l, state);
	mix(l, RPN_SHL_N, by->first);
	mix(l, RPN_SHR_N, by->second);
	mix(l, RPN_SHL_N, by->third);
	dph_d_emit(l->code, RPN_MOVE_LV_N, state);
	dph_d_emit(l->code, RPN_SHR_N, word * 8 - RESULT_BITS);
}
