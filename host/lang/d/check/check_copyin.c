/* SPDX-License-Identifier: BSD-2-Clause */
/* copyin(address, n) is an array of n bytes at the address. The handler reads them where the array
 * is recorded, and an element where it is computed with. */
#include "check.h"

void dph_d_check_copyin(const struct dph_d_check *c, struct d_node *node)
{
	struct d_node *address = node->list, *bytes = address->next;
	const bool good = dph_d_check_scalar(c, address, D_PROTO_ARG, "the address");
	dph_d_check(c, bytes);
	dph_d_set_wrong(node);
	if (!good || dph_d_wrong(bytes))
		return;
	if (!bytes->is.constant || !bytes->is.number || bytes->is.number > D_RECORD_BYTES_MAX) {
		dph_d_error(c->d, D_PROTO_ARG, bytes->place,
			    "the number of bytes is a constant from 1 to %d", D_RECORD_BYTES_MAX);
		return;
	}
	const struct d_type byte = dph_d_type_integer(c->d, 1, false);
	node->is.type = dph_d_type_array(c->d, &byte, bytes->is.number);
	node->is.home = D_HOME_MEMORY;
	node->is.offset = 0;
}
