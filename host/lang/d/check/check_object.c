/* SPDX-License-Identifier: BSD-2-Clause */
/* Structs in variables of the program. */
#define _GNU_SOURCE
#include "check.h"

#include <string.h>

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
	node->is.type = variable->type;
	node->is.home = D_HOME_LOCATION;
	node->is.variable = variable;
	node->is.location = words_location(c->d, dph_d_object_words(c->d, &variable->type));
	node->is.offset = 0;
}

/* Is the node a struct in a variable? */
static bool is_object(const struct d_node *node)
{
	return node->is.home == D_HOME_LOCATION && node->is.variable &&
	       node->is.type.kind == D_TYPE_STRUCT;
}

bool dph_d_check_part(const struct dph_d_check *c, const struct d_node *to)
{
	const unsigned word = c->d->program->target.word_bytes;
	const bool whole = to->kind == D_NODE_NAME || to->kind == D_NODE_SCOPED;
	const bool number = to->is.type.kind != D_TYPE_STRUCT;
	const uint64_t at = to->is.offset % word;
	uint64_t bytes = 0;
	dph_d_type_bytes(c->d, &to->is.type, &bytes);
	if (to->is.member.bits)
		bytes = to->is.member.load_bytes;
	if (whole || (number && at + bytes <= word) || (at == 0 && bytes % word == 0))
		return true;
	dph_d_error(c->d, D_HERE_STEP, to->place,
		    "this part of the variable begins or ends within a word of %u bytes; assign "
		    "the struct around it",
		    word);
	return false;
}

void dph_d_check_object_assign(const struct dph_d_check *c, struct d_node *node)
{
	struct d_node *to = node->a, *value = node->b;
	dph_d_check(c, to);
	dph_d_set_wrong(node);
	if (dph_d_wrong(to))
		return;
	const char *type = dph_d_type_text(c->d, &value->is.type);
	if (!is_object(to))
		dph_d_error(c->d, D_OP_INCOMPAT, value->place,
			    "%s does not fit here; a variable that keeps a struct is global or "
			    "this->",
			    type);
	else if (strcmp(type, dph_d_type_text(c->d, &to->is.type)) != 0)
		dph_d_error(c->d, D_OP_INCOMPAT, value->place,
			    "%s does not fit a variable of type %s", type,
			    dph_d_type_text(c->d, &to->is.type));
	else if (value->is.home != D_HOME_MEMORY && value->is.home != D_HOME_LOCATION)
		dph_d_error(c->d, D_OP_LVAL, value->place,
			    "the struct is neither in memory nor a variable");
	else if (dph_d_check_part(c, to))
		dph_d_set_value(node, to->is.type);
}
