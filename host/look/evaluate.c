/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers, pointers and addresses of checked expressions. */
#define _GNU_SOURCE
#include "evaluate.h"

#include <string.h>

static unsigned word_bytes(const struct dph_look_run *run)
{
	return run->d->program->target.word_bytes;
}

/* --- what has a value here ------------------------------------------------------------------ */

/* The number that steps of a location leave. Returns false: they need registers or memory. */
static bool constant_steps(struct dph_steps steps, uint64_t *value)
{
	uint32_t reg;
	int64_t offset;
	if (!dph_steps_linear(steps, &reg, &offset) || reg != UINT32_MAX)
		return false;
	*value = (uint64_t)offset;
	return true;
}

/* Is the variable in one piece, in memory or of constant bytes, the same all the time? */
static bool has_fixed_place(const struct dph_location *location)
{
	const struct dph_piece *piece = &location->pieces[0];
	uint64_t value;
	if (location->count != 1 || piece->bits || piece->bit_at)
		return false;
	if (piece->kind == DPH_PIECE_MEMORY || piece->kind == DPH_PIECE_VALUE)
		return constant_steps(piece->steps, &value);
	return piece->kind == DPH_PIECE_BYTES;
}

/* Why the host has no value of the node itself; null: it has one. */
static const char *refused(const struct d_node *node)
{
	if (node->is.constant)
		return NULL;
	switch (node->is.home) {
	case D_HOME_VALUE:
		return node->kind == D_NODE_CALL ? "the host does not call this; a D program does"
						 : NULL;
	case D_HOME_MEMORY:
		return NULL;
	case D_HOME_LOCATION:
		return has_fixed_place(node->is.location)
			       ? NULL
			       : "this has no fixed place in memory; a D program reads it at a "
				 "probe point";
	default:
		return "this has a value only at a hit; a D program reads it";
	}
}

bool dph_look_keeps(struct d_front *d, const struct d_node *node)
{
	if (!node)
		return true;
	if (node->kind == D_NODE_ASSIGN || node->kind == D_NODE_STEP) {
		dph_d_error(d, D_OP_LVAL, node->place,
			    "an expression that is read changes nothing; 'dprobes write LVALUE "
			    "VALUE' changes LVALUE");
		return false;
	}
	for (const struct d_node *list = node->list; list; list = list->next)
		if (!dph_look_keeps(d, list))
			return false;
	return dph_look_keeps(d, node->a) && dph_look_keeps(d, node->b) &&
	       dph_look_keeps(d, node->c);
}

static bool allowed(struct d_front *d, const struct d_node *node);

static bool all_allowed(struct d_front *d, const struct d_node *list)
{
	for (; list; list = list->next)
		if (!allowed(d, list))
			return false;
	return true;
}

static bool allowed(struct d_front *d, const struct d_node *node)
{
	const char *why = refused(node);
	if (why) {
		dph_d_error(d, D_HERE_LOCATION, node->place, "%s", why);
		return false;
	}
	if (node->is.constant)
		return true;
	return (!node->a || allowed(d, node->a)) && (!node->b || allowed(d, node->b)) &&
	       (!node->c || allowed(d, node->c)) &&
	       (node->kind == D_NODE_CALL ? allowed(d, node->list) : all_allowed(d, node->list));
}

bool dph_look_allowed(struct d_front *d, const struct d_node *node)
{
	return allowed(d, node);
}

bool dph_look_in_memory(const struct d_node *node)
{
	return !node->is.constant && (node->is.home == D_HOME_MEMORY ||
				      (node->is.home == D_HOME_LOCATION &&
				       node->is.location->pieces[0].kind == DPH_PIECE_MEMORY));
}

/* --- objects --------------------------------------------------------------------------------- */

static uint64_t as_address(const struct dph_look_run *run, uint64_t value)
{
	return word_bytes(run) == 4 ? (uint32_t)value : value;
}

static bool location_address(struct dph_look_run *run, const struct d_node *node, uint64_t *address)
{
	const struct dph_piece *piece = &node->is.location->pieces[0];
	uint64_t value = 0;
	if (piece->kind != DPH_PIECE_MEMORY || !constant_steps(piece->steps, &value)) {
		run->why = "it has no address: the compiler keeps only its value";
		return false;
	}
	*address = as_address(run, value + node->is.offset);
	return true;
}

