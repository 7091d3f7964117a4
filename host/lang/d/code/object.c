/* SPDX-License-Identifier: BSD-2-Clause */
/* A struct in a variable is copied word by word. Its words have the order of memory: the first
 * program variable has the bytes of the lowest addresses. */
#include "object.h"

/* Push `bytes` bytes at byte `at` of the struct, whose address is in program variable `kept` where
 * it is in memory. */
static void push_part(struct d_lower *l, const struct d_node *node, uint64_t at, unsigned bytes,
		      unsigned kept)
{
	struct d_node part = *node;
	if (node->is.home == D_HOME_LOCATION) {
		part.is.offset += at;
		part.is.type = dph_d_type_integer(l->d, bytes, false);
		dph_d_lower_location(l, &part, bytes);
		return;
	}
	dph_d_emit(l->code, RPN_PUSH_LV_N, kept);
	dph_d_add_constant(l, at);
	dph_d_load(l, bytes, false);
}

/* Push a word of the struct. The last one may have fewer bytes, which a power of two at a time
 * fetches. */
static void push_word(struct d_lower *l, const struct d_node *node, uint64_t at, unsigned bytes,
		      unsigned kept)
{
	const unsigned word = l->code->word_bytes;
	const bool big = l->d->program->target.big_endian;
	for (unsigned done = 0, run; done < bytes; done += run) {
		for (run = word; run > bytes - done;)
			run /= 2;
		const unsigned below = big ? word - done - run : done;
		l->depth += done != 0;
		push_part(l, node, at + done, run, kept);
		l->depth -= done != 0;
		if (below)
			dph_d_emit(l->code, RPN_SHL_N, below * 8);
		if (done)
			dph_d_emit(l->code, RPN_OR, 0);
	}
}

/* Evaluate the address once. Returns the program variable that has it. */
static unsigned keep_address(struct d_lower *l, struct d_node *node)
{
	const unsigned kept = dph_d_temp(l, D_TEMPS_WORK - 1);
	if (node->is.home == D_HOME_LOCATION)
		return 0;
	dph_d_lower_address(l, node);
	dph_d_emit(l->code, RPN_POP_LV_N, kept);
	return kept;
}

void dph_d_push_object(struct d_lower *l, struct d_node *node)
{
	const unsigned word = l->code->word_bytes, kept = keep_address(l, node);
	uint64_t bytes = 0;
	dph_d_type_bytes(l->d, &node->is.type, &bytes);
	const unsigned words = dph_d_words_of(l->d, bytes), depth = l->depth;
	for (unsigned i = words; i-- > 0; l->depth++) {
		const uint64_t left = bytes - (uint64_t)i * word;
		push_word(l, node, (uint64_t)i * word, left < word ? (unsigned)left : word, kept);
	}
	l->depth = depth;
}

void dph_d_lower_object_assign(struct d_lower *l, struct d_node *node)
{
	const unsigned words = dph_d_object_words(l->d, &node->is.type);
	const unsigned index = dph_d_variable_index(l, node->a->is.variable) +
			       (unsigned)(node->a->is.offset / l->code->word_bytes);
	dph_d_push_object(l, node->b);
	for (unsigned i = 0; i < words; i++)
		dph_d_emit(l->code, RPN_POP_LV_N, index + i);
}
