/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls in expressions. */
#define _GNU_SOURCE
#include "call.h"

#include "entry.h"
#include "hosted.h"
#include "near.h"

#include <string.h>

/* Does the function exist, with this number of arguments? */
const struct d_function *dph_d_check_function(const struct dph_d_check *c,
					      const struct d_node *node)
{
	const struct d_function *function = dph_d_function_named(node->text);
	const unsigned count = dph_d_argument_count(node);
	struct dph_place place = node->place;
	struct dph_closest closest = dph_closest(node->text, strlen(node->text));
	place.bytes = strlen(node->text);
	for (size_t i = 0; i < dph_d_function_count; i++)
		if (dph_d_functions[i].how < D_CALL_LATER)
			dph_closest_try(&closest, dph_d_functions[i].name);
	if (!function) {
		const char *more = dph_d_instead(c, node->text, true);
		if (!more && closest.best)
			more = dph_d_meant_text(c, closest.best);
		dph_d_error(c->d, D_FUNC_UNDEF, place, "unknown function '%s'%s", node->text,
			    more ? more : "; D calls no functions of the firmware");
		return NULL;
	}
	if (function->how == D_CALL_AGGREGATE) {
		dph_d_error(c->d, D_AGG_NULL, place,
			    "'%s' has no value; assign it to an aggregation: @name = %s(...)",
			    node->text, node->text);
		return NULL;
	}
	if (function->how == D_CALL_LATER || function->how == D_CALL_NEVER) {
		dph_d_error(c->d, function->how == D_CALL_LATER ? D_HERE_STEP : D_HERE_METAL, place,
			    "'%s': %s", node->text, function->text);
		return NULL;
	}
	if (count >= function->least && count <= function->most)
		return function;
	if (function->least == function->most)
		dph_d_error(c->d, D_PROTO_LEN, node->place, "'%s' has %u argument(s), not %u",
			    node->text, function->least, count);
	else
		dph_d_error(c->d, D_PROTO_LEN, node->place, "'%s' has %u to %u arguments, not %u",
			    node->text, function->least, function->most, count);
	return NULL;
}

/* --- calls in expressions ------------------------------------------------------------------- */

static void check_action(const struct dph_d_check *c, struct d_node *node)
{
	dph_d_error(c->d, D_OP_SCALAR, node->place, "'%s' is an action, which has no value",
		    node->text);
}

static void check_address(const struct dph_d_check *c, struct d_node *node)
{
	dph_d_error(c->d, D_STRINGOF_TYPE, node->place,
		    "the result of '%s' can be recorded, and not computed with", node->text);
}

static void check_stack(const struct dph_d_check *c, struct d_node *node)
{
	dph_d_error(
		c->d, D_HERE_STEP, node->place,
		"agents cannot walk the stack yet; '%s' can be recorded alone, with "
		"printf(\"%%k\"), and, with -x stackagg=host, as a key of an aggregation, which "
		"the host counts",
		node->text);
}

static void check_int(const struct dph_d_check *c, struct d_node *node)
{
	dph_d_set_value(node, dph_d_type_int(c->d));
}

static void (*const checks[D_CALLS])(const struct dph_d_check *, struct d_node *) = {
#define CALL(how, check, code, record) check,
#include "lang/d/read/calls.def"
};

/* In an expression only a function that has a value is allowed. */
void dph_d_check_call(const struct dph_d_check *c, struct d_node *node)
{
	const struct d_function *function = dph_d_check_function(c, node);
	dph_d_set_wrong(node);
	if (function)
		checks[function->how](c, node);
}
