/* SPDX-License-Identifier: BSD-2-Clause */
/* htons and its kin: the bytes of a number in the order of the network, which is big-endian. */
#include "swap.h"

#include "long.h"

#include <string.h>

/* htons and ntohs have 2 bytes, htonl and ntohl 4, htonll and ntohll 8. */
static unsigned bytes_of(const struct d_node *node)
{
	const char *tail = node->text + strlen("hton");
	return *tail == 's' ? 2 : tail[1] == 'l' ? 8 : 4;
}

static uint64_t swapped(uint64_t value, unsigned bytes)
{
	uint64_t made = 0;
	for (unsigned i = 0; i < bytes; i++)
		made |= (value >> 8 * i & 0xff) << 8 * (bytes - 1 - i);
	return made;
}

void dph_d_check_swap(const struct dph_d_check *c, struct d_node *node)
{
	struct d_node *of = node->list;
	const unsigned bytes = bytes_of(node);
	const struct d_type type = dph_d_type_integer(c->d, bytes, false);
	const bool good = dph_d_check_number(c, of, D_OP_INT, "the number");
	dph_d_set_wrong(node);
	if (!good)
		return;
	if (of->type.kind != D_TYPE_INTEGER) {
		dph_d_error(c->d, D_OP_INT, of->place, "the operand is %s; it must be an integer",
			    dph_d_type_text(c->d, &of->type));
		return;
	}
	dph_d_set_value(node, type);
	if (!of->constant)
		return;
	const uint64_t value = dph_d_type_narrow(&type, of->number);
	node->constant = true;
	node->number = c->d->program->target.big_endian ? value : swapped(value, bytes);
}

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
	dph_d_lower_as(l, node->list, &node->type);
	if (l->check.d->program->target.big_endian)
		return;
	if (!dph_d_is_long(&l->check, &node->type)) {
		swap(l, node->type.bytes);
		return;
	}
	/* The low word is on top. */
	swap(l, l->code->word_bytes);
	dph_d_emit(l->code, RPN_XCHG, 0);
	swap(l, l->code->word_bytes);
}
