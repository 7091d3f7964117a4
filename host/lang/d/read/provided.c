/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of declared probes. */
#define _GNU_SOURCE
#include "provided.h"

#include <ctype.h>
#include <string.h>

struct d_provided *dph_d_provided_named(struct d_provided *from, const char *provider,
					const char *name)
{
	while (from && (strcmp(from->provider, provider) != 0 || strcmp(from->name, name) != 0))
		from = from->next;
	return from;
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
