/* SPDX-License-Identifier: BSD-2-Clause */
/* Variables of a program, and copies of trees. */
#define _GNU_SOURCE
#include "tree.h"

#include <string.h>

struct d_variable *dph_d_variable_find(const struct d_front *d, enum d_scope scope,
				       const char *name)
{
	for (struct d_variable *v = d->variables; v; v = v->next)
		if (v->scope == scope && strcmp(v->name, name) == 0)
			return v;
	return NULL;
}

struct d_variable *dph_d_variable_make(struct d_front *d, enum d_scope scope, const char *name,
				       struct dph_place place)
{
	struct d_variable *variable = dph_pool_take(d->pool, sizeof(*variable));
	*variable = (struct d_variable){
		.next = d->variables, .scope = scope, .name = name, .place = place};
	d->variables = variable;
	return variable;
}

struct d_variable *dph_d_variable_named(const struct d_front *d, const struct d_node *node)
{
	if (node->of_file)
		return NULL;
	if (node->kind == D_NODE_SCOPED)
		return dph_d_variable_find(d, node->scope, node->text);
	return node->kind == D_NODE_NAME ? dph_d_variable_find(d, D_SCOPE_GLOBAL, node->text)
					 : NULL;
}

struct d_variable *dph_d_variable_of(const struct d_front *d, const struct d_node *node)
{
	return dph_d_variable_named(d, node->kind == D_NODE_INDEX ? node->a : node);
}

struct d_node *dph_d_copy(struct d_front *d, const struct d_node *node)
{
	if (!node)
		return NULL;
	struct d_node *copy = dph_pool_take(d->pool, sizeof(*copy));
	*copy = *node;
	copy->a = dph_d_copy(d, node->a);
	copy->b = dph_d_copy(d, node->b);
	copy->c = dph_d_copy(d, node->c);
	copy->list = dph_d_copy(d, node->list);
	copy->next = dph_d_copy(d, node->next);
	return copy;
}
