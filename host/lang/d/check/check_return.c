/* SPDX-License-Identifier: BSD-2-Clause */
/* return(): where a function may return at once, and with what. */
#define _GNU_SOURCE
#include "call.h"

#include "debuginfo/variable.h"
#include "lang/d/points/exits.h"
#include "lang/d/read/types.h"
#include "symbols/elf_image.h"

static void count_exit(void *context, const struct d_exit *exit)
{
	unsigned *count = context;
	(void)exit;
	++*count;
}

/* Why the function does not return so; null: it may. */
static const char *no_return(const struct dph_d_check *c)
{
	const char *function = c->point->part[DPH_PROBE_FUNCTION];
	const struct dp_symbol *symbol =
		c->d->image ? dp_image_function(c->d->image, c->point->address) : NULL;
	unsigned exits = 0;
	if (c->d->debug && dph_function_noreturn(c->d->debug, c->point->address))
		return dph_pool_print(c->d->pool, "%s never returns: it is marked noreturn",
				      function);
	if (symbol && dph_d_exits(c->d, symbol, count_exit, &exits) && !exits)
		return dph_pool_print(c->d->pool, "%s has no return instruction", function);
	return NULL;
}

/* Why no clause of the point may let its function return; null: one may. */
static const char *unreturnable(const struct dph_d_check *c)
{
	if (c->point->kind != D_POINT_ENTRY)
		return "'return' is for the entry of a function, before its first instruction: "
		       "write FUNCTION:entry";
	if (!c->d->writes)
		return "'return' changes what the firmware does: permit that with -w (--write)";
	if (c->d->lacks >> DP_PART_RETURN & 1)
		return "this agent cannot let functions return; build the firmware with "
		       "DP_PROFILE=DP_PROFILE_FULL and DP_WITH_LANGUAGE";
	return no_return(c);
}

/* Check the value for a result of the type. Returns false: said. */
static bool check_value(const struct dph_d_check *c, const struct d_node *node,
			const struct d_type *type)
{
	const char *function = c->point->part[DPH_PROBE_FUNCTION];
	struct d_node *value = node->list;
	if (type->kind == D_TYPE_VOID && value) {
		dph_d_error(c->d, D_PROTO_ARG, value->place, "%s returns nothing; write return()",
			    function);
		return false;
	}
	if (type->kind == D_TYPE_VOID)
		return true;
	if (!dph_d_type_scalar(type)) {
		dph_d_error(c->d, D_PROTO_ARG, node->place,
			    "%s returns a value that is no number or pointer; 'return' gives "
			    "numbers of 64 bits at most, and pointers",
			    function);
		return false;
	}
	if (!value) {
		dph_d_error(c->d, D_PROTO_ARG, node->place, "%s returns %s; write return(VALUE)",
			    function, dph_d_type_text(c->d, type));
		return false;
	}
	return dph_d_check_number(c, value, D_PROTO_ARG, "the result");
}

bool dph_d_check_return(const struct dph_d_check *c, const struct d_node *node)
{
	const char *why = unreturnable(c);
	const struct d_type type = dph_d_result_type(c);
	if (why)
		dph_d_error(c->d, D_HERE_STEP, node->place, "%s", why);
	return !why && check_value(c, node, &type);
}