/* a[i]: both parts are evaluated, so that what both want is read in one turn. */
static bool element_address(struct dph_look_run *run, const struct d_node *node, uint64_t *address)
{
	uint64_t base = 0, index = 0;
	const bool has_base = dph_look_value(run, node->a, &base);
	const bool has_index = dph_look_value(run, node->list, &index);
	if (!has_base || !has_index)
		return false;
	*address = as_address(run, base + index * node->is.scale + node->is.offset);
	return true;
}

bool dph_look_address(struct dph_look_run *run, const struct d_node *node, uint64_t *address)
{
	uint64_t base;
	bool known;
	if (node->is.home == D_HOME_LOCATION)
		return location_address(run, node, address);
	if (node->kind == D_NODE_INDEX)
		return element_address(run, node, address);
	/* *a, a->member, a.member, copyin(a, n) */
	if (node->kind == D_NODE_MEMBER && node->op == D_OP_DOT)
		known = dph_look_address(run, node->a, &base);
	else
		known = dph_look_value(run, node->kind == D_NODE_CALL ? node->list : node->a,
				       &base);
	if (known)
		*address = as_address(run, base + node->is.offset);
	return known;
}

/* Bytes that the debug information itself has. */
static const uint8_t *kept_object(struct dph_look_run *run, const struct d_node *node, size_t bytes)
{
	const struct dph_piece *piece = &node->is.location->pieces[0];
	uint64_t value = 0;
	if (piece->kind == DPH_PIECE_BYTES) {
		if (node->is.offset + bytes <= piece->byte_count)
			return piece->bytes + node->is.offset;
	} else if (constant_steps(piece->steps, &value) && !node->is.offset && bytes <= 8) {
		uint8_t *copy = dph_pool_take(run->pool, bytes + 1);
		for (size_t i = 0; i < bytes; i++, value >>= 8)
			copy[run->d->program->target.big_endian ? bytes - 1 - i : i] =
				(uint8_t)value;
		return copy;
	}
	run->why = "only a part of it is there";
	return NULL;
}

const uint8_t *dph_look_range(struct dph_look_run *run, uint64_t address, size_t bytes)
{
	size_t have;
	const uint8_t *data = dph_look_bytes(run->memory, address, bytes, &have);
	const unsigned long long missing = address + have;
	if (!data && dph_look_failed(run->memory, address, bytes))
		run->why = dph_pool_print(run->pool, "the target does not let 0x%llx be read",
					  missing);
	else if (!data)
		run->wanted = true;
	return data;
}

const uint8_t *dph_look_object(struct dph_look_run *run, const struct d_node *node, size_t bytes)
{
	uint64_t address;
	if (!dph_look_in_memory(node))
		return kept_object(run, node, bytes);
	if (!dph_look_address(run, node, &address))
		return NULL;
	return dph_look_range(run, address, bytes);
}

/* --- numbers --------------------------------------------------------------------------------- */

static uint64_t number_of(const struct dph_look_run *run, const uint8_t *data, size_t bytes)
{
	uint64_t value = 0;
	for (size_t i = 0; i < bytes; i++)
		value = value << 8 | data[run->d->program->target.big_endian ? i : bytes - 1 - i];
	return value;
}

static bool load(struct dph_look_run *run, const struct d_node *node, uint64_t *value)
{
	const struct dph_member *member = &node->is.member;
	const size_t bytes = member->bits ? member->load_bytes : node->is.type.bytes;
	if (!bytes || bytes > sizeof(*value)) {
		run->why = "the bit-field spans more than eight bytes";
		return false;
	}
	const uint8_t *data = dph_look_object(run, node, bytes);
	if (!data)
		return false;
	*value = number_of(run, data, bytes);
	if (member->bits) {
		const unsigned unused = 64 - member->bits;
		*value = *value >> member->shift << unused;
		*value = node->is.type.is_signed ? (uint64_t)((int64_t)*value >> unused)
						 : *value >> unused;
		return true;
	}
	*value = dph_d_type_narrow(&node->is.type, *value);
	return true;
}

static bool is_pointed(const struct d_node *node)
{
	return dph_d_type_pointed(&node->a->is.type) || dph_d_type_pointed(&node->b->is.type);
}

