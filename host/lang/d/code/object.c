/* SPDX-License-Identifier: BSD-2-Clause */
/* A struct in a variable is copied word by word. Its words have the order of memory: the first
 * program variable has the bytes of the lowest addresses. */
#include "object.h"

#include "lang/d/types/declared.h"

#include <string.h>

unsigned dph_d_object_bytes(const struct d_front *d, const struct d_type *type)
{
	uint64_t bytes = 0;
	if (type->kind != D_TYPE_STRUCT || !dph_d_type_bytes(d, type, &bytes) ||
	    bytes > D_OBJECT_BYTES_MAX)
		return 0;
	return (unsigned)bytes;
}

static unsigned words_of(const struct d_front *d, uint64_t bytes)
{
	const unsigned word = d->program->target.word_bytes;
	return (unsigned)(bytes + word - 1) / word;
}

unsigned dph_d_object_words(const struct d_front *d, const struct d_type *type)
{
	return words_of(d, dph_d_object_bytes(d, type));
}

/* --- checks -------------------------------------------------------------------------------- */

/* A piece for each word of the variable. */
static const struct dph_location *words_location(const struct d_front *d, unsigned words)
{
	struct dph_location *location = dph_pool_take(d->pool, sizeof(*location));
	struct dph_piece *pieces = dph_pool_take(d->pool, words * sizeof(*pieces));
	for (unsigned i = 0; i < words; i++)
		pieces[i] = (struct dph_piece){.kind = DPH_PIECE_PROGRAM,
					       .bits = 8 * d->program->target.word_bytes,
					       .reg = i};
	*location = (struct dph_location){.pieces = pieces, .count = words};
	return location;
}

void dph_d_set_object(const struct dph_d_check *c, struct d_node *node, struct d_variable *variable)
{
	node->type = variable->type;
	node->home = D_HOME_LOCATION;
	node->variable = variable;
	node->location = words_location(c->d, dph_d_object_words(c->d, &variable->type));
	node->offset = 0;
}

/* Is the node a variable that keeps a struct, as a whole? */
static bool is_object(const struct d_node *node)
{
	return (node->kind == D_NODE_NAME || node->kind == D_NODE_SCOPED) &&
	       node->home == D_HOME_LOCATION && node->variable;
}

void dph_d_check_object_assign(const struct dph_d_check *c, struct d_node *node)
{
	struct d_node *to = node->a, *value = node->b;
	dph_d_check(c, to);
	dph_d_set_wrong(node);
	if (dph_d_wrong(to))
		return;
	const char *type = dph_d_type_text(c->d, &value->type);
	if (!is_object(to))
		dph_d_error(c->d, D_OP_INCOMPAT, value->place,
			    "%s does not fit here; a variable that keeps a struct is global or "
			    "this->",
			    type);
	else if (node->op != D_OP_NONE)
		dph_d_error(c->d, D_OP_INT, value->place,
			    "the operand is %s; it must be an integer", type);
	else if (strcmp(type, dph_d_type_text(c->d, &to->type)) != 0)
		dph_d_error(c->d, D_OP_INCOMPAT, value->place,
			    "%s does not fit a variable of type %s", type,
			    dph_d_type_text(c->d, &to->type));
	else if (value->home != D_HOME_MEMORY && value->home != D_HOME_LOCATION)
		dph_d_error(c->d, D_OP_LVAL, value->place,
			    "the struct is neither in memory nor a variable");
	else
		dph_d_set_value(node, to->type);
}

/* --- code ---------------------------------------------------------------------------------- */

/* Push `bytes` bytes at byte `at` of the struct, whose address is in program variable `kept` where
 * it is in memory. */
static void push_part(struct d_lower *l, const struct d_node *node, uint64_t at, unsigned bytes,
		      unsigned kept)
{
	struct d_node part = *node;
	if (node->home == D_HOME_LOCATION) {
		part.offset += at;
		part.type = dph_d_type_integer(l->check.d, bytes, false);
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
	const bool big = l->check.d->program->target.big_endian;
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
	if (node->home == D_HOME_LOCATION)
		return 0;
	dph_d_lower_address(l, node);
	dph_d_emit(l->code, RPN_POP_LV_N, kept);
	return kept;
}

void dph_d_push_object(struct d_lower *l, struct d_node *node)
{
	const unsigned word = l->code->word_bytes, kept = keep_address(l, node);
	uint64_t bytes = 0;
	dph_d_type_bytes(l->check.d, &node->type, &bytes);
	const unsigned words = words_of(l->check.d, bytes), depth = l->depth;
	for (unsigned i = words; i-- > 0; l->depth++) {
		const uint64_t left = bytes - (uint64_t)i * word;
		push_word(l, node, (uint64_t)i * word, left < word ? (unsigned)left : word, kept);
	}
	l->depth = depth;
}

void dph_d_lower_object_assign(struct d_lower *l, struct d_node *node)
{
	const unsigned words = dph_d_object_words(l->check.d, &node->type);
	const unsigned index = dph_d_variable_index(l, node->a->variable);
	dph_d_push_object(l, node->b);
	for (unsigned i = 0; i < words; i++)
		dph_d_emit(l->code, RPN_POP_LV_N, index + i);
}
