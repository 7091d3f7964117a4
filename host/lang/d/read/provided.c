/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of declared probes. */
#define _GNU_SOURCE
#include "provided.h"

#include "symbols/hooks.h"

#include <ctype.h>
#include <string.h>

struct d_provided *dph_d_provided_named(struct d_provided *from, const char *provider,
					const char *name)
{
	while (from && (strcmp(from->provider, provider) != 0 || strcmp(from->name, name) != 0))
		from = from->next;
	return from;
}

const char *dph_d_probe_name(struct d_front *d, const char *word)
{
	return dph_hook_name(d->pool, word);
}

static struct d_node *make(struct d_front *d, enum d_node_kind kind, struct dph_place place,
			   const char *text)
{
	struct d_node *node = dph_pool_take(d->pool, sizeof(*node));
	*node = (struct d_node){.kind = kind, .place = place, .text = text, .of_file = true};
	return node;
}

struct d_node *dph_d_hook_argument(struct d_front *d, unsigned n, struct dph_place place, bool text)
{
	struct d_node *node = make(d, D_NODE_INDEX, place, "");
	node->a = make(d, D_NODE_NAME, place, "args");
	node->list = make(d, D_NODE_NUMBER, place, "");
	node->list->value = n;
	if (!text)
		return node;
	struct d_node *call = make(d, D_NODE_CALL, place, "stringof");
	call->list = node;
	return call;
}

int dph_d_argument_number(const char *name)
{
	return strncmp(name, "arg", 3) == 0 && isdigit((unsigned char)name[3]) && !name[4]
		       ? name[3] - '0'
		       : -1;
}

bool dph_d_is_args(const struct d_node *node)
{
	return node->kind == D_NODE_INDEX && node->a->kind == D_NODE_NAME &&
	       strcmp(node->a->text, "args") == 0;
}