/* pointer + n, pointer - n, pointer - pointer */
static uint64_t pointer_result(const struct d_node *node, uint64_t a, uint64_t b)
{
	if (dph_d_type_pointed(&node->b->is.type))
		return (uint64_t)((int64_t)(a - b) / (int64_t)node->is.scale);
	return node->op == D_OP_ADD ? a + b * node->is.scale : a - b * node->is.scale;
}

/* The operands of an operation have its type; those of a comparison the type that they share. */
static bool computed(struct dph_look_run *run, const struct d_node *node, uint64_t a, uint64_t b,
		     uint64_t *value)
{
	const bool pointed = is_pointed(node);
	struct d_type type = node->is.type;
	if (dph_d_gives_truth(node->op) && !pointed)
		type = dph_d_type_common(run->d, &node->a->is.type, &node->b->is.type);
	if (!pointed) {
		a = dph_d_type_narrow(&type, a);
		b = dph_d_type_narrow(&type, b);
	}
	if (pointed && (node->op == D_OP_ADD || node->op == D_OP_SUB)) {
		*value = pointer_result(node, a, b);
		return true;
	}
	if ((node->op == D_OP_DIV || node->op == D_OP_MOD) && b == 0) {
		run->why = "the expression divides by zero";
		return false;
	}
	*value = dph_d_computed(node->op, a, b, type.is_signed && !pointed);
	return true;
}

/* The right operand of && and || is evaluated where the left one does not decide. */
static bool logical(struct dph_look_run *run, const struct d_node *node, uint64_t *value)
{
	uint64_t a, b;
	if (!dph_look_value(run, node->a, &a))
		return false;
	if (node->op != D_OP_XOR_XOR && !a == (node->op == D_OP_AND_AND)) {
		*value = a != 0;
		return true;
	}
	if (!dph_look_value(run, node->b, &b))
		return false;
	*value = node->op == D_OP_XOR_XOR ? !a != !b : b != 0;
	return true;
}

static bool binary(struct dph_look_run *run, const struct d_node *node, uint64_t *value)
{
	uint64_t a = 0, b = 0;
	if (node->op == D_OP_AND_AND || node->op == D_OP_OR_OR || node->op == D_OP_XOR_XOR)
		return logical(run, node, value);
	const bool has_a = dph_look_value(run, node->a, &a);
	const bool has_b = dph_look_value(run, node->b, &b);
	return has_a && has_b && computed(run, node, a, b, value);
}

static bool unary(struct dph_look_run *run, const struct d_node *node, uint64_t *value)
{
	uint64_t a;
	if (node->op == D_OP_AND)
		return node->a->is.type.kind == D_TYPE_FUNCTION
			       ? dph_look_value(run, node->a, value)
			       : dph_look_address(run, node->a, value);
	if (!dph_look_value(run, node->a, &a))
		return false;
	*value = node->op == D_OP_NOT          ? !a
		 : node->op == D_OP_COMPLEMENT ? ~a
		 : node->op == D_OP_SUB        ? 0 - a
					       : a;
	return true;
}

static bool choice(struct dph_look_run *run, const struct d_node *node, uint64_t *value)
{
	uint64_t a;
	return dph_look_value(run, node->a, &a) &&
	       dph_look_value(run, a ? node->b : node->c, value);
}

static bool operation(struct dph_look_run *run, const struct d_node *node, uint64_t *value)
{
	switch (node->kind) {
	case D_NODE_UNARY:
		return unary(run, node, value);
	case D_NODE_BINARY:
		return binary(run, node, value);
	case D_NODE_CHOICE:
		return choice(run, node, value);
	case D_NODE_CAST:
		return dph_look_value(run, node->a, value);
	default:
		run->why = "the host does not compute this; a D program does";
		return false;
	}
}

bool dph_look_value(struct dph_look_run *run, const struct d_node *node, uint64_t *value)
{
	if (node->is.constant) {
		*value = node->is.number;
		return true;
	}
	if (node->is.home == D_HOME_MEMORY || node->is.home == D_HOME_LOCATION)
		return node->is.type.kind == D_TYPE_ARRAY ? dph_look_address(run, node, value)
							  : load(run, node, value);
	if (!operation(run, node, value))
		return false;
	*value = node->is.type.kind == D_TYPE_POINTER ? as_address(run, *value)
						      : dph_d_type_narrow(&node->is.type, *value);
	return true;
}
