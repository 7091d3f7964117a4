/* SPDX-License-Identifier: BSD-2-Clause */
/* Variables that assignments make. */
#include "parse.h"

#include <string.h>

void dph_d_note_variable(struct d_parser *p, struct d_node *node)
{
	const bool indexed = node->a->kind == D_NODE_INDEX;
	const struct d_node *to = indexed ? node->a->a : node->a;
	const enum d_scope scope = to->kind == D_NODE_SCOPED ? to->scope : D_SCOPE_GLOBAL;
	if (indexed && to->kind == D_NODE_NAME && strcmp(to->text, "args") == 0)
		return;
	if (to->kind != D_NODE_NAME && to->kind != D_NODE_SCOPED)
		return;
	struct d_variable *variable = dph_d_variable_find(p->d, scope, to->text);
	if (!variable && !dph_d_count(p, &p->variables, D_VARIABLES_MAX, to->place, "variables"))
		return;
	if (!variable)
		variable = dph_d_variable_make(p->d, scope, to->text, to->place);
	variable->indexed = variable->indexed || indexed;
	if (!variable->first) {
		variable->first = node;
		variable->clause = p->clause;
	}
}
