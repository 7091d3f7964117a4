/* SPDX-License-Identifier: BSD-2-Clause */
/* htons and its kin: the type, and the value of a constant. */
#define _GNU_SOURCE
#include "check.h"

#include <string.h>

/* htons and ntohs have 2 bytes, htonl and ntohl 4, htonll and ntohll 8. */
static unsigned bytes_of(const struct d_node *node)
{
	const char *tail = node->text + strlen("hton");
	return *tail == 's' ? 2 : tail[1] == 'l' ? 8 : 4;
}

static uint64_t swapped(uint64_t value, unsigned bytes)
{
	uint64_t made = 0;
	for (unsigned i = 0; i < bytes; i++)
		made |= (value >> 8 * i & 0xff) << 8 * (bytes - 1 - i);
	return made;
}

void dph_d_check_swap(const struct dph_d_check *c, struct d_node *node)
{
	struct d_node *of = node->list;
	const unsigned bytes = bytes_of(node);
	const struct d_type type = dph_d_type_integer(c->d, bytes, false);
	const bool good = dph_d_check_number(c, of, D_OP_INT, "the number");
	dph_d_set_wrong(node);
	if (!good)
		return;
	if (of->is.type.kind != D_TYPE_INTEGER) {
		dph_d_error(c->d, D_OP_INT, of->place, "the operand is %s; it must be an integer",
			    dph_d_type_text(c->d, &of->is.type));
		return;
	}
	dph_d_set_value(node, type);
	if (!of->is.constant)
		return;
	const uint64_t value = dph_d_type_narrow(&type, of->is.number);
	node->is.constant = true;
	node->is.number = c->d->program->target.big_endian ? value : swapped(value, bytes);
}
