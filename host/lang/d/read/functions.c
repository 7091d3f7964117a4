/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of functions, and what a call of each is. */
#define _GNU_SOURCE
#include "functions.h"

#include <string.h>

const struct d_function dph_d_functions[] = {
#define ACTION(name, how, least, most, text) {#name, D_CALL_##how, least, most, text},
#include "actions.def"
};
const size_t dph_d_function_count = sizeof(dph_d_functions) / sizeof(*dph_d_functions);

const struct d_function *dph_d_function_named(const char *name)
{
	for (size_t i = 0; i < dph_d_function_count; i++)
		if (strcmp(dph_d_functions[i].name, name) == 0)
			return &dph_d_functions[i];
	return NULL;
}

const struct d_function *dph_d_called(const struct d_node *node)
{
	return node->kind == D_NODE_CALL ? dph_d_function_named(node->text) : NULL;
}

bool dph_d_calls(const struct d_node *node, enum d_how how)
{
	const struct d_function *function = dph_d_called(node);
	return function && function->how == how;
}

unsigned dph_d_argument_count(const struct d_node *call)
{
	unsigned count = 0;
	for (const struct d_node *argument = call->list; argument; argument = argument->next)
		count++;
	return count;
}

enum dph_format_type_kind dph_d_address_kind(const struct d_node *call)
{
	return dph_d_calls(call, D_CALL_SYMBOL)   ? DPH_FORMAT_SYMBOL
	       : dph_d_calls(call, D_CALL_MODULE) ? DPH_FORMAT_MODULE
						  : DPH_FORMAT_FUNCTION;
}

struct d_node *dph_d_wrapped(struct d_node *node, bool *string)
{
	const struct d_function *function = dph_d_called(node);
	if (!function || (function->how != D_CALL_ADDRESS && function->how != D_CALL_SYMBOL &&
			  function->how != D_CALL_MODULE && function->how != D_CALL_STRING))
		return NULL;
	const unsigned count = dph_d_argument_count(node);
	*string = function->how == D_CALL_STRING;
	return count >= function->least && count <= function->most ? node->list : NULL;
}

bool dph_d_changes(const struct d_node *node)
{
	if (!node)
		return false;
	return node->kind == D_NODE_ASSIGN || node->kind == D_NODE_STEP ||
	       dph_d_calls(node, D_CALL_RANDOM) || dph_d_calls(node, D_CALL_SPECULATION) ||
	       dph_d_changes(node->a) || dph_d_changes(node->b) || dph_d_changes(node->c) ||
	       dph_d_changes(node->list) || dph_d_changes(node->next);
}
