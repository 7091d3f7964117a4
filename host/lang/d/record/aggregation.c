/* SPDX-License-Identifier: BSD-2-Clause */
/* An update of an aggregation pushes the keys and the value; a map of the target does the rest. A
 * distribution has one more key: the bucket of the value. */
#define _GNU_SOURCE
#include "aggregation.h"

#include "lang/d/check/near.h"
#include "lang/d/code/moment.h"

#include <stdlib.h>
#include <string.h>

static const struct function {
	const char *name;
	unsigned map, holds, least, most;
} functions[DPH_AGGREGATES] = {
#define AGGREGATION(name, map, least, most, value)                                                 \
	[DPH_AGGREGATE_##name] = {#name, DP_MAP_##map, DP_MAP_HOLDS_##map, least, most},
#include "format/aggregations.def"
};

static bool is_distribution(enum dph_aggregate function)
{
	return function >= DPH_AGGREGATE_quantize;
}

bool dph_d_is_aggregation(const struct d_node *node)
{
	return node->kind == D_NODE_ASSIGN && node->a->kind == D_NODE_AGGREGATION;
}

/* --- the function -------------------------------------------------------------------------- */

static void wrong_count(const struct dph_d_check *c, const struct d_node *call,
			const struct function *function, unsigned count)
{
	if (function->least == function->most)
		dph_d_error(c->d, D_PROTO_LEN, call->place, "'%s' has %u argument(s), not %u",
			    call->text, function->least, count);
	else
		dph_d_error(c->d, D_PROTO_LEN, call->place, "'%s' has %u to %u arguments, not %u",
			    call->text, function->least, function->most, count);
}

static bool function_of(const struct dph_d_check *c, const struct d_node *node,
			enum dph_aggregate *function)
{
	const struct d_node *call = node->b;
	unsigned count = 0;
	if (node->op != D_OP_NONE || call->kind != D_NODE_CALL) {
		dph_d_error(c->d, D_AGG_FUNC, call->place,
			    "an aggregation is assigned a function such as count() or sum(e)");
		return false;
	}
	for (const struct d_node *argument = call->list; argument; argument = argument->next)
		count++;
	for (size_t i = 0; i < DPH_AGGREGATES; i++)
		if (strcmp(functions[i].name, call->text) == 0) {
			*function = (enum dph_aggregate)i;
			if (count >= functions[i].least && count <= functions[i].most)
				return true;
			wrong_count(c, call, &functions[i], count);
			return false;
		}
	dph_d_error(c->d, D_AGG_FUNC, call->place, "'%s' is no aggregating function%s", call->text,
		    dph_d_instead_of_aggregate(c, call->text));
	return false;
}

/* --- constants of a scale ------------------------------------------------------------------ */

static bool constant(const struct dph_d_check *c, struct d_node *node, enum d_tag tag,
		     int64_t least, int64_t most, int64_t *value)
{
	dph_d_check(c, node);
	if (dph_d_wrong(node))
		return false;
	*value = (int64_t)node->is.number;
	if (node->is.constant && *value >= least && *value <= most)
		return true;
	dph_d_error(c->d, tag, node->place, "this is a constant from %lld to %lld",
		    (long long)least, (long long)most);
	return false;
}

/* Such a value may be so large that its distance from a base below 0 does not fit 64 bits. */
static bool is_wide_unsigned(const struct d_type *type)
{
	return type->bytes == sizeof(uint64_t) &&
	       !(type->kind == D_TYPE_INTEGER && type->is_signed);
}

static bool linear_scale(const struct dph_d_check *c, struct d_node *arguments, int64_t *scale)
{
	struct d_node *base = arguments->next, *limit = base->next, *step = limit->next;
	int64_t end, by = 1;
	if (!constant(c, base, D_LQUANT_BASETYPE, INT32_MIN, INT32_MAX, &scale[0]) ||
	    !constant(c, limit, D_LQUANT_LIMTYPE, INT32_MIN, INT32_MAX, &end) ||
	    (step && !constant(c, step, D_LQUANT_STEPTYPE, 1, INT32_MAX, &by)))
		return false;
	if (end <= scale[0]) {
		dph_d_error(c->d, D_LQUANT_MISMATCH, limit->place,
			    "the limit is not above the base");
		return false;
	}
	if (scale[0] < 0 && is_wide_unsigned(&arguments->is.type)) {
		dph_d_error(c->d, D_LQUANT_BASETYPE, base->place,
			    "the base is negative, and the value is unsigned and has 64 bits; cast "
			    "the value to int64_t");
		return false;
	}
	scale[1] = by;
	scale[2] = (end - scale[0] + by - 1) / by;
	if (end - scale[0] < by || scale[2] > DP_SCALE_LEVELS_MAX) {
		dph_d_error(c->d, end - scale[0] < by ? D_LQUANT_STEPLARGE : D_LQUANT_STEPSMALL,
			    step ? step->place : limit->place,
			    end - scale[0] < by
				    ? "the step is larger than the distance from base to limit"
				    : "the step makes more than %d levels",
			    DP_SCALE_LEVELS_MAX);
		return false;
	}
	return true;
}

/* Is factor^(high + 1) below 2^63? */
static bool fits(int64_t factor, int64_t high)
{
	int64_t value = 1;
	for (; high >= 0; high--) {
		if (value > INT64_MAX / factor)
			return false;
		value *= factor;
	}
	return true;
}

static bool magnitude_scale(const struct dph_d_check *c, struct d_node *arguments, int64_t *scale)
{
	static const struct {
		enum d_tag tag;
		int64_t least, most;
	} is[4] = {{D_LLQUANT_FACTORTYPE, 2, 255},
		   {D_LLQUANT_LOWTYPE, 0, 62},
		   {D_LLQUANT_HIGHTYPE, 0, 62},
		   {D_LLQUANT_NSTEPTYPE, 1, DP_SCALE_LEVELS_MAX}};
	struct d_node *argument = arguments->next;
	for (size_t i = 0; i < 4; i++, argument = argument->next)
		if (!constant(c, argument, is[i].tag, is[i].least, is[i].most, &scale[i]))
			return false;
	if (scale[1] > scale[2] || !fits(scale[0], scale[2]) ||
	    scale[3] * (scale[2] - scale[1] + 1) > DP_SCALE_LEVELS_MAX) {
		dph_d_error(
			c->d, D_LLQUANT_MAGTOOBIG, arguments->next->place,
			scale[1] > scale[2]
				? "the low magnitude is above the high one"
				: "these magnitudes and steps are more than the target can count");
		return false;
	}
	if (scale[3] % scale[0] && scale[0] % scale[3]) {
		dph_d_error(c->d, D_LLQUANT_FACTORMATCH, arguments->next->place,
			    "neither the factor nor the number of steps divides the other");
		return false;
	}
	return true;
}

bool dph_d_check_scale(const struct dph_d_check *c, struct d_node *arguments,
		       enum dph_aggregate function, int64_t *scale)
{
	if (function == DPH_AGGREGATE_lquantize)
		return linear_scale(c, arguments, scale);
	return function != DPH_AGGREGATE_llquantize || magnitude_scale(c, arguments, scale);
}

/* --- the map ------------------------------------------------------------------------------- */

bool dph_d_aggregation_named(const struct d_front *d, const char *name, uint32_t *index)
{
	const struct d_format_table *f = d->formats;
	for (size_t i = 0; i < f->aggregation_count; i++)
		if (strcmp(f->aggregations[i].name, name) == 0) {
			*index = (uint32_t)i;
			return true;
		}
	return false;
}

static bool is_same_constant(const struct dph_format_constant *a,
			     const struct dph_format_constant *b)
{
	if (!a->text || !b->text)
		return a->text == b->text && a->number == b->number;
	return strcmp(a->text, b->text) == 0;
}

static bool is_same_function(const struct dph_format_key_function *a,
			     const struct dph_format_key_function *b)
{
	bool same = a->key == b->key && a->function == b->function && a->text == b->text &&
		    a->operand_count == b->operand_count;
	for (unsigned i = 0; same && i < a->operand_count; i++)
		same = is_same_constant(&a->operands[i], &b->operands[i]);
	return same;
}

bool dph_d_key_functions_agree(const struct dph_format_aggregation *a,
			       const struct dph_format_aggregation *b)
{
	bool same = a->key_function_count == b->key_function_count;
	for (size_t i = 0; same && i < a->key_function_count; i++)
		same = is_same_function(&a->key_functions[i], &b->key_functions[i]);
	return same;
}

/* Returns false: the error is said. */
static bool keys_agree(const struct dph_d_check *c, const struct d_node *node,
		       const struct dph_format_aggregation *a,
		       const struct dph_format_aggregation *b)
{
	if (a->key_count != b->key_count) {
		dph_d_error(c->d, D_PROTO_LEN, node->a->place,
			    "@%s has %zu key(s) elsewhere, not %zu", a->name, a->key_count,
			    b->key_count);
		return false;
	}
	for (size_t i = 0; i < a->key_count; i++)
		if (a->keys[i].form != b->keys[i].form) {
			dph_d_error(c->d, D_KEY_TYPE, node->a->place,
				    "key %zu of @%s is of another kind elsewhere", i + 1, a->name);
			return false;
		}
	if (!dph_d_key_functions_agree(a, b)) {
		dph_d_error(c->d, D_KEY_TYPE, node->a->place,
			    "the host applies other functions to the keys of @%s elsewhere",
			    a->name);
		return false;
	}
	return true;
}

bool dph_d_uses_agree(const struct dph_d_check *c, const struct d_node *node,
		      const struct dph_format_aggregation *a,
		      const struct dph_format_aggregation *b)
{
	const bool values = a->function != DPH_AGGREGATE_count;
	if (a->function != b->function || memcmp(a->scale, b->scale, sizeof(a->scale)) != 0) {
		dph_d_error(c->d, D_AGG_REDEF, node->b->place,
			    "@%s is %s elsewhere; an aggregation has one function with equal "
			    "parameters",
			    a->name, functions[a->function].name);
		return false;
	}
	if (!keys_agree(c, node, a, b))
		return false;
	if (values && a->wide != b->wide) {
		dph_d_error(c->d, D_AGG_REDEF, node->b->place,
			    "the value has %d bits elsewhere; cast it", a->wide ? 64 : 32);
		return false;
	}
	if (values && a->is_signed != b->is_signed) {
		dph_d_error(c->d, D_AGG_REDEF, node->b->place, "the value is %s elsewhere; cast it",
			    a->is_signed ? "signed" : "unsigned");
		return false;
	}
	return true;
}

static unsigned places_of(unsigned wanted)
{
	unsigned places = 1;
	while (places < wanted)
		places *= 2;
	return places;
}

/* The places that the program asks for. */
static unsigned wanted_places(const struct d_front *d, const char *name)
{
	for (const struct d_places *at = d->places; at; at = at->next)
		if (strcmp(at->name, name) == 0)
			return at->places;
	return d->agg_size;
}

/* Increments have 64 bits, and a sign. */
static struct dph_map map_row(const struct d_front *d, const struct dph_format_aggregation *a)
{
	const unsigned keys = dph_aggregate_key_words(a, d->program->target.word_bytes);
	const bool words = d->program->target.word_bytes < sizeof(int64_t);
	const bool wide = is_distribution(a->function) ? a->increments && words : a->wide;
	return (struct dph_map){
		.kind = a->increments ? DP_MAP_SUM : functions[a->function].map,
		.flags = (a->is_signed || a->increments ? DP_MAP_SIGNED : 0u) |
			 (wide ? DP_MAP_WIDE : 0u),
		.keys = keys,
		.values = a->increments ? DP_MAP_HOLDS_SUM : functions[a->function].holds,
		.places = keys ? places_of(wanted_places(d, a->name)) : 1,
	};
}

static struct dph_map scale_row(const struct dph_format_aggregation *a)
{
	struct dph_map row = {.kind = DP_MAP_SCALE,
			      .flags = (a->is_signed ? DP_MAP_SIGNED : 0u) |
				       (a->wide ? DP_MAP_WIDE : 0u)};
	if (a->function == DPH_AGGREGATE_lquantize) {
		row.a = DP_SCALE_LINEAR;
		row.b = (uint32_t)a->scale[0];
		row.c = (uint32_t)a->scale[1];
		row.places = (unsigned)a->scale[2];
	} else if (a->function == DPH_AGGREGATE_llquantize) {
		row.a = DP_SCALE_MAGNITUDES;
		row.b = (uint32_t)(a->scale[0] | a->scale[1] << 8 | a->scale[2] << 16);
		row.c = (uint32_t)a->scale[3];
	}
	return row;
}

uint32_t dph_d_add_aggregation(struct d_format_table *f, const struct dph_format_aggregation *made)
{
	f->aggregations = dph_grow(f->aggregations, &f->aggregation_capacity, f->aggregation_count,
				   sizeof(*f->aggregations));
	f->aggregations[f->aggregation_count] = *made;
	return (uint32_t)f->aggregation_count++;
}

/* Add the maps of a new aggregation: its scale follows it. */
static bool add(struct d_front *d, const struct d_node *node, struct dph_format_aggregation *a)
{
	struct d_format_table *f = d->formats;
	const struct dph_map row = map_row(d, a), scale = scale_row(a);
	const unsigned bytes = (row.keys + row.values) * d->program->target.word_bytes;
	if (d->program->map_count + 2 > DPH_MAX_MAPS) {
		dph_d_error(d, D_HERE_LIMIT, node->place,
			    "the program has more aggregations and arrays than an agent holds");
		return false;
	}
	const unsigned own = row.values * d->program->target.word_bytes;
	if (own > DP_MAP_ENTRY_BYTES) {
		dph_d_error(d, D_HERE_LIMIT, node->b->place,
			    "the value of %s has %u bytes where words have %u bits, and an agent "
			    "holds %d; use avg, min and max",
			    functions[a->function].name, own, 8 * d->program->target.word_bytes,
			    DP_MAP_ENTRY_BYTES);
		return false;
	}
	if (row.keys > DP_MAP_KEYS_MAX || bytes > DP_MAP_ENTRY_BYTES) {
		dph_d_error(d, D_HERE_LIMIT, node->place,
			    "keys and value of @%s have %u bytes, and an agent holds %d; use fewer "
			    "keys",
			    a->name, bytes, DP_MAP_ENTRY_BYTES);
		return false;
	}
	a->map = (uint32_t)dph_ir_map(d->program, &row);
	if (is_distribution(a->function))
		dph_ir_map(d->program, &scale);
	dph_d_add_aggregation(f, a);
	return true;
}

/* --- values -------------------------------------------------------------------------------- */

/* The first use decides the sign and width. */
bool dph_d_check_aggregated(const struct dph_d_check *c, struct d_node *value,
			    struct dph_format_aggregation *a)
{
	if (!dph_d_check_number(c, value, D_AGG_SCALAR, "the value"))
		return false;
	a->is_time = dph_d_is_time(c->d, value);
	/* A difference of times may be below 0, and no time needs 64 bits. */
	a->is_signed =
		a->is_time || (value->is.type.kind == D_TYPE_INTEGER && value->is.type.is_signed);
	a->wide = dph_d_is_long(c->d, &value->is.type);
	return true;
}

/* The increment is the last argument of a distribution that has them all. */
struct d_node *dph_d_increment_of(const struct d_node *call, enum dph_aggregate function)
{
	struct d_node *argument = call->list;
	for (unsigned i = functions[function].most; argument && i > 1; i--)
		argument = argument->next;
	return is_distribution(function) ? argument : NULL;
}

/* Has an update of the aggregation an increment? Then the others count by 1. */
static bool is_incremented(const struct d_statement *list, const char *name,
			   enum dph_aggregate function)
{
	bool found = false;
	for (; list && !found; list = list->next) {
		const struct d_node *node = list->expression;
		found = (node && dph_d_is_aggregation(node) && node->b->kind == D_NODE_CALL &&
			 strcmp(node->a->text, name) == 0 &&
			 dph_d_increment_of(node->b, function)) ||
			is_incremented(list->yes, name, function) ||
			is_incremented(list->no, name, function);
	}
	return found;
}

static bool increments(const struct d_front *d, const char *name, enum dph_aggregate function)
{
	bool found = false;
	for (const struct d_clause *c = d->clauses; c && !found; c = c->next)
		found = is_incremented(c->body, name, function);
	return found;
}

static void lower_increment(struct d_lower *l, struct d_node *increment)
{
	const struct d_type wide = dph_d_type_integer(l->d, sizeof(int64_t), true);
	struct d_node one = {.kind = D_NODE_NUMBER};
	dph_d_set_constant(l->d, &one, 1, true);
	dph_d_lower_as(l, increment ? increment : &one, &wide);
}

static void lower_update(struct d_lower *l, const struct dph_format_aggregation *a,
			 struct d_node *value, struct d_node *increment)
{
	if (value)
		dph_d_lower_as(l, value, &value->is.type);
	if (is_distribution(a->function))
		dph_d_emit(l->code, RPN_BUCKET, a->map + 1);
	l->depth++;
	if (a->increments)
		lower_increment(l, increment);
	dph_d_emit(l->code, RPN_ADD_MAP, a->map);
}

void dph_d_aggregate(struct d_record *record, struct d_node *node)
{
	const struct dph_d_check *c = record->check;
	struct d_lower *l = record->lower;
	struct dph_format_aggregation made = {.name = node->a->text};
	const unsigned depth = l->depth;
	uint32_t index = 0;
	const struct dph_format_aggregation *there =
		dph_d_aggregation_named(c->d, made.name, &index)
			? &c->d->formats->aggregations[index]
			: NULL;
	if (!function_of(c, node, &made.function))
		return;
	if (dph_d_has_stack_key(node->a)) {
		dph_d_count_by_host(record, node, &made, there, index);
		return;
	}
	struct d_node *value = node->b->list;
	struct d_node *increment = dph_d_increment_of(node->b, made.function);
	made.increments = increments(c->d, made.name, made.function);
	if ((value && !dph_d_check_aggregated(c, value, &made)) ||
	    (value && !dph_d_check_scale(c, value, made.function, made.scale)) ||
	    (increment && !dph_d_check_number(c, increment, D_AGG_SCALAR, "the increment")) ||
	    !dph_d_lower_keys(record, node->a, there, &made))
		return;
	if (there ? dph_d_uses_agree(c, node, there, &made) : add(c->d, node, &made))
		lower_update(l, there ? there : &made, value, increment);
	if (there && made.key_count == there->key_count) /* a key may have a wider type now */
		c->d->formats->aggregations[index].keys = made.keys;
	l->depth = depth;
}
