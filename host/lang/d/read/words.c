/* SPDX-License-Identifier: BSD-2-Clause */
/* Words of the target that values take, and which texts have their bytes there. */
#define _GNU_SOURCE
#include "words.h"

#include <string.h>

bool dph_d_is_long(const struct d_front *d, const struct d_type *type)
{
	return type->kind == D_TYPE_INTEGER && type->bytes > d->program->target.word_bytes;
}

bool dph_d_is_text(const struct d_node *node)
{
	return node->is.type.kind == D_TYPE_STRING;
}

bool dph_d_is_bytes(const struct d_node *node)
{
	if (!dph_d_is_text(node) || node->is.home == D_HOME_FIELD)
		return false;
	if (node->is.home == D_HOME_VARIABLE || node->is.home == D_HOME_ELEMENT)
		return node->is.variable->bytes;
	if (node->is.home != D_HOME_VALUE)
		return true;
	if (node->kind == D_NODE_CHOICE)
		return dph_d_is_bytes(node->b) || dph_d_is_bytes(node->c);
	return dph_d_is_bytes(node->kind == D_NODE_CALL ? node->list : node->a);
}

bool dph_d_key_is_bytes(const struct d_front *d, const char *aggregation, unsigned n)
{
	for (const struct d_key_texts *k = d->key_texts; k; k = k->next)
		if (strcmp(k->name, aggregation) == 0)
			return k->bytes >> n & 1;
	return false;
}

unsigned dph_d_text_words(const struct d_front *d)
{
	const unsigned word = d->program->target.word_bytes;
	return (d->key_size + word - 1) / word;
}

unsigned dph_d_variable_words(const struct d_front *d, const struct d_variable *variable)
{
	if (variable->type.kind == D_TYPE_STRING)
		return variable->bytes ? dph_d_text_words(d) : 1;
	if (variable->type.kind == D_TYPE_STRUCT)
		return dph_d_object_words(d, &variable->type);
	return dph_d_is_long(d, &variable->type) ? 2 : 1;
}

unsigned dph_d_value_words(const struct d_front *d, const struct d_node *node)
{
	if (dph_d_is_bytes(node))
		return dph_d_text_words(d);
	return dph_d_is_long(d, &node->is.type) ? 2 : 1;
}

bool dph_d_is_string(const struct d_front *d, const struct d_node *node)
{
	if (node->is.type.kind == D_TYPE_STRING)
		return true;
	const struct d_type target = dph_d_type_target(d, &node->is.type);
	return target.kind == D_TYPE_INTEGER && target.is_char;
}

unsigned dph_d_object_bytes(const struct d_front *d, const struct d_type *type)
{
	uint64_t bytes = 0;
	if (type->kind != D_TYPE_STRUCT || !dph_d_type_bytes(d, type, &bytes) ||
	    bytes > D_OBJECT_BYTES_MAX)
		return 0;
	return (unsigned)bytes;
}

unsigned dph_d_words_of(const struct d_front *d, uint64_t bytes)
{
	const unsigned word = d->program->target.word_bytes;
	return (unsigned)(bytes + word - 1) / word;
}

unsigned dph_d_object_words(const struct d_front *d, const struct d_type *type)
{
	return dph_d_words_of(d, dph_d_object_bytes(d, type));
}

bool dph_d_key_is_wide(const struct d_variable *variable, unsigned key)
{
	return key < DP_MAP_KEYS_MAX && (variable->wide_keys >> key & 1);
}
