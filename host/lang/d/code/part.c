/* SPDX-License-Identifier: BSD-2-Clause */
/* Members of a struct that a variable of the program keeps: each is a part of a word, or whole
 * words. */
#include "part.h"

#include "object.h"

bool dph_d_is_part(const struct d_node *node)
{
	return node->is.home == D_HOME_LOCATION && node->is.variable;
}

static unsigned word_index(struct d_lower *l, const struct d_node *part)
{
	return dph_d_variable_index(l, part->is.variable) +
	       (unsigned)(part->is.offset / l->code->word_bytes);
}

/* Bits of the word below the part, and bits of the part. */
static void bits_of(const struct d_lower *l, const struct d_node *part, unsigned *below,
		    unsigned *bits)
{
	const struct dph_member *member = &part->is.member;
	const unsigned word = l->code->word_bytes;
	const unsigned bytes = member->bits ? member->load_bytes : part->is.type.bytes;
	const unsigned at = (unsigned)(part->is.offset % word);
	const unsigned under = l->d->program->target.big_endian ? word - at - bytes : at;
	*bits = member->bits ? member->bits : bytes * 8;
	*below = under * 8 + (member->bits ? member->shift : 0);
}

/* v -- ; other bits of the word stay. */
static void put_bits(struct d_lower *l, unsigned index, unsigned below, unsigned bits)
{
	const uint64_t mask = (UINT64_C(1) << bits) - 1;
	dph_d_push(l->code, mask);
	dph_d_emit(l->code, RPN_AND, 0);
	if (below)
		dph_d_emit(l->code, RPN_SHL_N, below);
	dph_d_emit(l->code, RPN_PUSH_LV_N, index);
	dph_d_push(l->code, ~(mask << below));
	dph_d_emit(l->code, RPN_AND, 0);
	dph_d_emit(l->code, RPN_OR, 0);
	dph_d_emit(l->code, RPN_POP_LV_N, index);
}

/* v -- */
static void put(struct d_lower *l, const struct d_node *part)
{
	const unsigned index = word_index(l, part), word = l->code->word_bytes;
	unsigned below, bits;
	bits_of(l, part, &below, &bits);
	if (bits < word * 8) {
		put_bits(l, index, below, bits);
		return;
	}
	for (unsigned i = 0; i < bits / 8 / word; i++)
		dph_d_emit(l->code, RPN_POP_LV_N, index + i);
}

void dph_d_lower_part_assign(struct d_lower *l, struct d_node *node, bool used)
{
	dph_d_lower_new_value(l, node);
	put(l, node->a);
	if (used)
		dph_d_lower_value(l, node->a);
}

void dph_d_lower_part_step(struct d_lower *l, struct d_node *node, bool used)
{
	const bool before = used && node->postfix;
	if (before)
		dph_d_lower_value(l, node->a);
	dph_d_lower_value(l, node->a);
	dph_d_lower_step_value(l, node);
	put(l, node->a);
	if (used && !before)
		dph_d_lower_value(l, node->a);
}
