/* SPDX-License-Identifier: BSD-2-Clause */
/* htons and its kin: the bytes of a number in the order of the network, which is big-endian. */
#include "swap.h"

/* v -- one byte of the variable, at its place in the result */
static void push_byte(struct d_lower *l, unsigned kept, unsigned from, unsigned to)
{
	dph_d_emit(l->code, RPN_PUSH_LV_N, kept);
	if (from)
		dph_d_emit(l->code, RPN_SHR_N, from);
	dph_d_push(l->code, 0xff);
	dph_d_emit(l->code, RPN_AND, 0);
	if (to)
		dph_d_emit(l->code, RPN_SHL_N, to);
}

/* v -- the low bytes of v in the other order */
static void swap(struct d_lower *l, unsigned bytes)
{
	const unsigned kept = dph_d_temp(l, 0);
	dph_d_emit(l->code, RPN_POP_LV_N, kept);
	for (unsigned i = 0; i < bytes; i++) {
		push_byte(l, kept, 8 * i, 8 * (bytes - 1 - i));
		if (i)
			dph_d_emit(l->code, RPN_OR, 0);
	}
}

void dph_d_lower_swap(struct d_lower *l, struct d_node *node)
{
	dph_d_lower_as(l, node->list, &node->is.type);
	if (l->d->program->target.big_endian)
		return;
	if (!dph_d_is_long(l->d, &node->is.type)) {
		swap(l, node->is.type.bytes);
		return;
	}
	/* The low word is on top. */
	swap(l, l->code->word_bytes);
	dph_d_emit(l->code, RPN_XCHG, 0);
	swap(l, l->code->word_bytes);
}
