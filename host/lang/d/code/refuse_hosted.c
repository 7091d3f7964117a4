/* SPDX-License-Identifier: BSD-2-Clause */
/* A value of the host that the target needs. */
#define _GNU_SOURCE
#include "lower.h"

#include <string.h>

void dph_d_refuse_hosted(struct d_lower *l, const struct d_node *node)
{
	const bool search = strcmp(node->text, "index") == 0 || strcmp(node->text, "strchr") == 0;
	if (node->is.function == DPH_FUNCTION_walltimestamp) {
		dph_d_error(l->d, D_HOST_ONLY, node->place,
			    "the target has no clock of day, and needs its result here; use "
			    "timestamp, or record walltimestamp with printf() or trace()");
		return;
	}
	dph_d_error(l->d, D_HOST_ONLY, node->place,
		    "'%s' is evaluated by the host, and the target needs its result here; record "
		    "it with printf() or trace()%s",
		    node->text,
		    search ? ". The target looks for one constant character in a string of the "
			     "firmware"
			   : "");
}
