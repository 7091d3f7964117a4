/* SPDX-License-Identifier: BSD-2-Clause */
/* Elements of the program's arrays: their keys, and the bound. */
#define _GNU_SOURCE
#include "check.h"

/* A narrower key takes the width that the first use has given; a wider one does not fit. */
static bool key_fits(const struct dph_d_check *c, const struct d_node *key,
		     const struct d_variable *variable, unsigned n)
{
	struct d_type type = variable->key_types[n];
	const char *where = variable->declared ? "where it is declared" : "where it is used first";
	if (type.kind == D_TYPE_STRING)
		return true;
	const bool is_long = dph_d_is_long(c->d, &key->is.type) && !dph_d_key_is_wide(variable, n);
	const bool is_longer = variable->declared && type.kind == D_TYPE_INTEGER &&
			       key->is.type.bytes > 4 && type.bytes < key->is.type.bytes;
	if (!key->is.constant && (is_long || is_longer)) {
		dph_d_error(c->d, D_PROTO_ARG, key->place,
			    "this key of '%s' has 64 bits here, and fewer %s; cast it to uint32_t "
			    "here, or to uint64_t there",
			    variable->name, where);
		return false;
	}
	/* A narrow type of the first use becomes int where another key needs it. */
	if (!variable->declared && type.bytes < 4)
		type = dph_d_type_int(c->d);
	if (!key->is.constant || dph_d_constant_fits(key, &type))
		return true;
	dph_d_error(c->d, D_PROTO_ARG, key->place,
		    "the key %s of '%s' does not fit %s, the type %s; cast it to a wider type "
		    "there",
		    dph_d_constant_text(c->d, key), variable->name, dph_d_type_text(c->d, &type),
		    where);
	return false;
}

static void keep_key_types(const struct dph_d_check *c, const struct d_node *node,
			   struct d_variable *variable)
{
	unsigned n = 0;
	variable->key_types =
		dph_pool_take(c->d->pool, (variable->key_count + 1) * sizeof(*variable->key_types));
	for (const struct d_node *key = node->list; key; key = key->next)
		variable->key_types[n++] = key->is.type;
}

struct d_type dph_d_key_type(const struct d_front *d, const struct d_type *first,
			     const struct d_node *key)
{
	const unsigned word = d->program->target.word_bytes;
	struct d_type type = key->is.type;
	const bool numbers = first->kind == D_TYPE_INTEGER && type.kind == D_TYPE_INTEGER;
	const bool same = first->bytes == type.bytes && first->is_signed == type.is_signed;
	if (!numbers || (same && first->is_bool == type.is_bool) ||
	    (key->is.constant && dph_d_constant_fits(key, first)) ||
	    (first->bytes >= 4 && first->bytes >= type.bytes))
		return *first;
	if (type.bytes > word) /* a constant that fits a word */
		type = dph_d_type_integer(d, word, type.is_signed);
	return dph_d_type_common(d, first, &type);
}

/* The first use decides how many keys there are, and how wide each is. */
static bool check_keys(const struct dph_d_check *c, struct d_node *node,
		       struct d_variable *variable)
{
	unsigned count = 0, wide = 0, texts = 0;
	for (struct d_node *key = node->list; key; key = key->next, count++) {
		const unsigned bit = 1u << (count & 31);
		dph_d_check(c, key);
		if (!dph_d_wrong(key) && dph_d_is_text(key))
			texts |= bit;
		else if (!dph_d_check_checked_number(c, key, D_KEY_TYPE, "the key"))
			return false;
		else if (dph_d_is_long(c->d, &key->is.type))
			wide |= bit;
	}
	if (!variable->key_count) {
		variable->key_count = count;
		variable->key_texts = texts;
		variable->wide_keys = wide;
		keep_key_types(c, node, variable);
	}
	if (variable->key_count != count) {
		dph_d_error(c->d, D_PROTO_LEN, node->place, "'%s' has %u key(s) elsewhere, not %u",
			    variable->name, variable->key_count, count);
		return false;
	}
	if (variable->key_texts != texts) {
		dph_d_error(c->d, D_PROTO_ARG, node->place,
			    "a key of '%s' is a string in one place, and a number elsewhere",
			    variable->name);
		return false;
	}
	count = 0;
	for (struct d_node *key = node->list; key; key = key->next, count++) {
		if (!key_fits(c, key, variable, count))
			return false;
		if (!variable->declared)
			variable->key_types[count] =
				dph_d_key_type(c->d, &variable->key_types[count], key);
	}
	return true;
}

/* A constant index is compared here, another one at the hit. */
static bool in_bound(const struct dph_d_check *c, const struct d_node *node,
		     const struct d_variable *variable)
{
	const struct d_node *key = node->list;
	if (!variable->bound || !key->is.constant || key->is.number < variable->bound)
		return true;
	dph_d_error(c->d, D_ARR_BOUNDS, key->place,
		    "index %lld is outside of '%s', which has %u elements",
		    (long long)key->is.number, variable->name, variable->bound);
	return false;
}

bool dph_d_check_element(const struct dph_d_check *c, struct d_node *node)
{
	struct d_variable *variable = dph_d_variable_named(c->d, node->a);
	if (!variable || !variable->indexed)
		return false;
	dph_d_set_wrong(node);
	if (variable->scope == D_SCOPE_CLAUSE) {
		dph_d_error(c->d, D_OP_ARRFUN, node->place,
			    "a variable of this-> has no elements; use a global array, or self->%s",
			    variable->name);
		return true;
	}
	dph_d_check_variable(c, variable);
	if (!check_keys(c, node, variable) || !in_bound(c, node, variable) ||
	    !dph_d_storable(c, node, variable))
		return true;
	node->is.type = variable->type;
	node->is.home = D_HOME_ELEMENT;
	node->is.variable = variable;
	return true;
}
